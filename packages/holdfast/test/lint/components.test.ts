// The lint rules for components, run by ESLint itself.
import plugin from 'holdfast/eslint-plugin';
import { inJavaScript, inTypeScript } from './rule-tester.ts';

const imports = `import { Controller, createResource, Entity, RestEndpoint, schema } from 'holdfast';
import { useCache, useController, useDLE, useQuery, useSuspense } from 'holdfast/react';`;

const made = (name: string, component: string) => ({
  message: `${name} is made anew at every render of ${component}, and nothing that is stored fits it. Make it once, outside, or in useMemo().`,
});
inJavaScript.run('no-schema-in-component', plugin.rules['no-schema-in-component'], {
  valid: [
    `${imports} const list = new schema.Collection([Todo]); function Todos() { return useQuery(list); }`,
    `${imports} function Todos() { const q = useMemo(() => new schema.Query(all, pick), []); return useQuery(q); }`,
    `${imports} function createTodos() { return createResource({ path: '/a/:id', schema: Todo }); }`,
    `function Todos() { return new schema.Collection([Todo]); }`,
    `${imports} const make = () => new RestEndpoint({ path: '/a' });`,
  ],
  invalid: [
    {
      code: `${imports} function Todos() { return useQuery(new schema.Query(all, pick)); }`,
      errors: [made('Query', 'Todos')],
    },
    {
      code: `${imports} const Todos = memo(() => { const get = new RestEndpoint({ path: '/a' }); });`,
      errors: [made('RestEndpoint', 'Todos')],
    },
    {
      code: `${imports} function useTodos() { const read = () => createResource({ path: '/a/:id', schema: Todo }); }`,
      errors: [made('createResource', 'useTodos')],
    },
    {
      code: `${imports} export const Page = function () { class Todo extends Entity {} };`,
      errors: [made('Todo', 'Page')],
    },
  ],
});

const assigned = (name: string) => ({
  message: `'${name}' was read from the store, and every reader shares it. Change it with a mutation, or with controller.set().`,
});
const changed = (name: string, method: string) => ({
  message: `'${name}' was read from the store, and ${method}() changes it for every reader. Copy it first: [...${name}].${method}().`,
});
inTypeScript.run('no-entity-assignment', plugin.rules['no-entity-assignment'], {
  valid: [
    `${imports} function A() { const todo = useSuspense(R.get, { id }); const copy = { ...todo }; copy.title = 'x'; }`,
    `${imports} function A() { const todos = useSuspense(R.getList); return [...todos].sort(); }`,
    `${imports} function A() { let title = useSuspense(R.get, { id }).title; title = 'x'; }`,
    `${imports} function A() { const todos = useSuspense(R.getList); todos.map((todo, at) => { at.x = 1; }); }`,
    `${imports} function A() { const ref = useRef(null); ref.current = useSuspense(R.get, { id }); }`,
    `const todo = useSuspense(R.get, { id }); todo.title = 'x';`,
    `${imports} function A() { const controller = useController(); controller.fetch(R.getList.push, { a: 1 }); }`,
  ],
  invalid: [
    {
      code: `${imports} function A() { const todo = useSuspense(R.get, { id }); todo.title = 'x'; }`,
      errors: [assigned('todo')],
    },
    {
      code: `${imports} function A() { const todo = useCache(R.get, { id })!; todo.author.name += 'x'; todo.count++; }`,
      errors: [assigned('todo'), assigned('todo')],
    },
    {
      code: `${imports} function A() { const { data } = useDLE(R.get, { id }); delete data.title; Object.assign(data, {}); }`,
      errors: [assigned('data'), assigned('data')],
    },
    {
      code: `${imports} function A() { const todos = useSuspense(R.getList); todos.sort(); todos.at(0).tags.push('x'); }`,
      errors: [changed('todos', 'sort'), changed('todos.at(0).tags', 'push')],
    },
    {
      code: `${imports} function A() { for (const todo of useSuspense(R.getList)) todo.done = true; }`,
      errors: [assigned('todo')],
    },
    {
      code: `${imports} function A() { const todos = useQuery(all); todos.forEach((todo) => { todo.done = true; }); }`,
      errors: [assigned('todo')],
    },
    {
      code: `${imports} async function save(controller) { const todo = await controller.fetch(R.get, { id }); todo.done = true; }`,
      errors: [assigned('todo')],
    },
  ],
});
