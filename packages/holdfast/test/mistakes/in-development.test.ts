// Typical mistakes that neither types nor lint rules see in every program, as in JavaScript: each has a code and a sentence
// in development, at its first use.
import {
  Collection,
  Controller,
  createResource,
  Endpoint,
  Entity,
  inPages,
  RestEndpoint,
  schema,
} from 'holdfast';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MockInstance } from 'vitest';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
}
const TodoResource = createResource({ urlPrefix: 'http://any.test', path: '/todos/:id', schema: Todo });

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

const anything = (value: unknown): never => value as never; // cast: what JavaScript would pass

function answering(body: unknown): Controller {
  return new Controller({ fetch: async () => Response.json(body) });
}

test.each<readonly [mistake: string, run: () => unknown, message: RegExp]>([
  [
    'no schema',
    () => createResource(anything({ path: '/todos/:id' })),
    /^\[RESOURCE_WITHOUT_SCHEMA\] createResource\(\) was given no schema for \/todos\/:id/,
  ],
  [
    'an entity where a list belongs',
    () => new Collection(anything(Todo)),
    /^\[COLLECTION_OF_NO_LIST\] A Collection was made of a function\. It holds a list: new schema\.Collection\(\[Todo\]\)/,
  ],
  [
    'several schemas in a shorthand',
    () => new Controller().set(anything([Todo, Todo]), anything([])),
    /^\[ARRAY_SHORTHAND\] The array shorthand takes exactly one schema/,
  ],
  [
    'a mapping without an attribute',
    () => Reflect.construct(schema.Array, [{ todo: Todo }]),
    /^\[SCHEMA_ATTRIBUTE_REQUIRED\] schema\.Array with a mapping of schemas needs a schemaAttribute/,
  ],
  [
    'a creation in a plain array',
    () => new RestEndpoint({ path: '/todos', schema: [Todo] }).push,
    /^\[COLLECTION_MISSING\] \/todos\.push needs a Collection in the endpoint's schema/,
  ],
  [
    'a member that there is not',
    () => TodoResource.extend(anything({ getLists: {} })),
    /^\[RESOURCE_MEMBER_UNKNOWN\] extend\(\) was given options for getLists/,
  ],
  [
    'a call without its parameter',
    () => new Controller().fetch(TodoResource.get, anything({})),
    /^\[PATH_PARAM_MISSING\] The path \/todos\/:id needs the parameter id/,
  ],
  [
    'an empty parameter',
    () => new Controller().fetch(TodoResource.get, { id: '' }),
    /^\[PATH_PARAM_INVALID\] an empty string cannot fill :id in \/todos\/:id/,
  ],
  [
    'an id in place of the parameters',
    () => new Controller().fetch(TodoResource.get, anything('5')),
    /^\[PARAMS_NOT_OBJECT\] Todo\.get was called with a string where its URL parameters belong/,
  ],
  [
    'a function in the query',
    () => new Controller().fetch(TodoResource.getList, anything({ q: () => 1 })),
    /^\[SEARCH_PARAM_INVALID\] The query parameter q is a function/,
  ],
  [
    'a row without its key',
    () => answering({ title: 'x' }).fetch(TodoResource.get, { id: '1' }),
    /^\[ENTITY_WITHOUT_PK\] Todo at Todo\.get has no usable primary key/,
  ],
  [
    'a response of another shape',
    () => answering([{ id: '1' }]).fetch(TodoResource.get, { id: '1' }),
    /^\[WRONG_SHAPE\] Expected an object at Todo\.get but found an array/,
  ],
  [
    'a list in an envelope',
    () => answering({ data: [{ id: '1' }] }).fetch(TodoResource.getList),
    /^\[WRONG_SHAPE\] Expected an object at Todo\.getList\[0\] but found an array\. Is the response an object around the list\?/,
  ],
  [
    'a live endpoint that nobody serves',
    () => new Controller({ managers: [] }).subscribe(TodoResource.get, { id: '1' }),
    /^\[SUBSCRIPTION_NOT_SERVED\] Todo\.get was subscribed, but no manager serves it\. Give the endpoint a pollFrequency/,
  ],
  [
    'a nameless function',
    () => new Endpoint(async () => 5).key(),
    /^\[ENDPOINT_WITHOUT_NAME\] An Endpoint around a nameless function needs a name/,
  ],
  [
    'an assignment to what was read',
    async () => {
      const todo = await answering({ id: '1', title: 'a' }).fetch(TodoResource.get, { id: '1' });
      todo.title = 'b';
    },
    /^Cannot assign to read only property 'title' of object/,
  ],
])('%s', async (_mistake, run, message) => {
  await expect((async () => await run())()).rejects.toThrow(message);
});

test.each<readonly [mistake: string, run: () => unknown, message: RegExp]>([
  [
    'a misspelt option',
    () => createResource(anything({ path: '/todos/:id', schema: Todo, pollFrequencey: 5 })),
    /^\[OPTION_UNKNOWN\] createResource\(\) knows no option pollFrequencey.*Did you mean pollFrequency\?/,
  ],
  [
    'a path without a slash',
    () => createResource({ path: 'todos/:id', schema: Todo }),
    /^\[PATH_RELATIVE\] The path todos\/:id begins with no slash/,
  ],
  [
    'a path without a parameter',
    () => createResource({ path: '/todos', schema: Todo }),
    /^\[RESOURCE_WITHOUT_PARAMETER\] The path \/todos has no parameter/,
  ],
  [
    'an unknown field in static schema',
    () => {
      class Task extends Entity {
        static override key = 'Task';
        id = '';
        dueAt = new Date(0);
        static override schema = { dueAT: Date };
      }
      return answering({ id: '1' }).fetch(new RestEndpoint({ path: 'http://any.test/', schema: Task }));
    },
    /^\[SCHEMA_FIELD_UNKNOWN\] Task\.schema names dueAT.*Did you mean dueAt\?/,
  ],
  [
    'an attribute that no item has',
    () =>
      new Controller().set(new Collection(new schema.Array({ todo: Todo }, 'nope')), [
        { id: '1', title: 'x' },
      ]),
    /^\[UNMAPPED_SCHEMA\] No schema is mapped for undefined.*known: todo/,
  ],
  [
    'a field under the name that the server uses',
    () => {
      class Task extends Entity {
        static override key = 'Task';
        id = '';
        createdBy = '';
      }
      const get = new RestEndpoint({ path: 'http://any.test/', schema: [Task] });
      return answering([
        { id: '1', created_by: 'Ada' },
        { id: '2', created_by: 'Bob' },
      ]).fetch(get);
    },
    /^\[FIELD_RENAMED\] No Task of a response has the field createdBy, but created_by is there.*static wireNames = snakeCase/,
  ],
  [
    'a field with a letter too many',
    () => {
      class Task extends Entity {
        static override key = 'Task';
        id = '';
        titel = '';
      }
      return answering({ id: '1', title: 'x' }).fetch(
        new RestEndpoint({ path: 'http://any.test/', schema: Task }),
      );
    },
    /^\[FIELD_RENAMED\] No Task of a response has the field titel, but title is there/,
  ],
  [
    'a date that is not in static schema',
    () => {
      class Task extends Entity {
        static override key = 'Task';
        id = '';
        dueAt = new Date(0);
      }
      return answering({ id: '1', dueAt: '2026-01-01T00:00:00Z' }).fetch(
        new RestEndpoint({ path: 'http://any.test/', schema: Task }),
      );
    },
    /^\[FIELD_NOT_PARSED\] Task\.dueAt is a Date by its default, and a string came.*static schema = \{ dueAt: Date \}/,
  ],
  [
    'null where the class has an object',
    () => {
      class Task extends Entity {
        static override key = 'Task';
        id = '';
        author = Todo.fromJS();
        static override schema = { author: Todo };
      }
      return answering({ id: '1', author: null }).fetch(
        new RestEndpoint({ path: 'http://any.test/', schema: Task }),
      );
    },
    /^\[FIELD_NULL\] Task\.author is an object by its default, and null came/,
  ],
  [
    'two classes with one key',
    async () => {
      class Label extends Entity {
        static override key = 'Todo';
        id = '';
        label = '';
      }
      const controller = answering({ id: '1' });
      await controller.fetch(TodoResource.get, { id: '1' });
      await controller.fetch(new RestEndpoint({ path: 'http://any.test/', schema: Label }));
    },
    /^\[ENTITY_KEY_SHARED\] Todo and Label have one key, `Todo`, so rows of both with one id are merged/,
  ],
  [
    'a token that is elsewhere',
    () => {
      const list = new RestEndpoint({
        path: 'http://any.test/',
        schema: { items: new Collection([Todo]) },
        paginationField: 'cursor',
        pages: inPages({ next: 'meta.next' }),
      });
      return answering({ items: [{ id: '1', title: 'x' }], next_cursor: 'b' }).fetch(list);
    },
    /^\[PAGE_TOKEN_MISSING\] The first response .* no `meta\.next`.* but next_cursor is there/,
  ],
  [
    'a relative URL where there is no page',
    () => new Controller().fetch(new RestEndpoint({ path: '/todos' })).catch(() => undefined),
    /^\[URL_RELATIVE\] \/todos is relative, and there is no page here.*urlPrefix/,
  ],
])('%s is reported as a warning', async (_mistake, run, message) => {
  await run();

  expect(warn.mock.calls.map(([text]) => String(text))).toEqual([expect.stringMatching(message)]);
});

test('fields that are absent, plural or parsed, and classes that are related or reloaded, are no mistake', async () => {
  class Task extends Entity {
    static override key = 'Task';
    id = '';
    count = 0;
    comment = '';
    dueAt = new Date(0);
    author: Todo | null = null;
    static override schema = { dueAt: Date, author: Todo };
  }
  class DetailedTask extends Task {
    text = '';
  }
  const reload = (): typeof Entity =>
    class Todo extends Entity {
      static override key = 'Todo';
      id = '';
    };
  const get = (Class: typeof Entity) =>
    new RestEndpoint({ path: 'http://any.test/', schema: Class as typeof Todo });
  const controller = answering({ id: '1', dueAt: '2026-01-01T00:00:00Z', comments: 3, author: null, due: 1 });

  for (const Class of [Task, DetailedTask, Todo, reload(), reload()]) await controller.fetch(get(Class));

  expect(warn).not.toHaveBeenCalled();
});
