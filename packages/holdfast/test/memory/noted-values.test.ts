// The notes of a view about its children, from which it is rebuilt after a change, keep no outdated value.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Cache, Entity, schema } from 'holdfast';
import { expect, test } from 'vitest';
import { kindOf } from '../../src/schema/kinds/kind-of.ts';
import { createBench } from '../support/engine.ts';

class Tag extends Entity {
  static override key = 'Tag';
  id = '';
  label = '';
}
class Note extends Entity {
  static override key = 'Note';
  id = '';
  title = '';
  tag: Tag | undefined = undefined;
  static override schema = { tag: Tag };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // cast: what the flag gives

/** Changes and reads a number of times; how many of the values that were read are still there. */
async function countKept(read: (round: number) => object, rounds = 100): Promise<number> {
  const had: WeakRef<object>[] = [];
  for (let round = 0; round < rounds; round += 1) had.push(new WeakRef(read(round)));
  // a weak reference is kept until the end of the turn
  await new Promise((resolve) => setTimeout(resolve, 0));
  collect();
  return had.filter((one) => one.deref() !== undefined).length;
}

test.each(['a list', 'an entity'])(
  'values of a row are released though nobody reads %s that contains it',
  async (what) => {
    const cache = new Cache();
    const list = new schema.Collection([Tag]);
    cache.write(list, [{ id: 't' }]);
    cache.write(Note, { id: '1', tag: 't' });
    if (what === 'a list') cache.read(list);
    else cache.read(Note, ['1']);
    const kept = await countKept((round) => {
      cache.write(Tag, { id: 't', label: String(round) });
      return cache.read(Tag, ['t'])!; // written just now
    });
    expect(kept).toBeLessThan(5);
  },
);

test('values of rows that change in turn are released before they are many', async () => {
  const cache = new Cache();
  const list = new schema.Collection([Tag]);
  cache.write(list, [{ id: '0' }, { id: '1' }]);
  cache.read(list);
  const kept = await countKept((round) => {
    const id = String(round % 2);
    cache.write(Tag, { id, label: String(round) });
    return cache.read(Tag, [id])!; // written just now
  }, 600);
  expect(kept).toBeLessThan(5);
  expect(cache.read(list)?.map(({ label }) => label)).toEqual(['598', '599']);
});

test('values of a row are released when its parent is deleted', async () => {
  const cache = new Cache();
  cache.write(Tag, { id: 't' });
  const kept = await countKept((round) => {
    const id = String(round);
    cache.write(Note, { id, tag: 't' });
    const tag = cache.read(Note, [id])!.tag!; // written just now, both
    cache.write(Tag, { id: 't', label: id });
    cache.write(new schema.Invalidate(Note), id);
    cache.read(Note, [id]);
    return tag;
  });
  expect(kept).toBeLessThan(5);
});

test('values of a row are released by the draft that became that row', async () => {
  const { engine, get, write } = createBench();
  const kind = kindOf(Note);
  const table = engine.tableOf(kind as never); // cast: an entity's kind owns a table
  write({ sent: 1, settled: 2, schema: Note, value: { id: '1' } });
  const draft = engine.createDraft(table);
  draft.base = { id: draft.pk };
  engine.store.show(draft);
  const view = engine.viewOf(draft, kind as never); // cast: and reads its rows
  engine.read(view);
  draft.replacedBy = table.rows.get('1')!; // written above
  engine.store.mark(draft);
  const kept = await countKept((round) => {
    const at = 3 + round * 2;
    write({ sent: at, settled: at + 1, schema: Note, value: { id: '1', title: String(round) } });
    expect(engine.read(view)).toBe(get(Note, '1'));
    return engine.read(view) as object; // cast: it is there
  });
  expect(kept).toBeLessThan(5);
});
