// The place of single fields on the line of requests: kept while a request is in flight that could tell, and no longer.
import { Entity } from 'holdfast';
import { expect, test } from 'vitest';
import { createBench } from '../support/engine.ts';

class Item extends Entity {
  static override key = 'Item';
  id = '';
  title = '';
  group = '';
}

test('what is said of some fields leaves no mark on the others when no request is in flight', () => {
  const { engine, read, write } = createBench();
  read({ sent: 1, settled: 2, schema: Item, value: { id: '1', title: 'a', group: 'a' } });

  const { rows } = write({ sent: 3, settled: 4, schema: Item, value: { id: '1', title: 'b' } });
  expect(rows[0]?.fieldStamps).toBeNull();

  engine.store.timeline.open();
  write({ sent: 1001, settled: 1002, schema: Item, value: { id: '1', title: 'c' } });
  expect([...(rows[0]?.fieldStamps?.keys() ?? [])]).toEqual(['group']);
});

test('a write that comes too late moves no field that it does not carry', () => {
  const { get, send, read, write } = createBench();
  read({ sent: 1, settled: 2, schema: Item, value: { id: '1', title: 'a', group: 'a' } });
  send(); // something is in flight all the time
  write({ sent: 2000, settled: 2000, schema: Item, value: { id: '1', group: 'b' } });
  write({ sent: 1900, settled: 2300, schema: Item, value: { id: '1', title: 'b' } });

  read({ sent: 2200, settled: 2400, schema: Item, value: { id: '1', title: 'a', group: 'c' } });

  expect(get(Item, { id: '1' })).toMatchObject({ title: 'b', group: 'c' });
});
