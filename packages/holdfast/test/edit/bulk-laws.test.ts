// Laws of merged calls, as pairs: the same actions of two clients, with the same responses at the same moments, once merged and once
// not. A second client writes to the same rows meanwhile.
import { Controller, createResource, Entity, RestEndpoint } from 'holdfast';
import { BatchManager, edit, failure, success } from 'holdfast/edit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualTime } from '../simulation/virtual-time.ts';
import { calm, Moments } from '../support/moments.ts';
import type { Pending, Reply, Sent } from '../support/moments.ts';

const RUNS = Number(process.env['RUNS'] ?? 60);
// the same runs every time; the nightly gives other seeds
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);

class Item extends Entity {
  static override key = 'BulkItem';
  id = '';
  title = '';
  status = '';
  votes = 0;
}
type Row = Record<string, unknown>;

const urlPrefix = 'http://api.test';
const Items = createResource({
  urlPrefix,
  path: '/items/:id',
  schema: Item,
  body: {} as Partial<Pick<Item, 'title' | 'status'>>,
  optimistic: true,
});
const IDS = ['1', '2', '3', '4'];

/** How the server ends one change. Done: whether it changes the row. */
const ENDS = {
  whole: { isDone: true, status: 200 },
  empty: { isDone: true, status: 204 },
  refused: { isDone: false, status: 422 },
  broken: { isDone: true, status: 503 },
  unreached: { isDone: false, status: 503 },
} as const;
type End = keyof typeof ENDS;

/** Rows that change as each client's requests say. The end of a change is drawn by its text, so that both worlds have the same. */
class Server {
  readonly rows = new Map<string, Row>(
    IDS.map((id) => [id, { id, title: 'first', status: 'first', votes: 0 }]),
  );
  readonly ends = new Map<string, End>();
  readonly lost = new Set<string>();

  readonly answer = ({ method, path, body }: Sent): Reply => {
    if (method === 'GET') return { body: [...this.rows.values()] };
    if (path !== '/bulk') return this.#change(path.split('/')[2] ?? '', body as Row);
    const changes = body as ({ id: string } & Row)[];
    const replies = changes.map(({ id, ...fields }) => this.#change(id, fields));
    return replies.includes('lost') ? 'lost' : { body: replies };
  };

  #change(id: string, fields: Row): Reply & ({ status?: number; body?: unknown } | 'lost') {
    const text = String(Object.values(fields)[0]);
    const row = this.rows.get(id);
    const { isDone, status } = ENDS[this.ends.get(text) ?? 'whole'];
    if (row && isDone) this.rows.set(id, { ...row, ...fields });
    if (this.lost.has(text)) return 'lost';
    if (!row) return { status: 404 };
    return status === 200 ? { body: this.rows.get(id) } : { status };
  }
}

const bulk = new RestEndpoint({
  urlPrefix,
  path: '/bulk',
  method: 'POST',
  body: [] as object[],
  process: (value: unknown) => value as { status?: number; body?: unknown }[], // cast: what the model server sends
});

/** One client and its server. */
class World {
  readonly server = new Server();
  readonly network = new Moments(this.server.answer);
  readonly time = new VirtualTime();
  readonly controller: Controller;
  /** The end of each call, by its text. */
  readonly ended = new Map<string, unknown>();

  constructor(isMerged: boolean) {
    const batches = new BatchManager({
      each: Items.partialUpdate,
      as: bulk,
      most: 3,
      args: (calls) => [calls.map(([{ id }, body]) => ({ id, ...body }))],
      results: (replies) =>
        replies.map(({ status = 200, body }) => (status >= 400 ? failure(status) : success(body))),
    });
    this.controller = new Controller({
      fetch: this.network.fetch,
      clock: this.time.clock,
      timers: this.time.timers,
      random: () => 0.5,
      managers: isMerged ? [batches] : [],
    });
  }

  async begin(): Promise<void> {
    this.network.isQuick = true;
    await this.controller.fetch(Items.getList);
    this.network.isQuick = false;
  }

  change(id: string, field: 'title' | 'status', text: string): void {
    this.controller.fetch(Items.partialUpdate, { id }, { [field]: text }).then(
      // an empty response to a change of a row that is not loaded has no row to resolve with
      (row: Item | null) => this.ended.set(text, row && `${row.title} ${row.status}`),
      (error: { status?: number; code?: string }) => this.ended.set(text, error.status ?? error.code),
    );
  }

  /** Lets everything run that needs no response. Batches leave at the end of a task. */
  async settle(): Promise<void> {
    await calm();
    this.time.advance(1);
    await calm();
  }

  shown(): unknown {
    const { data, expiresAt } = this.controller.getResponse(Items.getList);
    const rows = data?.map(({ id, title, status, votes }) => [id, title, status, votes]);
    return [rows, expiresAt > this.time.clock.now()];
  }
}

/** The texts of the changes that a request contains, or its line for a read. */
function textsOf({ method, body, line }: Sent): string[] {
  if (method === 'GET') return [line];
  return [body]
    .flat()
    .map((change) => Object.entries(change as Row).find(([name]) => name !== 'id')![1] as string);
}

const changes = fc.array(
  fc.record({
    id: fc.constantFrom(...IDS),
    field: fc.constantFrom('title' as const, 'status' as const),
    end: fc.oneof(
      { weight: 3, arbitrary: fc.constant('whole' as const) },
      { weight: 3, arbitrary: fc.constantFrom(...(Object.keys(ENDS) as End[])) }, // cast: its keys
    ),
  }),
  { minLength: 1, maxLength: 6 },
);
const pairedSteps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('change' as const), changes, isLost: fc.nat(7) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('handle' as const), at: fc.nat(5) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('deliver' as const), at: fc.nat(5) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('other' as const),
        id: fc.constantFrom(...IDS),
        field: fc.constantFrom('title', 'votes', 'gone'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const) }) },
  ),
  { maxLength: 40 },
);

test('H2: a bulk request with failures ends as single calls with the same failures', async () => {
  const played: Record<string, number> = {};
  let mostMerged = 0;
  await fc.assert(
    fc.asyncProperty(pairedSteps, async (schedule) => {
      const worlds = [new World(true), new World(false)] as const;
      const [merged, single] = worlds;
      for (const world of worlds) await world.begin();
      let count = 0;

      /** The requests of the world without a BatchManager that contain what this one contains. */
      const twinsOf = (request: Pending): Pending[] => {
        const texts = textsOf(request);
        const twins = single.network.inFlight.filter((twin) => texts.includes(textsOf(twin)[0] ?? ''));
        return request.method === 'GET' ? twins.slice(0, 1) : twins;
      };
      const settle = async (): Promise<void> => {
        for (const world of worlds) await world.settle();
        expect(merged.shown()).toEqual(single.shown());
        expect(Object.fromEntries(merged.ended)).toEqual(Object.fromEntries(single.ended));
        expect([...merged.server.rows]).toEqual([...single.server.rows]);
        expect(merged.network.inFlight.flatMap(textsOf).toSorted()).toEqual(
          single.network.inFlight.flatMap(textsOf).toSorted(),
        );
      };
      /** The server handles the request and its twins. The response of a bulk request is lost for all of its calls, or for none. */
      const handle = (request: Pending): Pending[] => {
        const texts = textsOf(request);
        for (const { server } of worlds)
          if (texts.some((text) => server.lost.has(text))) for (const text of texts) server.lost.add(text);
        const twins = twinsOf(request);
        for (const each of [request, ...twins]) each.handle();
        return twins;
      };
      const deliver = async (request: Pending): Promise<void> => {
        mostMerged = Math.max(mostMerged, textsOf(request).length);
        const twins = handle(request);
        await request.deliver();
        await Promise.all(twins.map((twin) => twin.deliver()));
      };

      for (const step of schedule) {
        played[step.do] = (played[step.do] ?? 0) + 1;
        count += 1;
        const request =
          merged.network.inFlight['at' in step ? step.at % (merged.network.inFlight.length || 1) : 0];
        if (step.do === 'change')
          for (const [at, { id, field, end }] of step.changes.entries()) {
            const text = `${count}.${at}`;
            for (const world of worlds) {
              world.server.ends.set(text, end);
              if (step.isLost === 0) world.server.lost.add(text);
              world.change(id, field, text);
            }
          }
        else if (step.do === 'handle' && request) handle(request);
        else if (step.do === 'deliver' && request) await deliver(request);
        else if (step.do === 'read')
          for (const world of worlds) world.controller.fetch(Items.getList).catch(() => undefined);
        else if (step.do === 'other')
          for (const { server } of worlds) {
            const row = server.rows.get(step.id);
            if (step.field === 'gone') server.rows.delete(step.id);
            else if (row) server.rows.set(step.id, { ...row, [step.field]: count });
          }
        else if (step.do === 'reset')
          for (const world of worlds) {
            world.controller.resetEntireStore();
            world.network.inFlight.length = 0;
          }
        await settle();
      }
      while (merged.network.inFlight[0]) {
        await deliver(merged.network.inFlight[0]);
        await settle();
      }
      for (const world of worlds) {
        world.network.isQuick = true;
        const read = await world.controller.fetch(Items.getList);
        expect(read.map((row) => ({ ...row }))).toEqual([...world.server.rows.values()]);
        expect(world.time.pendingTimers, 'timers at rest').toBeLessThanOrEqual(1);
      }
      await settle();
    }),
    { seed: SEED, numRuns: RUNS },
  );
  for (const step of ['change', 'handle', 'deliver', 'read', 'other', 'reset'])
    expect(played[step], step).toBeGreaterThan(0);
  expect(mostMerged).toBe(3);
}, 600_000);

const typingSteps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constantFrom('type' as const, 'type' as const, 'call' as const),
        id: fc.constantFrom(...IDS),
        field: fc.constantFrom('title' as const, 'status' as const),
        end: fc.constantFrom('whole' as const, 'empty' as const),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(100, 800, 3_000) }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('handle' as const), at: fc.nat(5) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('deliver' as const), at: fc.nat(5) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const) }) },
    // a field that nobody types in here
    { weight: 2, arbitrary: fc.record({ do: fc.constant('other' as const), id: fc.constantFrom(...IDS) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('flush' as const), id: fc.constantFrom(...IDS) }) },
  ),
  { maxLength: 40 },
);

test('H4: typing that is merged into few saves ends as one call for each letter, and shows the same meanwhile', async () => {
  const played: Record<string, number> = {};
  const sent = { merged: 0, single: 0 };
  await fc.assert(
    fc.asyncProperty(typingSteps, async (schedule) => {
      const worlds = [new World(true), new World(false)] as const;
      const [merged, single] = worlds;
      for (const world of worlds) await world.begin();
      const edits = new Map(
        IDS.map((id) => [id, edit(merged.controller, Items.partialUpdate, { id }, { atMostMs: 2_000 })]),
      );
      const last = new Map<string, string>();
      let count = 0;

      const settle = async (): Promise<void> => {
        for (const world of worlds) {
          await world.settle();
          for (const [name, text] of last) {
            const [id, field] = name.split(' ') as [string, 'title' | 'status']; // cast: see `type`
            expect(world.controller.get(Item, { id })?.[field], name).toBe(text);
          }
        }
      };

      for (const step of schedule) {
        played[step.do] = (played[step.do] ?? 0) + 1;
        count += 1;
        if (step.do === 'type' || step.do === 'call') {
          const { id, field, end } = step;
          const text = `text ${count}`;
          last.set(`${id} ${field}`, text);
          for (const { server } of worlds) server.ends.set(text, end);
          single.change(id, field, text);
          if (step.do === 'type') edits.get(id)?.set({ [field]: text });
          else merged.change(id, field, text);
        } else if (step.do === 'wait') for (const { time } of worlds) time.advance(step.ms);
        else if (step.do === 'handle' || step.do === 'deliver')
          for (const { network } of worlds) {
            const request = network.inFlight[step.at % (network.inFlight.length || 1)];
            if (step.do === 'handle') request?.handle();
            else await request?.deliver();
          }
        else if (step.do === 'read')
          for (const world of worlds) world.controller.fetch(Items.getList).catch(() => undefined);
        else if (step.do === 'other')
          for (const { server } of worlds)
            server.rows.set(step.id, { ...server.rows.get(step.id), votes: count });
        else if (step.do === 'flush')
          edits
            .get(step.id)
            ?.flush()
            .catch(() => undefined);
        await settle();
      }

      for (const todo of edits.values()) todo.flush().catch(() => undefined);
      do {
        for (const { network } of worlds) await network.rest();
        await settle();
      } while (worlds.some(({ network }) => network.inFlight.length > 0));
      expect([...merged.server.rows]).toEqual([...single.server.rows]);
      for (const world of worlds) {
        world.network.isQuick = true;
        await world.controller.fetch(Items.getList);
      }
      expect(merged.shown()).toEqual(single.shown());
      for (const todo of edits.values()) expect(todo.read().state).toBe('clean');
      for (const [name, world] of [
        ['merged', merged],
        ['single', single],
      ] as const)
        sent[name] += world.network.sent.length;
    }),
    { seed: SEED, numRuns: RUNS },
  );
  for (const step of ['type', 'call', 'wait', 'handle', 'deliver', 'read', 'other', 'flush'])
    expect(played[step], step).toBeGreaterThan(0);
  expect(sent.merged).toBeLessThan(sent.single);
}, 600_000);
