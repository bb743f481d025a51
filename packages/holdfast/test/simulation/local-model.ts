// Local queries as a property. Requests are sent, handled and delivered at three separate moments, in any order. The server caps
// lists, leaves out fields, sends rows that the checks refuse, and has a second client, which tells of its changes by messages or
// does not. After every step each query that calls itself complete is compared with the server.
//
//   I2  For each row, the query shows what the row was at some moment since the covering list was requested: a row that fitted at no
//       such moment is not shown, and a row that always fitted is. While own writes are in flight, rows need only fit. No client can
//       tell in which order the server has handled a change of another client and reads that cross, so requests count, not handlings.
//   I3  The result equals the one computed anew from the same rows, and keeps its reference while nothing differs.
import { Controller, createResource, dehydrate, hydrate, schema } from 'holdfast';
import { local, watchLocal } from 'holdfast/local';
import { EntityOf } from 'holdfast/validate';
import fc from 'fast-check';
import { FakeWorld } from '../support/fake-world.ts';
import { count, maybeFlag, word } from './local-checks.ts';
import { Violation } from './violation.ts';

class Card extends EntityOf(
  'LocalCard',
  { id: word, lane: word, done: maybeFlag, rank: count },
  { onInvalid: 'drop' },
) {}

interface Fields {
  readonly id: string;
  readonly lane: string;
  readonly done: boolean;
  readonly rank: number;
}

const KINDS = [
  'patch',
  'patch',
  'create',
  'remove',
  'other',
  'other',
  'told',
  'read',
  'read',
  'read',
  'detail',
  'handle',
  'handle',
  'deliver',
  'deliver',
  'deliver',
  'newest',
  'fail',
  'expire',
  'pass',
  'bring',
  'mount',
  'spoil',
] as const;

export const LOCAL_STEPS: readonly string[] = [...new Set<string>(KINDS), 'complete', 'covered', 'partial'];

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly at: number;
  readonly list: number;
  readonly lane: string;
  readonly done: boolean;
  readonly rank: number;
}

export interface LocalSetting {
  /**
   * What the server sends of a list: all rows, at most three of them, all without the field `done`, or without this field only in a
   * list of one lane, or only in the list of all lanes.
   */
  readonly server: 'whole' | 'capped' | 'thin' | 'mixed' | 'summary';
  /** `told`: the response says whether it is whole; `true`: the Collection declares that it always is; `none`: nothing does. */
  readonly knowledge: 'told' | 'true' | 'none';
  readonly isOptimistic: boolean;
  readonly steps: readonly Step[];
}

const detail = {
  at: fc.nat(9),
  list: fc.nat(4),
  lane: fc.constantFrom('a', 'b'),
  done: fc.boolean(),
  rank: fc.nat(4),
};
const any = fc.record({ kind: fc.constantFrom(...KINDS.filter((kind) => kind !== 'spoil')), ...detail });
const phrase = (kinds: readonly (typeof KINDS)[number][]): fc.Arbitrary<readonly Step[]> =>
  fc.tuple(...kinds.map((kind) => fc.record({ kind: fc.constant(kind), ...detail })));

export const localSetting: fc.Arbitrary<LocalSetting> = fc.record({
  server: fc.constantFrom('whole', 'whole', 'whole', 'capped', 'thin', 'mixed', 'summary'),
  knowledge: fc.constantFrom('told', 'told', 'told', 'true', 'true', 'none'),
  isOptimistic: fc.boolean(),
  steps: fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.tuple(any) },
        ...(
          [
            ['read', 'handle', 'patch', 'handle', 'deliver', 'deliver'],
            ['read', 'newest', 'patch', 'read', 'newest', 'newest'],
            ['detail', 'newest', 'other', 'read', 'newest'],
            ['patch', 'newest', 'read', 'newest', 'other', 'read', 'newest'],
            ['read', 'other', 'newest', 'told'],
            ['spoil', 'read', 'newest', 'detail', 'newest'],
            ['read', 'newest', 'expire', 'mount', 'newest'],
            ['read', 'newest', 'mount', 'patch', 'newest'],
            ['read', 'newest', 'create', 'patch', 'newest', 'newest'],
            ['read', 'newest', 'patch', 'handle', 'other', 'deliver'],
            ['read', 'newest', 'bring', 'mount'],
            ['create', 'handle', 'read', 'newest', 'deliver'],
          ] as const
        ).map((kinds) => ({ weight: 1, arbitrary: phrase(kinds) })),
      ),
      { minLength: 1, maxLength: 12, size: 'max' },
    )
    .map((phrases) => phrases.flat()),
});

type Args = { readonly lane?: string; readonly done?: boolean; readonly q?: string };
const LISTS: readonly Args[] = [{}, { lane: 'a' }, { lane: 'b' }, { done: false }, { q: 'a' }];

/** A row at one moment: undefined when there is none. */
type Moment = { readonly at: number; readonly row: Fields | undefined };

interface Request {
  readonly url: URL;
  readonly method: string;
  readonly body: Partial<Fields>;
  readonly sentAt: number;
  readonly answer: (response: Response) => void;
  reply?: { readonly status: number; readonly body: unknown };
}

class World {
  readonly #setting: LocalSetting;
  readonly #time = new FakeWorld();
  readonly #played: Map<string, number>;
  readonly #rows = new Map<string, Fields>();
  /** Every state that a row had, in the order of the moments. */
  readonly #history = new Map<string, Moment[]>();
  readonly #spoiled = new Set<string>();
  #moment = 0;
  #waiting: Request[] = [];
  #made = 0;
  #fails = 0;
  readonly #resource;
  readonly #controller: Controller;
  readonly #queries: ReturnType<World['createQueries']>;
  readonly #stops = new Map<number, () => void>();
  readonly #seen = new Map<number, { readonly data: unknown; readonly text: string }>();
  /**
   * For each list, the moment at which its last read was requested, the moment since which its rows may be as they are shown, and
   * the time at which the response came.
   */
  readonly #reads = new Map<string, { readonly sentAt: number; since: number; readonly arrivedMs: number }>();
  /** The moment at which all lists were last marked stale. */
  #expiredAt = 0;
  #saved: string | undefined;

  constructor(setting: LocalSetting, played: Map<string, number>) {
    this.#setting = setting;
    this.#played = played;
    for (const [lane, done, rank] of [
      ['a', false, 2],
      ['a', true, 1],
      ['b', false, 3],
      ['b', true, 0],
      ['a', false, 0],
    ] as const)
      this.#put({ id: `c${++this.#made}`, lane, done, rank });
    const { knowledge } = setting;
    const complete = knowledge === 'told' ? ({ isWhole }: { isWhole: boolean }) => isWhole : (true as const);
    const cards = new schema.Collection([Card], knowledge === 'none' ? {} : { complete });
    this.#resource = createResource({
      urlPrefix: 'http://model.test',
      path: '/cards/:id',
      schema: Card,
      searchParams: {} as Args | undefined,
      optimistic: setting.isOptimistic,
      dataExpiryLength: 60_000,
    }).extend({ getList: { schema: { cards, isWhole: false } } });
    this.#controller = new Controller({
      ...this.#time.options,
      fetch: (url, init) => this.#fetch(url, init),
    });
    this.#controller.start();
    this.#queries = this.createQueries();
  }

  createQueries() {
    const { getList } = this.#resource;
    const all = { where: {}, limit: Infinity };
    const plain = local(getList, { orderBy: 'rank' });
    const open = local(getList, { where: { done: false }, orderBy: 'rank' });
    const two = local(getList, { where: { done: false }, orderBy: 'rank', limit: 2 });
    return [
      { query: plain, args: {}, ...all },
      { query: open, args: { lane: 'a' }, where: { done: false }, limit: Infinity },
      { query: two, args: {}, where: { done: false }, limit: 2 },
      { query: plain, args: { lane: 'b', done: false }, ...all },
      { query: plain, args: { q: 'a' }, ...all },
      { query: open, args: {}, where: { done: false }, limit: Infinity },
    ].map(({ query, args, where, limit }) => ({
      args: args as Args,
      wanted: { ...args, ...where } as Args,
      limit,
      observer: watchLocal(this.#controller, query, args as Args),
    }));
  }

  #play(name: string): void {
    this.#played.set(name, (this.#played.get(name) ?? 0) + 1);
  }

  // ── the server ───────────────────────────────────────────────────────────────────────────────

  #put(row: Fields): void {
    this.#rows.set(row.id, row);
    this.#note(row.id, row);
  }

  #note(id: string, row: Fields | undefined): void {
    this.#moment += 1;
    const moments = this.#history.get(id) ?? [];
    this.#history.set(id, moments);
    moments.push({ at: this.#moment, row });
  }

  #fetch(url: URL | RequestInfo, init: RequestInit = {}): Promise<Response> {
    return new Promise((resolve, reject) => {
      const request: Request = {
        url: new URL(String(url)),
        method: init.method ?? 'GET',
        body: typeof init.body === 'string' ? (JSON.parse(init.body) as Partial<Fields>) : {},
        sentAt: this.#moment,
        answer: resolve,
      };
      this.#waiting.push(request);
      init.signal?.addEventListener('abort', () => {
        this.#waiting = this.#waiting.filter((other) => other !== request);
        reject(new DOMException('aborted', 'AbortError'));
      });
    });
  }

  #select({ lane, done, q }: Record<string, string>): Fields[] {
    return [...this.#rows.values()].filter(
      (row) =>
        (lane === undefined || row.lane === lane) &&
        (done === undefined || String(row.done) === done) &&
        (q === undefined || row.lane.includes(q)),
    );
  }

  /** As the server sends a row: without a field, or with a value that the checks refuse. */
  #sent(row: Fields, isThin = false): object {
    const { id, lane, done, rank } = row;
    const spoiled = this.#spoiled.has(id) ? { rank: 'x' } : {};
    if (isThin) return { id, lane, rank, ...spoiled };
    return { id, lane, done, rank, ...spoiled };
  }

  #handle(request: Request): void {
    if (request.reply) return;
    const { url, method, body } = request;
    const id = url.pathname.split('/')[2];
    this.#fails -= 1;
    this.#moment += 1;
    if (this.#fails === 0) {
      request.reply = { status: 400, body: {} };
      return;
    }
    if (method === 'GET' && id === undefined) {
      const { server, knowledge } = this.#setting;
      const most = server === 'capped' && knowledge !== 'true' ? 3 : Infinity;
      const all = this.#select(Object.fromEntries(url.searchParams));
      const hasLane = url.searchParams.has('lane');
      const isThin = { whole: false, capped: false, thin: true, mixed: hasLane, summary: !hasLane }[server];
      const cards = all.slice(0, most).map((row) => this.#sent(row, isThin));
      request.reply = { status: 200, body: { cards, isWhole: cards.length === all.length } };
      return;
    }
    if (method === 'POST') {
      const row = { lane: 'a', done: false, rank: 0, ...body, id: `c${++this.#made}` };
      this.#put(row);
      request.reply = { status: 201, body: this.#sent(row) };
      return;
    }
    const row = this.#rows.get(id!);
    if (!row) request.reply = { status: 404, body: {} };
    else if (method === 'DELETE') {
      this.#rows.delete(row.id);
      this.#note(row.id, undefined);
      request.reply = { status: 200, body: { id: row.id } };
    } else {
      if (method === 'PATCH') this.#put({ ...row, ...body });
      request.reply = { status: 200, body: this.#sent(this.#rows.get(row.id)!) };
    }
  }

  #deliver(request: Request): void {
    this.#handle(request);
    this.#waiting = this.#waiting.filter((other) => other !== request);
    const { status, body } = request.reply!;
    const { sentAt, url, method } = request;
    if (status === 200 && 'cards' in (body as object)) {
      const key = keyOf(Object.fromEntries(url.searchParams));
      // A response to an earlier request is ignored.
      if (!((this.#reads.get(key)?.sentAt ?? -1) > sentAt))
        this.#reads.set(key, { sentAt, since: sentAt, arrivedMs: this.#time.time.elapsedMs });
    }
    // The response to a write replaces what was read while the write was in flight.
    if (method !== 'GET') for (const read of this.#reads.values()) read.since = Math.min(read.since, sentAt);
    request.answer(Response.json(body, { status }));
  }

  // ── the steps ────────────────────────────────────────────────────────────────────────────────

  async act(step: Step): Promise<void> {
    const { kind, at, list, lane, done, rank } = step;
    const ids = [...this.#rows.keys()];
    const id = ids[at % (ids.length || 1)];
    const { getList, get, partialUpdate, delete: remove } = this.#resource;
    const run = this.#controller;
    const waiting = this.#waiting[at % (this.#waiting.length || 1)];
    const newest = this.#waiting.at(-1);
    const fields = { lane, done, rank };
    this.#play(kind);
    if (kind === 'patch' && id) quiet(run.fetch(partialUpdate, { id }, at % 2 ? { done } : { lane, done }));
    if (kind === 'create') quiet(run.fetch(getList.push, fields));
    if (kind === 'remove' && id) quiet(run.fetch(remove, { id }));
    if (kind === 'other') this.#changeElsewhere(step, id);
    if (kind === 'told' && id) quiet(run.set(Card, { id }, this.#sent(this.#rows.get(id)!) as Fields));
    if (kind === 'spoil' && id) this.#spoiled[this.#spoiled.has(id) ? 'delete' : 'add'](id);
    if (kind === 'read') quiet(run.fetch(getList, LISTS[list]));
    if (kind === 'detail' && id) quiet(run.fetch(get, { id }));
    if (kind === 'handle' && waiting) this.#handle(waiting);
    if (kind === 'deliver' && waiting) this.#deliver(waiting);
    if (kind === 'newest' && newest) this.#deliver(newest);
    if (kind === 'fail') this.#fails = 1 + (at % 3);
    if (kind === 'expire') {
      this.#expiredAt = this.#moment += 1;
      run.expireAll(getList);
    }
    if (kind === 'pass') this.#time.time.advance(at < 2 ? 61_000 : 5_000);
    if (kind === 'bring') this.#bring();
    if (kind === 'mount') this.#mount(list);
    await settle();
    this.check();
  }

  /** A second client changes a row, creates one or deletes one; this client is not told. */
  #changeElsewhere({ at, lane, done, rank }: Step, id: string | undefined): void {
    if (at < 2 || !id) this.#put({ id: `c${++this.#made}`, lane, done, rank });
    else if (at < 4) {
      this.#rows.delete(id);
      this.#note(id, undefined);
    } else this.#put({ ...this.#rows.get(id)!, lane, done });
  }

  /** Saves the state, or brings the state that was saved last. */
  #bring(): void {
    if (this.#saved === undefined) {
      this.#saved = JSON.stringify(dehydrate(this.#controller));
      return;
    }
    hydrate(this.#controller, JSON.parse(this.#saved) as ReturnType<typeof dehydrate>);
    this.#saved = undefined;
  }

  #mount(at: number): void {
    const { observer } = this.#queries[at]!;
    const stop = this.#stops.get(at);
    stop?.();
    this.#stops.delete(at);
    if (!stop)
      this.#stops.set(
        at,
        observer.subscribe(() => undefined),
      );
  }

  // ── the laws ─────────────────────────────────────────────────────────────────────────────────

  check(): void {
    for (const [at, { observer, wanted, limit, args }] of this.#queries.entries()) {
      const data = (observer.read().data ?? []) as readonly Card[];
      const what = `query ${at} ${JSON.stringify(args)}`;
      this.#checkKept(at, data, what);
      if (!observer.isComplete()) {
        this.#play('partial');
        continue;
      }
      this.#play('complete');
      if (!this.#reads.has(keyOf(args))) this.#play('covered');
      if (this.#setting.knowledge === 'none')
        throw new Violation('I2', `${what} is complete, and nothing says so`);
      this.#checkComplete(data, wanted, limit, what);
    }
    const [, , two, , , open] = this.#queries;
    const [least, all] = [two!, open!].map(({ observer }) => observer.read().data as readonly Card[]);
    if (least!.some((card, at) => card !== all![at]) || least!.length !== Math.min(2, all!.length))
      throw new Violation('I3', `the first two of ${JSON.stringify(all)} are ${JSON.stringify(least)}`);
  }

  #checkKept(at: number, data: readonly Card[], what: string): void {
    const text = JSON.stringify(data);
    const before = this.#seen.get(at);
    if (before && before.text === text && before.data !== data && before.data !== undefined)
      if ((before.data as readonly unknown[]).every((item, index) => item === data[index]))
        throw new Violation('I3', `${what} is another array with the same items`);
    this.#seen.set(at, { data, text });
    const ranks = data.map(({ rank }) => rank);
    if (ranks.some((rank, index) => index > 0 && rank < ranks[index - 1]!))
      throw new Violation('I3', `${what} is not in order: ${ranks.join()}`);
  }

  /** The moment since which the result must be right: the first request of any list that may cover the query. */
  #sinceOf(wanted: Args, what: string): number {
    const texts = Object.entries(wanted).map(([name, value]) => [name, String(value)]);
    const covering = [...this.#reads].filter(([key]) =>
      Object.entries(JSON.parse(key) as object).every(([name, value]) =>
        texts.some(([one, text]) => one === name && text === value),
      ),
    );
    const now = this.#time.time.elapsedMs;
    const fresh = covering.filter(
      ([, { sentAt, arrivedMs }]) => sentAt >= this.#expiredAt && now - arrivedMs <= 60_000,
    );
    if (fresh.length === 0) throw new Violation('I2', `${what} is complete, and no fresh list covers it`);
    return Math.min(...covering.map(([, { since }]) => since));
  }

  #checkComplete(data: readonly Card[], wanted: Args, limit: number, what: string): void {
    const since = this.#sinceOf(wanted, what);
    const fits = (row: { readonly [K in keyof Fields]?: Fields[K] | undefined } | undefined): boolean =>
      !!row &&
      (wanted.lane === undefined || row.lane === wanted.lane) &&
      (wanted.done === undefined || row.done === wanted.done) &&
      (wanted.q === undefined || row.lane!.includes(wanted.q));
    const pending = this.#waiting.some(({ method }) => method !== 'GET');
    const text = data.map((row) => JSON.stringify(row)).join();
    // The server may have filtered by a field that its rows leave out.
    for (const row of data)
      if (!fits({ ...row, done: row.done ?? wanted.done }))
        throw new Violation('I2', `${what} shows a row that does not fit: ${text}`);
    if (data.length > limit) throw new Violation('I2', `${what} shows more than ${limit}: ${text}`);
    // Own writes that are in flight may be shown before the server has handled them, or after.
    if (pending) return;
    for (const [id, moments] of this.#history) {
      const states = statesSince(moments, since);
      const isShown = data.some((row) => row.id === id);
      if (isShown && !states.some(fits))
        throw new Violation('I2', `${what} shows ${id}, which no state since ${since} allows: ${text}`);
      if (!isShown && limit === Infinity && states.every(fits))
        throw new Violation('I2', `${what} lacks ${id}, which every state since ${since} has: ${text}`);
    }
  }

  stop(): void {
    for (const stop of this.#stops.values()) stop();
    this.#controller.stop();
  }
}

/** The states of a row at a moment and after it. */
function statesSince(moments: readonly Moment[], since: number): (Fields | undefined)[] {
  const before = moments.filter(({ at }) => at <= since).at(-1);
  return [before?.row, ...moments.filter(({ at }) => at > since).map(({ row }) => row)];
}

const keyOf = (args: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)])));

function quiet(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Throws where a query is wrong and calls itself complete. */
export async function checkLocal(
  given: LocalSetting,
  played: Map<string, number> = new Map(),
): Promise<void> {
  const world = new World(given, played);
  try {
    for (const step of given.steps) await world.act(step);
  } finally {
    world.stop();
  }
}

/** Looks for a wrong query in this many settings. */
export async function judgeLocal(
  runs: number,
): Promise<{ readonly message: string | undefined; readonly schedules: number }> {
  const { warn } = console;
  console.warn = () => undefined;
  const property = fc.asyncProperty(localSetting, (given) => checkLocal(given));
  const found = await fc.check(property, { numRuns: runs, seed: 987_654_321 });
  console.warn = warn;
  const message = found.failed ? String(found.errorInstance) : undefined;
  return { message, schedules: found.numRuns };
}
