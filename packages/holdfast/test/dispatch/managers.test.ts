import { Controller, createResource, Entity, LogManager } from 'holdfast';
import type { Manager } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { breathe } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
}

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
  server.on('GET', '/todos/:id', ({ params }) => ({ body: { id: Number(params['id']), title: 'milk' } }));
});
afterEach(() => server.close());
const createTodos = () => createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });

test('the log has one line per event', async () => {
  const lines: string[] = [];
  const controller = new Controller({
    clock: { now: () => 0 },
    managers: [new LogManager((line) => lines.push(line.replace(server.url, '')))],
  });

  await controller.fetch(createTodos().get, { id: 1 });
  await expect(controller.fetch(createTodos().delete, { id: 1 })).rejects.toThrow();
  controller.resetEntireStore();

  expect(lines.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    '00:00:00.000 fetch GET',
    '00:00:00.000 answer GET',
    '00:00:00.000 fetch (mutation)',
    '00:00:00.000 failure (mutation)',
    '00:00:00.000 reset',
  ]);
});

test('a custom manager wraps every request and gets every event', async () => {
  const seen: string[] = [];
  const timing: Manager = {
    async request(request, next) {
      seen.push(`out ${request.isRead}`);
      const outcome = await next({ ...request, headers: { 'x-trace': 'abc' } });
      seen.push(`in ${outcome.response?.status}`);
      return outcome;
    },
    event: (event) => seen.push(event.type),
  };
  const controller = new Controller({ managers: [timing] });

  await controller.fetch(createTodos().get, { id: 1 });

  expect(seen).toEqual(['out true', 'fetch', 'in 200', 'answer']);
  expect(server.requests[0]?.headers['x-trace']).toBe('abc');
});

test('a manager gets an event of its own kind for everything that changes the store', async () => {
  const heard: string[] = [];
  const controller = new Controller({ managers: [{ event: ({ type }) => heard.push(type) }] });
  const { get, getList } = createTodos();
  const steps: readonly [kind: string, run: () => unknown][] = [
    ['set', () => controller.set(Todo, { id: 1 }, { title: 'x' })],
    ['set', () => controller.setResponse(get, { id: 1 }, { id: 1 })],
    ['set', () => controller.setError(get, { id: 2 }, new Error('no'))],
    ['set', () => controller.resolve(get, { args: [{ id: 1 }], response: { id: 1 } })],
    ['invalidate', () => controller.invalidate(get, { id: 1 })],
    ['invalidate', () => controller.invalidateAll(get)],
    ['expire', () => controller.expireAll(getList)],
    ['reset', () => controller.resetEntireStore()],
  ];

  for (const [, run] of steps) await run();

  expect(heard).toEqual(steps.map(([kind]) => kind));
});

test('a manager whose start or stop throws is reported, and the other managers still start and stop', async () => {
  const heard: string[] = [];
  const reported: unknown[] = [];
  const hear = (error: unknown): void => void reported.push(error);
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', hear);
  const faulty: Manager = {
    start() {
      throw new Error('start');
    },
    stop() {
      throw new Error('stop');
    },
  };
  const next: Manager = { start: () => void heard.push('start'), stop: () => void heard.push('stop') };
  const controller = new Controller({ managers: [faulty, next] });

  controller.start();
  controller.stop();
  await breathe();
  process.off('uncaughtException', hear);
  for (const listener of listeners) process.on('uncaughtException', listener);

  expect(heard).toEqual(['start', 'stop']);
  expect(reported.map((error) => (error as Error).message)).toEqual(['start', 'stop']);
});
