// A creation may be about a row that is known already: it is restored, or put into a list.
import { byRole, Controller, createResource, Entity } from 'holdfast';
import { expect, onTestFinished, test } from 'vitest';
import { calm, Moments } from '../support/moments.ts';

class Task extends Entity {
  static override key = 'KnownTask';
  id = '';
  title = '';
  state = '';
}

const LISTS: readonly { state?: string; sort?: string; q?: string; per_page?: number }[] = [
  { sort: 'title' },
  { q: 'a' },
  { per_page: 1 },
];

test.each([...LISTS, ...LISTS.map((args) => ({ state: 'open', ...args }))])(
  'a mounted list is read again when a row is restored that was known before the list was read: %j',
  async (args) => {
    const rows = new Map([['2', { id: '2', title: 'b', state: 'open' }]]);
    const archived = new Map([['1', { id: '1', title: 'a', state: 'open' }]]);
    const net = new Moments(({ method, path }) => {
      const id = path.split('/')[2];
      const list = () => [...rows.values()].toSorted((left, right) => (left.id < right.id ? -1 : 1));
      if (method === 'POST') rows.set('1', archived.get('1')!); // it is there
      if (!id) return { body: args.per_page ? list().slice(0, 1) : list() };
      return { body: rows.get(id) ?? archived.get(id) };
    });
    net.isQuick = true;
    const tasks = createResource({
      urlPrefix: 'http://by.hand',
      path: '/tasks/:id',
      schema: Task,
      searchParams: {} as { state?: string; sort?: string; q?: string; per_page?: number },
      argumentRoles: byRole({ q: 'search', sort: 'order', per_page: 'limit' }),
    });
    const restore = tasks.getList.push.extend({ path: '/tasks/:id/restore', body: undefined });
    const controller = new Controller({ fetch: net.fetch });
    onTestFinished(() => controller.stop());
    controller.start();
    await controller.fetch(tasks.get, { id: '1' });
    onTestFinished(controller.watch(tasks.getList, args).subscribe(() => {}));
    await calm();
    net.sent.length = 0;

    await controller.fetch(restore, { id: '1' });
    await new Promise((resolve) => setTimeout(resolve, 100));

    const { data, expiresAt } = controller.getResponse(tasks.getList, args);
    const ids = args.per_page ? '1' : '1,2';
    expect([net.sent.length, data?.map(({ id }) => id).join(), expiresAt > Date.now()]).toEqual([
      2,
      ids,
      true,
    ]);
  },
);

test.each([...LISTS, ...LISTS.map((args) => ({ state: 'open', ...args }))])(
  'a mounted list is read again when a message creates a row that was known before the list was read: %j',
  async (args) => {
    const rows = new Map([['2', { id: '2', title: 'b', state: 'open' }]]);
    const archived = new Map([['1', { id: '1', title: 'a', state: 'open' }]]);
    const net = new Moments(({ path }) => {
      const id = path.split('/')[2];
      const list = () => [...rows.values()].toSorted((left, right) => (left.id < right.id ? -1 : 1));
      if (!id) return { body: args.per_page ? list().slice(0, 1) : list() };
      return { body: rows.get(id) ?? archived.get(id) };
    });
    net.isQuick = true;
    const tasks = createResource({
      urlPrefix: 'http://by.hand',
      path: '/tasks/:id',
      schema: Task,
      searchParams: {} as { state?: string; sort?: string; q?: string; per_page?: number },
      argumentRoles: byRole({ q: 'search', sort: 'order', per_page: 'limit' }),
    });
    const controller = new Controller({ fetch: net.fetch });
    onTestFinished(() => controller.stop());
    controller.start();
    await controller.fetch(tasks.get, { id: '1' });
    onTestFinished(controller.watch(tasks.getList, args).subscribe(() => {}));
    await calm();
    net.sent.length = 0;

    rows.set('1', archived.get('1')!); // it is there
    await Reflect.apply(controller.set, controller, [tasks.getList.schema.push, {}, archived.get('1')]);
    await new Promise((resolve) => setTimeout(resolve, 0));
    await new Promise((resolve) => setTimeout(resolve, 100));

    const { data, expiresAt } = controller.getResponse(tasks.getList, args);
    const ids = args.per_page ? '1' : '1,2';
    expect([net.sent.length, data?.map(({ id }) => id).join(), expiresAt > Date.now()]).toEqual([
      1,
      ids,
      true,
    ]);
  },
);
