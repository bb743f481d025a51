// `static version`: a payload about a row that is older than the stored row changes nothing, whatever its source.
import {
  createResource,
  Entity,
  hydrate,
  dehydrate,
  Controller,
  StreamManager,
  getDefaultManagers,
  versionBy,
} from 'holdfast';
import { beforeEach, expect, test, vi } from 'vitest';
import { breathe, FakeWorld } from '../support/fake-world.ts';
import { start } from './harness.ts';

type Version = number | string | bigint;

class Note extends Entity {
  static override key = 'Note';
  static override version = versionBy('version');
  id = '';
  text = '';
  votes = 0;
  version: Version = 0;
}
class Page extends Entity {
  static override key = 'Page';
  id = '';
  note: Note | undefined = undefined;
  static override schema = { note: Note };
}

const create = () => new Controller(new FakeWorld().options);
const textOf = (controller: Controller) => controller.get(Note, { id: '1' })?.text;

test.each<[string, Version, Version]>([
  ['numbers', 6, 7],
  ['numbers with a fraction', 6.5, 10.25],
  ['bigints', 9n, 10n],
  ['decimal texts', '9', '10'],
  ['decimal texts beyond the safe integers', '9007199254740992', '9007199254740993'],
  ['dates of different zones', '2024-01-02T00:30:00+02:00', '2024-01-01T23:00:00Z'],
  ['a number and a decimal text', 9, '10'],
])(
  '%s compare by value: the lower version changes nothing, the higher one does',
  async (_name, lower, higher) => {
    const controller = create();
    await controller.set(Note, { id: '1', text: 'new', version: higher });
    await controller.set(Note, { id: '1', text: 'old', version: lower });
    expect(controller.get(Note, { id: '1' })).toMatchObject({ text: 'new', version: higher });

    const other = create();
    await other.set(Note, { id: '1', text: 'old', version: lower });
    await other.set(Note, { id: '1', text: 'new', version: higher });
    expect(other.get(Note, { id: '1' })).toMatchObject({ text: 'new', version: higher });
  },
);

let warnings: string[];
beforeEach(() => {
  warnings = [];
  vi.spyOn(console, 'warn').mockImplementation((text: unknown) => void warnings.push(String(text)));
  return () => vi.restoreAllMocks();
});

test.each<[string, object, object]>([
  ['the same', { version: 7 }, { version: 7 }],
  ['missing at last', { version: 7 }, {}],
  ['missing at first', {}, { version: 7 }],
  ['missing', {}, {}],
])(
  'where the version is %s the order of requests decides, without a warning',
  async (_name, first, second) => {
    const controller = create();
    await controller.set(Note, { id: '1', text: 'first', ...first });
    await controller.set(Note, { id: '1', text: 'second', ...second });

    expect(textOf(controller)).toBe('second');
    expect(warnings).toEqual([]);
  },
);

test('versions that cannot be compared are ignored in favour of the order of requests, with one warning', async () => {
  const controller = create();
  await controller.set(Note, { id: '1', text: 'first', version: 7 });
  await controller.set(Note, { id: '1', text: 'second', version: 'v-abc' });
  await controller.set(Note, { id: '1', text: 'third', version: 'v-abd' });

  expect(textOf(controller)).toBe('third');
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/^\[VERSIONS_INCOMPARABLE\].*Note/);
});

const old = { id: '1', text: 'old', votes: 1, version: 6 };

/** Version 7 of the note was read, and is on screen. */
async function startNotes(optimistic = true) {
  const listener: { say?: (event: { data: string }) => void } = {};
  const stream = new StreamManager({
    connect: () => ({
      addEventListener: (type: string, say: (event: { data: string }) => void) => {
        if (type === 'message') listener.say = say;
      },
      close: () => undefined,
    }),
    receive: (message, host) => host.set(Note, message),
  });
  const started = await start({ managers: [stream, ...getDefaultManagers()] });
  const { server, controller } = started;
  const resource = createResource({
    urlPrefix: server.url,
    path: '/notes/:id',
    schema: Note,
    body: {} as Partial<Note>,
    optimistic,
  });
  server.on('GET', '/notes/:id', { body: { id: '1', text: 'new', votes: 1, version: 7 } });
  server.on('GET', '/notes', { body: [{ id: '1', text: 'new', votes: 1, version: 7 }] });
  await controller.fetch(resource.getList);
  await controller.fetch(resource.get, { id: '1' });
  return { ...started, ...resource, listener };
}
type Notes = Awaited<ReturnType<typeof startNotes>>;

test.each<[string, (notes: Notes) => Promise<unknown>]>([
  [
    'read again',
    ({ server, controller, get }) => {
      server.on('GET', '/notes/:id', { body: old });
      return controller.fetch(get, { id: '1' });
    },
  ],
  [
    'read in a list',
    ({ server, controller, getList }) => {
      server.on('GET', '/notes', { body: [old] });
      return controller.fetch(getList);
    },
  ],
  [
    'in the response to a change',
    ({ server, controller, partialUpdate }) => {
      server.on('PATCH', '/notes/:id', { body: old });
      return controller.fetch(partialUpdate, { id: '1' }, { text: 'old' });
    },
  ],
  ['set', ({ controller }) => controller.set(Note, old)],
  ['set as a response', ({ controller, get }) => controller.setResponse(get, { id: '1' }, old)],
  ['nested in another row', ({ controller }) => controller.set(Page, { id: 'p', note: old })],
  [
    'brought by a stream',
    async ({ controller, listener }) => {
      controller.start();
      listener.say?.({ data: JSON.stringify(old) });
      await breathe();
      controller.stop();
    },
  ],
  [
    'hydrated',
    async ({ controller }) => {
      const other = create();
      await other.set(Note, old);
      hydrate(controller, dehydrate(other));
    },
  ],
])('a lower version that is %s changes no field', async (_name, state) => {
  const notes = await startNotes();

  await state(notes);

  expect(notes.controller.get(Note, { id: '1' })).toMatchObject({ text: 'new', votes: 1, version: 7 });
});

test('a lower version makes the row stale only where it has a field that the higher one omitted', async () => {
  const { controller, get, getList, isFresh } = await startNotes();
  await controller.set(Note, { id: '1' }, { text: 'newer', version: 8 });

  await controller.set(Note, { id: '1' }, { text: 'old', version: 6 });
  expect([isFresh(get, { id: '1' }), isFresh(getList)]).toEqual([true, true]);

  await controller.set(Note, { id: '1' }, { text: 'old', votes: 2, version: 6 });
  expect(controller.get(Note, { id: '1' })).toMatchObject({ text: 'newer', votes: 1, version: 8 });
  expect([isFresh(get, { id: '1' }), isFresh(getList)]).toEqual([false, false]);
});

test('an optimistic update without a version is shown over every version, and ends with its call', async () => {
  const { server, controller, partialUpdate, send } = await startNotes();
  const held = server.hold('PATCH', '/notes/1');
  const changing = send(partialUpdate, { id: '1' }, { text: 'mine' });
  const patch = await held.next();

  await controller.set(Note, { id: '1', text: 'theirs', votes: 9, version: 9 });
  expect(controller.get(Note, { id: '1' })).toMatchObject({ text: 'mine', votes: 9, version: 9 });

  patch.release({ body: { id: '1', text: 'mine', votes: 1, version: 8 } });
  await changing;
  expect(controller.get(Note, { id: '1' })).toMatchObject({ text: 'theirs', votes: 9, version: 9 });
});

test('an optimistic update with a version is not shown over a higher one', async () => {
  const { server, controller, partialUpdate, send } = await startNotes();
  server.hold('PATCH', '/notes/1');
  void send(partialUpdate, { id: '1' }, { text: 'mine', version: 7 });
  expect(textOf(controller)).toBe('mine');

  await controller.set(Note, { id: '1', text: 'theirs', votes: 9, version: 9 });

  expect(controller.get(Note, { id: '1' })).toMatchObject({ text: 'theirs', votes: 9, version: 9 });
});

test('an acknowledged deletion removes the version: a row that is created again starts with a lower one', async () => {
  const { server, controller, getList, delete: remove } = await startNotes();
  server.on('DELETE', '/notes/1', { status: 204 });
  await controller.fetch(remove, { id: '1' });

  server.on('GET', '/notes', { body: [{ id: '1', text: 'again', votes: 0, version: 1 }] });
  await controller.fetch(getList);

  expect(controller.get(Note, { id: '1' })).toMatchObject({ text: 'again', version: 1 });
});
