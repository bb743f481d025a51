// The rules of order: when a response was sent and acknowledged decides which data it may replace, never when it arrived. Tested
// on the engine itself, where a test can choose both stamps.
import { Entity, schema } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { createBench } from '../support/engine.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
  done = false;
  status = '';
}
const list = new schema.Collection([Todo]);
const gone = new schema.Invalidate(Todo);

const ids = (items: unknown): unknown => (items as Todo[] | undefined)?.map((item) => item.id); // cast: lists of todos

/** A bench with a request in flight from the beginning: nothing may be forgotten yet. */
function openBench(): ReturnType<typeof createBench> {
  const bench = createBench();
  bench.engine.store.timeline.tick();
  bench.send();
  return bench;
}

/** All stamps of a test are above that of the request that openBench sent. */
const T = 100_000;

describe('rows', () => {
  test('a later-sent read wins over an earlier one, whichever arrived first', () => {
    const { read, get } = openBench();
    read({ schema: Todo, value: { id: '1', title: 'new' }, sent: T + 2, settled: T + 3 });
    read({ schema: Todo, value: { id: '1', title: 'old', done: true }, sent: T + 1, settled: T + 4 });

    expect(get(Todo, '1')).toMatchObject({ title: 'new', done: true });
  });

  test('a read sent before a write was acknowledged does not replace the fields of the write', () => {
    const { read, write, get } = openBench();
    write({ schema: Todo, value: { id: '1', title: 'written' }, sent: T + 1, settled: T + 5 });
    read({ schema: Todo, value: { id: '1', title: 'read' }, sent: T + 4, settled: T + 6 });
    expect(get(Todo, '1')).toMatchObject({ title: 'written' });

    read({ schema: Todo, value: { id: '1', title: 'read later' }, sent: T + 6, settled: T + 7 });
    expect(get(Todo, '1')).toMatchObject({ title: 'read later' });
  });

  test('a later-sent write wins over an earlier one', () => {
    const { write, get } = openBench();
    write({ schema: Todo, value: { id: '1', title: 'second' }, sent: T + 2, settled: T + 3 });
    write({ schema: Todo, value: { id: '1', title: 'first' }, sent: T + 1, settled: T + 4 });

    expect(get(Todo, '1')).toMatchObject({ title: 'second' });
  });

  test('fields that two requests supplied are ordered one by one', () => {
    const { read, write, get } = openBench();
    read({ schema: Todo, value: { id: '1', title: 'a', status: 'x' }, sent: T + 1, settled: T + 2 });
    write({ schema: Todo, value: { id: '1', title: 'b' }, sent: T + 3, settled: T + 6 });
    read({ schema: Todo, value: { id: '1', title: 'c', status: 'y' }, sent: T + 4, settled: T + 7 });

    expect(get(Todo, '1')).toMatchObject({ title: 'b', status: 'y' });
  });

  test('a read does not remove the stamp of a write that came before it', () => {
    const { read, write, get } = openBench();
    write({ schema: Todo, value: { id: '1', title: 'w2' }, sent: T + 5, settled: T + 6 });
    read({ schema: Todo, value: { id: '1', title: 'r' }, sent: T + 7, settled: T + 8 });
    write({ schema: Todo, value: { id: '1', title: 'w1' }, sent: T + 4, settled: T + 9 });

    expect(get(Todo, '1')).toMatchObject({ title: 'r' });
  });
});

describe('deletion', () => {
  test('a deleted row does not come back with a response sent before the acknowledgement', () => {
    const { read, write, get } = openBench();
    read({ schema: list, value: [{ id: '1' }, { id: '2' }], sent: T + 1, settled: T + 2 });
    write({ schema: gone, value: { id: '1' }, sent: T + 3, settled: T + 6 });

    read({ schema: Todo, value: { id: '1' }, sent: T + 4, settled: T + 7 });
    read({ schema: list, value: [{ id: '1' }, { id: '2' }], sent: T + 5, settled: T + 8 });
    write({ schema: Todo, value: { id: '1' }, sent: T + 5, settled: T + 9 });

    expect(get(Todo, '1')).toBeUndefined();
    expect(ids(get(list))).toEqual(['2']);
  });

  test('a response sent after the acknowledgement restores the row', () => {
    const { read, write, get } = openBench();
    write({ schema: gone, value: { id: '1' }, sent: T + 1, settled: T + 2 });
    read({ schema: list, value: [{ id: '1' }], sent: T + 3, settled: T + 4 });

    expect(ids(get(list))).toEqual(['1']);
  });

  test('an acknowledged delete applies though a later-sent write was acknowledged first', () => {
    const { write, get } = openBench();
    write({ schema: Todo, value: { id: '1' }, sent: T + 2, settled: T + 3 });
    write({ schema: gone, value: { id: '1' }, sent: T + 1, settled: T + 4 });

    expect(get(Todo, '1')).toBeUndefined();
  });
});

describe('lists', () => {
  test('a later-sent list read wins over an earlier one', () => {
    const { read, get } = openBench();
    read({ schema: list, value: [{ id: '1' }, { id: '2' }], sent: T + 2, settled: T + 3 });
    read({ schema: list, value: [{ id: '1' }], sent: T + 1, settled: T + 4 });

    expect(ids(get(list))).toEqual(['1', '2']);
  });

  test('a list read keeps the rows that were created after it was sent', () => {
    const { read, write, get } = openBench();
    read({ schema: list, value: [{ id: '1' }], sent: T + 1, settled: T + 2 });
    write({ schema: list.push, value: { id: '9' }, sent: T + 3, settled: T + 5, args: [{}] });
    read({ schema: list, value: [{ id: '1' }, { id: '2' }], sent: T + 4, settled: T + 6 });
    expect(ids(get(list))).toEqual(['1', '2', '9']);

    read({ schema: list, value: [{ id: '9' }, { id: '1' }, { id: '2' }], sent: T + 6, settled: T + 7 });
    expect(ids(get(list))).toEqual(['9', '1', '2']);
  });

  test('a list first read after a creation, but sent before it, contains the created row too', () => {
    const { read, write, get } = openBench();
    write({ schema: list.unshift, value: { id: '9' }, sent: T + 1, settled: T + 5, args: [{}] });
    read({ schema: list, value: [{ id: '1' }], sent: T + 4, settled: T + 6 });

    expect(ids(get(list))).toEqual(['9', '1']);
  });

  test('a creation sent before a refetch is placed at its own end', () => {
    const { read, write, get } = openBench();
    read({ schema: list, value: [{ id: '1' }, { id: '2' }], sent: T + 2, settled: T + 3 });
    write({ schema: list.push, value: { id: '9' }, sent: T + 1, settled: T + 4, args: [{}] });

    expect(ids(get(list))).toEqual(['1', '2', '9']);
  });

  test('a list read sent before a removal does not bring the row back', () => {
    const { read, write, get } = openBench();
    read({ schema: list, value: [{ id: '1' }, { id: '2' }], sent: T + 1, settled: T + 2 });
    write({ schema: list.remove, value: { id: '1' }, sent: T + 3, settled: T + 5, args: [{}] });
    read({ schema: list, value: [{ id: '1' }, { id: '2' }], sent: T + 4, settled: T + 6 });

    expect(ids(get(list))).toEqual(['2']);
  });

  test('a list read sent before a row moved leaves the row in its new list', () => {
    const { read, write, get } = openBench();
    read({
      schema: list,
      value: [{ id: '1', status: 'a' }],
      sent: T + 1,
      settled: T + 2,
      args: [{ status: 'a' }],
    });
    read({ schema: list, value: [], sent: T + 1, settled: T + 2, args: [{ status: 'b' }] });
    write({ schema: Todo, value: { id: '1', status: 'b' }, sent: T + 3, settled: T + 5 });
    read({
      schema: list,
      value: [{ id: '1', status: 'a' }],
      sent: T + 4,
      settled: T + 6,
      args: [{ status: 'a' }],
    });
    read({ schema: list, value: [], sent: T + 4, settled: T + 7, args: [{ status: 'b' }] });

    expect(ids(get(list, { status: 'a' }))).toEqual([]);
    expect(ids(get(list, { status: 'b' }))).toEqual(['1']);
  });

  test('a custom merge is kept over a read sent before it was acknowledged', () => {
    const { read, write, get } = openBench();
    const second = list.addWith((present: string[], created: string[]) =>
      present.toSpliced(1, 0, ...created),
    );
    read({ schema: list, value: [{ id: '1' }, { id: '2' }], sent: T + 1, settled: T + 2 });
    write({ schema: second, value: { id: '9' }, sent: T + 3, settled: T + 5, args: [{}] });
    read({ schema: list, value: [{ id: '1' }, { id: '2' }, { id: '3' }], sent: T + 4, settled: T + 6 });

    expect(ids(get(list))).toEqual(['1', '9', '2', '3']);
  });
});
