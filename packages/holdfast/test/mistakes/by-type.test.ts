// Typical mistakes that the compiler refuses, each with the sentence that an editor shows.
import { expect, test } from 'vitest';
import { compile } from './compile.ts';

const head = `
import { Collection, Controller, createResource, Entity, orderBy, RestEndpoint, schema } from 'holdfast';
import { useMutation, useQuery, useSuspense } from 'holdfast/react';
class Todo extends Entity { static override key = 'Todo'; id = ''; title = ''; done = false; }
class Person extends Entity { static override key = 'Person'; id = ''; name = ''; email = ''; phone = ''; website = ''; createdAt = new Date(0); todos: Todo[] = []; best: Todo | null = null; }
class User extends Entity { static override key = 'User'; id = ''; name = ''; }
class TenantEndpoint extends RestEndpoint { tenant = ''; }
const controller = new Controller();
const TodoResource = createResource({ path: '/todos/:id', schema: Todo, searchParams: {} as { sort?: 'title' | 'done' } });
const PersonResource = createResource({ path: '/teams/:team/people/:id', schema: Person, searchParams: {} as { sort?: 'name' | 'email'; page?: number }, body: {} as { name: string; email?: string } });
const plain = new RestEndpoint({ path: '/todos', schema: [Todo] });
`.replaceAll('\n', ' ');

const mistakes: readonly (readonly [mistake: string, statement: string, message: string])[] = [
  [
    'a misspelt option',
    `createResource({ path: '/a/:id', schema: Todo, optimstic: true });`,
    `Object literal may only specify known properties, but 'optimstic' does not exist in type 'ResourceOptions & ThisType<RestMembers>'. Did you mean to write 'optimistic'?`,
  ],
  [
    'a misspelt option of an own class',
    `createResource({ path: '/a/:id', schema: Todo, Endpoint: TenantEndpoint, tenent: 'x' });`,
    `Object literal may only specify known properties, and 'tenent' does not exist in type 'ResourceOptions & ThisType<RestMembers>'.`,
  ],
  [
    'a method for a whole resource',
    `createResource({ path: '/a/:id', schema: Todo, method: 'POST' });`,
    `Object literal may only specify known properties, and 'method' does not exist in type 'ResourceOptions & ThisType<RestMembers>'.`,
  ],
  [
    'the name of a class for the class',
    `createResource({ path: '/a/:id', schema: 'Todo' });`,
    `Type 'string' is not assignable to type 'AnswerSchema'.`,
  ],
  [
    'no schema',
    `createResource({ path: '/a/:id' });`,
    `Property 'schema' is missing in type '{ path: string; }' but required in type 'ResourceOptions'.`,
  ],
  [
    'a misspelt method',
    `new RestEndpoint({ path: '/a', method: 'PTACH' });`,
    `Type '"PTACH"' is not assignable to type 'HttpMethod'. Did you mean '"PATCH"'?`,
  ],
  [
    'a method in small letters',
    `new RestEndpoint({ path: '/a', method: 'patch' });`,
    `Type '"patch"' is not assignable to type 'HttpMethod'. Did you mean '"PATCH"'?`,
  ],
  [
    'a text for a number',
    `createResource({ path: '/a/:id', schema: Todo, pollFrequency: '5s' });`,
    `Type 'string' is not assignable to type 'number'.`,
  ],
  ['a call without its parameter', `void TodoResource.get();`, `Expected 1 arguments, but got 0.`],
  [
    'a misspelt parameter',
    `void controller.fetch(TodoResource.get, { Id: '1' });`,
    `Object literal may only specify known properties, but 'Id' does not exist in type '{ id: PathValue; }'. Did you mean to write 'id'?`,
  ],
  ['a hook without its parameter', `useSuspense(TodoResource.get);`, `Expected 2 arguments, but got 1.`],
  [
    'a misspelt parameter of a hook',
    `useSuspense(TodoResource.get, { Id: '1' });`,
    `Object literal may only specify known properties, but 'Id' does not exist in type '{ id: PathValue; }'. Did you mean to write 'id'?`,
  ],
  [
    'a wrong value of a search parameter',
    `useSuspense(TodoResource.getList, { sort: 'age' });`,
    `Type '"age"' is not assignable to type '"done" | "title" | undefined'.`,
  ],
  [
    'a misspelt field of a body',
    `void controller.fetch(TodoResource.partialUpdate, { id: '1' }, { titel: 'x' });`,
    `Object literal may only specify known properties, and 'titel' does not exist in type 'Partial<FormData | Partial<Todo>>'.`,
  ],
  [
    'an unknown search parameter',
    `void controller.fetch(TodoResource.getList, { order: 'title' });`,
    `Object literal may only specify known properties, and 'order' does not exist in type '{ sort?: "done" | "title"; }'.`,
  ],
  [
    'a schema where an endpoint is read',
    `useSuspense(Todo, { id: '1' });`,
    `Argument of type 'typeof Todo' is not assignable to parameter of type '"This is no endpoint. Read a schema with useQuery()."'.`,
  ],
  [
    'a mutation where an endpoint is read',
    `useSuspense(TodoResource.update, { id: '1' }, {});`,
    `Argument of type 'RestEndpoint<UpdateCall<"/todos/:id", typeof Todo, FormData | Partial<Todo>>>' is not assignable to parameter of type '"This is a mutation. Send it with useMutation() or controller.fetch()."'.`,
  ],
  [
    'a read where a mutation is sent',
    `useMutation(TodoResource.get);`,
    `Argument of type 'RestEndpoint<GetCall<"/todos/:id", typeof Todo>>' is not assignable to parameter of type '"This endpoint reads. Read it with useSuspense() or useDLE()."'.`,
  ],
  [
    'an endpoint where a schema is read',
    `useQuery(TodoResource.get, { id: '1' });`,
    `Argument of type 'RestEndpoint<GetCall<"/todos/:id", typeof Todo>>' is not assignable to parameter of type '"This is an endpoint. Read it with useSuspense(), useDLE() or useCache()."'.`,
  ],
  [
    'a list shorthand where a schema is read',
    `useQuery([Todo]);`,
    `Argument of type '(typeof Todo)[]' is not assignable to parameter of type '"This schema cannot be asked for by arguments. Put it into a Collection, an All or a Query."'.`,
  ],
  [
    'a field that a look-up does not know',
    `useQuery(Todo, { titel: 'x' });`,
    `Object literal may only specify known properties, but 'titel' does not exist in type 'EntityFields<Todo>'. Did you mean to write 'title'?`,
  ],
  [
    'a creation in a plain array',
    `void plain.push({ title: 'x' });`,
    `Argument of type '{ title: string; }' is not assignable to parameter of type '"push needs a Collection in the schema: new schema.Collection([…])"'.`,
  ],
  [
    'the same through a controller',
    `void controller.fetch(plain.push, { title: 'x' });`,
    `Argument of type '{ title: string; }' is not assignable to parameter of type '"push needs a Collection in the schema: new schema.Collection([…])"'.`,
  ],
  [
    'named members for an array',
    `void TodoResource.getList.assign({ a: { title: 'x' } });`,
    `Argument of type '{ a: { title: string; }; }' is not assignable to parameter of type '"assign needs a Collection of named members in the schema: new schema.Collection(new schema.Values(…))"'.`,
  ],
  [
    'a misspelt field of a creation',
    `void controller.fetch(TodoResource.getList.push, { titel: 'x' });`,
    `Object literal may only specify known properties, and 'titel' does not exist in type 'FormData | Partial<Todo>'.`,
  ],
  [
    'a misspelt field of an update',
    `void controller.fetch(TodoResource.partialUpdate, { id: '1' }, { completed: true });`,
    `Object literal may only specify known properties, and 'completed' does not exist in type 'Partial<FormData | Partial<Todo>>'.`,
  ],
  [
    'an update without a body',
    `void controller.fetch(TodoResource.update, { id: '1' });`,
    `Expected 3 arguments, but got 2.`,
  ],
  [
    'a misspelt field of a direct write',
    `void controller.set(Todo, { id: '1' }, { titel: 'x' });`,
    `Object literal may only specify known properties, and 'titel' does not exist in type 'FieldsToSet<Todo> | ((present: Todo) => unknown)'.`,
  ],
  [
    'a misspelt field of what was read',
    `useSuspense(TodoResource.get, { id: '1' }).titel;`,
    `Property 'titel' does not exist on type 'Todo'. Did you mean 'title'?`,
  ],
  [
    'options for a member that there is not',
    `TodoResource.extend({ getLists: { path: '/x' } });`,
    `Object literal may only specify known properties, but 'getLists' does not exist in type 'MemberExtensions<"delete" | "get" | "getList" | "partialUpdate" | "update"> & {}'. Did you mean to write 'getList'?`,
  ],
  [
    'an attribute that the choices do not share',
    `new schema.Union({ todo: Todo, user: User }, 'type');`,
    `Argument of type '"type"' is not assignable to parameter of type 'UnionAttribute<{ todo: typeof Todo; user: typeof User; }>'.`,
  ],
  [
    'a mapping without an attribute',
    `new schema.Array({ todo: Todo, user: User });`,
    `Expected 2 arguments, but got 1.`,
  ],
  [
    'an entry that the mapping does not have',
    `new schema.Values({ todo: Todo, user: User }, () => 'tood');`,
    `Type '"tood"' is not assignable to type '"todo" | "user" | undefined'.`,
  ],
  [
    'an order by a field that there is not',
    `new Collection([Todo], { order: orderBy((left, right) => left.rank - right.rank) });`,
    `Property 'rank' does not exist on type 'Todo'.`,
  ],
];

/** Mistakes at the two calls whose types have the most to print, with a class and a resource of many parts. */
const atLongTypes: readonly string[] = [
  `void controller.set(Person, { id: '1' }, { nam: 'x' });`,
  `void controller.set(Person, { id: '1', nam: 'x' });`,
  `void controller.set(Person, { id: '1' }, 5);`,
  `void controller.set(Person, '1', 'x');`,
  `void controller.set(Person);`,
  `void controller.set(Person, { id: '1' }, { name: 'x' }, 5);`,
  `void controller.set(Person, { id: '1' }, (person) => ({ name: person.nam }));`,
  `void controller.set(PersonResource.getList.schema, { team: '1' }, 5);`,
  `void controller.set([Person], [{}]);`,
  `PersonResource.extend({ getLists: { path: '/x' } });`,
  `PersonResource.extend({ vote: { path: '/x' } });`,
  `PersonResource.extend({ getList: { pollFrequencey: 5 } });`,
  `PersonResource.extend({ get: { method: 'PTACH' } });`,
  `PersonResource.extend({ get: { pollFrequency: '5' } });`,
  `PersonResource.extend('vote', { method: 'PTACH' });`,
  `PersonResource.extend((base) => ({ vote: base.gett }));`,
  `PersonResource.get.extend({ optimstic: true });`,
  `PersonResource.get.extend({ schema: 'Person' });`,
];

const said = compile(head, [...mistakes.map(([, statement]) => statement), ...atLongTypes]);

test.each(mistakes.map(([mistake, , message], at) => ({ mistake, message, said: said[at]?.at(-1) })))(
  '$mistake',
  ({ message, said: sentence }) => {
    expect(sentence).toBe(message);
  },
);

test.each(atLongTypes.map((statement, at) => ({ statement, lines: said[mistakes.length + at] ?? [] })))(
  'the whole error of $statement is shorter than 300 characters',
  ({ lines }) => {
    const { length } = lines.join('\n');

    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(300);
  },
);
