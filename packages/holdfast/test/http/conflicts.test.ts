// Conflicts: a mutation of a row that another client has changed. Most tests run twice: the server refuses (412), or it refuses
// nothing and the stored row has moved under a mutation that waits.
import { errorText, FailedManager, getPending } from 'holdfast';
import { ConflictError, count, set } from 'holdfast/http';
import type { Conflict } from 'holdfast/http';
import { describeRequest, inspect } from 'holdfast/inspect';
import { expect, test, vi } from 'vitest';
import { breathe, until } from '../support/fake-world.ts';
import { openDocs, Doc } from './docs-app.ts';

const error = async (call: Promise<unknown>): Promise<any> =>
  call.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );

test('changes of different fields are both kept, after one read and one repetition', async () => {
  const { controller, Docs, rows, other, lines, matches } = await openDocs();
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs' });

  const saved = await controller.fetch(Docs.partialUpdate, { id: '1' }, { text: 'mine' });

  expect(saved).toMatchObject({ title: 'theirs', text: 'mine' });
  expect(rows.get('1')).toMatchObject({ title: 'theirs', text: 'mine' });
  expect(lines()).toEqual(['GET /docs/1', 'PATCH /docs/1', 'GET /docs/1', 'PATCH /docs/1']);
  expect(matches()).toEqual(['"1"', '"2"']);
});

test('the inspector says of the repetition that the server had refused the change', async () => {
  const inspector = inspect();
  const { controller, Docs, other } = await openDocs({}, {}, [inspector]);
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs' });
  await controller.fetch(Docs.partialUpdate, { id: '1' }, { text: 'mine' });

  const repetition = inspector.requests().at(-1)!;
  expect(describeRequest(inspector, repetition).map(({ text }) => text)).toContain(
    'The server had refused it, so it was sent once more.',
  );
});

test('the same field is a conflict: the call fails with the three values, and the row shows theirs and is fresh', async () => {
  const { controller, Docs, rows, other, world } = await openDocs();
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs' });

  const thrown = await error(
    controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine', text: 'more' }),
  );

  expect(thrown).toBeInstanceOf(ConflictError);
  expect(thrown).toMatchObject({ code: 'WRITE_CONFLICT', response: { status: 412 } });
  expect(errorText(thrown)).toBe('This was changed meanwhile.');
  expect(thrown.conflicts).toEqual([
    { entity: 'Doc', pk: '1', field: 'title', base: 't1', mine: 'mine', theirs: 'theirs' },
  ]);
  expect(rows.get('1')).toMatchObject({ title: 'theirs', text: '' });
  expect(controller.get(Doc, { id: '1' })).toMatchObject({ title: 'theirs' });
  expect(controller.getResponse(Docs.get, { id: '1' }).expiresAt).toBeGreaterThan(world.time.clock.now());
});

test('a field that both have changed to the same value is not sent, and a call with nothing left resolves with the row', async () => {
  const { controller, Docs, other, lines, rows, version } = await openDocs();
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'same', text: 'theirs' });

  const saved = await controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'same' });

  expect(saved).toBeInstanceOf(Doc);
  expect(saved).toMatchObject({ title: 'same', text: 'theirs' });
  expect(lines().slice(1)).toEqual(['PATCH /docs/1', 'GET /docs/1']);
  expect(version('1')).toBe(2);
  expect(rows.get('1')).toMatchObject({ title: 'same', text: 'theirs' });
  expect(getPending(controller, Doc, { id: '1' })).toEqual([]);
});

test('`count` and `set` merge, and a merge that throws fails with both values', async () => {
  const merge = [[Doc, { votes: count, tags: set }]] as const;
  const { controller, Docs, rows, other } = await openDocs({ conflicts: { merge } });
  await controller.fetch(Docs.get, { id: '1' });
  other({ votes: 8, tags: ['a', 'x'] });

  await controller.fetch(Docs.partialUpdate, { id: '1' }, { votes: 6, tags: ['b', 'y'] });

  expect(rows.get('1')).toMatchObject({ votes: 14, tags: ['x', 'y'] });
  other({ votes: 'many' as never });
  const thrown = await error(controller.fetch(Docs.partialUpdate, { id: '1' }, { votes: 10 }));
  expect(thrown).toMatchObject({
    code: 'RESOLUTION_INVALID',
    params: { field: 'votes', mine: 10, theirs: 'many' },
    cause: { code: 'MERGE_INVALID' },
  });
});

test('two clients that count to the same number have both counted, and the same tag is added once', async () => {
  const merge = [[Doc, { votes: count, tags: set }]] as const;
  const { controller, Docs, rows, other } = await openDocs({ conflicts: { merge } });
  const { votes, tags } = await controller.fetch(Docs.get, { id: '1' });
  const change = { votes: votes + 1, tags: [...tags, 'same'] };
  other(change);

  await controller.fetch(Docs.partialUpdate, { id: '1' }, change);

  expect(rows.get('1')).toMatchObject({ votes: votes + 2, tags: change.tags });
});

test.each(['mine', 'theirs'] as const)('`resolve: %s` decides without asking', async (resolve) => {
  const { controller, Docs, rows, other } = await openDocs({ conflicts: { resolve } });
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs', votes: 3 });

  expect(await controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine' })).toMatchObject({
    title: resolve,
    votes: 3,
  });

  expect(rows.get('1')).toMatchObject({ title: resolve, votes: 3 });
});

test('a function resolves: it gets the conflicts and the call, and what it gives for other fields is refused', async () => {
  const resolve = vi.fn(async (conflicts: readonly Conflict[]) =>
    Object.fromEntries(conflicts.map(({ field, mine, theirs }) => [field, `${mine}+${theirs}`])),
  );
  const { controller, Docs, rows, other } = await openDocs({ conflicts: { resolve } });
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs' });
  await controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine' });

  expect(rows.get('1')).toMatchObject({ title: 'mine+theirs' });
  expect(resolve.mock.calls[0]).toMatchObject([
    [{ field: 'title' }],
    { args: [{ id: '1' }, { title: 'mine' }] },
  ]);
  for (const [at, wrong] of [{ title: 'x', text: 'y' }, {}, undefined, 'yours'].entries()) {
    resolve.mockResolvedValueOnce(wrong as never);
    other({ title: `theirs ${at}` });
    const thrown = await error(controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine' }));
    expect(thrown).toMatchObject({ code: 'RESOLUTION_INVALID', params: { mine: 'mine' } });
  }
  resolve.mockRejectedValueOnce(new Error('broken'));
  other({ title: 'theirs again' });
  const thrown = await error(controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine' }));
  expect(thrown).toMatchObject({ code: 'RESOLUTION_INVALID', cause: { message: 'broken' } });
});

test('own edits of one field, typed fast, meet no conflict and no refusal', async () => {
  const { controller, Docs, rows, lines, server } = await openDocs();
  await controller.fetch(Docs.get, { id: '1' });
  const held = server.hold('PATCH', '/docs/1');
  const calls = ['B', 'C', 'D'].map((title) => controller.fetch(Docs.partialUpdate, { id: '1' }, { title }));
  held.releaseAll();
  await Promise.all(calls);

  expect(rows.get('1')).toMatchObject({ title: 'D' });
  expect(lines()).toEqual(['GET /docs/1', 'PATCH /docs/1', 'PATCH /docs/1', 'PATCH /docs/1']);
});

test('an edit over an own edit that the server has already, as when a browser has sent that one twice, is no conflict', async () => {
  const { controller, Docs, other, rows, lines, server } = await openDocs();
  await controller.fetch(Docs.get, { id: '1' });
  const held = server.hold('PATCH', '/docs/1');
  const calls = ['B', 'C', 'D'].map((title) => controller.fetch(Docs.partialUpdate, { id: '1' }, { title }));
  other({ title: 'B' });
  held.releaseAll();

  await Promise.all(calls);

  expect(rows.get('1')).toMatchObject({ title: 'D' });
  expect(lines().slice(1)).toEqual(['PATCH /docs/1', 'GET /docs/1', 'PATCH /docs/1', 'PATCH /docs/1']);
});

test('an edit over an own edit that fails has the ancestor of that one', async () => {
  const { controller, Docs, rows, server } = await openDocs();
  await controller.fetch(Docs.get, { id: '1' });
  server.on('PATCH', '/docs/1', ({ body }) => {
    if ((body as Doc).title === 'B') return { status: 422 };
    rows.set('1', { ...rows.get('1'), ...(body as Doc) });
    return { body: rows.get('1') };
  });
  const first = controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'B' });
  const second = controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'C' });

  await expect(first).rejects.toMatchObject({ status: 422 });
  expect(await second).toMatchObject({ title: 'C' });
  expect(rows.get('1')).toMatchObject({ title: 'C' });
});

test('a vote over an own vote that was merged counts once', async () => {
  const merge = [[Doc, { votes: count }]] as const;
  const { controller, Docs, rows, other, server } = await openDocs({ conflicts: { merge } });
  await controller.fetch(Docs.get, { id: '1' });
  other({ votes: 10 });
  const held = server.hold('PATCH', '/docs/1');
  const calls = [1, 2].map((votes) => controller.fetch(Docs.partialUpdate, { id: '1' }, { votes }));
  held.releaseAll();
  await Promise.all(calls);

  expect(rows.get('1')).toMatchObject({ votes: 12 });
});

test('an edit over a failed edit has not seen what that one hid', async () => {
  const { controller, Docs, rows, other, server } = await openDocs();
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs' });
  const held = server.hold('PATCH', '/docs/1');
  const first = error(controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine' }));
  const request = await held.next();
  controller.expireAll(Docs.get);
  await controller.fetch(Docs.get, { id: '1' });
  expect(controller.get(Doc, { id: '1' })).toMatchObject({ title: 'mine' });
  const second = error(controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine too' }));
  held.stop();
  request.release();

  expect((await first).conflicts).toMatchObject([{ base: 't1', mine: 'mine', theirs: 'theirs' }]);
  expect((await second).conflicts).toMatchObject([{ base: 't1', mine: 'mine too', theirs: 'theirs' }]);
  expect(rows.get('1')).toMatchObject({ title: 'theirs' });
});

test('three votes over each other, of which the first is merged, count three', async () => {
  const merge = [[Doc, { votes: count }]] as const;
  const { controller, Docs, rows, other, server } = await openDocs({ conflicts: { merge } });
  await controller.fetch(Docs.get, { id: '1' });
  other({ votes: 10 });
  const held = server.hold('PATCH', '/docs/1');
  const calls = [1, 2, 3].map((votes) => controller.fetch(Docs.partialUpdate, { id: '1' }, { votes }));
  held.releaseAll();
  await Promise.all(calls);

  expect(rows.get('1')).toMatchObject({ votes: 13 });
});

test('where the server refuses nothing, a waiting call is judged by the stored row before it is sent', async () => {
  const { controller, Docs, rows, other, server, lines } = await openDocs(
    { preconditions: false },
    { isEmpty: true },
  );
  await controller.fetch(Docs.get, { id: '1' });
  const held = server.hold('PATCH', '/docs/1');
  const first = controller.fetch(Docs.partialUpdate, { id: '1' }, { votes: 1 });
  const second = controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine' });
  const third = controller.fetch(Docs.partialUpdate, { id: '1' }, { text: 'mine' });
  const request = await held.next();
  held.stop();
  other({ title: 'theirs' });
  controller.expireAll(Docs.get);
  await controller.fetch(Docs.get, { id: '1' });
  request.release();

  await first;
  const thrown = await error(second);
  expect(thrown.conflicts).toMatchObject([{ base: 't1', mine: 'mine', theirs: 'theirs' }]);
  expect(thrown.response).toBeUndefined();
  expect(await third).toMatchObject({ text: 'mine' });
  expect(lines().filter((line) => line.startsWith('PATCH'))).toHaveLength(2);
  expect(rows.get('1')).toMatchObject({ title: 'theirs', text: 'mine', votes: 1 });
});

test('a PUT becomes theirs plus my changes', async () => {
  const { controller, Docs, rows, other } = await openDocs();
  const { ...before } = await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs', votes: 5 });

  await controller.fetch(Docs.update, { id: '1' }, { ...before, text: 'mine' });

  expect(rows.get('1')).toEqual({ id: '1', title: 'theirs', text: 'mine', votes: 5, tags: ['a', 'b'] });
});

test('an empty response keeps what was really sent', async () => {
  const { controller, Docs, rows, other } = await openDocs(
    { conflicts: { resolve: 'theirs' } },
    { isEmpty: true },
  );
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs' });

  const saved = await controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine', text: 'mine' });

  expect(saved).toMatchObject({ title: 'theirs', text: 'mine' });
  expect(controller.get(Doc, { id: '1' })).toMatchObject({ title: 'theirs', text: 'mine' });
  expect(rows.get('1')).toMatchObject({ title: 'theirs', text: 'mine' });
});

test('the idempotency key is new where the body is new, and the same where it is not', async () => {
  const { controller, Docs, other, server } = await openDocs({
    conflicts: { merge: [[Doc, { votes: count }]] },
  });
  const update = Docs.partialUpdate.extend({ idempotencyKey: true });
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs' });
  await controller.fetch(update, { id: '1' }, { text: 'mine' });
  other({ votes: 5 });
  await controller.fetch(update, { id: '1' }, { votes: 1 });

  const keys = server.seen('PATCH', '/docs/1').map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(4);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[3]);
});

test('DELETE: a row that is gone is deleted, and a changed row is a conflict of the whole row', async () => {
  const { controller, Docs, rows, other, lines } = await openDocs();
  await controller.fetch(Docs.get, { id: '1' });
  await controller.fetch(Docs.get, { id: '2' });
  other({ title: 'theirs' });
  rows.delete('2');

  const thrown = await error(controller.fetch(Docs.delete, { id: '1' }));
  expect(thrown.conflicts).toMatchObject([{ field: '', base: { title: 't1' }, theirs: { title: 'theirs' } }]);
  await controller.fetch(Docs.delete, { id: '2' });
  expect(controller.get(Doc, { id: '2' })).toBeUndefined();
  expect(controller.get(Doc, { id: '1' })).toMatchObject({ title: 'theirs' });
  expect(lines().at(-1)).toBe('GET /docs/2');

  const kept = await openDocs({ conflicts: { resolve: 'theirs' } });
  await kept.controller.fetch(kept.Docs.get, { id: '1' });
  kept.other({ title: 'theirs' });
  expect(await kept.controller.fetch(kept.Docs.delete, { id: '1' })).toMatchObject({ title: 'theirs' });
  expect(kept.rows.has('1')).toBe(true);
  expect(kept.controller.get(Doc, { id: '1' })).toMatchObject({ title: 'theirs' });
});

test('a mutation is sent again at most `rounds` times, and then fails with what it would have sent', async () => {
  const { controller, Docs, other, server, matches } = await openDocs({ conflicts: { rounds: 2 } });
  await controller.fetch(Docs.get, { id: '1' });
  server.on('PATCH', '/docs/1', { status: 412 });
  other({ title: 'theirs' });

  const thrown = await error(controller.fetch(Docs.partialUpdate, { id: '1' }, { text: 'mine' }));

  expect(thrown).toMatchObject({
    code: 'WRITE_CONFLICT',
    conflicts: [{ field: 'text', mine: 'mine', theirs: '' }],
  });
  expect(matches()).toEqual(['"1"', '"2"', '"2"']);
});

test('the row is stale when the last of the `rounds` is refused, because the server has another version again', async () => {
  const { controller, Docs, other, server, version, world } = await openDocs({ conflicts: { rounds: 1 } });
  await controller.fetch(Docs.get, { id: '1' });
  // another client is faster before each of our requests is handled
  server.on('PATCH', '/docs/1', () => {
    other({ title: `theirs ${version('1')}` });
    return { status: 412 };
  });

  const thrown = await error(controller.fetch(Docs.partialUpdate, { id: '1' }, { text: 'mine' }));
  expect(thrown.code).toBe('WRITE_CONFLICT');
  expect(controller.get(Doc, { id: '1' })).toMatchObject({ title: 'theirs 1', text: '' });
  expect(controller.getResponse(Docs.get, { id: '1' }).expiresAt).toBeLessThanOrEqual(world.time.clock.now());
});

test('a 409 that brings the row saves the read', async () => {
  const { controller, Docs, rows, other, lines } = await openDocs(
    {
      preconditions: false,
      conflicts: {
        current: ({ problem }) => problem?.['current'],
        merge: [[Versioned, { version: (_base, _mine, theirs) => theirs }]],
      },
    },
    { isCounted: true },
  );
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs', version: 2 });
  const update = Docs.partialUpdate.extend({ schema: Versioned });

  await controller.fetch(Docs.get.extend({ schema: Versioned }), { id: '1' });
  other({ title: 'theirs too', version: 3 });
  await controller.fetch(update, { id: '1' }, { text: 'mine', version: 2 } as Partial<Versioned>);

  expect(rows.get('1')).toMatchObject({ title: 'theirs too', text: 'mine' });
  expect(lines().slice(-2)).toEqual(['PATCH /docs/1', 'PATCH /docs/1']);
});

test('a row that a 409 brings is fresh after the conflict, and so are its lists', async () => {
  const { controller, Docs, other, world, lines } = await openDocs(
    { preconditions: false, conflicts: { current: ({ problem }) => problem?.['current'] } },
    { isCounted: true },
  );
  const part = { schema: Versioned };
  const [get, getList] = [Docs.get.extend(part), Docs.getList.extend({ schema: [Versioned] })];
  other({ version: 1 });
  await controller.fetch(getList);
  await controller.fetch(get, { id: '1' });
  other({ title: 'theirs', version: 2 });
  const fields = { title: 'mine', version: 1 } as Partial<Versioned>;

  const thrown = await error(controller.fetch(Docs.partialUpdate.extend(part), { id: '1' }, fields));

  expect(thrown).toBeInstanceOf(ConflictError);
  expect(controller.get(Versioned, { id: '1' })).toMatchObject({ title: 'theirs', version: 2 });
  const now = world.time.clock.now();
  expect(controller.getResponse(get, { id: '1' }).expiresAt).toBeGreaterThan(now);
  expect(controller.getResponse(getList).expiresAt).toBeGreaterThan(now);
  expect(lines()).toEqual(['GET /docs', 'GET /docs/1', 'PATCH /docs/1']);
});

class Versioned extends Doc {
  static override key = 'Versioned';
  version = 0;
}

test('`read` reads the row where its address cannot be read', async () => {
  const reads: unknown[] = [];
  const app = await openDocs({
    conflicts: {
      read: ({ args: [params] }) => {
        reads.push(params);
        return app.controller.fetch(app.Docs.getList);
      },
    },
  });
  const { controller, Docs, rows, other } = app;
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs' });
  app.server.on('PATCH', '/docs/1', ({ body }) => {
    if (reads.length === 0) return { status: 409 };
    rows.set('1', { ...rows.get('1')!, ...(body as object) });
    return { body: rows.get('1') };
  });

  await controller.fetch(Docs.partialUpdate, { id: '1' }, { text: 'mine' });

  expect(reads).toEqual([{ id: '1' }]);
  expect(rows.get('1')).toMatchObject({ title: 'theirs', text: 'mine' });
});

test('when the read fails the call fails as the read did, and the row is stale', async () => {
  const { controller, Docs, other, server, lines } = await openDocs();
  await controller.fetch(Docs.getList);
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs' });
  server.on('GET', '/docs/1', { status: 403 });

  const thrown = await error(controller.fetch(Docs.partialUpdate, { id: '1' }, { text: 'mine' }));

  expect(thrown).toMatchObject({ status: 403 });
  expect(lines().filter((line) => line.startsWith('PATCH'))).toHaveLength(1);
  expect(controller.getResponse(Docs.getList).expiresAt).toBe(0);
});

test('a repetition of a failed mutation is judged anew', async () => {
  const failed = new FailedManager();
  let resolve: 'fail' | 'mine' = 'fail';
  const { controller, Docs, rows, other } = await openDocs({ conflicts: { resolve: () => resolve } }, {}, [
    failed,
  ]);
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs', votes: 2 });
  await error(controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine' }));

  const [first] = failed.get(Doc, { id: '1' });
  expect(first?.error).toBeInstanceOf(ConflictError);
  expect(await error(first!.retry())).toBeInstanceOf(ConflictError);
  expect(rows.get('1')).toMatchObject({ title: 'theirs' });
  resolve = 'mine';
  await failed.get(Doc, { id: '1' })[0]!.retry();
  expect(rows.get('1')).toMatchObject({ title: 'mine', votes: 2 });
});

test('a person decides: the call waits, shows its update, and goes on when every conflict is taken', async () => {
  const { controller, Docs, rows, other, http, lines } = await openDocs({ conflicts: { resolve: 'ask' } });
  await controller.fetch(Docs.get, { id: '1' });
  await controller.fetch(Docs.get, { id: '2' });
  const watched = http.conflicts(Doc, { id: '1' });
  const seen: number[] = [];
  const stop = watched.listen(() => seen.push(watched.read().length));
  expect(http.conflicts(Doc, { id: '1' })).toBe(watched);
  expect(watched.read()).toBe(watched.read());
  other({ title: 'theirs', text: 'theirs' });
  const call = controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine', text: 'mine' });
  const later = controller.fetch(Docs.partialUpdate, { id: '1' }, { votes: 7 });
  await until(() => watched.read().length === 2);

  expect(controller.get(Doc, { id: '1' })).toMatchObject({ title: 'mine', votes: 7 });
  expect(getPending(controller, Doc, { id: '1' }).map(({ status }) => status)).toEqual([
    'conflict',
    'waiting',
  ]);
  expect(await controller.fetch(Docs.partialUpdate, { id: '2' }, { title: 'other row' })).toMatchObject({
    title: 'other row',
  });
  const [title, text] = watched.read();
  title!.take('both');
  await breathe();
  expect(lines().filter((line) => line === 'PATCH /docs/1')).toHaveLength(1);
  text!.take(text!.theirs);

  expect(await call).toMatchObject({ title: 'both', text: 'theirs' });
  expect(await later).toMatchObject({ votes: 7 });
  expect(rows.get('1')).toMatchObject({ title: 'both', text: 'theirs', votes: 7 });
  expect(watched.read()).toEqual([]);
  expect(seen).toEqual([2, 0]);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  title!.take('again');
  expect(warn.mock.calls.join()).toContain('CONFLICT_DECIDED');
  warn.mockRestore();
  stop();
});

test('the conflicts of a row are one object: at each call, and while anybody listens', async () => {
  const { http } = await openDocs({ conflicts: { resolve: 'ask' } });
  const watch = (id = '1') => http.conflicts(Doc, { id });
  const first = watch();
  expect(watch()).toBe(first);

  const [stopFirst, stopSecond] = [first, watch()].map((each) => each.listen(() => undefined));
  expect(watch('2')).not.toBe(first);
  expect(watch()).toBe(first);
  stopFirst!();
  stopFirst!(); // a second call does nothing
  watch('2');
  expect(watch()).toBe(first);

  stopSecond!();
  watch('2');
  expect(watch()).not.toBe(first);
});

test('a decision ends with cancel, an abort or a reset, each with its own error', async () => {
  for (const [end, code] of [
    ['cancel', 'WRITE_CONFLICT'],
    ['abort', 'REQUEST_ABORTED'],
    ['reset', 'STORE_RESET'],
  ] as const) {
    const { controller, Docs, rows, other, http } = await openDocs({ conflicts: { resolve: 'ask' } });
    const aborter = new AbortController();
    await controller.fetch(Docs.get, { id: '1' });
    other({ title: 'theirs' });
    const update = Docs.partialUpdate.extend({ signal: aborter.signal });
    const call = error(controller.fetch(update, { id: '1' }, { title: 'mine' }));
    const watched = http.conflicts(Doc, { id: '1' });
    await until(() => watched.read().length === 1);
    if (end === 'cancel') watched.read()[0]!.cancel();
    else if (end === 'abort') aborter.abort();
    else controller.resetEntireStore();

    expect(await call).toMatchObject({ code });
    expect(watched.read()).toEqual([]);
    expect(rows.get('1')).toMatchObject({ title: 'theirs' });
    expect(getPending(controller, Doc, { id: '1' })).toEqual([]);
  }
});

test('while a person decides the row may change once more, and the newest is asked about', async () => {
  const { controller, Docs, rows, other, http } = await openDocs({ conflicts: { resolve: 'ask' } });
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs' });
  const call = controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine' });
  const watched = http.conflicts(Doc, { id: '1' });
  await until(() => watched.read().length === 1);
  other({ title: 'newer' });
  await controller.fetch(Docs.get, { id: '1' });
  watched.read()[0]!.take('mine');
  await until(() => watched.read()[0]?.theirs === 'newer');
  watched.read()[0]!.take('newest');

  expect(await call).toMatchObject({ title: 'newest' });
  expect(rows.get('1')).toMatchObject({ title: 'newest' });
});

test('a bulk call is judged row by row before it is sent', async () => {
  const { controller, Docs, rows, other, server } = await openDocs(
    { preconditions: false, conflicts: { resolve: 'theirs' } },
    { isEmpty: true },
  );
  await controller.fetch(Docs.getList);
  const bulk = Docs.getList.extend({ method: 'PATCH', body: [] as Partial<Doc>[] });
  server.on('PATCH', '/docs', ({ body }) => {
    for (const row of body as Doc[]) rows.set(row.id, { ...rows.get(row.id)!, ...row });
    return { body: (body as Doc[]).map(({ id }) => rows.get(id)) };
  });
  const held = server.hold('PATCH', '/docs/1');
  const first = controller.fetch(Docs.partialUpdate, { id: '1' }, { votes: 1 });
  const call = controller.fetch(bulk, {}, [
    { id: '1', title: 'mine' },
    { id: '2', title: 'mine' },
  ]);
  const request = await held.next();
  held.stop();
  other({ title: 'theirs' });
  controller.expireAll(Docs.get);
  await controller.fetch(Docs.get, { id: '1' });
  request.release();
  await Promise.all([first, call]);

  expect(server.seen('PATCH', '/docs').map(({ body }) => body)).toEqual([[{ id: '2', title: 'mine' }]]);
  expect([...rows.values()].map(({ title }) => title)).toEqual(['theirs', 'mine']);
});
