// Fields have their own stamps only while these can make a difference: while a request is in flight, or with a version.
import { Entity, versionBy } from 'holdfast';
import { expect, test } from 'vitest';
import { createBench } from '../support/engine.ts';

class Plain extends Entity {
  static override key = 'Plain';
  id = '';
  title = '';
  body = '';
}
class Versioned extends Plain {
  static override key = 'Versioned';
  static override version = versionBy('version');
  version = 0;
}

test('with no request in flight a row has stamps by field only where a version decides', () => {
  const bench = createBench();
  const stampsOf = (name: string) => bench.engine.store.table(name).rows.get('1')!.fieldStamps;
  for (const schema of [Plain, Versioned]) {
    bench.read({ sent: 1, settled: 2, schema, value: { id: '1', version: 1, title: 'a', body: 'text' } });
    bench.read({ sent: 3, settled: 4, schema, value: { id: '1', version: 2, title: 'b' } });
  }

  expect(stampsOf('Plain')).toBeNull();
  expect([...stampsOf('Versioned')!.keys()]).toEqual(['body']);
});

test('while a request is in flight, fields that a write omits keep their own stamp', () => {
  const { engine, read, send, write } = createBench();
  read({ sent: 1, settled: 2, schema: Plain, value: { id: '1', title: 'a', body: 'text' } });
  send();
  write({ sent: 1001, settled: 1002, schema: Plain, value: { id: '1', title: 'c' } });

  const row = engine.store.table('Plain').rows.get('1')!; // written above
  expect([...(row.fieldStamps?.keys() ?? [])]).toEqual(['body']);
});

test('a write that arrives too late changes the stamp of no field that it omits', () => {
  const { get, send, read, write } = createBench();
  read({ sent: 1, settled: 2, schema: Plain, value: { id: '1', title: 'a', body: 'a' } });
  send(); // something is in flight all the time
  write({ sent: 2000, settled: 2000, schema: Plain, value: { id: '1', body: 'b' } });
  write({ sent: 1900, settled: 2300, schema: Plain, value: { id: '1', title: 'b' } });

  read({ sent: 2200, settled: 2400, schema: Plain, value: { id: '1', title: 'a', body: 'c' } });

  expect(get(Plain, { id: '1' })).toMatchObject({ title: 'b', body: 'c' });
});
