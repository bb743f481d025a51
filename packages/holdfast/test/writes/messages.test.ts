// Rows that arrive outside a response, by `set` or by a stream, without a version: they do not change fields that are in flight
// or were just acknowledged, and an echo of a write by this client changes nothing.
import { createResource, Entity } from 'holdfast';
import type { Controller, Meta } from 'holdfast';
import { expect, test } from 'vitest';
import { breathe, until } from '../support/fake-world.ts';
import { start, Todo } from './harness.ts';

/** The row has been read and is on screen, and a change of its title is in flight. */
async function startChange() {
  const started = await start();
  const { server, controller } = started;
  const resource = started.todos();
  await controller.fetch(resource.getList, {});
  await controller.fetch(resource.get, { id: 1 });
  const held = server.hold('PATCH', '/todos/1');
  const changing = started.send(resource.partialUpdate, { id: 1 }, { title: 'mine' });
  const patch = await held.next();
  held.stop();
  started.left.length = 0;
  const isFresh = () => [started.isFresh(resource.get, { id: 1 }), started.isFresh(resource.getList, {})];
  const acknowledge = async () => {
    patch.release({ body: { id: 1, title: 'mine', status: 'open', votes: 0 } });
    await changing;
  };
  return { ...started, ...resource, patch, changing, isFresh, acknowledge };
}

const row = (controller: Controller) => controller.get(Todo, { id: 1 });
const message = { id: 1, title: 't1', status: 'open', votes: 7 };

test('a message from before a change in flight leaves its field unchanged, applies the rest and makes the row stale', async () => {
  const { controller, isFresh, acknowledge } = await startChange();

  await controller.set(Todo, message);
  expect(row(controller)).toMatchObject({ title: 'mine', votes: 7 });
  expect(isFresh()).toEqual([false, false]);

  await acknowledge();
  expect(row(controller)).toMatchObject({ title: 'mine' });
});

test('a row whose message disagreed with a change in flight is read again by its readers', async () => {
  const { rows, controller, get, reads, show, acknowledge } = await startChange();
  const shown = show(({ title, votes }) => `${title} ${votes}`, get, { id: 1 });
  rows.set('1', { ...message, title: 'mine' });

  await controller.set(Todo, message);
  await acknowledge();
  await until(() => reads().includes('GET /todos/1'));
  await breathe();

  expect(shown.at(-1)).toBe('mine 7');
  expect(shown.filter((sight) => sight.startsWith('t1'))).toEqual([]);
});

test('a change that fails after a message disagreed with it is replaced by the value of the message or of the server', async () => {
  const { rows, controller, get, patch, changing, show } = await startChange();
  const shown = show(({ title, votes }) => `${title} ${votes}`, get, { id: 1 });
  const theirs = { ...message, title: 'theirs' };
  rows.set('1', theirs);

  await controller.set(Todo, theirs);
  expect(row(controller)).toMatchObject({ title: 'mine', votes: 7 });
  patch.release({ status: 409 });
  await changing.catch(() => undefined);
  await breathe();

  expect(shown.at(-1)).toBe('theirs 7');
});

test('a message from before an acknowledged change leaves its field unchanged, until the row has been read', async () => {
  const { rows, controller, get, isFresh, acknowledge } = await startChange();
  await acknowledge();
  expect(isFresh()).toEqual([true, true]);

  await controller.set(Todo, message);
  expect(row(controller)).toMatchObject({ title: 'mine', votes: 7 });
  expect(isFresh()).toEqual([false, false]);

  rows.set('1', { ...message, title: 'mine' });
  await controller.fetch(get, { id: 1 });
  await controller.set(Todo, { ...message, title: 'theirs' });
  expect(row(controller)?.title).toBe('theirs');
});

test('any message replaces a change ten seconds after its acknowledgement', async () => {
  const { world, controller, acknowledge } = await startChange();
  await acknowledge();

  await world.pass(9_000);
  await controller.set(Todo, message);
  expect(row(controller)?.title).toBe('mine');
  await world.pass(1_100);
  await controller.set(Todo, { ...message, title: 'theirs' });

  expect(row(controller)?.title).toBe('theirs');
});

test('a message about other fields than those of a change in flight applies, and the change stays', async () => {
  const { controller, acknowledge } = await startChange();

  await controller.set(Todo, { id: 1 }, { votes: 7 });
  expect(row(controller)).toMatchObject({ title: 'mine', votes: 7 });
  await acknowledge();

  expect(row(controller)?.title).toBe('mine');
});

test.each(['before', 'after'])(
  'an echo of a change that arrives %s its response changes nothing and requests nothing',
  async (when) => {
    const { controller, get, reads, show, isFresh, acknowledge } = await startChange();
    const shown = show(({ title, votes }) => `${title} ${votes}`, get, { id: 1 });
    const echo = { ...message, title: 'mine', votes: 0 };

    if (when === 'before') await controller.set(Todo, echo);
    await acknowledge();
    const before = row(controller);
    if (when === 'after') await controller.set(Todo, echo);
    await breathe();

    expect(row(controller)).toBe(before);
    expect(shown).toEqual(['mine 0']);
    expect(reads()).toEqual([]);
    expect(isFresh()).toEqual([true, true]);
  },
);

test('`set` with a function has read the present value, and applies to a change in flight too', async () => {
  const { controller } = await startChange();

  await controller.set(Todo, { id: 1 }, (todo) => ({ ...todo, title: `${todo.title}!` }));

  expect(row(controller)?.title).toBe('mine!');
});

test('`set` with a function applies to a change that was just acknowledged', async () => {
  const { controller, acknowledge } = await startChange();
  await acknowledge();

  await controller.set(Todo, { id: 1 }, (todo) => ({ ...todo, title: `${todo.title}!` }));

  expect(row(controller)?.title).toBe('mine!');
});

test('a class with a custom order gets whole messages: an echo that arrives before the response does not leave the old value', async () => {
  class Note extends Entity {
    static override key = 'Note';
    id = '';
    text = '';
    version = 0;
    static override shouldReorder(
      existingMeta: Meta,
      incomingMeta: Meta,
      existing: { version: number },
      incoming: { version: number },
    ): boolean {
      return existing.version === incoming.version
        ? super.shouldReorder(existingMeta, incomingMeta, existing, incoming)
        : incoming.version < existing.version;
    }
  }
  const { server, controller, send } = await start();
  const options = { urlPrefix: server.url, path: '/notes/:id', schema: Note } as const;
  const { get, partialUpdate } = createResource({ ...options, body: {} as object, optimistic: true });
  server.on('GET', '/notes/1', { body: { id: '1', text: 'old', version: 1 } });
  await controller.fetch(get, { id: '1' });
  const held = server.hold('PATCH', '/notes/1');
  const changing = send(partialUpdate, { id: '1' }, { text: 'mine' });
  const request = await held.next();
  await controller.set(Note, { id: '1', text: 'mine', version: 2 });
  request.release({ body: { id: '1', text: 'mine', version: 2 } });
  await changing;

  expect(controller.get(Note, { id: '1' })).toMatchObject({ text: 'mine', version: 2 });
});

/** How often a search list is read when a row is changed or created, with or without an echo before the response. */
async function countReads(what: string, echo: 'none' | 'set' | 'pushed', isQuick: boolean): Promise<number> {
  const { server, controller, reads, send, todos, show } = await start();
  const { getList, partialUpdate } = todos({ searchParams: {} as { q?: string } });
  const args = { q: 't' } as never; // cast: the resource's options are loose here
  await controller.fetch(getList, args);
  show((all) => all.map(({ title }) => title).join(' '), getList, args);
  const isChange = what === 'change';
  const held = server.hold(isChange ? 'PATCH' : 'POST', '/todos*');
  const changing = isChange
    ? send(partialUpdate, { id: 1 }, { title: 'mine' })
    : send(getList.push, { title: 'mine' });
  const request = await held.next();
  held.stop();
  const news = { id: isChange ? 1 : 4, title: 'mine', status: 'open', votes: 0 };
  if (echo === 'set') await controller.set(Todo, news);
  if (echo === 'pushed') await controller.setResponse(getList.push, { title: 'mine' }, news);
  if (!isQuick) await breathe();
  request.release();
  await changing;
  await breathe();
  await breathe();
  return reads().length;
}

const echoes = ['change', 'creation'].flatMap((what) =>
  (['set', 'pushed'] as const).flatMap((echo) =>
    (['right', 'long'] as const).map((when) => ({ what, echo, when })),
  ),
);

test.each(echoes)(
  'an echo of a $what that is $echo $when before the response causes no read of a search list that the response would not cause',
  async ({ what, echo, when }) => {
    const isQuick = when === 'right';
    expect(await countReads(what, echo, isQuick)).toBe(await countReads(what, 'none', isQuick));
  },
);

test('a message applies again when the clock was set back after an acknowledged write', async () => {
  const { controller, todos, send, world } = await start();
  const resource = todos();
  await controller.fetch(resource.getList, {});
  await send(resource.partialUpdate, { id: 1 }, { title: 'own' });
  world.time.stepBack(3_600_000);

  await controller.set(Todo, { id: 1, title: 'told' });

  expect(controller.get(Todo, { id: 1 })?.title).toBe('told');
});
