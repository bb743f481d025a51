// The observer behind `useCovered`: what it shows, and which requests it sends with the option `sparse`.
import { Controller, createResource, Entity, RestEndpoint, schema, snakeCase } from 'holdfast';
import { pick } from 'holdfast/local';
import { expect, onTestFinished, test } from 'vitest';
import { CoveredObserver } from '../../src/addons/local/watch-covered.ts';
import { breathe, FakeWorld, until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';

class Letter extends Entity {
  static override key = 'CoveredLetter';
  static override wireNames = snakeCase;
  id = '';
  title = '';
  fullBody = '';
  notes = '';
}
const LetterRow = pick(Letter, ['id', 'title']);

interface Sending {
  /** What the server makes of the names that it is asked for. */
  readonly select?: (names: readonly string[]) => readonly string[];
}

async function start({ select = (names) => names }: Sending = {}) {
  const server = await startServer();
  const world = new FakeWorld();
  const rows = ['1', '2'].map((id) => ({ id, title: `letter ${id}`, full_body: `body ${id}`, notes: 'n' }));
  const only = (row: object, names: readonly string[]) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => name === 'id' || names.includes(name)));
  server.on('GET', '/letters', () => ({ body: rows.map((row) => only(row, ['title'])) }));
  server.on('GET', '/letters/:id', ({ params, query }) => {
    const row = rows.find(({ id }) => id === params['id']);
    const names = query.get('fields[letters]')?.split(',');
    if (!row) return { status: 404 };
    return { body: names ? only(row, select(names)) : row };
  });
  const { get: plain, getList } = createResource({
    urlPrefix: server.url,
    path: '/letters/:id',
    schema: Letter,
    dataExpiryLength: 10_000,
  });
  const getRows = getList.extend({ schema: new schema.Collection([LetterRow]) });
  const get = plain.extend({ sparse: 'fields[letters]' });
  const controller = new Controller(world.options);
  controller.start();
  onTestFinished(async () => {
    controller.stop();
    await server.close();
  });
  const observe = (endpoint: typeof get, id = '1') => {
    const observer = new CoveredObserver(controller, endpoint as never, [{ id }]);
    return { observer, stop: observer.subscribe(() => undefined) };
  };
  const details = () => server.seen('GET', '/letters/:id').map(({ url }) => decodeURIComponent(url));
  return { server, world, rows, get, plain, getRows, controller, observe, details };
}

test('with `sparse` the missing fields alone are requested, by the names of the server', async () => {
  const { controller, getRows, get, observe, details } = await start();
  await controller.fetch(getRows);
  const { observer, stop } = observe(get);
  expect(observer.read()).toMatchObject({ data: { id: '1', title: 'letter 1' }, loading: true });
  expect(observer.read().missing).toEqual(['fullBody', 'notes']);
  await until(() => observer.read().missing.length === 0);
  await breathe();
  stop();

  expect(observer.read()).toMatchObject({
    data: { title: 'letter 1', fullBody: 'body 1', notes: 'n' },
    loading: false,
  });
  expect(observer.read().data).toBeInstanceOf(Letter);
  expect(details()).toEqual(['/letters/1?fields[letters]=full_body,notes']);
  expect(controller.get(Letter, { id: '1' })?.fullBody).toBe('body 1');
});

test('fields that the server leaves out although it was asked for them are not requested twice', async () => {
  const { controller, getRows, get, observe, details, world } = await start({ select: () => ['full_body'] });
  await controller.fetch(getRows);
  const { observer, stop } = observe(get);
  await until(() => observer.read().missing.length === 0);
  await breathe();
  expect(details()).toHaveLength(1);
  expect(observer.read().data).toMatchObject({ fullBody: 'body 1', notes: '' });

  // When the oldest field expires, the whole row is read.
  await world.pass(10_500);
  await until(() => details().length > 1);
  await until(() => (observer.read().data as Letter).notes === 'n');
  stop();
  expect(details().filter((url) => !url.includes('?'))).toHaveLength(1);
});

test('fields that the server sends beyond those it was asked for count', async () => {
  const { controller, getRows, get, observe, details, rows } = await start({
    select: () => ['title', 'full_body', 'notes'],
  });
  await controller.fetch(getRows);
  rows[0]!.title = 'new';
  const { observer, stop } = observe(get);
  await until(() => observer.read().missing.length === 0);
  stop();

  expect(observer.read().data).toMatchObject({ title: 'new', notes: 'n' });
  expect(details()).toHaveLength(1);
});

test('a row of which nothing is there is requested as a whole, also with `sparse`', async () => {
  const { get, observe, details } = await start();
  const { observer, stop } = observe(get, '2');
  expect(observer.read()).toMatchObject({ data: undefined, missing: [], loading: true });
  await until(() => observer.read().data !== undefined);
  stop();

  expect(details()).toEqual(['/letters/2']);
});

test('of a plain class the fields that a summary has left out are missing, and come with one request', async () => {
  const { controller, plain, getRows, observe, details } = await start();
  await controller.fetch(getRows.extend({ schema: new schema.Collection([Letter]) }));
  const { observer, stop } = observe(plain);
  expect(observer.read().missing).toEqual(['fullBody', 'notes']);
  expect(Object.keys(observer.read().data as object)).toEqual(['id', 'title']);
  await until(() => observer.read().missing.length === 0);
  await breathe();
  stop();

  expect(details()).toEqual(['/letters/1']);
});

test('a field that the server leaves out of the whole row is not missing', async () => {
  const { controller, plain, getRows, observe, details, rows } = await start();
  delete (rows[0] as Partial<(typeof rows)[0]>).notes;
  await controller.fetch(getRows);
  const { observer, stop } = observe(plain);
  await until(() => observer.read().missing.length === 0);
  await breathe();
  stop();

  expect(observer.read()).toMatchObject({ data: { notes: '' }, loading: false });
  expect(details()).toHaveLength(1);
});

test('an invalidated row is not shown, and a deleted one neither', async () => {
  const { controller, plain, getRows, observe } = await start();
  await controller.fetch(getRows);
  await controller.fetch(plain, { id: '1' });
  const { observer, stop } = observe(plain);
  expect(observer.read().data).toBeDefined();
  controller.invalidate(plain, { id: '1' });
  expect(observer.read()).toMatchObject({ data: undefined, loading: true });
  await until(() => observer.read().data !== undefined);
  stop();
});

test('a summary is not shown while the response of the endpoint is marked invalid', async () => {
  const { controller, plain, getRows, observe } = await start();
  await controller.fetch(getRows);
  controller.invalidate(plain, { id: '2' });
  const { observer, stop } = observe(plain, '2');
  expect(observer.read()).toMatchObject({ data: undefined, loading: true });
  await until(() => observer.read().data !== undefined);
  stop();

  expect(observer.read().missing).toEqual([]);
});

test('an endpoint whose response is no entity is refused', async () => {
  const { controller, getRows } = await start();
  const noRow = new RestEndpoint({ path: '/x' });

  for (const endpoint of [getRows, noRow])
    expect(() => new CoveredObserver(controller, endpoint as never, [])).toThrow(
      expect.objectContaining({ code: 'COVERED_WITHOUT_ROW' }),
    );
});
