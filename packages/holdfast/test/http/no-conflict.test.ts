// What a save costs when nobody else has changed the row: the request of the mutation, and no other.
import { edit } from 'holdfast/edit';
import { count } from 'holdfast/http';
import { expect, test } from 'vitest';
import { until } from '../support/fake-world.ts';
import { Doc, openDocs } from './docs-app.ts';

const CONFLICTS = { merge: [[Doc, { votes: count }]], resolve: 'ask' } as const;

/** A client with rules for conflicts that has read row 1, and the requests that it has sent since. */
async function open(server: Parameters<typeof openDocs>[1] = {}) {
  const app = await openDocs({ preconditions: 'known', conflicts: CONFLICTS }, server);
  await app.controller.fetch(app.Docs.get, { id: '1' });
  app.server.forget();
  return app;
}

test('a save without a conflict costs no further request, and three saves in sequence cost three', async () => {
  const { controller, Docs, rows, lines, matches } = await open();

  await controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'a' });
  expect(lines()).toEqual(['PATCH /docs/1']);
  for (const title of ['b', 'c'])
    await controller.fetch(Docs.partialUpdate, { id: '1' }, { title, votes: 2 });

  expect(lines()).toEqual(['PATCH /docs/1', 'PATCH /docs/1', 'PATCH /docs/1']);
  expect(matches()).toEqual(['"1"', '"2"', '"3"']);
  expect(rows.get('1')).toMatchObject({ title: 'c', votes: 2 });
});

test.each([{ isEmpty: false }, { isEmpty: true }])(
  'saves without a conflict that wait for each other cost no further request (an empty response: $isEmpty)',
  async (kind) => {
    const { controller, Docs, rows, lines, server } = await open(kind);
    const held = server.hold('PATCH', '/docs/1');
    const calls = ['a', 'b', 'c'].map((title) =>
      controller.fetch(Docs.partialUpdate, { id: '1' }, { title }),
    );
    held.releaseAll();
    await Promise.all(calls);

    expect(lines()).toEqual(['PATCH /docs/1', 'PATCH /docs/1', 'PATCH /docs/1']);
    expect(rows.get('1')).toMatchObject({ title: 'c' });
  },
);

test('a PUT and a DELETE without a conflict cost no further request', async () => {
  const { controller, Docs, lines } = await open();

  await controller.fetch(Docs.update, { id: '1' }, { id: '1', title: 'a' });
  await controller.fetch(Docs.delete, { id: '1' });

  expect(lines()).toEqual(['PUT /docs/1', 'DELETE /docs/1']);
});

test('an autosave without a conflict costs no further request, and three in sequence cost three', async () => {
  const { controller, Docs, rows, lines, matches, world } = await open();
  const doc = edit(controller, Docs.partialUpdate, { id: '1' });

  for (const title of ['tea', 'tea and', 'tea and cake']) {
    for (let end = 1; end <= title.length; end += 1) doc.set({ title: title.slice(0, end) });
    await world.pass(800);
    await until(() => doc.read().state === 'clean');
  }

  expect(lines()).toEqual(['PATCH /docs/1', 'PATCH /docs/1', 'PATCH /docs/1']);
  expect(matches()).toEqual(['"1"', '"2"', '"3"']);
  expect(rows.get('1')).toMatchObject({ title: 'tea and cake' });
});

test('an autosave of what was typed while a save was in flight costs one further request', async () => {
  const { controller, Docs, rows, lines, server, world } = await open();
  const doc = edit(controller, Docs.partialUpdate, { id: '1' });
  const held = server.hold('PATCH', '/docs/1');
  doc.set({ title: 'tea' });
  await world.pass(800);
  await held.next();
  doc.set({ title: 'tea and cake' });
  await world.pass(800);
  held.releaseAll();
  await until(() => doc.read().state === 'clean');

  expect(lines()).toEqual(['PATCH /docs/1', 'PATCH /docs/1']);
  expect(rows.get('1')).toMatchObject({ title: 'tea and cake' });
});
