// Fields have stamps of their own only while something can tell them apart: a request in flight, or a version.
import { Entity } from 'holdfast';
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
  static override version = 'version';
  version = 0;
}

test('with no request in flight a row keeps stamps by field only where a version tells', () => {
  const bench = createBench();
  const stampsOf = (name: string) => bench.engine.store.table(name).rows.get('1')!.fieldStamps;
  for (const schema of [Plain, Versioned]) {
    bench.read({ sent: 1, settled: 2, schema, value: { id: '1', version: 1, title: 'a', body: 'text' } });
    bench.read({ sent: 3, settled: 4, schema, value: { id: '1', version: 2, title: 'b' } });
  }

  expect(stampsOf('Plain')).toBeNull();
  expect([...stampsOf('Versioned')!.keys()]).toEqual(['body']);
});
