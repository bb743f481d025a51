// What is remembered of a row that a response with some fields has touched.
import { schema } from 'holdfast';
import { pick } from 'holdfast/local';
import { expect, test } from 'vitest';
import { CORE } from '../../src/controller/state/core.ts';
import { Note, start } from './notes.ts';

test('rows that only one response with some fields has touched share one object, and other rows have none', async () => {
  const { controller, getRows, Notes } = await start();
  const rowsOf = () => {
    const { store } = controller[CORE].engine;
    return ['1', '2'].map((pk) => store.table('PickNote').rows.get(pk)!);
  };
  const full = Notes.getList.extend({ schema: new schema.Collection([Note]) });
  await controller.fetch(full);
  const plain = rowsOf().map((row) => Object.keys(row));
  expect(plain.flat()).not.toContain('coverage');
  controller.resetEntireStore();
  await controller.fetch(getRows);
  const [first, second] = rowsOf();
  expect(first!.coverage).toBeDefined();
  expect(first!.coverage).toBe(second!.coverage);
  await controller.fetch(full);

  expect(rowsOf().map(({ coverage }) => coverage)).toEqual([undefined, undefined]);
});

test('a row has at most three groups of fields, and the oldest are as old as the oldest of them', async () => {
  const { controller, world, Notes } = await start();
  await controller.fetch(Notes.get, { id: '1' });
  const expected: number[] = [];
  for (const name of ['title', 'body', 'lane'] as const) {
    world.time.advance(1_000);
    const Part = pick(Note, ['id', name]);
    void controller.set(Part, { id: '1' }, { id: '1', [name]: name } as never);
    expected.push(world.options.clock.now() + 60_000);
  }
  const row = controller[CORE].engine.store.table('PickNote').rows.get('1')!;

  expect(row.coverage!.groups.map(({ names }) => names && [...names])).toEqual([
    ['id', 'lane'],
    ['id', 'body'],
    null,
  ]);
  expect(row.coverage!.groups[0]!.stamp.expiresAt).toBe(expected[2]);
  expect(row.coverage!.groups[2]!.stamp.expiresAt).toBeLessThan(expected[0]!);
});
