// Runs the table of responses, every cell of it for each kind of schema, against a real server: the end of the call, the data on
// screen meanwhile and afterwards, and that a mounted reader ends with the data of the server.
import { readFileSync } from 'node:fs';
import { Controller } from 'holdfast';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breathe, FakeWorld, until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { Reply, TestServer } from '../support/server.ts';
import { ANSWERS, ENDINGS, printEndings } from './response-table.ts';
import type { Answer, Ending, Method } from './response-table.ts';
import { dress, KINDS } from './kinds.ts';
import type { Dressed, Fields, KindName } from './kinds.ts';

let server: TestServer;
let cells = 0;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const ASKED = { POST: 'a b new', PUT: 'new b', PATCH: 'new b', DELETE: 'b' } as const;

/** The rows of a server behind their own address, which responds to changes in one way, and a client that has read the list. */
async function startCell(kind: KindName, { method, answer }: Ending, optimistic: boolean) {
  const path = `/cell${(cells += 1)}`;
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  const dressed = dress(kind, server.url + path, { optimistic });
  const rows = new Map<string, Fields>();
  for (const [id, title] of [
    ['1', 'a'],
    ['2', 'b'],
  ] as const)
    rows.set(id, { id, kind: 'post', title, version: 1 });
  server.on('GET', `${path}/items`, () => ({ body: dressed.wrap([...rows.values()]) }));
  server.on(method, `${path}/items*`, ({ body }) => {
    const id = method === 'POST' ? '3' : '1';
    const row = { ...rows.get(id), ...(body as object), id, version: 2 } as Fields; // cast: what is sent below
    if (answer === 'missing') rows.delete(id);
    else if (answer !== 'refused' && method === 'DELETE') rows.delete(id);
    else if (answer !== 'refused') rows.set(id, row);
    return reply(answer, row, dressed);
  });
  const read = () => controller.getResponse(dressed.getList, {});
  const titles = () =>
    dressed
      .unwrap(read().data)
      .map(({ title }) => title)
      .join(' ');
  await controller.fetch(dressed.getList, {});
  const hold = server.hold(method, `${path}/items*`);
  /** Makes the call and returns how it ends; `during` is called while the call is in flight. */
  const run = async (during: () => void): Promise<Ending['call']> => {
    const ended = call(controller, dressed, method).then(
      () => 'resolves' as const,
      () => 'rejects' as const,
    );
    const held = await hold.next();
    during();
    if (answer === 'late') await world.pass(30_000);
    else held.release();
    return ended;
  };
  return {
    controller,
    dressed,
    run,
    titles,
    isFresh: () => read().expiresAt > world.time.clock.now(),
    truth: () => [...rows.values()].map(({ title }) => title).join(' '),
    version: (id: string) => dressed.unwrap(read().data).find((row) => row.id === id)?.version,
  };
}

function reply(answer: Answer, row: Fields, { wrap }: Dressed): Reply {
  if (answer === 'whole') return { body: wrap(row) };
  if (answer === 'part') return { body: wrap({ id: row.id, version: row.version }) };
  if (answer === 'keyless') return { body: { success: true } };
  if (answer === 'lost') return { drop: true };
  const status = { empty: 204, refused: 409, missing: 404, failed: 500, late: 204 }[answer];
  return { status };
}

function call(controller: Controller, dressed: Dressed, method: Method): Promise<unknown> {
  const fields = { kind: 'post', title: 'new' };
  if (method === 'POST') return controller.fetch(dressed.create, fields);
  if (method === 'DELETE') return controller.fetch(dressed.remove, { id: '1' });
  if (method === 'PUT') return controller.fetch(dressed.update, { id: '1' }, fields);
  return controller.fetch(dressed.partialUpdate, { id: '1' }, { title: 'new' });
}

describe.each(KINDS)('%s', (kind) => {
  const cellsOf = ENDINGS.flatMap((ending) =>
    [true, false].map((optimistic) => ({
      ...ending,
      ending,
      optimistic,
      said: ANSWERS[ending.answer],
      during: ending.meanwhile[`${optimistic}`],
    })),
  );

  test.each(cellsOf)(
    'a $method with the response $said $call, is shown $during and then $shown, its lists $lists; optimistic: $optimistic',
    async ({ ending, optimistic, method, answer, call: ends, shown, lists, during }) => {
      const sights = { 'as asked': ASKED[method], 'as before': 'a b' } as const;
      const { run, titles, isFresh, version } = await startCell(kind, ending, optimistic);
      let meanwhile = '';

      const ended = await run(() => {
        meanwhile = titles();
      });

      expect(meanwhile).toBe(sights[during]);
      expect(ended).toBe(ends);
      expect(titles()).toBe(sights[shown]);
      expect(isFresh()).toBe(lists === 'fresh');
      if (answer === 'part' && method !== 'DELETE') expect(version(method === 'POST' ? '3' : '1')).toBe(2);
    },
  );

  test.each(cellsOf)(
    'a $method with the response $said that $call ends on screen like on the server, without a step back; optimistic: $optimistic',
    async ({ ending, optimistic, method, call: ends }) => {
      const { controller, dressed, run, titles, isFresh, truth } = await startCell(kind, ending, optimistic);
      const sights = ['a b'];
      const look = (): void => void (sights.at(-1) === titles() || sights.push(titles()));
      const observer = controller.watch(dressed.getList, {});
      const stop = observer.subscribe(look);

      await run(look);
      await breathe();
      await until(() => !observer.read().isFetching);
      stop();

      expect(titles()).toBe(truth());
      expect(isFresh()).toBe(true);
      if (ends === 'resolves') expect(sights).toEqual(['a b', ASKED[method]]);
    },
  );
});

test('the page on optimistic updates prints this table', () => {
  const page = new URL('../../../../docs/optimistic-updates.md', import.meta.url);

  expect(readFileSync(page, 'utf8')).toContain(printEndings());
});
