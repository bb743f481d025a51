// The memory of an inspector is limited: by `keep`, and by the data that the store itself keeps.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Controller, createResource, Entity } from 'holdfast';
import { inspect } from 'holdfast/inspect';
import { expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
  parts: object[] = [];
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // cast: what the flag gives

const ROUNDS = 60;
const KEPT = 5;

test('requests, responses and rows that the store has removed are removed by the inspector', async () => {
  const world = new FakeWorld();
  const answers: WeakRef<object>[] = [];
  const args: WeakRef<object>[] = [];
  const inspector = inspect({ keep: KEPT });
  const get = createResource({ urlPrefix: 'http://held.test', path: '/todos/:id', schema: Todo }).get.extend({
    // a separate object for each response, so that a leak is visible
    async fetch({ id }: { id: string | number }) {
      const part = { of: id };
      answers.push(new WeakRef(part));
      return { id: String(id), title: `title ${id}`, parts: [part] };
    },
  });
  const controller = new Controller({ ...world.options, managers: [inspector], retentionMs: 1_000 });
  controller.start();
  for (let round = 0; round < ROUNDS; round += 1) {
    const given = { id: String(round) };
    args.push(new WeakRef(given));
    await controller.fetch(get, given);
  }
  for (let turn = 0; turn < 4; turn += 1) await world.pass(5_000);
  expect(controller.size).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 0));
  collect();

  const isThere = (one: WeakRef<object>): boolean => one.deref() !== undefined;
  expect(inspector.requests()).toHaveLength(KEPT);
  expect(answers.filter(isThere).length).toBeLessThan(3);
  expect(args.filter(isThere).length).toBeLessThan(KEPT + 3);
  controller.stop();
});

test('the last losers are kept for a field that loses repeatedly', async () => {
  const world = new FakeWorld();
  const inspector = inspect({ keep: KEPT });
  const held: ((title: string) => void)[] = [];
  const get = createResource({ urlPrefix: 'http://held.test', path: '/todos/:id', schema: Todo }).get.extend({
    fetch: ({ id }: { id: string | number }) =>
      new Promise<{ id: string; title: string }>((resolve) => {
        held.push((title) => resolve({ id: String(id), title }));
      }),
  });
  const controller = new Controller({ ...world.options, managers: [inspector] });
  const reads: Promise<unknown>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    reads.push(controller.fetch(get, { id: '1' }));
    controller.expireAll(get);
  }
  for (const answer of held.reverse()) answer(`title ${held.indexOf(answer)}`);
  await Promise.all(reads);

  const row = inspector.explain(Todo, { id: '1' });
  if (row.found !== 'entity') throw new Error(row.found);
  expect(row.fields['title']?.value).toBe('title 0');
  expect(row.fields['title']?.lost).toHaveLength(16);
  expect(row.fields['title']?.lost[0]?.value).toBe(`title ${ROUNDS - 1}`);
});

test('an inspector of many controllers, such as one per page on a server, keeps only the last one', async () => {
  const inspector = inspect({ keep: KEPT });
  const { get } = createResource({ urlPrefix: 'http://held.test', path: '/todos/:id', schema: Todo });
  const made: WeakRef<Controller>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const controller = new Controller({ managers: [inspector] });
    await controller.setResponse(get, { id: '1' }, { id: '1', title: `title ${round}` });
    made.push(new WeakRef(controller));
  }
  await new Promise((resolve) => setTimeout(resolve, 0));
  collect();

  expect(made.filter((one) => one.deref() !== undefined).length).toBeLessThan(3);
  const row = inspector.explain(Todo, { id: '1' });
  expect(row).toMatchObject({ found: 'entity', fields: { title: { value: `title ${ROUNDS - 1}` } } });
});
