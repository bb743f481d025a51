// Requests are sent, handled and delivered at three moments. A response from before a write never ends up on screen as fresh,
// whether the row was stored when the write was sent or not, and however few fields the response to the write has.
import {
  Controller,
  createResource,
  dehydrate,
  Entity,
  RestEndpoint,
  savedState,
  schema,
  totalOf,
} from 'holdfast';
import { expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { calm, Moments } from '../support/moments.ts';
import type { Reply, Sent } from '../support/moments.ts';

class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
}
class Item extends Entity {
  static override key = 'Item';
  id = '';
  title = '';
  done = false;
  owner = User.fromJS();
  static override schema = { owner: User };
}
class Note extends Entity {
  static override key = 'Note';
  id = '';
  title = '';
}

const urlPrefix = 'http://three.test';
const ItemResource = createResource({ urlPrefix, path: '/items/:id', schema: Item });
const UserResource = createResource({ urlPrefix, path: '/users/:id', schema: User });

/** How a write that the server has done ends for the client. */
const ENDS: Readonly<Record<string, Reply>> = {
  '204': { status: 204 },
  '{ success: true }': { body: { success: true } },
  'a text': { body: 'ok' },
  'a number': { body: 1 },
  'null': { body: null },
  '500': { status: 500, body: {} },
  'a lost connection': 'lost',
};

interface Row {
  id: string;
  title: string;
  done: boolean;
  owner: { id: string; name: string };
}

function start(end: Reply | 'the row' = 'the row') {
  const user = { id: 'u', name: 'old' };
  let rows: Row[] = [{ id: '1', title: 'old', done: false, owner: user }];
  const answer = ({ method, path, query, body }: Sent): Reply => {
    const [, table, id] = path.split('/');
    const row = table === 'users' ? user : rows.find((one) => one.id === id);
    // in these tests a search finds what is not done
    const isDone = query['done'] ?? (query['q'] === 'false' ? 'false' : undefined);
    if (method === 'GET' && id === undefined)
      return { body: rows.filter(({ done }) => isDone === undefined || String(done) === isDone) };
    if (!row) return { status: 404, body: {} };
    if (method === 'GET') return { body: row };
    if (method === 'DELETE') rows = rows.filter((one) => one !== row);
    else if (path.endsWith('/close')) Object.assign(row, { done: true });
    else Object.assign(row, body);
    return end === 'the row' ? { body: row } : end;
  };
  const net = new Moments(answer);
  const controller = new Controller({ fetch: net.fetch });
  const isFresh = (endpoint: Parameters<Controller['getResponse']>[0], ...args: readonly unknown[]) => {
    const { data, expiresAt } = controller.getResponse(endpoint, ...(args as [])); // cast: of any endpoint
    return data !== undefined && expiresAt > Date.now();
  };
  return { net, controller, user, isFresh };
}

const quietly = (promise: Promise<unknown>): void => void promise.catch(() => undefined);

// ── rows that are not stored yet ─────────────────────────────────────────────────────────────────

for (const [name, end] of Object.entries(ENDS)) {
  const writes = {
    PATCH: (controller: Controller) =>
      controller.fetch(ItemResource.partialUpdate, { id: '1' }, { title: 'new' }),
    PUT: (controller: Controller) => controller.fetch(ItemResource.update, { id: '1' }, { title: 'new' }),
    DELETE: (controller: Controller) => controller.fetch(ItemResource.delete, { id: '1' }),
    'POST …/close': (controller: Controller) =>
      controller.fetch(
        new RestEndpoint({ urlPrefix, path: '/items/:id/close', method: 'POST', schema: Item }),
        { id: '1' },
        {},
      ),
  };
  for (const [method, write] of Object.entries(writes))
    for (const first of ['alone', 'in a list'])
      test(`a row first read ${first} before a ${method} that ends with ${name} is not fresh with its former fields`, async () => {
        const { net, controller, isFresh } = start(end);
        quietly(
          controller.fetch<any>(
            ...((first === 'alone' ? [ItemResource.get, { id: '1' }] : [ItemResource.getList]) as [any]),
          ),
        ); // cast: of both endpoints
        await calm();
        net.next('GET').handle();
        quietly(write(controller));
        await calm();
        await net.next(method.split(' ')[0]!).deliver();
        await net.next('GET').deliver();

        expect(isFresh(ItemResource.get, { id: '1' })).toBe(false);
        const row = controller.get(Item, { id: '1' });
        if (row?.title === 'old' && first !== 'alone') expect(isFresh(ItemResource.getList)).toBe(false);
      });
}

test.each(Object.keys(ENDS))(
  'a row first read as a nested row is read again after a PATCH that ends with %s',
  async (end) => {
    const { net, controller, user } = start(ENDS[end]);
    const reader = controller.watch(ItemResource.get, { id: '1' });
    const stop = reader.subscribe(() => undefined);
    await calm();
    net.next('GET').handle();
    quietly(controller.fetch(UserResource.partialUpdate, { id: 'u' }, { name: 'new' }));
    await calm();
    await net.next('PATCH').deliver();
    await net.next('GET').deliver();
    await net.rest();
    stop();

    expect(user.name).toBe('new');
    expect(reader.read().data?.owner.name).toBe('new');
  },
);

test('a row that a mutation identifies by another field is read again where an older response brings it first', async () => {
  class Issue extends Entity {
    static override key = 'Issue';
    id = '';
    number = 0;
    title = '';
  }
  const IssueResource = createResource({ urlPrefix, path: '/issues/:number', schema: Issue });
  const row = { id: 'x', number: 7, title: 'old' };
  const net = new Moments(({ method, body }) => {
    if (method === 'GET') return { body: row };
    Object.assign(row, body);
    return { status: 204 };
  });
  const controller = new Controller({ fetch: net.fetch });
  quietly(controller.fetch(IssueResource.get, { number: 7 }));
  await calm();
  net.next('GET').handle();
  quietly(controller.fetch(IssueResource.partialUpdate, { number: 7 }, { title: 'new' }));
  await calm();
  await net.next('PATCH').deliver();
  await net.next('GET').deliver();

  expect(controller.getResponse(IssueResource.get, { number: 7 }).expiresAt).toBe(0);
});

test('a stale mark for a row that never arrives is removed', async () => {
  const { net, controller } = start({ status: 204 });
  net.isQuick = true;
  const before = controller.size;
  for (let id = 0; id < 20; id += 1)
    quietly(controller.fetch(ItemResource.partialUpdate, { id: `n${id}` }, { title: 'new' }));
  await calm();
  await calm();

  expect(controller.size).toBe(before);
});

class Doc extends Entity {
  static override key = 'Doc';
  id = '';
  title = '';
  body = '';
}
const DocResource = createResource({ urlPrefix, path: '/docs/:id', schema: Doc });

test('a field that only an older read brings is not fresh after a write', async () => {
  const row = { id: '1', title: 'old', body: 'old' };
  const net = new Moments(({ method, body }) => {
    if (method === 'GET') return { body: row };
    Object.assign(row, body, { body: 'changed by the server' });
    return { body: { id: '1', title: row.title } };
  });
  const controller = new Controller({ fetch: net.fetch });
  quietly(controller.fetch(DocResource.get, { id: '1' }));
  await calm();
  net.next('GET').handle();
  quietly(controller.fetch(DocResource.partialUpdate, { id: '1' }, { title: 'new' }));
  await calm();
  await net.next('PATCH').deliver();
  await net.next('GET').deliver();

  expect(controller.get(Doc, { id: '1' })).toMatchObject({ title: 'new', body: 'old' });
  expect(controller.getResponse(DocResource.get, { id: '1' }).expiresAt).toBe(0);
});

for (const isStored of [true, false])
  test(`a field that only an older read brings is not fresh after a write that ended unknown, though a later list has brought the others (row stored before: ${isStored})`, async () => {
    const row = { id: '1', title: 'old', body: 'old' };
    const net = new Moments(({ method, path, body }) => {
      if (method === 'GET') return { body: path === '/docs' ? [{ id: '1', title: row.title }] : row };
      Object.assign(row, body);
      return { status: 500, body: {} };
    });
    const controller = new Controller({ fetch: net.fetch });
    const readList = async (): Promise<void> => {
      quietly(controller.fetch(DocResource.getList));
      await calm();
      await net.inFlight.find(({ line }) => line === 'GET /docs')?.deliver();
    };
    if (isStored) await readList();
    quietly(controller.fetch(DocResource.get, { id: '1' }));
    await calm();
    net.next('GET /docs/1').handle();
    quietly(controller.fetch(DocResource.partialUpdate, { id: '1' }, { title: 'new', body: 'new' }));
    await calm();
    await net.next('PATCH').deliver();
    await readList();
    await net.next('GET /docs/1').deliver();

    expect(controller.get(Doc, { id: '1' })).toMatchObject({ title: 'new', body: 'old' });
    expect(controller.getResponse(DocResource.get, { id: '1' }).expiresAt).toBe(0);
  });

// ── messages ─────────────────────────────────────────────────────────────────────────────────────

for (const optimistic of [false, true])
  test(`a message about a row that is not stored does not replace a change in flight (optimistic: ${optimistic})`, async () => {
    const { net, controller } = start();
    const endpoint = ItemResource.partialUpdate.extend({ optimistic });
    const saving = controller.fetch(endpoint, { id: '1' }, { title: 'mine' });
    await calm();
    void controller.set(Item, { id: '1' }, { id: '1', title: 'old', done: false });
    await net.next('PATCH').deliver();

    expect((await saving)?.title).toBe('mine');
    expect(controller.get(Item, { id: '1' })?.title).toBe('mine');
  });

test('where a read in flight and a message disagree, the row is read once more', async () => {
  const { net, controller } = start();
  net.isQuick = true;
  await controller.fetch(ItemResource.get, { id: '1' });
  net.isQuick = false;
  const reader = controller.watch(ItemResource.get, { id: '1' });
  const stop = reader.subscribe(() => undefined);
  controller.expireAll(ItemResource.get);
  await calm();
  // another client writes twice: the message of the first change is late
  quietly(net.fetch(`${urlPrefix}/items/1`, { method: 'PATCH', body: JSON.stringify({ title: 'v6' }) }));
  await net.next('PATCH').deliver();
  net.next('GET').handle();
  void controller.set(Item, { id: '1' }, { id: '1', title: 'v5' });
  await net.next('GET').deliver();
  const sent = net.sent.length;
  await net.rest();
  stop();

  expect(reader.read().data?.title).toBe('v6');
  expect(net.sent.length - sent).toBeLessThanOrEqual(1);
});

for (const [shown, search] of Object.entries({
  'the row': null,
  'a list of its filter': 'done',
  'a search': 'q',
}))
  test(`a message that repeats the row, and a response in flight that disagrees, leave ${shown} stale`, async () => {
    const { net, controller, isFresh } = start();
    const list = ItemResource.getList.extend({ searchParams: {} as { done?: string; q?: string } });
    const call: readonly [any, object] = search
      ? [list, { [search]: 'false' }]
      : [ItemResource.get, { id: '1' }];
    net.isQuick = true;
    await controller.fetch(...call);
    net.isQuick = false;
    const reading = controller.fetch(...call);
    // another client changes the row and changes it back: the read is handled between the two changes
    for (const done of [true, false]) {
      quietly(net.fetch(`${urlPrefix}/items/1`, { method: 'PATCH', body: JSON.stringify({ done }) }));
      await net.next('PATCH').deliver();
      if (done) net.next('GET').handle();
    }
    void controller.set(Item, { id: '1' }, { id: '1', title: 'old', done: false });
    await net.next('GET').deliver();
    await reading;

    expect(isFresh(...call)).toBe(false);
  });

for (const optimistic of [false, true])
  for (const args of [{ q: 'a' }, { limit: '9' }])
    for (const moment of ['before the response', 'while the list is read', 'after all'])
      test(`the echo of an own update ${moment} costs no read of a list with ${JSON.stringify(args)} (optimistic: ${optimistic})`, async () => {
        const { net, controller } = start();
        const list = ItemResource.getList.extend({ searchParams: {} as { q?: string; limit?: string } });
        net.isQuick = true;
        const reader = controller.watch(list, args);
        const stop = reader.subscribe(() => undefined);
        await calm();
        net.isQuick = false;
        const saving = controller.fetch(
          ItemResource.partialUpdate.extend({ optimistic }),
          { id: '1' },
          { title: 'new' },
        );
        const echo = (): void =>
          void controller.set(Item, { id: '1' }, { id: '1', title: 'new', done: false });
        await calm();
        net.next('PATCH').handle();
        if (moment === 'before the response') echo();
        await net.next('PATCH').deliver();
        await saving;
        if (moment === 'while the list is read') echo();
        await net.rest();
        if (moment === 'after all') echo();
        await net.rest();
        stop();

        expect(net.sent.filter((line) => line.startsWith('GET'))).toHaveLength(2);
      });

test('where the response of a write and a message that came before it disagree, the row is read once more', async () => {
  const { net, controller } = start();
  net.isQuick = true;
  await controller.fetch(ItemResource.get, { id: '1' });
  net.isQuick = false;
  const reader = controller.watch(ItemResource.get, { id: '1' });
  const stop = reader.subscribe(() => undefined);
  const close = ItemResource.get.extend({ path: '/items/:id/close', method: 'POST', body: undefined });
  quietly(controller.fetch(close, { id: '1' }));
  await calm();
  // the message was sent before the server has handled the write
  void controller.set(Item, { id: '1' }, { id: '1', title: 'theirs', done: false });
  await net.next('POST').deliver();
  await net.rest();
  stop();

  expect(reader.read().data).toMatchObject({ title: 'old', done: true });
  expect(net.sent.filter((line) => line.startsWith('GET'))).toHaveLength(2);
});

test('a stream that never rests has the row read three times at once, and once a second after that', async () => {
  const world = new FakeWorld();
  const row = { id: '1', title: 'v0' };
  const net = new Moments(() => ({ body: row }));
  const controller = new Controller({ fetch: net.fetch, ...world.options });
  const reader = controller.watch(ItemResource.get, { id: '1' });
  const stop = reader.subscribe(() => undefined);
  await calm();
  await net.rest();
  controller.expireAll(ItemResource.get);
  const cross = async (): Promise<void> => {
    for (let version = 0; net.inFlight.length > 0; version += 1) {
      void controller.set(Item, { id: '1' }, { id: '1', title: `v${world.time.clock.now()}-${version}` });
      await net.next('GET').deliver();
    }
  };
  await calm();
  const before = net.sent.length - 1;
  await cross();
  expect(net.sent.length - before).toBe(3);
  expect(controller.getResponse(ItemResource.get, { id: '1' }).expiresAt).toBe(0);

  for (let second = 1; second <= 3; second += 1) {
    await world.pass(1_001);
    await cross();
    expect(net.sent.length - before).toBe(3 + second);
  }
  stop();
});

test('where a list in flight and a message disagree, the list is read once more', async () => {
  const { net, controller } = start();
  const open = { done: 'false' };
  const list = ItemResource.getList.extend({ searchParams: {} as { done: string } });
  net.isQuick = true;
  await controller.fetch(list, open);
  net.isQuick = false;
  const reader = controller.watch(list, open);
  const stop = reader.subscribe(() => undefined);
  controller.expireAll(list);
  await calm();
  net.next('GET').handle();
  void controller.set(Item, { id: '1' }, { id: '1', done: true }); // late: the row is open again
  await net.next('GET').deliver();
  await net.rest();
  stop();

  expect(reader.read().data?.map(({ id }) => id)).toEqual(['1']);
});

test('a message does not make a stale row fresh: it may be older than the write that ended unknown', async () => {
  const { net, controller, isFresh } = start('lost');
  net.isQuick = true;
  await controller.fetch(ItemResource.get, { id: '1' });
  const row = { ...controller.get(Item, { id: '1' }) };
  await controller.fetch(ItemResource.partialUpdate, { id: '1' }, { title: 'new' }).catch(() => undefined);
  void controller.set(Item, { id: '1' }, { ...row, title: 'old' });

  expect(isFresh(ItemResource.get, { id: '1' })).toBe(false);
});

test('the echo of an acknowledged write leaves search lists unchanged', async () => {
  const { net, controller, isFresh } = start();
  const list = ItemResource.getList.extend({ searchParams: {} as { q: string } });
  net.isQuick = true;
  await controller.fetch(list, { q: 'a' });
  const row = await controller.fetch(ItemResource.partialUpdate, { id: '1' }, { title: 'new' });
  await controller.fetch(list, { q: 'a' });
  void controller.set(
    Item,
    { id: '1' },
    { id: '1', title: row!.title, done: false, owner: { id: 'u', name: 'old' } },
  );

  expect(isFresh(list, { q: 'a' })).toBe(true);
});

// ── what a read settles ──────────────────────────────────────────────────────────────────────────

test('two endpoints that show parts of one row do not fetch endlessly after a write that ended unknown', async () => {
  class Part extends Entity {
    static override key = 'Part';
    id = '';
    title = '';
    score = 0;
    body = '';
  }
  const PartResource = createResource({ urlPrefix, path: '/parts/:id', schema: Part });
  const row = { id: '1', title: 'old', score: 1, body: 'b' };
  const net = new Moments(({ method, path, body: sent }) => {
    if (method === 'PATCH') {
      Object.assign(row, sent);
      return { status: 500, body: {} };
    }
    const { score, body, ...summary } = row;
    return { body: path === '/parts' ? [{ ...summary, score }] : { ...summary, body } };
  });
  const controller = new Controller({ fetch: net.fetch });
  const list = controller.watch(PartResource.getList);
  const detail = controller.watch(PartResource.get, { id: '1' });
  const stops = [list.subscribe(() => undefined), detail.subscribe(() => undefined)];
  await calm();
  await net.rest();
  quietly(controller.fetch(PartResource.partialUpdate, { id: '1' }, { title: 'new' }));
  await calm();
  const sent = net.sent.length;
  await net.rest();
  for (const stop of stops) stop();

  expect(net.sent.length - sent).toBeLessThanOrEqual(3);
  expect(detail.read().data?.title).toBe('new');
  // both have been read since, so every field has a new value
  expect(controller.getResponse(PartResource.get, { id: '1' }).expiresAt).toBeGreaterThan(Date.now());
});

for (const cause of ['PATCH', 'DELETE', 'POST'])
  test(`reading the first page again does not make the second fresh after an unknown ${cause}`, async () => {
    let rows = ['1', '2', '3', '4'].map((id) => ({ id, title: `t${id}` }));
    const net = new Moments(({ method, path, query, body }) => {
      const id = path.split('/')[2];
      if (method === 'GET') return { body: rows.slice(Number(query['at'] ?? 0)).slice(0, 2) };
      if (method === 'POST') rows.push({ id: '9', title: 'new' });
      else if (method === 'DELETE') rows = rows.filter((row) => row.id !== id);
      else
        Object.assign(
          rows.find((row) => row.id === id)!,
          body,
        );
      return method === 'POST' ? { status: 204 } : { status: 500, body: {} };
    });
    net.isQuick = true;
    const controller = new Controller({ fetch: net.fetch });
    const NoteResource = createResource({ urlPrefix, path: '/notes/:id', schema: Note });
    const getPage = NoteResource.getList.paginated('at');
    await controller.fetch(NoteResource.getList);
    await controller.fetch(getPage, { at: '2' });
    const reader = controller.watch(NoteResource.getList);
    const stop = reader.subscribe(() => undefined);
    const call =
      cause === 'PATCH'
        ? controller.fetch(NoteResource.partialUpdate, { id: '3' }, { title: 'new' })
        : cause === 'DELETE'
          ? controller.fetch(NoteResource.delete, { id: '3' })
          : controller.fetch(NoteResource.getList.push, { title: 'new' });
    await call.catch(() => undefined);
    await calm();
    await calm();
    stop();

    // the token of a further page belongs to the first page that gave it: only the first page is read again
    expect(controller.getResponse(NoteResource.getList).expiresAt).toBe(0);
    expect(net.sent.filter((one) => one.startsWith('GET'))).toHaveLength(3);
    await controller.fetch(getPage, { at: '2' });
    await controller.fetch(NoteResource.getList);
    expect(reader.read().data?.map(({ id, title }) => id + title)).toEqual(
      rows.slice(0, 4).map(({ id, title }) => id + title),
    );
    expect(controller.getResponse(NoteResource.getList).expiresAt).toBeGreaterThan(0);
  });

test('a row that the first page has lost may be on no page: the list is stale', async () => {
  let ids = ['6', '5', '4', '3', '2', '1'];
  const net = new Moments(({ query }) => {
    const page = Number(query['page'] ?? 1);
    return { body: ids.slice(2 * page - 2, 2 * page).map((id) => ({ id, title: '' })) };
  });
  net.isQuick = true;
  const controller = new Controller({ fetch: net.fetch });
  const NoteResource = createResource({
    urlPrefix,
    path: '/notes/:id',
    schema: Note,
    paginationField: 'page',
  });
  await controller.fetch(NoteResource.getList);
  await controller.fetch(NoteResource.getList.getPage, { page: 2 });
  ids = ['7', ...ids];
  await controller.fetch(NoteResource.getList);

  expect(controller.getResponse(NoteResource.getList).expiresAt).toBe(0);
});

// ── all rows of a type ───────────────────────────────────────────────────────────────────────────

test.each(Object.keys(ENDS))('All is stale after a creation that ends with %s', async (end) => {
  const rows = [{ id: 'a', title: 'a' }];
  const net = new Moments(({ method, body }) => {
    if (method === 'GET') return { body: rows };
    rows.push({ id: 'n', ...(body as { title: string }) });
    return ENDS[end]!;
  });
  net.isQuick = true;
  const controller = new Controller({ fetch: net.fetch });
  const all = new schema.All(Note);
  const getAll = new RestEndpoint({ urlPrefix, path: '/notes', schema: all });
  const getSorted = new RestEndpoint({
    urlPrefix,
    path: '/notes/sorted',
    schema: new schema.Query(all, { orderBy: 'title' }),
  });
  const NoteResource = createResource({ urlPrefix, path: '/notes/:id', schema: Note });
  await controller.fetch(getAll);
  await controller.fetch(getSorted);
  await controller.fetch(NoteResource.getList.push, { title: 'n' }).catch(() => undefined);

  expect(controller.getResponse(getAll).expiresAt).toBe(0);
  expect(controller.getResponse(getSorted).expiresAt).toBe(0);
  await controller.fetch(getAll);
  expect(controller.getResponse(getAll).expiresAt).toBeGreaterThan(0);
});

test('All stays stale while one of its rows is stale, and is not read endlessly', async () => {
  let rows = ['a', 'b'].map((id) => ({ id, title: id }));
  const net = new Moments(({ method }) => {
    if (method === 'GET') return { body: rows };
    rows = rows.filter(({ id }) => id !== 'b');
    return 'lost';
  });
  net.isQuick = true;
  const controller = new Controller({ fetch: net.fetch });
  const getAll = new RestEndpoint({ urlPrefix, path: '/notes', schema: new schema.All(Note) });
  const NoteResource = createResource({ urlPrefix, path: '/notes/:id', schema: Note });
  const stop = controller.watch(getAll).subscribe(() => undefined);
  await calm();
  await controller.fetch(NoteResource.delete, { id: 'b' }).catch(() => undefined);
  await calm();
  await calm();
  stop();

  expect(net.sent.filter((one) => one.startsWith('GET'))).toHaveLength(2);
  expect(controller.getResponse(getAll).expiresAt).toBe(0);
});

// ── keys of a map ────────────────────────────────────────────────────────────────────────────────

const getMap = new RestEndpoint({
  urlPrefix,
  path: '/map',
  schema: new schema.Collection(new schema.Values(Note)),
});

function startMap() {
  const map: Record<string, { id: string; title: string }> = { main: { id: 'a', title: 'a' } };
  const net = new Moments(({ method, body }) => {
    if (method === 'GET') return { body: map };
    Object.assign(map, body);
    return { status: 201, body };
  });
  const controller = new Controller({ fetch: net.fetch });
  const shown = (): unknown =>
    Object.fromEntries(
      Object.entries(controller.getResponse(getMap).data ?? {})
        .sort(([one], [two]) => one.localeCompare(two))
        .map(([key, { id }]) => [key, id]),
    );
  const assign = (key: string, id: string, optimistic: boolean) =>
    controller.fetch(getMap.assign.extend({ optimistic }), { [key]: { id, title: id } });
  return { net, controller, shown, assign };
}

for (const optimistic of [false, true]) {
  test(`of two assignments of one key the later one wins, in any order of their responses (optimistic: ${optimistic})`, async () => {
    const { net, controller, shown, assign } = startMap();
    quietly(controller.fetch(getMap));
    await calm();
    await net.rest();
    quietly(assign('home', 'b', optimistic));
    quietly(assign('home', 'c', optimistic));
    await calm();
    const [first, second] = net.inFlight;
    first!.handle();
    await second!.deliver();
    await first!.deliver();

    expect(shown()).toEqual({ home: 'c', main: 'a' });
  });

  for (const isHandledFirst of [true, false])
    for (const ids of [['a'], ['x', 'a'], ['b', 'c']])
      test(`a late response does not change an assigned key: ${ids.join(', ')} (handled first: ${isHandledFirst}, optimistic: ${optimistic})`, async () => {
        const { net, controller, shown, assign } = startMap();
        quietly(controller.fetch(getMap));
        await calm();
        await net.rest();
        quietly(controller.fetch(getMap));
        await calm();
        const read = net.next('GET');
        if (isHandledFirst) read.handle();
        for (const id of ids) {
          quietly(assign('home', id, optimistic));
          await calm();
          await net.next('POST').deliver();
        }
        await read.deliver();

        expect(shown()).toEqual({ home: ids.at(-1), main: 'a' });
      });
}

// ── responses that name no row ───────────────────────────────────────────────────────────────────

class Keyed extends Entity {
  static override key = 'Keyed';
  id = '';
  title = '';
  override pk() {
    return `${this.id}`;
  }
}
const KeyedResource = createResource({ urlPrefix, path: '/keyed/:id', schema: Keyed, optimistic: true });

for (const method of ['PATCH', 'PUT', 'DELETE'])
  test.each(['{ success: true }', 'a text', 'a number', 'null'])(
    `a ${method} with the response %s is a success, for a class with a custom pk too`,
    async (end) => {
      const row = { id: '1', title: 'old' };
      const net = new Moments(({ method: verb, body }) => {
        if (verb === 'GET') return { body: row };
        Object.assign(row, body);
        return ENDS[end]!;
      });
      net.isQuick = true;
      const controller = new Controller({ fetch: net.fetch });
      await controller.fetch(KeyedResource.get, { id: '1' });
      await (method === 'DELETE'
        ? controller.fetch(KeyedResource.delete, { id: '1' })
        : controller.fetch(
            method === 'PUT' ? KeyedResource.update : KeyedResource.partialUpdate,
            { id: '1' },
            { title: 'new' },
          ));

      expect(controller.get(Keyed, { id: '1' })?.title).toBe(method === 'DELETE' ? undefined : 'new');
    },
  );

test('a failed precondition makes the row stale, and its readers read it again', async () => {
  const row = { id: '1', title: 'old' };
  const net = new Moments(({ method }) => (method === 'GET' ? { body: row } : { status: 412, body: {} }));
  net.isQuick = true;
  const controller = new Controller({ fetch: net.fetch });
  const reader = controller.watch(KeyedResource.get, { id: '1' });
  const stop = reader.subscribe(() => undefined);
  await calm();
  row.title = 'changed by somebody else';
  await controller.fetch(KeyedResource.partialUpdate, { id: '1' }, { title: 'mine' }).catch(() => undefined);
  await calm();
  stop();

  expect(reader.read().data?.title).toBe('changed by somebody else');
});

// ── clocks ───────────────────────────────────────────────────────────────────────────────────────

const HOUR = 3_600_000;

test('a row of a list is stale as soon as the clock is set back to before the time it was stored', async () => {
  let now = 1.7e12;
  const net = new Moments(({ path }) => {
    const row = { id: '1', title: 'old' };
    return { body: path === '/notes' ? [row] : row };
  });
  net.isQuick = true;
  const controller = new Controller({ fetch: net.fetch, clock: { now: () => now } });
  const NoteResource = createResource({ urlPrefix, path: '/notes/:id', schema: Note });
  await controller.fetch(NoteResource.getList);
  expect(controller.fetchIfStale(NoteResource.get, { id: '1' })).not.toBeInstanceOf(Promise);
  now -= 2 * HOUR;

  expect(controller.fetchIfStale(NoteResource.get, { id: '1' })).toBeInstanceOf(Promise);
});

test('a response of another client is ordered correctly where the stamps are ahead of the clock', async () => {
  const ahead = 5 * 60_000;
  let title = 'old';
  const net = new Moments(({ path }) => ({ body: { id: path.split('/')[2], title } }));
  net.isQuick = true;
  const NoteResource = createResource({ urlPrefix, path: '/notes/:id', schema: Note });
  const server = new Controller({ fetch: net.fetch, clock: { now: () => 1.7e12 + ahead } });
  await server.fetch(NoteResource.get, { id: '2' });
  let now = 1.7e12;
  const controller = new Controller({
    fetch: net.fetch,
    clock: { now: () => now },
    initialState: savedState(dehydrate(server)),
  });
  await controller.fetch(NoteResource.get, { id: '1' });
  now += 10_000;
  title = 'new';
  const fetchedAt = now;
  now += 50;
  void controller.resolve(NoteResource.get, { args: [{ id: '1' }], response: { id: '1', title }, fetchedAt });

  expect(controller.get(Note, { id: '1' })?.title).toBe('new');
});

// ── deletions and creations of one key ───────────────────────────────────────────────────────────

function startNotes() {
  const rows = new Map(['1', '2', '3'].map((id) => [id, { id, title: `t${id}` }]));
  const net = new Moments(({ method, path, body }) => {
    const id = path.split('/')[2];
    if (method === 'POST') {
      const made = body as { id: string; title: string };
      rows.set(made.id, made);
      return { status: 201, body: made };
    }
    if (id === undefined) return { body: [...rows.values()] };
    if (method === 'DELETE') rows.delete(id);
    const row = rows.get(id);
    return method === 'DELETE' ? { status: 204 } : row ? { body: row } : { status: 404, body: {} };
  });
  net.isQuick = true;
  const controller = new Controller({ fetch: net.fetch });
  const NoteResource = createResource({ urlPrefix, path: '/notes/:id', schema: Note });
  const shown = () => controller.getResponse(NoteResource.getList).data?.map(({ id }) => id);
  return { net, controller, NoteResource, shown };
}

test('a 404 from before the creation of the same key does not undo the creation', async () => {
  const { net, controller, NoteResource, shown } = startNotes();
  await controller.fetch(NoteResource.getList);
  await controller.fetch(NoteResource.delete, { id: '2' });
  net.isQuick = false;
  quietly(controller.fetch(NoteResource.get, { id: '2' }));
  await calm();
  net.next('GET').handle();
  quietly(controller.fetch(NoteResource.getList.push, { id: '2', title: 'restored' }));
  await calm();
  await net.next('GET').deliver();
  await net.next('POST').deliver();

  expect(shown()).toEqual(['1', '3', '2']);
});

test('a message that a row was deleted does not override the creation of that row in flight', async () => {
  const { net, controller, NoteResource, shown } = startNotes();
  await controller.fetch(NoteResource.getList);
  net.isQuick = false;
  quietly(controller.fetch(NoteResource.getList.push, { id: '9', title: 'mine' }));
  await calm();
  void controller.set(new schema.Invalidate(Note), { id: '9' });
  await net.next('POST').deliver();

  expect(shown()).toEqual(['1', '2', '3', '9']);
});

test('a row that was written after the first page was read may be on no page: the list is stale', async () => {
  const rows = new Map(['1', '2', '3', '4'].map((id) => [id, { id, title: `t${id}` }]));
  const net = new Moments(({ method, path, query }) => {
    const id = path.split('/')[2];
    if (method === 'DELETE') rows.delete(id!);
    if (method === 'DELETE') return { status: 204 };
    const page = Number(query['page'] ?? 1);
    return { body: [...rows.values()].slice(2 * page - 2, 2 * page) };
  });
  net.isQuick = true;
  const controller = new Controller({ fetch: net.fetch });
  const NoteResource = createResource({
    urlPrefix,
    path: '/notes/:id',
    schema: Note,
    paginationField: 'page',
  });
  await controller.fetch(NoteResource.getList);
  await controller.fetch(NoteResource.delete, { id: '1' });
  await controller.fetch(NoteResource.getList.getPage, { page: 2 });

  expect(controller.getResponse(NoteResource.getList).data?.map(({ id }) => id)).toEqual(['2', '4']);
  expect(controller.getResponse(NoteResource.getList).expiresAt).toBe(0);
  await controller.fetch(NoteResource.getList);
  expect(controller.getResponse(NoteResource.getList).data?.map(({ id }) => id)).toEqual(['2', '3', '4']);
});

test('a total does not change by the former fields of a row after a write of the row ended unknown', async () => {
  const rows = new Map(['1', '2', '3', '4'].map((id) => [id, { id, title: id, status: 'open' }]));
  class Task extends Entity {
    static override key = 'Task';
    id = '';
    title = '';
    status = '';
  }
  let isLost = false;
  const net = new Moments(({ method, path, query, body }) => {
    const id = path.split('/')[2];
    const row = rows.get(id ?? '');
    if (method === 'DELETE') rows.delete(id!);
    if (method === 'PATCH') Object.assign(row!, body);
    if (method !== 'GET') return isLost ? 'lost' : { status: 204 };
    if (row) return { body: row };
    const all = [...rows.values()].filter(({ status }) => status === query['status']);
    return { body: { results: all.slice(0, 2), total: all.length } };
  });
  net.isQuick = true;
  const list = new schema.Collection([Task]);
  const getTasks = new RestEndpoint({
    urlPrefix,
    path: '/tasks',
    searchParams: {} as { status: string },
    schema: { results: list, total: totalOf(list) },
  });
  const TaskResource = createResource({ urlPrefix, path: '/tasks/:id', schema: Task });
  const controller = new Controller({ fetch: net.fetch });
  await controller.fetch(TaskResource.get, { id: '4' });
  await controller.fetch(getTasks, { status: 'open' });
  isLost = true;
  await controller.fetch(TaskResource.partialUpdate, { id: '4' }, { status: 'shut' }).catch(() => undefined);
  isLost = false;
  await controller.fetch(getTasks, { status: 'open' });
  await controller.fetch(TaskResource.delete, { id: '4' });

  const { data, expiresAt } = controller.getResponse(getTasks, { status: 'open' });
  expect(data?.total === 3 || expiresAt === 0).toBe(true);
});

test('lists that a row would enter by a message that disagrees with an acknowledged write are stale', async () => {
  const { net, controller, isFresh } = start();
  const list = ItemResource.getList.extend({ searchParams: {} as { done: string } });
  net.isQuick = true;
  await controller.fetch(list, { done: 'true' });
  await controller.fetch(ItemResource.partialUpdate, { id: '1' }, { done: false });
  await controller.fetch(list, { done: 'true' });
  void controller.set(Item, { id: '1' }, { id: '1', done: true });

  expect(isFresh(list, { done: 'true' })).toBe(false);
});

test('a stale row is read once more when a write was acknowledged while the read of the row was in flight', async () => {
  const { net, controller, isFresh } = start();
  const items = createResource({ urlPrefix, path: '/items/:id', schema: Item, optimistic: true });
  const users = createResource({ urlPrefix, path: '/users/:id', schema: User, optimistic: true });
  const found = items.getList.extend({ searchParams: {} as { q: string } });
  const names = ['one', 'two'];
  const renames = names.map((name) => controller.fetch(users.partialUpdate, { id: 'u' }, { name }));
  const edit = controller.fetch(items.partialUpdate, { id: '1' }, { title: 'new' });
  await calm();
  // the response to the edit contains the owner as he was before he was renamed: the owner is stale when it arrives
  net.next('PATCH /items/1').handle();
  const stop = controller.watch(found, { q: 'n' }).subscribe(() => undefined);
  await calm();
  for (const line of ['PATCH /users/u', 'PATCH /items/1', 'GET', 'PATCH /users/u'])
    await net.next(line).deliver();
  await net.rest();
  await Promise.all([...renames, edit]);

  expect(controller.get(User, { id: 'u' })?.name).toBe('two');
  expect(isFresh(found, { q: 'n' })).toBe(true);
  stop();
});
