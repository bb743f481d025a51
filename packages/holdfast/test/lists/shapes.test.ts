// Maps and lists over several types beside plain lists of the same rows: a row without the key or the tag that such a list needs
// makes the list stale, and is never added without it.
import { Controller, createResource, Entity, RestEndpoint, schema } from 'holdfast';
import { expect, onTestFinished, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';

class Job extends Entity {
  static override key = 'ShapedJob';
  id = '';
  kind = 'job';
  state = '';
}
class Person extends Entity {
  static override key = 'ShapedPerson';
  id = '';
  kind = 'person';
  state = '';
}

type Query = { readonly state?: string };

async function start() {
  const server = await startServer();
  onTestFinished(() => server.close());
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  const shared = { urlPrefix: server.url, searchParams: {} as Query };
  const jobs = createResource({ ...shared, path: '/jobs/:id', schema: Job, body: {} as object });
  const union = new schema.Union({ job: Job, person: Person }, 'kind');
  const map = new RestEndpoint({
    ...shared,
    path: '/job-map',
    schema: new schema.Collection(new schema.Values(Job)),
  });
  const things = new RestEndpoint({
    ...shared,
    path: '/things',
    method: 'GET',
    schema: new schema.Collection([union]),
    body: {} as object,
  });
  const isFresh = (endpoint: typeof map | typeof things | typeof jobs.getList, query: Query): boolean =>
    controller.getResponse(endpoint as typeof jobs.getList, query).expiresAt > world.time.clock.now(); // cast: only its age is asked
  return { server, controller, jobs, map, things, isFresh };
}

const open1 = { id: '1', kind: 'job', state: 'open' };
const done1 = { ...open1, state: 'done' };
const open2 = { id: '2', kind: 'job', state: 'open' };

test('a row leaves a map whose key it no longer matches, and makes the map stale that it now belongs to', async () => {
  const { server, controller, jobs, map, isFresh } = await start();
  server.on('GET', '/job-map', { body: { first: open1 } });
  await controller.fetch(map, { state: 'open' });
  server.on('GET', '/job-map', { body: {} });
  await controller.fetch(map, { state: 'done' });
  server.on('PATCH', '/jobs/1', { body: done1 });
  await controller.fetch(jobs.partialUpdate, { id: '1' }, { state: 'done' });
  expect(controller.getResponse(map, { state: 'open' }).data).toEqual({});
  expect(isFresh(map, { state: 'open' })).toBe(true);
  expect(controller.getResponse(map, { state: 'done' }).data).toEqual({});
  expect(isFresh(map, { state: 'done' })).toBe(false);
});

test('a row created for a list makes maps of such rows stale, because they have no key for it', async () => {
  const { server, controller, jobs, map, isFresh } = await start();
  server.on('GET', '/job-map', { body: { first: open1 } });
  await controller.fetch(map, {});
  await controller.fetch(map, { state: 'open' });
  server.on('POST', '/jobs', { body: open2 });
  await controller.fetch(jobs.getList.push, { state: 'open' });
  for (const query of [{}, { state: 'open' }]) {
    expect(controller.getResponse(map, query).data).toEqual({ first: open1 });
    expect(isFresh(map, query)).toBe(false);
  }
});

test('a row created for a map under a key enters the plain lists that it matches', async () => {
  const { server, controller, jobs, map, isFresh } = await start();
  server.on('GET', '/jobs', { body: [open1] });
  await controller.fetch(jobs.getList, { state: 'open' });
  server.on('GET', '/job-map', { body: { first: open1 } });
  await controller.fetch(map, { state: 'open' });
  server.on('POST', '/job-map', { body: { second: open2 } });
  const assign = map.extend({ method: 'POST', schema: map.schema.assign, body: {} as object });
  await controller.fetch(assign, { state: 'open' }, { second: { state: 'open' } });
  expect(controller.getResponse(map, { state: 'open' }).data).toEqual({ first: open1, second: open2 });
  expect(isFresh(map, { state: 'open' })).toBe(true);
  expect(controller.getResponse(jobs.getList, { state: 'open' }).data).toEqual([open1, open2]);
});

test('a row created with a tag enters the plain lists that it matches, without the tag', async () => {
  const { server, controller, jobs, things } = await start();
  server.on('GET', '/jobs', { body: [open1] });
  await controller.fetch(jobs.getList, { state: 'open' });
  server.on('GET', '/things', { body: [open1] });
  await controller.fetch(things, { state: 'open' });
  server.on('POST', '/things', { body: open2 });
  await controller.fetch(things.push, { kind: 'job', state: 'open' });
  expect(controller.getResponse(things, { state: 'open' }).data).toEqual([open1, open2]);
  expect(controller.getResponse(jobs.getList, { state: 'open' }).data).toEqual([open1, open2]);
});

test.each(['things', 'map'] as const)(
  'a list of another shape that is being read when the response to a creation arrives is stale: %s',
  async (name) => {
    const { server, controller, jobs, isFresh, ...lists } = await start();
    const endpoint = lists[name] as typeof lists.things; // cast: read alike
    const held = server.hold('GET', endpoint.path);
    const read = controller.fetch(endpoint, { state: 'open' });
    const request = await held.next();
    server.on('POST', '/jobs', { body: open2 });
    await controller.fetch(jobs.getList.push, { state: 'open' });
    request.release({ body: name === 'map' ? { first: open1 } : [open1] });
    await read;
    const shown = Object.values(controller.getResponse(endpoint, { state: 'open' }).data ?? {});
    expect(shown).toEqual([open1]);
    expect(isFresh(endpoint, { state: 'open' })).toBe(false);
  },
);

test('a change with the first value of the field that a list filters by makes a list over several types stale', async () => {
  const { server, controller, jobs, things, isFresh } = await start();
  await controller.set(Job, { id: '2' }, { id: '2', kind: 'job' });
  server.on('GET', '/things', { body: [open1] });
  await controller.fetch(things, { state: 'open' });
  server.on('PATCH', '/jobs/2', { body: open2 });
  await controller.fetch(jobs.partialUpdate, { id: '2' }, { state: 'open' });
  expect(isFresh(things, { state: 'open' })).toBe(false);
});
