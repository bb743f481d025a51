// The types of an `EntityOf` follow from the schemas of its fields, whatever library they are of.
import { type } from 'arktype';
import { Controller, createResource, schema, toPlain } from 'holdfast';
import type { Entity, PlainOf } from 'holdfast';
import { check, EntityOf, optional } from 'holdfast/validate';
import * as v from 'valibot';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';

class User extends EntityOf('User', { id: z.string(), name: v.string(), age: type('number') }) {}

class Todo extends EntityOf(
  'Todo',
  {
    id: z.string(),
    title: check(z.string().max(200)),
    dueAt: z.coerce.date().nullable(),
    note: z.string().optional(),
    state: v.optional(v.picklist(['open', 'done']), 'open'),
    size: v.pipe(v.string(), v.transform(Number)),
    at: type('string.date.parse'),
    author: User,
    editors: [User],
    reviewer: optional(User),
    parts: new schema.Collection([User]),
  },
  { onInvalid: 'drop' },
) {
  get isLate(): boolean {
    return this.dueAt !== null && this.dueAt < new Date();
  }
}
const todos = createResource({ path: '/todos/:id', schema: Todo });
const controller = new Controller();

test('fields have the types that their schemas return', () => {
  expectTypeOf<Todo['id']>().toEqualTypeOf<string>();
  expectTypeOf<Todo['title']>().toEqualTypeOf<string>();
  expectTypeOf<Todo['dueAt']>().toEqualTypeOf<Date | null>();
  expectTypeOf<Todo['state']>().toEqualTypeOf<'open' | 'done'>();
  expectTypeOf<Todo['size']>().toEqualTypeOf<number>();
  expectTypeOf<Todo['at']>().toEqualTypeOf<Date>();
  expectTypeOf<Todo['author']>().toEqualTypeOf<User>();
  expectTypeOf<Todo['editors']>().toEqualTypeOf<User[]>();
  expectTypeOf<Todo['parts']>().toEqualTypeOf<User[]>();
  expectTypeOf<User['name']>().toEqualTypeOf<string>();
  expectTypeOf<User['age']>().toEqualTypeOf<number>();
  expectTypeOf<Todo>().toExtend<Entity>();
});

test('fields that may be absent include undefined', () => {
  expectTypeOf<Todo['note']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Todo['reviewer']>().toEqualTypeOf<User | undefined>();
  // @ts-expect-error it may be absent
  void ((todo: Todo) => todo.note.length);
});

test('endpoints, look-ups and plain copies have the types of the fields', () => {
  expectTypeOf(controller.fetch(todos.get, { id: 1 })).resolves.toEqualTypeOf<Todo>();
  expectTypeOf(controller.fetch(todos.getList)).resolves.toEqualTypeOf<Todo[]>();
  expectTypeOf(controller.get(Todo, { id: 1 })).toEqualTypeOf<Todo | undefined>();
  expectTypeOf<PlainOf<User>>().toEqualTypeOf<{ id: string; name: string; age: number }>();
  expectTypeOf(toPlain(User.fromJS({ name: 'Ada' })).name).toEqualTypeOf<string>();
  // @ts-expect-error no such field
  void (() => controller.fetch(todos.partialUpdate, { id: 1 }, { titel: '' }));
  // @ts-expect-error a number
  void (() => User.fromJS({ name: 5 }));
});

test('a field that is no schema, and an unknown option, are refused', () => {
  // @ts-expect-error a number is no schema
  EntityOf('A', { id: 5 });
  // @ts-expect-error no such policy
  EntityOf('A', { id: z.string() }, { onInvalid: 'ignore' });
  // @ts-expect-error check takes schemas of other libraries
  EntityOf('A', { author: check(User) });
});
