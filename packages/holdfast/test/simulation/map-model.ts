// A map with keys and `All`, as a property: rows are stored under keys, several times or not at all, are created, renamed and
// deleted, and requests are sent, handled and delivered at three separate moments. Nobody else changes anything, so at rest all
// fresh data equals that of the server, for the map, for All, for a Query over All and for the list beside them.
import { Controller, createResource, Entity, RestEndpoint, schema } from 'holdfast';
import type { AnyReadEndpoint } from 'holdfast';
import fc from 'fast-check';
import { FakeWorld } from '../support/fake-world.ts';
import { settle } from './simulate.ts';
import { Violation } from './violation.ts';

class Pin extends Entity {
  static override key = 'MapPin';
  id = '';
  name = '';
}

const KINDS = [
  'assign',
  'assign',
  'create',
  'remove',
  'rename',
  'read',
  'read',
  'handle',
  'deliver',
  'deliver',
  'newest',
  'mount',
] as const;
const ENDS = ['row', 'row', 'row', 'empty', 'success', 'text', 'failure', 'lost'] as const;

/** The steps that a run has to reach. */
export const MAP_STEPS: readonly string[] = [...new Set<string>([...KINDS, ...ENDS])];

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly at: number;
  readonly key: string;
  readonly of: 'map' | 'all' | 'query' | 'list';
  readonly end: (typeof ENDS)[number];
}

export interface MapSetting {
  readonly isOptimistic: boolean;
  readonly steps: readonly Step[];
}

const detail = {
  at: fc.nat(20),
  key: fc.constantFrom('home', 'main'),
  of: fc.constantFrom('map', 'all', 'query', 'list'),
  end: fc.constantFrom(...ENDS),
} as const;

/** One step of each of these kinds, all about one key and one read. */
const phrase = (...kinds: readonly Step['kind'][]): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(...kinds.map((kind) => fc.record({ ...detail, kind: fc.constant(kind) })))
    .map((steps) => steps.map((step) => ({ ...step, key: steps[0]!.key, of: steps[0]!.of })));

export const mapSetting: fc.Arbitrary<MapSetting> = fc.record({
  isOptimistic: fc.boolean(),
  steps: fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.tuple(fc.record({ ...detail, kind: fc.constantFrom(...KINDS) })) },
        // two writes of one key, with responses in reverse order
        { weight: 1, arbitrary: phrase('assign', 'assign', 'handle', 'handle', 'newest', 'newest') },
        // a read that was handled before, and delivered after
        { weight: 1, arbitrary: phrase('read', 'handle', 'assign', 'newest', 'assign', 'newest', 'deliver') },
        // a row is put under a key with its fields from before a change that is still in flight
        { weight: 1, arbitrary: phrase('rename', 'assign', 'newest', 'deliver') },
        { weight: 1, arbitrary: phrase('read', 'deliver', 'create', 'deliver') },
        { weight: 1, arbitrary: phrase('read', 'deliver', 'remove', 'deliver', 'read', 'deliver') },
      ),
      { minLength: 1, maxLength: 7, size: 'max' },
    )
    .map((phrases) => phrases.flat()),
});

const urlPrefix = 'http://model.test';

function createPins(optimistic: boolean) {
  const body = {} as { name?: string }; // cast: gives the type
  const pins = createResource({ urlPrefix, path: '/pins/:id', schema: Pin, body, optimistic });
  const all = new schema.All(Pin);
  const map = new RestEndpoint({
    urlPrefix,
    path: '/map',
    schema: new schema.Collection(new schema.Values(Pin)),
  });
  const byName = new schema.Query(all, (found: readonly Pin[]) =>
    found.toSorted((left, right) => (left.name < right.name ? -1 : 1)),
  );
  const reads: Readonly<Record<Step['of'], AnyReadEndpoint>> = {
    map,
    all: new RestEndpoint({ urlPrefix, path: '/pins', schema: all, key: () => 'all' }),
    query: new RestEndpoint({ urlPrefix, path: '/pins', schema: byName, key: () => 'query' }),
    list: pins.getList,
  };
  return { pins, reads, assign: map.assign.extend({ optimistic }) };
}

interface Request {
  readonly run: () => unknown;
  readonly isWrite: boolean;
  /** The targets of a write: the rows that it contains, and the map. */
  readonly about: readonly string[];
  readonly end: Step['end'];
  value?: unknown;
  isHandled: boolean;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

class World {
  readonly time = new FakeWorld();
  readonly rows = new Map(['a', 'b', 'c'].map((id) => [id, { id, name: `${id}0` }]));
  readonly map = new Map([['main', 'a']]);
  readonly controller: Controller;
  readonly #endpoints: ReturnType<typeof createPins>;
  readonly #played: Map<string, number>;
  readonly #stops: (() => void)[] = [];
  #waiting: Request[] = [];
  #made = 0;
  #nextEnd: Step['end'] = 'row';

  constructor({ isOptimistic }: MapSetting, played: Map<string, number>) {
    this.#played = played;
    this.#endpoints = createPins(isOptimistic);
    this.controller = new Controller({
      ...this.time.options,
      fetch: (url, init = {}) =>
        new Promise((resolve, reject) => {
          const method = init.method ?? 'GET';
          const sent = typeof init.body === 'string' ? JSON.parse(init.body) : {};
          const { pathname } = new URL(String(url));
          const run = (): unknown => this.#answer(pathname, method, sent);
          const isWrite = method !== 'GET';
          const ids = Object.values(sent as Record<string, { id?: string }>).flatMap(({ id }) => id ?? []); // cast: own bodies
          const about = !isWrite
            ? []
            : pathname === '/map'
              ? [pathname, ...ids]
              : [pathname.split('/')[2] ?? ''];
          const end = isWrite ? this.#nextEnd : 'row';
          this.#waiting.push({ run, isWrite, about, end, isHandled: false, resolve, reject });
        }),
    });
    this.controller.start();
  }

  #answer(path: string, method: string, sent: { name?: string }): unknown {
    if (path === '/map') return this.#answerMap(method, sent as Record<string, { id: string }>); // cast: own bodies
    const id = path.split('/')[2];
    if (method === 'GET') return id === undefined ? [...this.rows.values()] : this.rows.get(id);
    const row = { id: id ?? `n${++this.#made}`, name: sent.name ?? '' };
    if (id !== undefined && !this.rows.has(id)) return undefined;
    if (method === 'DELETE') {
      this.rows.delete(row.id);
      for (const [key, of] of this.map) if (of === id) this.map.delete(key);
      return { id };
    }
    this.rows.set(row.id, row);
    return row;
  }

  #answerMap(method: string, sent: Readonly<Record<string, { id: string }>>): unknown {
    const told = (keys: readonly string[]): object =>
      Object.fromEntries(keys.map((key) => [key, this.rows.get(this.map.get(key)!)]));
    if (method === 'GET') return told([...this.map.keys()]);
    for (const [key, { id }] of Object.entries(sent)) {
      if (!this.rows.has(id)) return undefined;
      this.map.set(key, id);
    }
    return told(Object.keys(sent));
  }

  #handle(request: Request): void {
    if (request.isHandled) return;
    // of two writes of the map, or of one row, the client knows only the order in which it sent them
    for (const other of this.#waiting.slice(0, this.#waiting.indexOf(request)))
      if (other.about.some((one) => one !== '' && request.about.includes(one))) this.#handle(other);
    request.isHandled = true;
    request.value = structuredClone(request.run());
  }

  #deliver(request: Request): void {
    this.#handle(request);
    this.#waiting = this.#waiting.filter((other) => other !== request);
    const { value, end, isWrite } = request;
    if (value === undefined) request.resolve(new Response(null, { status: 404 }));
    else if (end === 'lost') request.reject(new TypeError('Failed to fetch'));
    else if (end === 'failure') request.resolve(new Response('{}', { status: 500 }));
    else if (end === 'empty') request.resolve(new Response(null, { status: 204 }));
    else if (end === 'success') request.resolve(Response.json({ success: true }));
    else if (end === 'text') request.resolve(Response.json('ok'));
    else request.resolve(Response.json(value, { status: isWrite ? 201 : 200 }));
  }

  async act({ kind, at, key, of, end }: Step): Promise<void> {
    const { controller } = this;
    const { pins, reads, assign } = this.#endpoints;
    const quiet = (call: Promise<unknown>): void => void call.catch(() => undefined);
    const rows = [...this.rows.values()];
    const row = rows[at % (rows.length || 1)];
    const open = this.#waiting.filter(({ isHandled }) => !isHandled);
    const request =
      kind === 'handle'
        ? open[0]
        : kind === 'newest'
          ? this.#waiting.at(-1)
          : this.#waiting[at % (this.#waiting.length || 1)];
    const isMoving = kind === 'handle' || kind === 'newest' || kind === 'deliver';
    if (isMoving ? !request : !row) return;
    this.#play(kind);
    // any object is a map
    this.#nextEnd = kind === 'assign' && (end === 'success' || end === 'text') ? 'row' : end;
    if (!isMoving && kind !== 'read' && kind !== 'mount') this.#play(this.#nextEnd);
    if (kind === 'handle') this.#handle(request!);
    else if (isMoving) this.#deliver(request!);
    else if (kind === 'assign') quiet(controller.fetch(assign, { [key]: row! }));
    else if (kind === 'create') quiet(controller.fetch(pins.getList.push, { name: `m${at}` }));
    else if (kind === 'remove') quiet(controller.fetch(pins.delete, { id: row!.id }));
    else if (kind === 'rename')
      quiet(controller.fetch(pins.partialUpdate, { id: row!.id }, { name: `r${at}` }));
    else if (kind === 'read') quiet(controller.fetch(reads[of]));
    else this.#stops.push(controller.watch(reads[of]).subscribe(() => {}));
    await settle();
  }

  #play(step: string): void {
    this.#played.set(step, (this.#played.get(step) ?? 0) + 1);
  }

  async rest(): Promise<void> {
    for (let count = 0; this.#waiting.length > 0; count += 1) {
      if (count > 200) throw new Violation('I13', 'the map does not come to rest');
      this.#deliver(this.#waiting[0]!);
      await settle();
    }
  }

  async readAll(): Promise<void> {
    for (const endpoint of Object.values(this.#endpoints.reads))
      this.controller.fetch(endpoint).catch(() => undefined);
    await settle();
    await this.rest();
  }

  check(when: string): void {
    const { reads } = this.#endpoints;
    const now = this.time.time.clock.now();
    for (const [name, endpoint] of Object.entries(reads)) {
      const { data, expiresAt } = this.controller.getResponse(endpoint);
      if (data === undefined || data === null || expiresAt <= now) continue;
      const shown = Object.entries(data as Record<string, Pin>).map(([key, pin]) =>
        name === 'map' ? `${key} ${pin.id} ${pin.name}` : `${pin.id} ${pin.name}`,
      );
      const truth =
        name === 'map'
          ? [...this.map].map(([key, id]) => `${key} ${id} ${this.rows.get(id)!.name}`)
          : [...this.rows.values()].map(({ id, name: said }) => `${id} ${said}`);
      if (shown.toSorted().join() !== truth.toSorted().join())
        throw new Violation(
          'lists',
          `${when} ${name} shows ${shown.toSorted().join()} as fresh, and the server has ${truth.toSorted().join()}`,
        );
    }
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.controller.stop();
  }
}

/** Throws where data is wrong and counts as fresh. */
export async function checkMap(given: MapSetting, played: Map<string, number> = new Map()): Promise<void> {
  const world = new World(given, played);
  try {
    await world.readAll();
    for (const step of given.steps) await world.act(step);
    await world.rest();
    world.check('at rest');
    await world.readAll();
    world.check('after one more read');
  } finally {
    world.stop();
  }
}

/** Looks for a wrong map in this many settings. */
export async function judgeMap(
  runs: number,
): Promise<{ readonly message: string | undefined; readonly schedules: number }> {
  const property = fc.asyncProperty(mapSetting, (given) => checkMap(given));
  const found = await fc.check(property, { numRuns: runs, seed: 987_654_321 });
  const message = found.failed ? String(found.errorInstance) : undefined;
  return { message, schedules: found.numRuns };
}
