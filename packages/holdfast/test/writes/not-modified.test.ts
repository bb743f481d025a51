// "Not modified": the row ends as it would have ended had the server sent it again.
import { expect, test } from 'vitest';
import { breathe } from '../support/fake-world.ts';
import { start, Todo } from './harness.ts';

/** Reads a row, overwrites it locally, reads it again, and returns how that ended; the server may respond "not modified". */
async function readTwice(knowsTags: boolean, mounted: boolean, write: boolean) {
  const { server, controller, todos, show, isFresh } = await start();
  const { get: plain } = todos();
  const get = plain.extend({
    getHeaders: (headers: Record<string, string>) => ({ ...headers, 'if-none-match': '"1"' }),
  });
  let reads = 0;
  server.on('GET', '/todos/1', ({ headers }) => {
    reads += 1;
    if (knowsTags && reads > 1 && headers['if-none-match'] === '"1"')
      return { status: 304, headers: { etag: '"1"' } };
    return { headers: { etag: '"1"' }, body: { id: 1, title: 't1', status: 'open', votes: 0 } };
  });
  await controller.fetch(get, { id: 1 });
  if (write) await controller.set(Todo, { id: 1 }, { title: 'local' });
  if (mounted) show(({ title }) => title, get, { id: 1 });
  const answered = await controller.fetch(get, { id: 1 });
  await breathe();
  return {
    answered: { ...answered },
    shown: { ...controller.get(Todo, { id: 1 }) },
    isFresh: isFresh(get, { id: 1 }),
  };
}

test.each([
  [true, true],
  [true, false],
  [false, false],
])('a 304 ends like a 200; overwritten meanwhile: %s, on screen: %s', async (write, mounted) => {
  const full = await readTwice(false, mounted, write);
  expect(full).toMatchObject({ shown: { title: 't1' }, isFresh: true });

  expect(await readTwice(true, mounted, write)).toEqual(full);
});
