// What a change costs that a local query is kept up after: only the rows that differ are judged, and only their group is made again.
import { expect, test } from 'vitest';
import { createJudge, LocalItems } from '../../src/addons/local/local-items.ts';
import type { LocalArrangement } from '../../src/addons/local/local-items.ts';
import { Row, Table } from '../../src/store/nodes.ts';

const table = new Table('LocalItemsTest');

/** A row of a group, and the item that a reader makes of its fields; `reads` counts how often its group was read. */
function given(pk: string, lane: string, reads = { count: 0 }) {
  const row = new Row(table, pk);
  row.shown = { pk, lane };
  return { row, item: itemOf(row, reads), reads };
}

function itemOf(row: Row, reads: { count: number }) {
  const { pk, lane } = row.shown as { pk: string; lane: string };
  return {
    pk,
    get lane() {
      reads.count += 1;
      return lane;
    },
  };
}

/** `by`: what shows that a row has changed, its item or its fields. */
function start(arrangement: LocalArrangement, size = 100, by: 'items' | 'rows' = 'items') {
  const reads = { count: 0 };
  const all = Array.from({ length: size }, (_, at) => given(String(at), at % 2 ? 'odd' : 'even', reads));
  const judge = createJudge(new Map([['lane', 'even']]), [], undefined);
  let judged = 0;
  const items = new LocalItems(arrangement);
  items.judgeAll((state) => (judged++, judge(state)));
  /** Brings the items up to date; tells how many rows were judged, and how often a group was read. */
  const update = (): { judged: number; reads: number; result: unknown } => {
    judged = 0;
    reads.count = 0;
    const shown = all.map(({ item }) => item);
    const members = all.map(({ row }) => row);
    items.update(shown, members, by === 'items' ? shown : members.map((row) => row.shown));
    return { judged, reads: reads.count, result: items.result };
  };
  const change = (at: number, fields: object): void => {
    const { row } = all[at]!;
    row.shown = { ...row.shown, ...fields };
    all[at] = { ...all[at]!, item: itemOf(row, reads) };
  };
  return { all, items, update, change };
}

const keysIn = (result: unknown): string => (result as { pk: string }[]).map(({ pk }) => pk).join(' ');

test.each(['items', 'rows'] as const)('after a change only the changed rows are judged, by %s', (by) => {
  const { all, update, change } = start({}, 10, by);
  expect(update().judged).toBe(10);
  expect(update()).toMatchObject({ judged: 0 });

  change(3, { lane: 'even' });
  const changed = update();
  expect([changed.judged, keysIn(changed.result)]).toEqual([1, '0 2 3 4 6 8']);
  all.splice(5, 0, given('new', 'even'));
  const inserted = update();
  expect([inserted.judged, keysIn(inserted.result)]).toEqual([1, '0 2 3 4 new 6 8']);
  all.splice(2, 2);
  const removed = update();
  expect([removed.judged, keysIn(removed.result)]).toEqual([0, '0 4 new 6 8']);
  all.unshift(given('first', 'even'));
  all.push(given('last', 'even'));
  expect(keysIn(update().result)).toBe('first 0 4 new 6 8 last');
});

test('a row is judged again when its fields have changed and its item has not', () => {
  const { all, update } = start({}, 4, 'rows');
  update();
  all[0]!.row.shown = { pk: '0', lane: 'odd' };
  const found = update();

  expect([found.judged, keysIn(found.result)]).toEqual([1, '2']);
});

test('an item that has changed although its row has not takes the place of the former item', () => {
  const { all, update } = start({}, 6, 'rows');
  const [, , second] = all;
  update();
  all[2] = { ...second!, item: itemOf(second!.row, second!.reads) };
  const { judged, result } = update();

  expect(judged).toBe(0);
  expect((result as unknown[])[1]).toBe(all[2]!.item);
});

test('changed items far from each other are judged alone and take their places', () => {
  const { all, update, change } = start({}, 10);
  update();
  for (const at of [1, 2, 8]) change(at, { votes: 1 });
  const { judged, result } = update();

  expect(judged).toBe(3);
  expect(result).toEqual([0, 2, 4, 6, 8].map((at) => all[at]!.item));
});

test('after other filters were set, no item of the former source is shown', () => {
  const { all, items, update } = start({ fold: (found) => found.length }, 4);
  expect(update().result).toBe(2);
  items.judgeAll(() => 'unknown');
  update();
  expect(items.isUndecided).toBe(true);
  items.judgeAll(() => 'in');
  all.length = 0;

  expect(update().result).toBe(0);
  expect(items.isUndecided).toBe(false);
});

test('a changed item that stays in its group reads no other group', () => {
  const { update, change, items } = start({ group: 'lane' });
  const groups = () => items.result as ReadonlyMap<string, readonly unknown[]>;
  update();
  const before = groups();
  change(0, { votes: 1 });
  const { reads } = update();

  expect(reads).toBeLessThan(5);
  expect(groups()).not.toBe(before);
  expect(keysIn(groups().get('even'))).toBe(keysIn(before.get('even')));
  expect(groups().get('even')![0]).not.toBe(before.get('even')![0]);
});

test('after a change within a group only this group is reduced again', () => {
  const reduced: number[] = [];
  const fold = (items: readonly unknown[]): number => reduced.push(items.length);
  const { update, change } = start({ group: 'pk', fold }, 6);
  update();
  expect(reduced).toEqual([1, 1, 1]);
  change(2, { votes: 1 });
  const { result } = update();

  expect(reduced).toHaveLength(4);
  expect([...(result as ReadonlyMap<string, unknown>)]).toEqual([
    ['0', 1],
    ['2', 4],
    ['4', 3],
  ]);
});

test('items that change places, or their groups, make the groups again in the order of the items', () => {
  const { all, update, items } = start({ group: 'pk' }, 6);
  const order = () => [...(items.result as ReadonlyMap<string, unknown>).keys()].join(' ');
  update();
  expect(order()).toBe('0 2 4');
  [all[0], all[4]] = [all[4]!, all[0]!];
  update();
  expect(order()).toBe('4 2 0');

  all[2] = given('5', 'even');
  update();
  expect(order()).toBe('4 5 0');
});

test('two items of one group that change places do so in their group', () => {
  const { all, update, items } = start({ group: 'lane' }, 6);
  update();
  [all[0], all[2]] = [all[2]!, all[0]!];
  update();

  expect(keysIn((items.result as ReadonlyMap<string, unknown>).get('even'))).toBe('2 0 4');
});
