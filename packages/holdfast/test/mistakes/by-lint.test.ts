// Typical mistakes that types cannot see, each with the sentence of the lint rule that finds it.
import plugin from 'holdfast/eslint-plugin';
import { expect, test } from 'vitest';
import { lint } from '../lint/rule-tester.ts';

const head = `import { Collection, createResource, Entity, RestEndpoint, schema } from 'holdfast';
import { useSuspense } from 'holdfast/react';
`;

test.each([
  [
    'a misspelt option of an endpoint',
    `new RestEndpoint({ path: '/a', shcema: Todo });`,
    `Nothing reads the option 'shcema'. Did you mean 'schema'?`,
  ],
  [
    'a misspelt option of an extension',
    `TodoResource.getList.extend({ serachParams: {} });`,
    `Nothing reads the option 'serachParams'. Did you mean 'searchParams'?`,
  ],
  [
    'a misspelt option of a list',
    `new Collection([Todo], { argKey: () => ({}) });`,
    `Nothing reads the option 'argKey'. Did you mean 'argsKey'?`,
  ],
  [
    'a path without a slash',
    `createResource({ path: 'todos/:id', schema: Todo });`,
    `The path 'todos/:id' is relative to the page that is open. Begin it with a slash, or give a urlPrefix.`,
  ],
  [
    'a resource whose path names no row',
    `createResource({ path: '/todos', schema: Todo });`,
    `The path '/todos' names no row. End it with a parameter: '/todos/:id'.`,
  ],
  [
    'no static key',
    `export class Todo extends Entity { id = ''; }`,
    `Todo has no static key. Write \`static key = 'Todo'\`: minifiers change the name of the class.`,
  ],
  [
    'no primary key',
    `export class Todo extends Entity { static key = 'Todo'; title = ''; }`,
    'Todo has no primary key. Give it the field `id`, or a method `pk()` that returns one.',
  ],
  [
    'an unknown field in static schema',
    `export class Todo extends Entity { static key = 'Todo'; id = ''; author = ''; static schema = { athor: User }; }`,
    `Todo.schema names 'athor', which is no field of the class. Did you mean 'author'?`,
  ],
  [
    'a field of an entity without a value',
    `export class Todo extends Entity { static key = 'Todo'; id = ''; body?: string; }`,
    'Todo.body has no value, so some compilers leave it out, and then it is not requested where a list has not brought it. Write `= undefined`, or its default.',
  ],
  [
    'a schema made inside a component',
    `export function Todos() { return useSuspense(list.extend({ schema: new schema.Collection([Todo]) })); }`,
    'Collection is made anew at every render of Todos, so its data is computed again each time. Make it once, outside, or in useMemo().',
  ],
  [
    'an assignment to a field of what was read',
    `export function Item() { const todo = useSuspense(get, { id: 1 }); todo.title = 'x'; }`,
    `'todo' was read from the store, and every reader shares it. Change it with a mutation, or with controller.set().`,
  ],
  [
    'sorting a list that was read',
    `export function Todos() { return useSuspense(getList).sort(); }`,
    `'useSuspense(getList)' was read from the store, and sort() changes it for every reader. Write useSuspense(getList).toSorted(), which returns a new array.`,
  ],
])('%s', (_mistake, code, message) => {
  expect(lint(head + code, plugin.configs.recommended).map((problem) => problem.message)).toEqual([message]);
});
