// What `byRole`, presets and names on the wire mean to the type checker, and the declarations that must not compile.
import {
  byRole,
  createResource,
  Entity,
  EntityMixin,
  RestEndpoint,
  schema,
  snakeCase,
  wireNames,
} from 'holdfast';
import type { ArgumentRoles, Denormalize, WireNames } from 'holdfast';
import { github } from 'holdfast/presets';
import { EntityOf } from 'holdfast/validate';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';

class Note extends Entity {
  static override key = 'TypedNote';
  id = '';
  createdAt = new Date(0);
  static override schema = { createdAt: Date };
  static override wireNames = snakeCase;
}

test('byRole takes the six roles, limits, and tests whose value has the declared type', () => {
  expectTypeOf(byRole({ q: 'search', sort: 'order', per_page: 'limit' })).toEqualTypeOf<ArgumentRoles>();
  byRole({ page: 'page', expand: 'shape', done: 'filter', size: { limit: 30, most: 100 }, rows: {} });
  byRole({ since: { field: 'createdAt', test: (value: Date, since) => value >= new Date(since) } });
  byRole({ near: { field: 'place', test: () => undefined } });
  byRole({ q: 'search' }, github.argumentRoles);
  byRole({}, (name, text) => (name.endsWith('_in') && text.includes(',') ? 'search' : undefined));
  expectTypeOf<byRole.Table>().toEqualTypeOf<Readonly<Record<string, byRole.Role>>>();
});

test('a misspelt role, half a test and a test of another argument do not compile', () => {
  // @ts-expect-error -- no role has this name
  byRole({ q: 'serach' });
  // @ts-expect-error -- a test names its field
  byRole({ since: { test: () => true } });
  // @ts-expect-error -- the argument is a string
  byRole({ since: { field: 'createdAt', test: (value: Date, since: Date) => value >= since } });
  // @ts-expect-error -- a test returns a boolean, or undefined
  byRole({ since: { field: 'createdAt', test: () => 'yes' } });
  // @ts-expect-error -- a limit is a number
  byRole({ per_page: { limit: '30' } });
  // @ts-expect-error -- the roles of all other arguments are a function, or made by byRole
  byRole({}, { q: 'search' });
});

test('argumentRoles of a resource, an endpoint and a Collection take what byRole made, and nothing else', () => {
  const argumentRoles = byRole({ q: 'search' });
  createResource({ path: '/notes/:id', schema: Note, argumentRoles });
  new RestEndpoint({
    path: '/notes',
    schema: new schema.Collection([Note], { argumentRoles }),
    argumentRoles,
  });
  // @ts-expect-error -- plain roles would ship no code that reads them
  createResource({ path: '/notes/:id', schema: Note, argumentRoles: { q: 'search' } });
  // @ts-expect-error -- the same for a Collection
  new schema.Collection([Note], { argumentRoles: { q: 'search' } });
});

test('names on the wire leave the types of the class alone', () => {
  expectTypeOf(wireNames({ createdAt: 'created' }, snakeCase)).toEqualTypeOf<WireNames>();
  wireNames({}, (field) => field.toUpperCase());
  expectTypeOf<Denormalize<typeof Note>>().toEqualTypeOf<Note>();
  class Mixed extends EntityMixin(
    class {
      id = '';
    },
    { key: 'TypedMixed', wireNames: snakeCase },
  ) {}
  class Checked extends EntityOf('TypedChecked', { id: z.string() }) {
    static override wireNames = snakeCase;
  }
  expectTypeOf<Mixed['id']>().toEqualTypeOf<string>();
  expectTypeOf<Checked['id']>().toEqualTypeOf<string>();
});

test('a rule that the library did not make, and names that are no strings, do not compile', () => {
  // @ts-expect-error -- a string has no code
  class Text extends Entity {
    static override wireNames = 'snake_case';
  }
  // @ts-expect-error -- wireNames() takes the function
  class Hand extends Entity {
    static override wireNames = (field: string) => field;
  }
  expectTypeOf<[Text, Hand]>().not.toBeNever();
  // @ts-expect-error -- the name on the wire is a string
  wireNames({ createdAt: 5 });
  // @ts-expect-error -- a field has one name on the wire
  wireNames({ createdAt: ['created', 'created_at'] });
});
