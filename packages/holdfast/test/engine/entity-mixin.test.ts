// EntityMixin: classes that extend something else become entities.
import { Cache, Entity, EntityMixin, schema } from 'holdfast';
import { expect, test } from 'vitest';

class Base {
  createdBy = 'nobody';
  get shout(): string {
    return this.createdBy.toUpperCase();
  }
}
class TodoData extends Base {
  id = '';
  title = 'untitled';
}
class UserData {
  handle = '';
  name = '';
}
class User extends EntityMixin(UserData, { key: 'User', pk: 'handle' }) {}
class Todo extends EntityMixin(TodoData, { key: 'Todo', schema: { author: User }, indexes: ['title'] }) {
  author: User | undefined = undefined;
}

test('an instance is an instance of the entity class and of its base, with defaults and getters', () => {
  const cache = new Cache();
  cache.write(Todo, { id: '1', createdBy: 'ada', author: { handle: 'ada', name: 'Ada' } });

  const todo = cache.read(Todo, ['1']);

  expect(todo).toBeInstanceOf(Todo);
  expect(todo).toBeInstanceOf(Base);
  expect(todo?.title).toBe('untitled');
  expect(todo?.shout).toBe('ADA');
  expect(todo?.author?.name).toBe('Ada');
  expect(cache.read(User, [{ handle: 'ada' }])).toBe(todo?.author);
  expect(cache.read(Todo, [{ title: 'untitled' }])).toBeUndefined();
});

test('a pk option with a field name refuses a payload without the field; a pk function may keep an object inline', () => {
  const cache = new Cache();
  class Inline extends EntityMixin(UserData, { key: 'Inline', pk: (value) => value.handle || undefined }) {}

  expect(() => cache.write(User, { name: 'no handle' })).toThrow('ENTITY_WITHOUT_PK');
  cache.write(Inline, { name: 'x', handle: '' });
  expect(cache.read(new schema.All(Inline))).toEqual([]);
});

test('the pk method of the class is used, and its own hooks too', () => {
  class Slugged {
    slug = '';
    pk(): string {
      return `slug:${this.slug}`;
    }
    static merge(existing: object, incoming: object): object {
      return { ...existing, ...incoming, merged: true };
    }
  }
  class Page extends EntityMixin(Slugged, { key: 'Page' }) {}
  const cache = new Cache();
  cache.write(Page, { slug: 'a' });
  cache.write(Page, { slug: 'a', title: 'b' });

  expect(cache.read(Page, ['slug:a'])).toMatchObject({ slug: 'a', title: 'b', merged: true });
});

test('the key defaults to the name of the given class', () => {
  class Plant {
    id = '';
  }

  expect(EntityMixin(Plant).key).toBe('Plant');
  expect(class Tree extends EntityMixin(Plant) {}.key).toBe('Tree');
});

test('fromJS makes an instance with fields over defaults; Entity itself is not changed', () => {
  const todo = Todo.fromJS({ id: '5' });

  expect(todo).toBeInstanceOf(Todo);
  expect(todo.title).toBe('untitled');
  expect(todo.pk()).toBe('5');
  expect(Entity.schema).toEqual({});
});
