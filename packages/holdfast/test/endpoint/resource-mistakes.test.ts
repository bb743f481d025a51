// Mistakes in the declaration of a resource that types may not find, as in JavaScript: development reports each with a code.
import { Controller, createResource, Entity, RestEndpoint } from 'holdfast';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MockInstance } from 'vitest';

class User extends Entity {
  static override key = 'User';
  id = '';
}

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

const warnings = (): string[] => warn.mock.calls.map(([text]) => String(text));

test('a resource without a schema is refused with RESOURCE_WITHOUT_SCHEMA', () => {
  const refusal = expect.objectContaining({ code: 'RESOURCE_WITHOUT_SCHEMA' });

  // @ts-expect-error the schema is required
  expect(() => createResource({ path: '/users/:id' })).toThrow(refusal);
  // @ts-expect-error a text is no schema of an answer
  expect(() => createResource({ path: '/users/:id', schema: 'User' })).toThrow(refusal);
});

test('a path without a parameter warns with RESOURCE_WITHOUT_PARAMETER', () => {
  createResource({ path: '/settings', schema: User });

  expect(warnings()).toEqual([expect.stringMatching(/^\[RESOURCE_WITHOUT_PARAMETER\].*\/todos\/:id/)]);
});

test('a path without a leading slash warns with PATH_RELATIVE, unless a prefix precedes it', () => {
  class Own extends RestEndpoint {
    override readonly urlPrefix = 'https://api.example.com/';
  }
  createResource({ path: 'https://api.example.com/users/:id', schema: User });
  createResource({ path: 'users/:id', schema: User, urlPrefix: 'https://api.example.com/' });
  createResource({ path: 'users/:id', schema: User, Endpoint: Own });
  expect(warnings()).toEqual([]);

  createResource({ path: 'users/:id', schema: User });

  expect(warnings()).toEqual([expect.stringMatching(/^\[PATH_RELATIVE\].*Write \/users\/:id/)]);
});

test('an option that differs from a known one by a letter or two warns with OPTION_UNKNOWN; other options belong to the class', () => {
  // @ts-expect-error no such option
  createResource({ path: '/users/:id', schema: User, tenant: 'x' });
  expect(warnings()).toEqual([]);

  // @ts-expect-error misspelt
  createResource({ path: '/users/:id', schema: User, optimstic: true });

  expect(warnings()).toEqual([expect.stringMatching(/^\[OPTION_UNKNOWN\].*Did you mean optimistic\?/)]);
});

test('a static schema whose field differs from a known one by a letter or two warns with SCHEMA_FIELD_UNKNOWN, once', () => {
  class Todo extends Entity {
    static override key = 'Todo';
    id = '';
    author = User.fromJS();
    reviewerId = '';
    // the reviewer is stored, and the row shows only its id
    static override schema = { athor: User, reviewer: User };
  }
  const controller = new Controller();

  void controller.set(Todo, { id: '1' }, {});
  void controller.set(Todo, { id: '2' }, {});
  expect(controller.get(Todo, { id: '1' })?.id).toBe('1');

  expect(warnings()).toEqual([
    expect.stringMatching(/^\[SCHEMA_FIELD_UNKNOWN\] Todo\.schema names athor.*mean author\?/),
  ]);
});
