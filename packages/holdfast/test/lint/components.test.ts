// The lint rules for components, run by ESLint itself.
import plugin from 'holdfast/eslint-plugin';
import { inComponents, inJavaScript, inTypeScript } from './rule-tester.ts';

const imports = `import { Controller, createResource, Entity, RestEndpoint, schema } from 'holdfast';
import { useCache, useController, useDLE, useQuery, useSuspense } from 'holdfast/react';`;

const made = (name: string, component: string) => ({
  message: `${name} is made anew at every render of ${component}, so its data is computed again each time. Make it once, outside, or in useMemo().`,
});
inJavaScript.run('no-schema-in-component', plugin.rules['no-schema-in-component'], {
  valid: [
    `${imports} const list = new schema.Collection([Todo]); function Todos() { return useQuery(list); }`,
    `${imports} function Todos() { const q = useMemo(() => new schema.Query(all, pick), []); return useQuery(q); }`,
    `${imports} function createTodos() { return createResource({ path: '/a/:id', schema: Todo }); }`,
    `function Todos() { return new schema.Collection([Todo]); }`,
    `${imports} const R = createResource({}); const list = R.getList.extend({ retry: 1 }); function Page() { return useSuspense(list); }`,
    `${imports} function Page() { const list = useMemo(() => R.getList.extend({ retry: 1 }), []); return useSuspense(list); }`,
    `function Page() { return jQuery.extend({}, settings.extend({})); }`,
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
    {
      code: `${imports} const R = createResource({}); function Page() { return useSuspense(R.getList.extend({ retry: 1 })); }`,
      errors: [
        {
          message:
            'An endpoint is extended at every render of Page, so it is another one each time. Extend it once, outside, or use withOptions(), which gives the same endpoint for equal options.',
        },
      ],
    },
  ],
});

const assigned = (name: string) => ({
  message: `'${name}' was read from the store, and every reader shares it. Change it with a mutation, or with controller.set().`,
});
const sorted = (name: string, method: string, copying: string) => ({
  message: `'${name}' was read from the store, and ${method}() changes it for every reader. Write ${name}.${copying}(), which returns a new array.`,
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
    `${imports} function A() { return useSuspense(R.getList).toSorted(); }`,
    `${imports} function A() { const todos = useSuspense(R.getList).filter(isOpen); todos.sort(); return todos; }`,
    `${imports} function A() { const ids = useSuspense(R.getList).map((todo) => [todo.id]); ids[0].push('x'); }`,
    `${imports} function A() { const todos = [...useSuspense(R.getList)]; todos[0] = mine; todos.reverse(); }`,
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
      errors: [sorted('todos', 'sort', 'toSorted'), changed('todos.at(0).tags', 'push')],
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
      code: `${imports} function A() { const list = useSuspense(R.getList); const same = list; same.reverse(); same.splice(0, 1); }`,
      errors: [sorted('same', 'reverse', 'toReversed'), sorted('same', 'splice', 'toSpliced')],
    },
    {
      code: `${imports} function A() { const open = [...useSuspense(R.getList)].filter(isOpen); open[0].done = true; }`,
      errors: [assigned('open')],
    },
    {
      code: `${imports} function A() { useSuspense(R.getList).filter(isOpen).forEach((todo) => { todo.done = true; }); }`,
      errors: [assigned('todo')],
    },
    {
      code: `${imports} async function save(controller) { const todo = await controller.fetch(R.get, { id }); todo.done = true; }`,
      errors: [assigned('todo')],
    },
  ],
});

const head = `${imports} function Rows() { return useSuspense(R.getList).map((todo) => <Row todo={todo} at={1} />); }`;
inComponents.run('no-entity-assignment', plugin.rules['no-entity-assignment'], {
  valid: [
    `${head} function Row({ todo, at }) { at += 1; let { title } = todo; title = 'x'; const copy = { ...todo }; copy.title = 'x'; }`,
    `${head} function Other({ todo }) { todo.title = 'x'; }`,
    `${imports} function Form() { return <Row todo={{ title: '' }} />; } function Row({ todo }) { todo.title = 'x'; }`,
    `${head} function Row(props) { props.at.x = 1; }`,
  ],
  invalid: [
    { code: `${head} function Row({ todo }) { todo.title = 'x'; }`, errors: [assigned('todo')] },
    { code: `const Row = memo(({ todo: it }) => { it.title = 'x'; }); ${head}`, errors: [assigned('it')] },
    {
      code: `${head} function Row(props) { props.todo.tags.push('x'); }`,
      errors: [changed('props.todo.tags', 'push')],
    },
    {
      code: `${head} function Row({ todo }) { return <Title of={todo} />; } function Title({ of }) { of.title = 'x'; }`,
      errors: [assigned('of')],
    },
    {
      code: `${imports} function Page() { const todos = useSuspense(R.getList); return <List todos={todos} />; }
        function List({ todos }: { todos: Todo[] }) { return todos.sort().length; }`,
      errors: [sorted('todos', 'sort', 'toSorted')],
    },
  ],
});
