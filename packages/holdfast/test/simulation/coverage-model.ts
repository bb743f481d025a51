// Summaries and details as a property. Some responses contain only some fields of their rows. Requests are sent, handled and delivered
// at three separate moments, in any order; the server leaves out a field that is empty, its replies to changes may be short, and a
// second client changes rows. After every step each reader of one row, of a summary and of lists is compared with what was delivered.
//
//   I1  A reader shows no field that no response was to contain for that row, so never a default that the server has not sent. What it
//       calls fresh until a moment came, value by value, with responses that are fresh until then.
//   I1b A fresh list of the whole class has the rows that the same list has for readers of a summary.
//   I1c At rest every reader of a row has what the server has, after few requests.
import { Controller, createResource, dehydrate, Entity, hydrate, RestEndpoint, schema } from 'holdfast';
import { HttpSemantics } from 'holdfast/http';
import { pick } from 'holdfast/local';
import fc from 'fast-check';
import { FakeWorld } from '../support/fake-world.ts';
import { Violation } from './violation.ts';

/** The server sends positive numbers, so a 0 is a default. */
class Thing extends Entity {
  static override key = 'CoverThing';
  id = '';
  lane = '';
  a = 0;
  b = 0;
  c = 0;
  d = 0;
}
const ThingRow = pick(Thing, ['id', 'lane', 'a']);
const ThingBrief = pick(Thing, ['id', 'lane', 'a', 'b']);
const ThingId = pick(Thing, ['id']);
const ThingRest = pick(Thing, ['id', 'lane', 'c', 'd']);

type Fields = Readonly<Record<string, string | number>>;
const ALL = ['id', 'lane', 'a', 'b', 'c', 'd'] as const;

/** What each endpoint's responses are to contain, and how long they are fresh. */
const SHAPES = {
  get: { names: [...ALL], freshMs: 10_000 },
  brief: { names: ['id', 'lane', 'a', 'b'], freshMs: 20_000 },
  rest: { names: ['id', 'lane', 'c', 'd'], freshMs: 3_000 },
  rows: { names: ['id', 'lane', 'a'], freshMs: 6_000 },
  all: { names: [...ALL], freshMs: 15_000 },
} as const;
type Shape = keyof typeof SHAPES;

const KINDS = [
  'read',
  'read',
  'read',
  'read',
  'handle',
  'deliver',
  'deliver',
  'newest',
  'newest',
  'other',
  'other',
  'patch',
  'remove',
  'told',
  'toldPart',
  'pass',
  'pass',
  'bring',
  'expire',
  'fail',
  'cover',
] as const;

export const COVERAGE_STEPS: readonly string[] = [
  ...new Set<string>(KINDS),
  'shown',
  'fresh',
  'partial',
  'list',
  'rest',
  'covered',
  'missing',
  'restored',
  'restoredPart',
  'unread',
  'unreadRows',
];

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly shape: Shape;
  readonly at: number;
  readonly lane: string;
  readonly name: string;
}

export interface CoverageSetting {
  readonly isOptimistic: boolean;
  /** Whether the reply to a change contains only the fields that were sent. */
  readonly isReplyShort: boolean;
  /** What the server makes of a request for some fields: it sends those, or all, or none that may be empty; `no`: it is not asked. */
  readonly sparse: 'no' | 'exact' | 'all' | 'less';
  /** Whether responses have tags, so that the client does not read a body that it has already. */
  readonly isTagged: boolean;
  readonly steps: readonly Step[];
}

const detail = {
  shape: fc.constantFrom<Shape[]>('get', 'brief', 'rest', 'rows', 'all'),
  at: fc.nat(7),
  lane: fc.constantFrom('x', 'y'),
  name: fc.constantFrom('a', 'b', 'c', 'd', 'lane'),
};
const any = fc.record({ kind: fc.constantFrom(...KINDS), ...detail });
const phrase = (kinds: readonly (typeof KINDS)[number][]): fc.Arbitrary<readonly Step[]> =>
  fc.tuple(...kinds.map((kind) => fc.record({ kind: fc.constant(kind), ...detail })));

export const coverageSetting: fc.Arbitrary<CoverageSetting> = fc.record({
  isOptimistic: fc.boolean(),
  isReplyShort: fc.boolean(),
  sparse: fc.constantFrom('no', 'exact', 'all', 'less'),
  isTagged: fc.boolean(),
  steps: fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.tuple(any) },
        ...(
          [
            ['read', 'newest', 'pass', 'read', 'newest'],
            ['read', 'read', 'newest', 'newest'],
            ['read', 'handle', 'other', 'read', 'newest', 'newest'],
            ['read', 'newest', 'patch', 'read', 'newest', 'newest'],
            ['read', 'newest', 'bring', 'bring', 'read', 'newest'],
            ['remove', 'newest', 'read', 'newest'],
            ['read', 'newest', 'cover', 'newest', 'pass'],
            ['read', 'newest', 'cover', 'other', 'read', 'newest', 'newest'],
          ] as const
        ).map((kinds) => ({ weight: 1, arbitrary: phrase(kinds) })),
      ),
      { minLength: 1, maxLength: 10, size: 'max' },
    )
    .map((phrases) => phrases.flat()),
});

/** A reader that shows what is there of a row: the observer behind `useCovered`. */
interface CoveredReader {
  readonly read: () => { readonly data: unknown; readonly missing: readonly string[] };
  readonly subscribe: (onChange: () => void) => () => void;
}
/** Makes such a reader. Only the tests have it: no entry without React exports the observer. */
export type MakeCovered = (
  controller: Controller,
  endpoint: object,
  args: readonly object[],
) => CoveredReader;

interface Request {
  readonly url: URL;
  readonly method: string;
  readonly body: Record<string, unknown>;
  readonly answer: (response: Response) => void;
  reply?: { readonly status: number; readonly body: unknown };
}

class World {
  readonly #setting: CoverageSetting;
  readonly #played: Map<string, number>;
  readonly #time = new FakeWorld();
  readonly #rows = new Map<string, Fields>();
  readonly #controller: Controller;
  readonly #endpoints;
  readonly #makeCovered: MakeCovered | undefined;
  readonly #covered = new Map<string, { readonly reader: CoveredReader; readonly stop: () => void }>();
  #waiting: Request[] = [];
  #value = 0;
  #fails = 0;
  #saved: string | undefined;
  #sentCount = 0;
  /** For each value of a row's field: until when the responses that carried it are fresh. */
  readonly #freshUntil = new Map<string, number>();
  /** The fields of rows that a delivered response was to contain. */
  readonly #promised = new Set<string>();
  /** Rows that a message or a short reply in the whole class has created here: such a row is shown with its defaults. */
  readonly #plain = new Set<string>();

  constructor(setting: CoverageSetting, played: Map<string, number>, makeCovered: MakeCovered | undefined) {
    this.#setting = setting;
    this.#makeCovered = makeCovered;
    this.#played = played;
    for (const id of ['1', '2', '3']) this.#put(id, { lane: id === '3' ? 'y' : 'x' });
    const urlPrefix = 'http://model.test';
    const {
      get,
      getList,
      partialUpdate,
      delete: remove,
    } = createResource({
      urlPrefix,
      path: '/get/:id',
      schema: Thing,
      searchParams: {} as { lane?: string } | undefined,
      optimistic: setting.isOptimistic,
      dataExpiryLength: SHAPES.get.freshMs,
    });
    const one = (shape: 'brief' | 'rest', picked: typeof ThingBrief | typeof ThingRest) =>
      new RestEndpoint({
        urlPrefix,
        path: `/${shape}/:id`,
        schema: picked,
        dataExpiryLength: SHAPES[shape].freshMs,
      });
    const all = getList.extend({ path: '/all', dataExpiryLength: SHAPES.all.freshMs });
    const rows = new schema.Collection([ThingRow]);
    this.#endpoints = {
      get,
      partialUpdate,
      remove,
      brief: one('brief', ThingBrief),
      rest: one('rest', ThingRest),
      rows: getList.extend({ path: '/rows', schema: rows, dataExpiryLength: SHAPES.rows.freshMs }),
      all,
      /** The list of `all`, for readers of a summary; never requested. */
      allRows: all.extend({ schema: new schema.Collection([ThingRow]) }),
      /** The list of `rows`, for readers of the whole class; never requested. */
      wholeRows: getList.extend({ path: '/rows', schema: new schema.Collection([Thing]) }),
    };
    this.#controller = new Controller({
      ...this.#time.options,
      managers: setting.isTagged ? [new HttpSemantics({ validators: 'unread', expiry: false })] : [],
      fetch: (url, init) => this.#fetch(url, init),
    });
    this.#controller.start();
  }

  #play(name: string): void {
    this.#played.set(name, (this.#played.get(name) ?? 0) + 1);
  }

  get #now(): number {
    return this.#time.options.clock.now();
  }

  // ── the server ───────────────────────────────────────────────────────────────────────────────

  /** Writes a row; all its fields but `lane` get new values. The field `d` of row 2 is empty until a client fills it. */
  #put(id: string, change: Partial<Fields> = {}): void {
    const next = (): number => (this.#value += 1);
    const { lane = 'x', d = id === '2' ? undefined : 1 } = this.#rows.get(id) ?? {};
    const fields = { id, lane, a: next(), b: next(), c: next(), d: next() };
    const row: Record<string, unknown> = { ...fields, ...change };
    if (d === undefined) delete row['d'];
    this.#rows.set(id, row as Fields);
  }

  #fetch(url: URL | RequestInfo, init: RequestInit = {}): Promise<Response> {
    this.#sentCount += 1;
    return new Promise((resolve, reject) => {
      const request: Request = {
        url: new URL(String(url)),
        method: init.method ?? 'GET',
        body: typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {},
        answer: resolve,
      };
      this.#waiting.push(request);
      init.signal?.addEventListener('abort', () => {
        this.#waiting = this.#waiting.filter((other) => other !== request);
        reject(new DOMException('aborted', 'AbortError'));
      });
    });
  }

  #handle(request: Request): void {
    if (request.reply) return;
    const { url, method, body } = request;
    const [, shape, id] = url.pathname.split('/');
    this.#fails -= 1;
    if (this.#fails === 0) {
      request.reply = { status: 400, body: {} };
      return;
    }
    const { names } = SHAPES[shape as Shape];
    const sent = (row: Fields, of: readonly string[] = names): Fields =>
      Object.fromEntries(Object.entries(row).filter(([name]) => of.includes(name)));
    const row = this.#rows.get(id ?? '');
    if (id === undefined) {
      const lane = url.searchParams.get('lane');
      const found = [...this.#rows.values()].filter((one) => lane === null || one['lane'] === lane);
      request.reply = { status: 200, body: found.map((one) => sent(one)) };
    } else if (!row) request.reply = { status: 404, body: {} };
    else if (method === 'DELETE') {
      this.#rows.delete(id);
      request.reply = { status: 200, body: { id } };
    } else if (method === 'PATCH') {
      this.#rows.set(id, { ...row, ...(body as Fields) });
      const of = this.#setting.isReplyShort ? ['id', ...Object.keys(body)] : ALL;
      request.reply = { status: 200, body: sent(this.#rows.get(id)!, of) };
    } else request.reply = { status: 200, body: sent(row, this.#selected(url) ?? names) };
  }

  /** The fields that the server sends when it is asked for some. */
  #selected(url: URL): readonly string[] | undefined {
    const asked = url.searchParams.get('fields')?.split(',');
    if (!asked || this.#setting.sparse === 'all') return undefined;
    return ['id', ...asked].filter((name) => name !== 'd' || this.#setting.sparse !== 'less');
  }

  #deliver(request: Request): void {
    this.#handle(request);
    this.#waiting = this.#waiting.filter((other) => other !== request);
    const { status, body } = request.reply!;
    const shape = request.url.pathname.split('/')[1] as Shape;
    const isRead = request.method === 'GET';
    if (status === 200 && request.method !== 'DELETE')
      for (const row of [body as Fields | Fields[]].flat())
        this.#note(
          row,
          isRead ? (request.url.searchParams.get('fields')?.split(',') ?? SHAPES[shape].names) : null,
          SHAPES[shape].freshMs,
        );
    const response = Response.json(body, { status });
    if (this.#setting.isTagged && isRead && status === 200) {
      response.headers.set('etag', JSON.stringify(JSON.stringify(body)).replaceAll('\\"', "'"));
      const cancel = response.body!.cancel.bind(response.body); // made from a value
      response.body!.cancel = () => {
        this.#play(shape === 'rows' ? 'unreadRows' : 'unread');
        return cancel();
      };
    }
    request.answer(response);
  }

  /** A payload with these fields has arrived; it was to contain `names`: null for one of the whole class that may omit fields. */
  #note(row: Fields, names: readonly string[] | null, freshMs: number): void {
    const id = String(row['id']);
    if (!names && !this.#controller.get(ThingId, { id })) this.#plain.add(id);
    for (const name of Object.keys(row)) {
      const key = `${id} ${name}`;
      const value = `${key} ${row[name]}`;
      this.#freshUntil.set(value, Math.max(this.#freshUntil.get(value) ?? 0, this.#now + freshMs));
      this.#promised.add(key);
    }
    for (const name of names ?? []) this.#promised.add(`${id} ${name}`);
  }

  // ── the steps ────────────────────────────────────────────────────────────────────────────────

  async act({ kind, shape, at, lane, name }: Step): Promise<void> {
    const ids = ['1', '2', '3', '4'];
    const id = ids[at % ids.length]!;
    const run = this.#controller;
    const { partialUpdate, remove } = this.#endpoints;
    const waiting = this.#waiting[at % (this.#waiting.length || 1)];
    const newest = this.#waiting.at(-1);
    this.#play(kind);
    if (kind === 'read') quiet(this.#read(shape, id, at % 2 ? { lane } : {}));
    if (kind === 'handle' && waiting) this.#handle(waiting);
    if (kind === 'deliver' && waiting) this.#deliver(waiting);
    if (kind === 'newest' && newest) this.#deliver(newest);
    if (kind === 'other') {
      if (at === 7) this.#rows.delete(id);
      else this.#put(id, name === 'lane' ? { lane } : {});
    }
    if (kind === 'patch') {
      const change = name === 'lane' ? { lane } : { [name]: (this.#value += 1) };
      // a value of the user's own, which no response has to bring
      this.#promised.add(`${id} ${name}`);
      if (this.#setting.isOptimistic)
        this.#freshUntil.set(`${id} ${name} ${Object.values(change)[0]}`, Infinity);
      quiet(run.fetch(partialUpdate, { id }, change as Partial<Thing>));
    }
    if (kind === 'remove') quiet(run.fetch(remove, { id }));
    if (kind === 'told' || kind === 'toldPart') this.#tell(id, kind === 'told' ? [name] : ['lane', 'a']);
    if (kind === 'pass') this.#time.time.advance([1_000, 2_500, 4_000, 11_000][at % 4]!);
    if (kind === 'bring') this.#bring();
    if (kind === 'expire') run.expireAll(this.#endpoints[shape]);
    if (kind === 'cover') this.#cover(id);
    if (kind === 'fail') this.#fails = 1 + (at % 3);
    await settle();
    this.check();
  }

  /** Mounts a reader of what is there of the row, or removes it. */
  #cover(id: string): void {
    const present = this.#covered.get(id);
    if (present) {
      present.stop();
      this.#covered.delete(id);
      return;
    }
    const { get } = this.#endpoints;
    const { sparse } = this.#setting;
    const endpoint = sparse === 'no' ? get : get.extend({ sparse: 'fields' });
    const reader = this.#makeCovered?.(this.#controller, endpoint, [{ id }]);
    if (reader) this.#covered.set(id, { reader, stop: reader.subscribe(() => undefined) });
  }

  #checkCovered(): void {
    for (const [id, { reader }] of this.#covered) {
      if (this.#plain.has(id)) continue;
      const { data, missing } = reader.read();
      if (!data) continue;
      this.#play('covered');
      if (missing.length > 0) this.#play('missing');
      const names = ALL.filter((name) => !missing.includes(name));
      this.#checkShown(data as Fields, names, `what is there of ${id}`);
    }
  }

  #read(shape: Shape, id: string, list: { readonly lane?: string }): Promise<unknown> {
    const { get, brief, rest, rows, all } = this.#endpoints;
    const run = this.#controller;
    if (shape === 'rows') return run.fetch(rows, list);
    if (shape === 'all') return run.fetch(all, list);
    return run.fetch({ get, brief, rest }[shape], { id });
  }

  /** A message with some fields of a row, in the whole class or as a summary. */
  #tell(id: string, names: readonly string[]): void {
    const row = this.#rows.get(id);
    if (!row) return;
    const fields = Object.fromEntries(
      ['id', ...names].flatMap((name) => (name in row ? [[name, row[name]]] : [])),
    );
    // `set` has the controller's own lifetime
    const isPart = names.length > 1;
    this.#note(fields as Fields, isPart ? names : null, 60_000);
    const type = isPart ? ThingRow : Thing;
    quiet(Promise.resolve(this.#controller.set(type as typeof Thing, { id }, fields as unknown as Thing)));
  }

  /** Saves the state, or brings the state that was saved last. */
  #bring(): void {
    if (this.#saved === undefined) {
      this.#saved = JSON.stringify(dehydrate(this.#controller));
      this.#checkRestored(this.#saved);
    } else {
      hydrate(this.#controller, this.#saved);
      this.#saved = undefined;
    }
  }

  /** A controller that gets the state before it has used a picked class shows no reader of the whole class a default. */
  #checkRestored(saved: string): void {
    const restored = new Controller({ ...this.#time.options, fetch: () => new Promise<never>(() => {}) });
    hydrate(restored, saved);
    for (const id of ['1', '2', '3', '4'].filter((one) => !this.#plain.has(one))) {
      const data = restored.get(Thing, { id });
      this.#play(data ? 'restored' : 'restoredPart');
      if (data) this.#checkShown(data as unknown as Fields, ALL, `a restored ${id}`);
    }
    this.#checkLists(restored, 'restored ');
  }

  // ── the laws ─────────────────────────────────────────────────────────────────────────────────

  check(): void {
    this.#checkCovered();
    const { get, brief, rest } = this.#endpoints;
    for (const id of ['1', '2', '3', '4'].filter((one) => !this.#plain.has(one)))
      for (const [shape, endpoint] of Object.entries({ get, brief, rest })) {
        const { data, expiresAt } = this.#controller.getResponse(endpoint as typeof get, { id });
        const { names } = SHAPES[shape as Shape];
        if (!data) {
          if (this.#promised.has(`${id} a`)) this.#play('partial');
          continue;
        }
        this.#play('shown');
        this.#checkShown(data as unknown as Fields, names, `${shape} of ${id}`);
        if (expiresAt <= this.#now) continue;
        this.#play('fresh');
        for (const name of Object.keys(data)) {
          const value = (data as unknown as Fields)[name];
          const until = this.#freshUntil.get(`${id} ${name} ${value}`);
          const isEmpty = name === 'd' && value === 0;
          if (!isEmpty && (until === undefined || until < expiresAt))
            throw new Violation(
              'I1',
              `${shape} of ${id} is fresh for ${expiresAt - this.#now} ms, and ${name} for ${(until ?? 0) - this.#now}`,
            );
        }
      }
    this.#checkLists(this.#controller, '');
  }

  #checkLists(controller: Controller, which: string): void {
    const { rows, all, allRows, wholeRows } = this.#endpoints;
    for (const lane of [undefined, 'x', 'y'])
      for (const [wholeEndpoint, endpoint] of [
        [all, allRows],
        [wholeRows, rows],
      ] as const) {
        const args = lane === undefined ? {} : { lane };
        const whole = controller.getResponse(wholeEndpoint, args);
        const summary = controller.getResponse(endpoint, args);
        for (const row of summary.data ?? [])
          this.#checkShown(row as unknown as Fields, SHAPES.rows.names, `a row of the ${which}list ${lane}`);
        for (const row of whole.data ?? [])
          this.#checkShown(row as unknown as Fields, ALL, `a row of the whole ${which}list ${lane}`);
        // An optimistic update may move a row into the list that readers of the whole class do not have: it is not shown there.
        const isPending = this.#setting.isOptimistic && this.#waiting.some(({ method }) => method !== 'GET');
        if (!whole.data || whole.expiresAt <= this.#now || isPending) continue;
        this.#play('list');
        const idsOf = (list: readonly { readonly id: string }[] | undefined): string =>
          (list ?? []).map(({ id }) => id).join();
        if (idsOf(whole.data) !== idsOf(summary.data))
          throw new Violation(
            'I1b',
            `the ${which}list ${lane} shows ${idsOf(whole.data)} of ${idsOf(summary.data)} and is fresh`,
          );
      }
  }

  #checkShown(data: Fields, names: readonly string[], what: string): void {
    if (this.#plain.has(String(data['id']))) return;
    for (const name of Object.keys(data)) {
      if (!names.includes(name)) throw new Violation('I1', `${what} has the field ${name}`);
      if (!this.#promised.has(`${data['id']} ${name}`))
        throw new Violation('I1', `${what} shows ${name}: ${data[name]}, which no response was to contain`);
      if (data[name] === 0 && name !== 'd') throw new Violation('I1', `${what} shows the default of ${name}`);
    }
    const missing = names.filter((name) => !(name in data));
    if (missing.length > 0) throw new Violation('I1', `${what} lacks ${missing.join()}`);
  }

  /** Mounts readers of all rows, lets every request end, and compares them with the server. */
  async rest(): Promise<void> {
    const { get, brief } = this.#endpoints;
    this.#fails = 0;
    // Everything expires. No request waits so long that it fails.
    for (let turn = 0; turn < 6; turn += 1) {
      this.#time.time.advance(10_000);
      await settle();
      for (const request of this.#waiting) this.#deliver(request);
      await settle();
    }
    this.#sentCount = 0;
    const readers = ['1', '2', '3', '4'].flatMap((id) =>
      [get, brief].map((endpoint) => {
        const observer = this.#controller.watch(endpoint as typeof get, { id });
        return { id, endpoint, observer, stop: observer.subscribe(() => undefined) };
      }),
    );
    for (const id of ['1', '2', '3', '4']) if (!this.#covered.has(id)) this.#cover(id);
    await settle();
    for (let turn = 0; turn < 60 && this.#waiting.length > 0; turn += 1) {
      this.#deliver(this.#waiting[0]!);
      await settle();
    }
    this.check();
    this.#play('rest');
    const text = `${this.#sentCount} requests`;
    if (this.#waiting.length > 0 || this.#sentCount > 28) throw new Violation('I1c', `no rest after ${text}`);
    for (const [id, { reader }] of this.#covered) {
      const { data, missing } = reader.read();
      const row = this.#rows.get(id);
      if (row && (!data || missing.length > 0))
        throw new Violation('I1c', `${missing.join()} of ${id} never comes: ${JSON.stringify(data)}`);
    }
    for (const { id, endpoint, observer, stop } of readers) {
      const { data, error } = observer.read();
      const row = this.#rows.get(id);
      stop();
      if (!row) {
        if (data) throw new Violation('I1c', `${id} is shown, and the server has it no more`);
        continue;
      }
      const { names } = endpoint === get ? SHAPES.get : SHAPES.brief;
      for (const name of names)
        if ((data as unknown as Fields | undefined)?.[name] !== (row[name] ?? 0))
          throw new Violation(
            'I1c',
            `${endpoint.name} of ${id} shows ${JSON.stringify(data)}, ${String(error)}, not ${JSON.stringify(row)}`,
          );
    }
  }

  stop(): void {
    for (const { stop } of this.#covered.values()) stop();
    this.#controller.stop();
  }
}

function quiet(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Throws where a reader shows what no response has brought, or calls it fresh for too long. */
export async function checkCoverage(
  given: CoverageSetting,
  played: Map<string, number> = new Map(),
  makeCovered?: MakeCovered,
): Promise<void> {
  const world = new World(given, played, makeCovered);
  try {
    for (const step of given.steps) await world.act(step);
    await world.rest();
  } finally {
    world.stop();
  }
}

/** Looks for such a reader in this many settings. */
export async function judgeCoverage(
  runs: number,
): Promise<{ readonly message: string | undefined; readonly schedules: number }> {
  const { warn } = console;
  console.warn = () => undefined;
  const property = fc.asyncProperty(coverageSetting, (given) => checkCoverage(given));
  const found = await fc.check(property, { numRuns: runs, seed: 987_654_321 });
  console.warn = warn;
  const message = found.failed ? String(found.errorInstance) : undefined;
  return { message, schedules: found.numRuns };
}
