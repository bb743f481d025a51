// Lists whose arguments have declared roles, as a property: filters, tests on a field, searches, orders, limits with and without
// the argument, pages and shapes, over one table. Requests are sent, handled and delivered at three moments. Nobody else changes
// anything, so a list that counts as fresh at rest equals that of the server.
import { byRole, Controller, createResource, dehydrate, Entity, hydrate, orderBy, schema } from 'holdfast';
import fc from 'fast-check';
import { FakeWorld } from '../support/fake-world.ts';
import { ENDS } from './several-server.ts';
import type { End } from './several-server.ts';
import { Violation } from './violation.ts';

interface ItemFields {
  readonly id: string;
  readonly laneId: string;
  readonly rank: number;
  readonly title: string;
  /** Only in the response of one row. */
  readonly note?: string;
  /** The row that `laneId` names; in lists that expand it, and in responses of one row if the setting says so. */
  readonly lane?: { readonly id: string } | null;
}

class Lane extends Entity {
  static override key = 'RoleLane';
  id = '';
}

class Item extends Entity {
  static override key = 'RoleItem';
  id = '';
  laneId = '';
  rank = 0;
  title = '';
  note = '';
  lane: Lane | null = null;
  static override schema = { lane: Lane };
}

type Args = Readonly<Record<string, string>>;

/** The lists: a name of the server's rule for each argument. */
const LISTS: readonly Args[] = [
  {},
  { laneId: 'a' },
  { limit: '3' },
  { limit: '9' },
  { laneId: 'a', limit: '5' },
  { laneId: 'a', limit: '2' },
  { limit: '2', page: '2' },
  { laneId: 'b', limit: '1', page: '1' },
  { q: 'x' },
  { q: 'x', laneId: 'a', limit: '2' },
  { sort: 'rank' },
  { sort: '-rank', limit: '2' },
  { sort: 'title', limit: '3' },
  { sort: 'rank', limit: '2', page: '1' },
  { sort: 'title', laneId: 'a', expand: 'note' },
  { from: '4' },
  { from: '4', laneId: 'b', limit: '2' },
  { from: '3', sort: 'rank', limit: '3' },
  { laneId: 'any' },
  { laneId: 'b', expand: 'note' },
  { expand: 'lane' },
  { lane: 'a' },
  { lane: 'b', expand: 'lane' },
  { lane: 'a', from: '4' },
];

const KINDS = [
  ...(['create', 'remove', 'lane', 'rank', 'title', 'detail', 'tell', 'save', 'bring'] as const),
  ...(['read', 'read', 'handle', 'handle', 'deliver', 'deliver', 'newest', 'newest'] as const),
] as const;

export const ROLE_STEPS: readonly string[] = [
  ...new Set<string>([...KINDS, ...ENDS, 'fresh', 'full', 'nested']),
];

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly at: number;
  readonly lane: string;
  readonly rank: number;
  readonly title: string;
  readonly end: End;
}

export interface RoleSetting {
  readonly isOptimistic: boolean;
  /** True when the Collection declares the order that `sort` names. */
  readonly isOrdered: boolean;
  /** How many rows the server returns when nobody limits them; the role says so. */
  readonly most: number;
  /** Whether the server returns no more rows than that when more are asked for; the role says so too. */
  readonly isCapped: boolean;
  /** What a response of one row, or a message, has of the row's lane. */
  readonly relation: 'id' | 'row' | 'both';
  /** The test on the field `rank` throws for this value, as a test does that does not take every value. */
  readonly throwsAt: number | null;
  readonly unloaded: number;
  readonly steps: readonly Step[];
}

export const roleSetting: fc.Arbitrary<RoleSetting> = fc.record({
  isOptimistic: fc.boolean(),
  isOrdered: fc.boolean(),
  most: fc.constantFrom(4, 7, 100),
  isCapped: fc.boolean(),
  relation: fc.constantFrom('id', 'row', 'both'),
  throwsAt: fc.constantFrom(null, null, 2, 5),
  unloaded: fc.nat(LISTS.length * 2),
  steps: fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      at: fc.nat(20),
      lane: fc.constantFrom('a', 'b'),
      rank: fc.nat(9),
      title: fc.constantFrom('x', 'y', 'xy'),
      end: fc.constantFrom(...ENDS),
    }),
    { minLength: 1, maxLength: 14, size: 'max' },
  ),
});

/** How many rows a response has at most. */
function countIn({ most, isCapped }: RoleSetting, limit: string | undefined): number {
  const asked = Number(limit ?? most);
  return isCapped ? Math.min(asked, most) : asked;
}

/** The server has a rule of its own for each argument; the client knows it only by the declared roles. */
class RoleServer {
  readonly rows = new Map<string, ItemFields>();
  readonly #setting: RoleSetting;
  #made = 0;

  constructor(setting: RoleSetting) {
    this.#setting = setting;
    for (const [laneId, rank, title] of [
      ['a', 1, 'x'],
      ['b', 6, 'y'],
      ['a', 4, 'xy'],
      ['a', 8, 'y'],
      ['b', 3, 'x'],
    ] as const)
      this.create({ laneId, rank, title });
  }

  create({ laneId = 'a', rank = 0, title = 'y' }: Partial<ItemFields>): ItemFields {
    const item = { id: `c${String((this.#made += 1)).padStart(3, '0')}`, laneId, rank, title, note: 'n' };
    this.rows.set(item.id, item);
    return item;
  }

  list({ laneId, lane = laneId, q = '', from = '0', sort, limit, page = '1', expand }: Args): ItemFields[] {
    const isIn = (row: ItemFields): boolean =>
      (lane === undefined || lane === 'any' || row.laneId === lane) &&
      row.title.includes(q) &&
      row.rank >= Number(from);
    const field = (sort ?? 'id').replace('-', '') as 'id' | 'rank' | 'title'; // cast: those in LISTS
    const direction = sort?.startsWith('-') ? -1 : 1;
    const order = (left: ItemFields, right: ItemFields): number =>
      left[field] === right[field]
        ? left.id < right.id
          ? -1
          : 1
        : direction * (left[field] < right[field] ? -1 : 1);
    const count = countIn(this.#setting, limit);
    const all = [...this.rows.values()].filter(isIn).sort(order);
    return all.slice((Number(page) - 1) * count, Number(page) * count).map(({ note: _note, ...row }) => ({
      ...row,
      ...(expand === 'lane' && { lane: { id: row.laneId } }),
    }));
  }

  /** A response of one row, with its lane in the form of the setting. */
  show({ laneId, ...row }: ItemFields): Partial<ItemFields> {
    const { relation } = this.#setting;
    return {
      ...row,
      ...(relation !== 'row' && { laneId }),
      ...(relation !== 'id' && { lane: { id: laneId } }),
    };
  }

  handle({ pathname, searchParams }: URL, method: string, sent: Partial<ItemFields>): unknown {
    const [, , id] = pathname.split('/');
    if (method === 'POST') return this.show(this.create(sent));
    if (id === undefined) return this.list(Object.fromEntries(searchParams));
    const row = this.rows.get(id);
    if (!row) return row;
    if (method === 'DELETE') this.rows.delete(id);
    const next = { ...row, ...sent };
    if (method === 'PATCH') this.rows.set(id, next);
    return method === 'DELETE' ? { id } : this.show(next);
  }
}

const rolesFor = ({ most, isCapped, throwsAt }: RoleSetting) =>
  byRole({
    q: 'search',
    sort: 'order',
    limit: { limit: most, ...(isCapped && { most }) },
    page: 'page',
    expand: 'shape',
    from: {
      field: 'rank',
      test(value: number, from: string) {
        if (value === throwsAt) throw new RangeError('not this one');
        return value >= Number(from);
      },
    },
  });

interface Request {
  readonly url: URL;
  readonly method: string;
  readonly sent: Partial<ItemFields>;
  readonly end: End;
  body?: { readonly value: unknown };
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

class World {
  readonly time = new FakeWorld();
  readonly server: RoleServer;
  readonly controller: Controller;
  readonly resource;
  readonly setting: RoleSetting;
  readonly #played: Map<string, number>;
  #waiting: Request[] = [];
  #states: string[] = [];
  #end: End = 'row';

  constructor(setting: RoleSetting, played: Map<string, number>) {
    this.setting = setting;
    this.#played = played;
    this.server = new RoleServer(setting);
    const resource = createResource({
      urlPrefix: 'http://roles.test',
      path: '/items/:id',
      schema: Item,
      searchParams: {} as Args,
      body: {} as Partial<ItemFields>,
      optimistic: setting.isOptimistic,
      argumentRoles: rolesFor(setting),
    });
    const list = new schema.Collection([Item], setting.isOrdered ? { order: orderBy('sort') } : {});
    this.resource = resource.extend({ getList: { schema: list } });
    this.controller = new Controller({
      ...this.time.options,
      fetch: (url, init) => this.#fetch(String(url), init),
    });
    this.controller.start();
  }

  #play(step: string): void {
    this.#played.set(step, (this.#played.get(step) ?? 0) + 1);
  }

  #fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const method = init.method ?? 'GET';
    const sent = typeof init.body === 'string' ? (JSON.parse(init.body) as Partial<ItemFields>) : {};
    const end = method === 'GET' ? 'row' : this.#end;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ url: new URL(url), method, sent, end, resolve, reject });
    });
  }

  #handle(request: Request): void {
    request.body ??= { value: this.server.handle(request.url, request.method, request.sent) };
  }

  #answer(request: Request): void {
    this.#handle(request);
    this.#waiting = this.#waiting.filter((other) => other !== request);
    const { value } = request.body!; // handled above
    const { end, method } = request;
    if (value === undefined) request.resolve(new Response(null, { status: 404 }));
    else if (end === 'lost') request.reject(new TypeError('Failed to fetch'));
    else if (end === 'failure') request.resolve(new Response('{}', { status: 500 }));
    else if (end === 'empty') request.resolve(new Response(null, { status: 204 }));
    else if (end === 'success') request.resolve(Response.json({ success: true }));
    else request.resolve(Response.json(value, { status: method === 'POST' ? 201 : 200 }));
  }

  async act({ kind, at, lane, rank, title, end }: Step): Promise<void> {
    const { controller, resource, server } = this;
    const rows = [...server.rows.values()];
    const id = rows[at % (rows.length || 1)]?.id;
    const quiet = (call: Promise<unknown>): void => void call.catch(() => undefined);
    const request =
      kind === 'newest' ? this.#waiting.at(-1) : this.#waiting[at % (this.#waiting.length || 1)];
    this.#end = end;
    this.#play(kind);
    if (kind === 'create') quiet(controller.fetch(resource.getList.push, { laneId: lane, rank, title }));
    else if (kind === 'read') quiet(controller.fetch(resource.getList, LISTS[at % LISTS.length]!));
    else if (kind === 'save') this.#states.push(JSON.stringify(dehydrate(await this.#other(at))));
    else if (kind === 'bring') hydrate(controller, JSON.parse(this.#states.shift() ?? 'null'));
    else if (['handle', 'deliver', 'newest'].includes(kind)) this.#pass(kind, request);
    else if (id === undefined) return;
    else if (kind === 'remove') quiet(controller.fetch(resource.delete, { id }));
    else if (kind === 'detail') quiet(controller.fetch(resource.get, { id }));
    else if (kind === 'tell') this.#tell(id);
    else {
      const part = kind === 'lane' ? { laneId: lane } : kind === 'rank' ? { rank } : { title };
      quiet(controller.fetch(resource.partialUpdate, { id }, part));
    }
    if (['create', 'remove', 'lane', 'rank', 'title'].includes(kind)) this.#play(end);
    await settle();
  }

  #pass(kind: string, request: Request | undefined): void {
    if (!request) return;
    if (kind === 'handle') this.#handle(request);
    else this.#answer(request);
  }

  /** A message with the present row, while no write is in flight: no client can know which of the two is later. */
  #tell(id: string): void {
    if (this.#waiting.some(({ method }) => method !== 'GET')) return;
    void this.controller.set(Item, { id }, this.server.show(this.server.rows.get(id)!) as never); // cast: a row of the server
  }

  /** Another client that has read one list now. */
  async #other(at: number): Promise<Controller> {
    const other = new Controller({
      ...this.time.options,
      fetch: async (url) => Response.json(this.server.handle(new URL(String(url)), 'GET', {})),
    });
    await other.fetch(this.resource.getList, LISTS[at % LISTS.length]!);
    return other;
  }

  async rest(): Promise<void> {
    for (let count = 0; this.#waiting.length > 0; count += 1) {
      if (count > 300) throw new Violation('I13', 'the lists do not come to rest');
      this.#answer(this.#waiting[0]!);
      await settle();
    }
  }

  async begin(): Promise<void> {
    for (const [at, args] of LISTS.entries()) {
      if (at === this.setting.unloaded) continue;
      this.controller.fetch(this.resource.getList, args).catch(() => undefined);
      await settle();
      await this.rest();
    }
  }

  checkRest(): void {
    for (const args of LISTS) {
      const { data, expiresAt } = this.controller.getResponse(this.resource.getList, args);
      if (!data || expiresAt <= this.time.time.clock.now()) continue;
      this.#play('fresh');
      const limit = countIn(this.setting, args['limit']);
      const server = this.server.list(args);
      const [shown, expected] = [textsOf(data), textsOf(server)];
      if (expected.length === limit) this.#play('full');
      const misplaced = data.find(({ id, lane }) => lane && lane.id !== this.server.rows.get(id)?.laneId);
      if (misplaced) throw new Violation('lists', `${misplaced.id} shows a lane as fresh that it has left`);
      if (data.some(({ lane }) => lane)) this.#play('nested');
      // the client chooses the place of a row that it adds, unless the list has an order, and its place among equals
      const field = args['sort']?.replace('-', '') as 'rank' | 'title' | undefined; // cast: those in LISTS
      const orderOf = (rows: readonly ItemFields[]): string => rows.map((row) => field && row[field]).join();
      const isSame =
        shown.toSorted().join() === expected.toSorted().join() && orderOf(data) === orderOf(server);
      if (!isSame)
        throw new Violation(
          'lists',
          `?${new URLSearchParams(args).toString()} shows ${shown.join(' ')} as fresh, and the server has ${expected.join(' ')}`,
        );
    }
  }

  async readAll(): Promise<void> {
    for (const args of LISTS) {
      this.controller.fetch(this.resource.getList, args).catch(() => undefined);
      await settle();
    }
    await this.rest();
  }
}

const textsOf = (rows: readonly ItemFields[]): string[] =>
  rows.map(({ id, laneId, rank, title }) => `${id}:${laneId}${rank}${title}`);

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Throws where a list is wrong and counts as fresh. */
export async function checkRoleLists(
  setting: RoleSetting,
  played: Map<string, number> = new Map(),
): Promise<void> {
  const world = new World(setting, played);
  try {
    await world.begin();
    for (const step of setting.steps) await world.act(step);
    await world.rest();
    world.checkRest();
    await world.readAll();
    world.checkRest();
  } finally {
    world.controller.stop();
  }
}

export async function judgeRoles(
  runs: number,
): Promise<{ readonly message: string | undefined; readonly schedules: number }> {
  const property = fc.asyncProperty(roleSetting, (given) => checkRoleLists(given));
  const found = await fc.check(property, { numRuns: runs, seed: 987_654_321 });
  const message = found.failed ? String(found.errorInstance) : undefined;
  return { message, schedules: found.numRuns };
}
