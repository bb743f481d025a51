// Payloads that a schema refuses: a coded error with entity, path and solution, and an unchanged store. The same checks run in
// production, where only the message differs.
import { Cache, Entity, schema, ValidationError } from 'holdfast';
import { afterEach, expect, test, vi } from 'vitest';
import { messages } from '../../src/support/messages.ts';

class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
}
class Post extends Entity {
  static override key = 'Post';
  id = '';
  author = User.fromJS();
  at = new Date(0);
  tags: User[] = [];
  size = 0n;
  static override schema = { author: User, at: Date, tags: [User], size: BigInt };
}
const list = new schema.Collection([Post]);

function refuse(kind: Parameters<Cache['write']>[0], payload: unknown): ValidationError {
  const cache = new Cache();
  cache.write(list, [{ id: '1', author: { id: 'u', name: 'Ada' } }]);
  const before = [cache.read(list), cache.read(Post, ['1']), cache.read(User, ['u'])];
  const heard = vi.fn();
  cache.subscribe(list, [], heard);
  let caught: unknown;
  try {
    cache.write(kind, payload);
  } catch (error) {
    caught = error;
  }
  expect([cache.read(list), cache.read(Post, ['1']), cache.read(User, ['u'])]).toEqual(before);
  expect(cache.read(list)).toBe(before[0]);
  expect(heard).not.toHaveBeenCalled();
  expect(caught).toBeInstanceOf(ValidationError);
  return caught as ValidationError; // cast: checked above
}

afterEach(() => {
  vi.restoreAllMocks();
});

const good = { id: '1', author: { id: 'u', name: 'changed' } };

test.each([
  ['a missing pk', [Post], [good, { author: 'u' }], 'ENTITY_WITHOUT_PK', 'Post', '[1]'],
  [
    'a missing pk below',
    [Post],
    [good, { id: '2', author: { name: 'x' } }],
    'ENTITY_WITHOUT_PK',
    'User',
    '[1].author',
  ],
  [
    'a missing pk in an array',
    [Post],
    [good, { id: '2', author: 'u', tags: ['u', { name: 'x' }] }],
    'ENTITY_WITHOUT_PK',
    'User',
    '[1].tags[1]',
  ],
  [
    'a value behind an array',
    [Post],
    [{ ...good, tags: ['u', { id: 'v' }], size: 'many' }],
    'FIELD_PARSER_THREW',
    undefined,
    '[0].size',
  ],
  ['an unusable pk', { post: Post }, { post: { id: { a: 1 } } }, 'ENTITY_WITHOUT_PK', 'Post', '.post'],
  [
    'a reference that is no id',
    [Post],
    [good, { id: '2', author: true }],
    'ENTITY_WITHOUT_PK',
    'User',
    '[1].author',
  ],
  ['an unsafe integer id', [Post], [good, { id: 2 ** 53 }], 'ENTITY_UNSAFE_ID', 'Post', '[1]'],
  ['an array for an entity', { post: Post }, { post: [good] }, 'WRONG_SHAPE', 'Post', '.post'],
  ['text for a list', { posts: [Post] }, { posts: 'none' }, 'WRONG_SHAPE', undefined, '.posts'],
  ['a number for a collection', { posts: list }, { posts: 5 }, 'WRONG_SHAPE', undefined, '.posts'],
  ['text for an object', { a: { post: Post } }, { a: 'text' }, 'WRONG_SHAPE', undefined, '.a'],
  ['an array for an object', { a: { post: Post } }, { a: [] }, 'WRONG_SHAPE', undefined, '.a'],
  ['text for a map', { a: new schema.Values(Post) }, { a: 'text' }, 'WRONG_SHAPE', undefined, '.a'],
  [
    'a throwing field parser',
    [Post],
    [good, { id: '2', size: 'x' }],
    'FIELD_PARSER_THREW',
    undefined,
    '[1].size',
  ],
])('%s is refused and nothing is stored', (_name, kind, payload, code, entity, path) => {
  const error = refuse(kind as never, payload); // cast: one row of the table at a time

  expect(error.code).toBe(code);
  expect(error.params['path']).toBe(path);
  expect(error.params['entity']).toBe(entity);
  expect(error.message).toContain(`[${code}]`);
  expect(error.message).toContain(path);
  expect(error.message).toContain(`docs/errors.md#${code.toLowerCase()}`);
});

test('a throwing field parser is the cause of the error', () => {
  const error = refuse([Post], [{ id: '2', size: 'x' }]);

  expect(error.cause).toBeInstanceOf(SyntaxError);
});

test('the error names a schema that refers to itself, and does not print it', () => {
  class Node extends Entity {
    static override key = 'Node';
    id = '';
    parent: unknown = undefined;
    static override schema: Record<string, unknown> = {};
  }
  Node.schema = { parent: Node, self: { inner: [Node] } };

  const error = refuse([Node], [{ id: '1', self: { inner: [{ parent: {} }] } }]);

  expect(error.params['path']).toBe('[0].self.inner[0]');
});

test('an error never prints a payload: only its type', () => {
  const secret = 'secret'.repeat(1000);
  const error = refuse([Post], [{ id: [secret] }]);

  expect(error.message).not.toContain('secret');
});

test('every code in this file has a message', () => {
  for (const code of [
    'ENTITY_WITHOUT_PK',
    'ENTITY_UNSAFE_ID',
    'WRONG_SHAPE',
    'FIELD_PARSER_THREW',
    'ENTITY_INVALID',
  ]) {
    expect(messages[code]).toBeDefined();
  }
});

test('the array shorthand takes exactly one schema', () => {
  expect(() => new Cache().write([Post, User], [])).toThrow('ARRAY_SHORTHAND');
  expect(() => new Cache().write([], [])).toThrow('ARRAY_SHORTHAND');
});

test('a union without an attribute is refused at its construction', () => {
  // @ts-expect-error the attribute is required
  expect(() => new schema.Union({ user: User })).toThrow('SCHEMA_ATTRIBUTE_REQUIRED');
});

test('a class without a name needs a static key', () => {
  const make = (): typeof Entity => class extends Entity {};

  expect(() => new Cache().write(make(), { id: '1' })).toThrow('ENTITY_WITHOUT_KEY');
});

test('a validate() that returns a message refuses the whole payload', () => {
  class Strict extends User {
    static override key = 'Strict';
    static override validate(processed: { name?: string }): string | undefined {
      return processed.name ? undefined : 'it has no name';
    }
  }
  const error = refuse([Strict], [{ id: '1', name: 'a' }, { id: '2' }]);

  expect(error.code).toBe('ENTITY_INVALID');
  expect(error.message).toContain('it has no name');
});

test('a reason that ends with a full stop gives a message with one full stop', () => {
  class Strict extends User {
    static override key = 'Strict';
    static override schema = {
      name: () => {
        throw new Error('The name is wrong.');
      },
    };
  }

  expect(refuse([Strict], [{ id: '1', name: 'x' }]).message).toContain('threw: The name is wrong. Correct');
});

test('the error about a list inside an object, where a list was expected, names the object around it', () => {
  const { message, params } = refuse(list, { data: [good] });

  expect(params['path']).toBe('[0]');
  expect(message).toContain('an object around the list');
  expect(refuse({ post: Post }, { post: [good] }).message).not.toContain('around the list');
});

test('a process() that returns no object is refused', () => {
  class Odd extends User {
    static override key = 'Odd';
    static override process(): object {
      return 'text' as unknown as object; // cast: what untyped code may do
    }
  }

  const { code, message } = refuse([Odd], [{ id: '1' }]);
  expect(code).toBe('WRONG_SHAPE');
  expect(message).toContain('found a string, which Odd.process() gave');
  expect(refuse([User], [[]]).message).not.toContain('process() gave');
});
