// Entities whose fields are declared by zod, valibot and arktype: one suite for all three.
import { Cache, Controller, createResource, dehydrate, savedState, schema } from 'holdfast';
import { check, EntityOf, getRefused, optional } from 'holdfast/validate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../support/server.ts';
import { libraries } from './libraries.ts';

describe.each(libraries)(
  '$name',
  ({ text, short, count, date, maybeDate, maybeText, word, address, inOrder }) => {
    class User extends EntityOf('User', { id: text, name: text }, { onInvalid: 'drop' }) {}
    class Todo extends EntityOf(
      'Todo',
      { id: text, title: check(short), dueAt: maybeDate, author: optional(User) },
      { onInvalid: 'drop' },
    ) {
      get isDue() {
        return this.dueAt !== null && this.dueAt < new Date('2026-06-01');
      }
    }
    const todo = (id: string, more: object = {}) => ({ id, title: `t${id}`, dueAt: null, ...more });

    async function start() {
      const server = await startServer();
      onTestFinished(() => server.close());
      const controller = new Controller();
      const todos = createResource({
        urlPrefix: server.url,
        path: '/todos/:id',
        schema: Todo,
        optimistic: true,
      });
      return { server, controller, todos };
    }

    test('a row reads as an instance with the parsed values of its schemas', async () => {
      const { server, controller, todos } = await start();
      server.on('GET', '/todos/:id', {
        body: todo('1', { dueAt: '2026-01-02T00:00:00Z', author: { id: '7', name: 'Ada' } }),
      });

      const found = await controller.fetch(todos.get, { id: '1' });

      expect(found).toBeInstanceOf(Todo);
      expect(found.dueAt).toEqual(new Date('2026-01-02T00:00:00Z'));
      expect(found.isDue).toBe(true);
      expect(found.author).toBeInstanceOf(User);
      expect(controller.get(User, { id: '7' })?.name).toBe('Ada');
    });

    test('unchanged fields are not parsed again, and the instance stays', async () => {
      const { server, controller, todos } = await start();
      server.on('GET', '/todos/:id', () => ({ body: todo('1', { dueAt: '2026-01-02T00:00:00Z' }) }));

      const first = await controller.fetch(todos.get, { id: '1' });
      const second = await controller.fetch(todos.get, { id: '1' });

      expect(second).toBe(first);
    });

    test('a list leaves out rows that its checks refuse, with one report per row', async () => {
      const { server, controller, todos } = await start();
      const rows = [
        todo('1'),
        todo('2', { title: 'far too long' }),
        todo('3', { dueAt: 'never' }),
        todo('4'),
      ];
      server.on('GET', '/todos', { body: rows });

      const list = await controller.fetch(todos.getList);

      expect(list.map(({ id }) => id)).toEqual(['1', '4']);
      expect(getRefused(controller)).toMatchObject([
        {
          entity: 'Todo',
          pk: '2',
          path: 'Todo.getList[1]',
          fields: [{ field: 'title' }],
          outcome: 'dropped',
        },
        {
          entity: 'Todo',
          pk: '3',
          path: 'Todo.getList[2]',
          fields: [{ field: 'dueAt' }],
          outcome: 'dropped',
        },
      ]);
    });

    test('a single row that its checks refuse is an error', async () => {
      const { server, controller, todos } = await start();
      server.on('GET', '/todos/:id', { body: todo('1', { title: 5 }) });

      await expect(controller.fetch(todos.get, { id: '1' })).rejects.toMatchObject({
        code: 'ENTITY_INVALID',
        params: { entity: 'Todo', path: 'Todo.get' },
      });
      expect(controller.get(Todo, { id: '1' })).toBeUndefined();
      expect(getRefused(controller)).toMatchObject([{ pk: '1', outcome: 'refused' }]);
    });

    test('a report is removed when its row arrives valid', async () => {
      const { server, controller, todos } = await start();
      server.on('GET', '/todos', { body: [todo('1', { title: 5 })] });
      await controller.fetch(todos.getList);
      expect(getRefused(controller)).toHaveLength(1);

      server.on('GET', '/todos', { body: [todo('1')] });
      await controller.fetch(todos.getList);

      expect(getRefused(controller)).toEqual([]);
    });

    test('an optional field reads as undefined where it is absent, and a field with a default as the default', () => {
      class Note extends EntityOf('Note', { id: text, body: maybeText, kind: word, at: optional(User) }) {}
      const cache = new Cache();
      cache.write([Note], [{ id: '1' }, { id: '2', body: 'b', kind: 'k' }]);

      expect(cache.read(Note, ['1'])).toMatchObject({ body: undefined, kind: 'none', at: undefined });
      expect(cache.read(Note, ['2'])).toMatchObject({ body: 'b', kind: 'k' });
    });

    test('a required field that no payload has contained is missing', () => {
      const cache = new Cache();
      expect(() => cache.write(Todo, { id: '1', dueAt: null })).toThrow('title: is missing');
      cache.write(Todo, todo('1'));

      cache.write(Todo, { id: '1', dueAt: '2026-01-02T00:00:00Z' });

      expect(cache.read(Todo, ['1'])).toMatchObject({ title: 't1', dueAt: new Date('2026-01-02T00:00:00Z') });
    });

    test('an issue inside a field contains its path', () => {
      class Place extends EntityOf('Place', { id: text, address }, { onInvalid: 'drop' }) {}
      const controller = new Controller();

      void controller.set(new schema.Collection([Place]), {}, [{ id: '1', address: { street: 5 } }]);

      expect(getRefused(controller)).toMatchObject([{ pk: '1', fields: [{ field: 'address.street' }] }]);
    });

    test('rules check the fields together, merged with the stored ones', () => {
      class Span extends EntityOf('Span', { id: text, start: count, end: count }, { rules: inOrder }) {}
      const cache = new Cache();
      cache.write(Span, { id: '1', start: 1, end: 5 });

      expect(() => cache.write(Span, { id: '1', start: 7 })).toThrow(/order/);
      expect(cache.read(Span, ['1'])).toMatchObject({ start: 1, end: 5 });
      cache.write(Span, { id: '1', start: 7, end: 8 });
      expect(cache.read(Span, ['1'])).toMatchObject({ start: 7, end: 8 });
    });

    test('an optimistic update, a response, a message and a saved state give the same value', async () => {
      const { server, controller, todos } = await start();
      const dueAt = '2026-01-02T00:00:00.000Z';
      server.on('GET', '/todos/:id', { body: todo('1') });
      await controller.fetch(todos.get, { id: '1' });

      const held = server.hold('PATCH', '/todos/:id');
      server.on('PATCH', '/todos/:id', { body: todo('1', { dueAt }) });
      const saving = controller.fetch(todos.partialUpdate, { id: '1' }, { dueAt: new Date(dueAt) });
      const patch = await held.next();
      expect(controller.get(Todo, { id: '1' })?.dueAt).toEqual(new Date(dueAt));
      patch.release();
      expect((await saving).dueAt).toEqual(new Date(dueAt));

      await controller.set(Todo, todo('2', { dueAt }));
      expect(controller.get(Todo, { id: '2' })?.dueAt).toEqual(new Date(dueAt));

      const state = JSON.stringify(dehydrate(controller));
      const restored = new Controller({ initialState: savedState(state) });
      expect(restored.get(Todo, { id: '1' })).toEqual(controller.get(Todo, { id: '1' }));
      expect(restored.get(Todo, { id: '2' })).toEqual(controller.get(Todo, { id: '2' }));
    });

    test('a value that was read can be written back', () => {
      class Event extends EntityOf('Event', { id: text, at: date, title: text }) {}
      const cache = new Cache();
      cache.write(Event, { id: '1', at: '2026-01-02T00:00:00Z', title: 'a' });
      const event = cache.read(Event, ['1'])!;

      cache.write(Event, { ...event, title: 'b' });

      expect(cache.read(Event, ['1'])).toMatchObject({ at: event.at, title: 'b' });
      cache.write(Event, cache.read(Event, ['1']));
      expect(cache.read(Event, ['1'])?.title).toBe('b');
    });
  },
);
