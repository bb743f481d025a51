// Pages that freeze the built-in prototypes against pollution: the library neither changes them nor fails because of them. The
// file runs in a separate worker, which ends with it.
import { Cache, Entity, EntityMixin, schema } from 'holdfast';
import { expect, test } from 'vitest';

class User extends Entity {
  static override key = 'User';
  static override indexes = ['name'] as const;
  id = '';
  name = '';
}
class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  status = '';
  at = new Date(0);
  author = User.fromJS();
  tags: string[] = [];
  static override schema = { at: Date, author: User };
}

test('reading and writing work under frozen prototypes and a getter planted on Object.prototype', () => {
  const planted: string[] = [];
  Object.defineProperty(Object.prototype, 'planted', {
    configurable: true,
    get() {
      planted.push('read');
      return 'planted';
    },
  });
  for (const one of [Object, Array, Function, Map, Set, Date, RegExp, Promise, String, Number, Error]) {
    Object.freeze(one.prototype);
  }
  const cache = new Cache();
  const list = new schema.Collection([Todo]);
  const map = new schema.Collection(new schema.Values(User));
  class Mixed extends EntityMixin(
    class Data {
      id = '';
    },
    { key: 'Mixed' },
  ) {}
  let calls = 0;
  cache.subscribe(list, [{ status: 'a' }], () => {
    calls += 1;
  });

  cache.write(
    list,
    [
      {
        id: '1',
        status: 'a',
        at: '2020-01-01',
        author: { id: 'u', name: 'Ada', toString: 'x', constructor: 'y' },
      },
    ],
    [{ status: 'a' }],
  );
  cache.write(list, [], [{ status: 'b' }]);
  cache.write(map, { valueOf: { id: 'u' } });
  cache.write(map.assign, { hasOwnProperty: { id: 'v' } });
  cache.write(Todo, { id: '1', status: 'b', toString: 'own', valueOf: 5 });
  cache.write(list.push, { id: '2', author: 'u' }, [{ status: 'b' }]);
  cache.write(Mixed, { id: '1', isPrototypeOf: 1 });
  const moved = cache.read(list, [{ status: 'b' }]);
  const arranged = cache.read(new schema.Query(list, { orderBy: 'id', descending: true }), [{ status: 'b' }]);
  const keys = Object.keys(cache.read(map) ?? {});
  cache.write(new schema.Invalidate(Todo), '1');

  expect(moved?.map((todo) => todo.id).join()).toBe('1,2');
  expect(Object.getOwnPropertyDescriptor(moved?.[0] ?? {}, 'toString')?.value).toBe('own');
  expect(arranged?.[0]?.id).toBe('2');
  expect(keys.join()).toBe('valueOf,hasOwnProperty');
  expect(cache.read(User, [{ name: 'Ada' }])?.id).toBe('u');
  expect(cache.read(Todo, ['1'])).toBeUndefined();
  expect(calls).toBe(2);
  expect(planted.length).toBe(0);
});
