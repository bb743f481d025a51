// A server with two notes, a resource of them, a list with some of their fields, and an endpoint with fewer.
import { Controller, createResource, Entity, RestEndpoint, schema } from 'holdfast';
import { pick } from 'holdfast/local';
import { onTestFinished } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';

export class User extends Entity {
  static override key = 'PickUser';
  id = '';
  name = '';
}

export class Note extends Entity {
  static override key = 'PickNote';
  id = '';
  lane = '';
  title = '';
  body = '';
  author = User.fromJS();
  static override schema = { author: User };
}
export const NoteRow = pick(Note, ['id', 'lane', 'title']);

export async function start(world = new FakeWorld()) {
  const server = await startServer();
  const rows = new Map<string, Record<string, unknown>>();
  for (const id of ['1', '2'])
    rows.set(id, {
      id,
      lane: 'a',
      title: `note ${id}`,
      body: `body ${id}`,
      author: { id: '9', name: 'Ada' },
    });
  const summary = { names: ['id', 'lane', 'title'] };
  server.on('GET', '/notes', ({ query }) => ({
    body: [...rows.values()]
      .filter((row) => [...query].every(([name, value]) => row[name] === value))
      .map((row) => Object.fromEntries(summary.names.map((name) => [name, row[name]]))),
  }));
  server.on('GET', '/notes/:id', ({ params: { id = '' } }) => ({ body: rows.get(id) }));
  server.on('GET', '/brief/:id', ({ params: { id = '' } }) => {
    const { title } = rows.get(id)!;
    return { body: { id, title } };
  });
  server.on('PATCH', '/notes/:id', ({ params: { id = '' }, body }) => {
    rows.set(id, { ...rows.get(id), ...(body as object) });
    return { body: { id, ...(body as object) } };
  });
  server.on('DELETE', '/notes/:id', ({ params: { id = '' } }) => {
    rows.delete(id);
    return { status: 204 };
  });
  const Notes = createResource({
    urlPrefix: server.url,
    path: '/notes/:id',
    schema: Note,
    searchParams: {} as { lane?: string } | undefined,
    dataExpiryLength: 10_000,
  });
  const getRows = Notes.getList.extend({ schema: new schema.Collection([NoteRow]) });
  const getBrief = new RestEndpoint({
    urlPrefix: server.url,
    path: '/brief/:id',
    schema: pick(Note, ['id', 'title']),
    dataExpiryLength: 10_000,
  });
  const controller = new Controller(world.options);
  controller.start();
  onTestFinished(async () => {
    controller.stop();
    await server.close();
  });
  const details = () => server.seen('GET', '/notes/:id').length;
  return { server, world, rows, summary, Notes, getRows, getBrief, controller, details };
}
