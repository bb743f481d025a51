// The presets against their servers: after each write, a list that counts as fresh equals the server's list of that moment, and a
// write makes no list stale that its roles can decide.
import { byRole, Controller, createResource, Entity, inPages, loadMore, schema, snakeCase } from 'holdfast';
import type { ArgumentRoles } from 'holdfast';
import { linkToken } from 'holdfast/http';
import { djangoRest, feathers, github, jsonServer017, jsonServer1 } from 'holdfast/presets';
import type { Preset } from 'holdfast/presets';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  startDjangoRest,
  startFeathers,
  startGithub,
  startJsonServer017,
  startJsonServer1,
} from './servers.ts';
import type { PostFields, RunningServer } from './servers.ts';

class Post extends Entity {
  static override key = 'PresetPost';
  id = '';
  title = '';
  state = '';
  views = 0;
}

type Args = Readonly<Record<string, string | number | object>>;

interface Kind {
  readonly name: string;
  readonly start: () => Promise<RunningServer>;
  readonly preset: Preset<string>;
  readonly argumentRoles?: ArgumentRoles;
  readonly end?: string;
  /** The member of an envelope that has the rows; undefined when the response is a list. */
  readonly rows?: string;
  readonly method?: 'PATCH';
  /** The lists, each with how many of the eight writes may make it stale at most. */
  readonly lists: readonly (readonly [args: Args, stale: number])[];
}

const KINDS: readonly Kind[] = [
  {
    name: 'json-server 0.17',
    start: startJsonServer017,
    preset: jsonServer017,
    lists: [
      [{}, 0],
      [{ state: 'open' }, 0],
      [{ state: 'open', _embed: 'comments' }, 0],
      [{ views_gte: 3 }, 0],
      [{ views_lte: 3, state: 'closed' }, 0],
      [{ state_ne: 'open' }, 0],
      [{ title_like: 'tea' }, 0],
      [{ _limit: 50 }, 0],
      [{ q: 'tea', state: 'gone' }, 0],
      [{ _limit: 3 }, 8],
      [{ _page: 2, _limit: 3 }, 8],
      [{ _sort: 'views', _order: 'desc', _limit: 3 }, 8],
      [{ _sort: 'title' }, 8],
      [{ q: 'tea' }, 8],
      [{ _start: 2, _end: 5 }, 8],
    ],
  },
  {
    name: 'json-server 1',
    start: startJsonServer1,
    preset: jsonServer1,
    lists: [
      [{}, 0],
      [{ state: 'open' }, 0],
      [{ 'views:gte': 3 }, 0],
      [{ 'views:lt': 3, 'state': 'closed' }, 0],
      [{ 'state:ne': 'open' }, 0],
      [{ 'title:contains': 'TEA' }, 0],
      [{ 'title:startsWith': 'green' }, 8],
      [{ 'title:endsWith': 'tea' }, 8],
      [{ views_gte: 3 }, 0],
      [{ title_endsWith: 'tea' }, 8],
      [{ _per_page: 3 }, 0],
      [{ _sort: '-views' }, 8],
      [{ 'state:in': 'open,closed' }, 8],
    ],
  },
  {
    name: 'Feathers',
    start: startFeathers,
    preset: feathers,
    argumentRoles: byRole({ $limit: { limit: 5, most: 6 } }, feathers.argumentRoles),
    rows: 'data',
    lists: [
      [{ state: 'open' }, 2],
      [{ state: 'closed', $select: ['id', 'title', 'state', 'views'] }, 2],
      [{ $limit: 3 }, 8],
      [{}, 8],
      [{ $limit: 50 }, 8],
      [{ $skip: 2, $limit: 3 }, 8],
      [{ $sort: { views: -1 }, $limit: 3 }, 8],
      [{ views: { $gte: 3 } }, 8],
      [{ $or: [{ state: 'open' }, { title: 'milk' }] }, 8],
    ],
  },
  {
    name: 'an API like GitHub’s',
    start: startGithub,
    preset: github,
    argumentRoles: byRole({ per_page: { limit: 5, most: 6 } }, github.argumentRoles),
    lists: [
      [{ state: 'open' }, 2],
      [{ state: 'closed' }, 2],
      [{ state: 'all' }, 8],
      [{ state: 'all', per_page: 100 }, 8],
      [{ state: 'all', page: 2, per_page: 3 }, 8],
      [{ state: 'open', q: 'tea' }, 8],
      [{ state: 'all', sort: 'views', direction: 'desc', per_page: 3 }, 8],
    ],
  },
  {
    name: 'Django REST framework',
    start: startDjangoRest,
    preset: djangoRest,
    argumentRoles: byRole({ limit: { limit: 5, most: 6 } }, djangoRest.argumentRoles),
    end: '/',
    rows: 'results',
    lists: [
      [{ state: 'open' }, 2],
      [{ state: 'closed', format: 'json' }, 2],
      [{}, 8],
      [{ limit: 100 }, 8],
      [{ limit: 3, offset: 2 }, 8],
      [{ search: 'tea' }, 8],
      [{ ordering: '-views' }, 8],
      [{ views__gte: 3 }, 8],
    ],
  },
];

describe.each(KINDS)(
  '$name',
  ({ start, preset, argumentRoles = preset.argumentRoles, end = '', rows, lists }) => {
    let server: RunningServer;
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server.close());

    test('a list that is fresh after a write is the list of the server, and lists that roles decide stay fresh', async () => {
      const controller = new Controller();
      const list = new schema.Collection([Post]);
      const posts = createResource({
        ...preset,
        argumentRoles,
        urlPrefix: server.url,
        path: `/posts/:id${end}`,
        schema: Post,
        searchParams: {} as Args,
        body: {} as Partial<PostFields>,
      }).extend({ getList: { schema: rows === undefined ? list : ({ [rows]: list } as never) } }); // cast: made from a name
      const shownOf = (data: unknown): readonly PostFields[] =>
        (rows === undefined ? data : (data as Record<string, unknown>)[rows]) as readonly PostFields[]; // cast: as declared above
      const stale = new Map(lists.map(([args]) => [args, 0]));
      const textOf = (given: readonly PostFields[], isOrdered: boolean): string => {
        const texts = given.map(({ id, title, state, views }) => `${id}:${title},${state},${views}`);
        return (isOrdered ? texts : texts.sort()).join(' ');
      };

      /** Compares each fresh list with the server, counts the stale ones and reads them again. */
      const check = async (what: string): Promise<void> => {
        for (const [args] of lists) {
          const { data, expiresAt } = controller.getResponse(posts.getList, args);
          if (expiresAt > Date.now()) {
            const response = await fetch(posts.getList.url(args as never)); // cast: any arguments
            const isOrdered = ['_sort', 'sort', '$sort', 'ordering'].some((name) => name in args);
            const expected = textOf(shownOf(await response.json()), isOrdered);
            expect(`${what} ${JSON.stringify(args)}: ${textOf(shownOf(data), isOrdered)}`).toBe(
              `${what} ${JSON.stringify(args)}: ${expected}`,
            );
          } else {
            stale.set(args, stale.get(args)! + 1);
            await controller.fetch(posts.getList, args);
          }
        }
      };

      for (const [args] of lists) await controller.fetch(posts.getList, args);
      await check('at first');
      const create = async (title: string, state: string, views: number): Promise<string> => {
        const created = await controller.fetch(posts.getList.push, { title, state, views });
        return String((created as Post).id);
      };
      const first = await create('iced tea', 'open', 5);
      await check('created');
      await create('cider', 'closed', 0);
      await check('created another');
      await controller.fetch(posts.partialUpdate, { id: first }, { state: 'closed' });
      await check('closed');
      await controller.fetch(posts.partialUpdate, { id: first }, { views: 1 });
      await check('viewed');
      await controller.fetch(posts.partialUpdate, { id: '1' }, { title: 'lemonade' });
      await check('renamed');
      await controller.fetch(posts.get, { id: '2' });
      await check('read');
      await controller.fetch(posts.partialUpdate, { id: '2' }, { state: 'open' });
      await check('opened');
      await controller.fetch(posts.delete, { id: first });
      await check('deleted');

      const tooOften = lists.filter(([args, most]) => stale.get(args)! > most);
      expect(tooOften.map(([args, most]) => `${JSON.stringify(args)}: ${stale.get(args)} > ${most}`)).toEqual(
        [],
      );
    });
  },
);

test.each([
  ['own names', { state: 'all', sort: 'created', perPage: 10 }],
  ['the names of the server', { state: 'all', sort: 'created', per_page: 10 }],
])('a class with snake_case on the wire keeps the roles of its preset, with %s', async (_, args) => {
  class Issue extends Entity {
    static override key = `WireIssue ${Object.keys(args).join(' ')}`;
    static override wireNames = snakeCase;
    id = '';
    title = '';
    state = '';
    createdAt = '';
  }
  const controller = new Controller();
  const { get, getList } = createResource({
    ...github,
    argumentRoles: byRole({ sort: { order: { created: 'createdAt' } } }, github.argumentRoles),
    path: '/issues/:id',
    schema: Issue,
    searchParams: {} as Args,
  });
  const open = { id: '1', title: 'tea', state: 'open', created_at: '2026-01-01' };
  const isFresh = (): boolean => controller.getResponse(getList, args).expiresAt > Date.now();
  await controller.setResponse(getList, args, [open] as never); // cast: rows in their wire form

  await controller.setResponse(get, { id: '1' }, { ...open, title: 'coffee', state: 'closed' } as never); // cast: the same
  expect(isFresh()).toBe(true);
  await controller.setResponse(get, { id: '1' }, { ...open, created_at: '2026-02-02' } as never); // cast: the same
  expect(isFresh()).toBe(false);
});

test('a list that names its limit by its own name is full only with that many rows', async () => {
  class Issue extends Entity {
    static override key = 'LimitedIssue';
    static override wireNames = snakeCase;
    id = '';
    state = '';
  }
  const controller = new Controller();
  const { getList } = createResource({
    ...github,
    argumentRoles: byRole({ per_page: { limit: 1 } }, github.argumentRoles),
    path: '/issues/:id',
    schema: Issue,
    searchParams: {} as Args,
  });
  const rows = [{ id: '1', state: 'open' }];
  const staleAfterCreation = async (args: Args, id: string): Promise<boolean> => {
    await controller.setResponse(getList, args, rows as never); // cast: rows in their wire form
    await controller.setResponse(
      getList.push,
      { id, state: 'open' } as never,
      { id, state: 'open' } as never,
    ); // cast: the same
    return controller.getResponse(getList, args).expiresAt <= Date.now();
  };

  expect(await staleAfterCreation({ state: 'open' }, '2')).toBe(true);
  expect(await staleAfterCreation({ state: 'open', perPage: 5 }, '3')).toBe(false);
});

test('json-server 1 is read in pages from its envelope', async () => {
  const server = await startJsonServer1();
  const controller = new Controller();
  const posts = createResource({
    ...jsonServer1,
    urlPrefix: server.url,
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as Args,
  });
  const getList = posts.getList.extend({
    schema: { data: new schema.Collection([Post]), next: 0, items: 0 },
    pages: inPages({ next: 'next', sendFirst: true }),
  });

  await controller.fetch(getList, { _per_page: 3 });
  for (let count = 0; count < 3; count += 1) await loadMore(controller, getList, { _per_page: 3 });

  expect(
    controller
      .getResponse(getList, { _per_page: 3 })
      .data?.data?.map(({ id }) => id)
      .join(''),
  ).toBe('1234567');
  await server.close();
});

test.each([
  ['json-server 0.17', startJsonServer017, jsonServer017, { _limit: 3 }, linkToken('next', '_page')],
  ['an API like GitHub’s', startGithub, github, { per_page: 3, state: 'all' }, linkToken('next')],
] as const)('%s is read in pages by its header Link', async (_, start, preset, args, next) => {
  const server = await start();
  const controller = new Controller();
  const { getList } = createResource({
    ...preset,
    urlPrefix: server.url,
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as Args,
    pages: inPages({ next, sendFirst: true }),
  });

  await controller.fetch(getList, args);
  for (let count = 0; count < 3; count += 1) await loadMore(controller, getList, args);

  expect(
    controller
      .getResponse(getList, args)
      .data?.map(({ id }) => id)
      .join(''),
  ).toBe('1234567');
  await server.close();
});
