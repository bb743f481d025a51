// Several lists over one table, as a property. Requests are sent, handled and delivered at three separate moments; responses
// cross; calls stay in flight or end unknown; rows arrive in a detail, in another list or in a message before the response to a
// write of them; deleted rows are restored; saved states arrive late; a second window gets a message about everything. Nobody
// else changes anything, so all data that counts as fresh at rest equals that of the server. In between, a list shows the present
// rows, a total is no less than the rows beside it, and a mounted reader sees the same as a new one.
import {
  Controller,
  createResource,
  dehydrate,
  Entity,
  hydrate,
  inPages,
  loadMore,
  orderBy,
  schema,
  totalOf,
} from 'holdfast';
import fc from 'fast-check';
import { FakeWorld } from '../support/fake-world.ts';
import { sorted } from './model-network.ts';
import { compareCards, ENDS, PAGINGS, SEVERAL, SeveralServer } from './several-server.ts';
import type { CardFields, End, ListArgs, Paging } from './several-server.ts';
import { Violation } from './violation.ts';

class Card extends Entity {
  static override key = 'SeveralCard';
  id = '';
  rank = 0;
  lane = '';
  title = '';
}

const WRITES = ['create', 'remove', 'restore', 'rank', 'lane', 'title'] as const;
const KINDS = [
  ...WRITES,
  'detail',
  'read',
  'read',
  'more',
  'handle',
  'handle',
  'deliver',
  'deliver',
  'newest',
  'tell',
  'hold',
  'idle',
  'mount',
  'save',
  'bring',
  'expire',
  'fail',
] as const;
type Kind = (typeof KINDS)[number];

/** The steps that a run has to reach: those that had a target. */
export const SEVERAL_STEPS: readonly string[] = [
  ...new Set<string>(KINDS),
  ...new Set<string>(ENDS),
  'unread',
  'crossed',
  'heldIdle',
  'window',
];

/** By a declared order, by one that only the server knows, and by none: then the client chooses the place of new rows. */
const ARRANGEMENTS = ['declared', 'server', 'free'] as const;

interface Step {
  readonly kind: Kind;
  readonly at: number;
  readonly list: number;
  readonly rank: number;
  readonly word: string;
  readonly end: End;
}

export interface SeveralSetting {
  readonly paging: Paging;
  readonly arrangement: (typeof ARRANGEMENTS)[number];
  readonly isOptimistic: boolean;
  /** A list that is not loaded at first: a response or a state brings it later. */
  readonly unloaded: number;
  /** True when a second window is open, which gets a message about every change. */
  readonly hasWindow: boolean;
  readonly steps: readonly Step[];
}

const detail = {
  at: fc.nat(20),
  list: fc.nat(SEVERAL.length - 1),
  rank: fc.nat(9),
  word: fc.constantFrom('a', 'b', 'x', 'y'),
  end: fc.constantFrom(...ENDS),
};
const any = fc.record({ kind: fc.constantFrom(...KINDS), ...detail });

/** One step of each of these kinds; the kinds in one array are alternatives. `isSame`: all about one row and one list. */
function phrase(
  kinds: readonly (Kind | readonly Kind[])[],
  { isSame = false } = {},
): fc.Arbitrary<readonly Step[]> {
  const steps = fc.tuple(
    ...kinds.map((kind) => fc.record({ kind: fc.constantFrom(...[kind].flat()), ...detail })),
  );
  if (!isSame) return steps;
  return steps.map((all) => all.map((step) => ({ ...step, at: all[0]!.at, list: all[0]!.list })));
}

/**
 * Steps with a given place or list, as in `read@1:3`: request, row or state 1, list 3. The response to a mutation contains its
 * row. The row that was created last is row 20 of seven; the title word is given in brackets.
 */
function scene(text: string): fc.Arbitrary<readonly Step[]> {
  return fc.tuple(
    ...text.split(' ').map((one) => {
      const [, kind = '', at, list, word] = /^([a-z]+)(?:@(\d+))?(?::(\d))?(?:\((.)\))?$/.exec(one) ?? [];
      return fc.record({
        ...detail,
        kind: fc.constant(kind as Kind), // cast: written below
        end: fc.constant<End>('row'),
        ...(at !== undefined && { at: fc.constant(Number(at)) }),
        ...(list !== undefined && { list: fc.constant(Number(list)) }),
        ...(word !== undefined && { word: fc.constant(word) }),
      });
    }),
  );
}

/** Sequences that are rare in random schedules: each crosses three requests in one way. */
const SCENES: readonly fc.Arbitrary<readonly Step[]>[] = [
  // the response to a creation arrives after its row was read, deleted and read again
  scene('create@0(a) handle@0 read:0 newest remove@20 newest read:0 newest deliver@0'),
  // another list shows a move before its response
  scene('lane@3(y) handle@0 read:4 newest deliver@0'),
  scene('detail@2 newest lane@2(a) read:3 read:0 handle@2 handle@0 handle@0 deliver@1 deliver@0 deliver@0'),
  // a created row is read before the response to its creation
  scene('create(a) handle@0 detail@20 newest read newest deliver@0'),
  scene('create(a) handle@0 read:1 newest title@20 newest deliver@0'),
  // deletions that a read has counted are still in flight
  scene(
    'detail@3 newest detail@4 newest remove@0 remove@1 remove@3 remove@4 handle@0 handle@0 read:0 newest',
  ),
  // the last row of the loaded page is written while the list is read
  scene('title@1 handle@0 read:0 handle@0 deliver@0 deliver@0'),
  scene('save create newest bring'),
  scene('save lane newest bring'),
];

const PHRASES: readonly fc.Arbitrary<readonly Step[]>[] = [
  phrase(['mount', 'mount', 'read', 'read', 'handle', 'handle', 'deliver', 'deliver', WRITES, 'deliver']),
  phrase(['detail', 'deliver', ['rank', 'lane'], 'deliver'], { isSame: true }),
  phrase([WRITES, 'handle', ['detail', 'read'], 'deliver', 'deliver', 'deliver']),
  phrase(['create', 'handle', 'detail', 'read', 'deliver', 'remove', 'deliver', 'deliver']),
  phrase(['remove', 'deliver', 'restore', 'deliver'], { isSame: true }),
  phrase(['read', 'handle', ['title', 'rank', 'create'], 'handle', 'deliver', 'deliver']),
  phrase(['read', 'title', 'handle', 'handle', 'deliver', 'deliver']),
  phrase(['more', 'deliver', 'mount', WRITES, 'hold', 'expire', 'idle']),
  phrase(['save', WRITES, 'deliver', 'bring']),
  phrase(['remove', 'remove', 'handle', 'read', 'deliver']),
];

export const severalSetting: fc.Arbitrary<SeveralSetting> = fc.record({
  paging: fc.constantFrom(...PAGINGS),
  arrangement: fc.constantFrom(...ARRANGEMENTS),
  isOptimistic: fc.boolean(),
  unloaded: fc.nat(SEVERAL.length * 2),
  hasWindow: fc.constantFrom(true, false, false),
  steps: fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.tuple(any) },
        ...[...PHRASES, ...SCENES].map((arbitrary) => ({ weight: 1, arbitrary })),
      ),
      { minLength: 1, maxLength: 7, size: 'max' },
    )
    .map((phrases) => phrases.flat()),
});

const RULES: Record<Paging, inPages.Options | undefined> = {
  cursor: { next: 'next' },
  number: { by: 'number', total: 'total' },
  whole: undefined,
  hand: undefined,
};

const order = orderBy((left: Card, right: Card) => compareCards(left, right)) as orderBy.Order<Card>;

function createCards({ paging, arrangement, isOptimistic }: SeveralSetting) {
  const rule = RULES[paging];
  const resource = createResource({
    urlPrefix: 'http://model.test',
    path: '/cards/:id',
    schema: Card,
    searchParams: {} as ListArgs,
    body: {} as Partial<CardFields>,
    paginationField: 'page',
    optimistic: isOptimistic,
  });
  const cards = new schema.Collection([Card], arrangement === 'declared' ? { order } : {});
  const all = resource.extend({
    getList: {
      schema: { cards, next: '', total: totalOf(cards) },
      ...(rule && { pages: inPages(rule) }),
    },
  });
  const restore = all.getList.push.extend({ path: '/cards/:id/restore', body: undefined });
  return { ...all, restore };
}

/** A request in flight: handled or not, with the response that it then has. */
interface Request {
  readonly number: number;
  readonly url: URL;
  readonly method: string;
  readonly sent: Partial<CardFields>;
  readonly end: End;
  isFailing: boolean;
  isHeld: boolean;
  body?: { readonly value: unknown };
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

const isList = ({ url, method }: Request): boolean => method === 'GET' && url.pathname === '/cards';

interface Mounted {
  readonly args: ListArgs;
  readonly read: () => unknown;
  stop: () => void;
  seen: unknown;
}

/** The server, the requests in flight, the application and its second window. */
class World {
  readonly setting: SeveralSetting;
  readonly time = new FakeWorld();
  readonly server: SeveralServer;
  readonly resource: ReturnType<typeof createCards>;
  readonly controller: Controller;
  /** There are few lists that are loaded by hand, because each takes many requests. */
  readonly lists: readonly ListArgs[];
  readonly #played: Map<string, number>;
  #window: Controller | undefined;
  #waiting: Request[] = [];
  #sent = 0;
  #failures = 0;
  #nextEnd: End = 'row';
  readonly #mounted = new Map<ListArgs, Mounted>();
  readonly #inPages = new Set<ListArgs>();
  readonly #states: { readonly saved: string; readonly args: ListArgs }[] = [];
  /** The result of the last read of each list, and the number of the request of its first page. */
  readonly #brought = new Map<string, { readonly number: number; rows: readonly CardFields[] }>();
  /** While no user acts: when each address was requested. */
  #idle: { readonly sinceMs: number; readonly sends: Map<string, number[]> } | undefined;

  constructor(setting: SeveralSetting, played: Map<string, number>) {
    this.setting = setting;
    this.#played = played;
    const { paging, arrangement } = setting;
    this.lists = SEVERAL.filter(({ lane }) => paging !== 'hand' || lane !== 'all').map((args) =>
      arrangement === 'free' ? args : { ...args, order: 'rank' },
    );
    this.server = new SeveralServer(setting.paging);
    this.resource = createCards(setting);
    this.controller = new Controller({
      ...this.time.options,
      fetch: (url, init) => this.#fetch(new URL(String(url)), init),
    });
    this.controller.start();
  }

  #play(step: string): void {
    this.#played.set(step, (this.#played.get(step) ?? 0) + 1);
  }

  #fetch(url: URL, init: RequestInit = {}): Promise<Response> {
    const method = init.method ?? 'GET';
    this.#countIdle(url, method);
    return new Promise((resolve, reject) => {
      const request: Request = {
        number: ++this.#sent,
        url,
        method,
        sent: typeof init.body === 'string' ? JSON.parse(init.body) : {},
        end: method === 'GET' ? 'row' : this.#nextEnd,
        isFailing: false,
        isHeld: false,
        resolve,
        reject,
      };
      init.signal?.addEventListener('abort', () => {
        this.#waiting = this.#waiting.filter((other) => other !== request);
        reject(new DOMException('aborted', 'AbortError'));
      });
      this.#waiting.push(request);
    });
  }

  /** At most three in the first second and one in each later second; a list in pages may request a page twice in each read. */
  #countIdle(url: URL, method: string): void {
    if (!this.#idle || method !== 'GET') return;
    const second = Math.floor((this.time.time.elapsedMs - this.#idle.sinceMs) / 1_000);
    const sends = this.#idle.sends.get(url.href) ?? [];
    this.#idle.sends.set(url.href, sends);
    sends[second] = (sends[second] ?? 0) + 1;
    const most = (second === 0 ? 3 : 1) * (url.searchParams.has('page') ? 2 : 1);
    if (sends[second] > most)
      this.#fault ??= new Violation(
        'I13',
        `${url.search} was sent ${sends[second]} times in second ${second + 1} in which nobody did anything`,
      );
  }

  #fault: Violation | undefined;

  /** The server handles the request; its response is then in flight. */
  #handle(request: Request): void {
    if (request.body) return;
    this.#failures -= 1;
    request.isFailing = this.#failures === 0;
    const { url, method, sent } = request;
    const value = request.isFailing ? undefined : this.server.handle(url, method, sent);
    request.body = { value };
    if (value !== undefined && method !== 'GET') this.#tellWindow(request, value);
  }

  #answer(request: Request): void {
    this.#handle(request);
    this.#waiting = this.#waiting.filter((other) => other !== request);
    const value = request.body?.value;
    const isWrite = request.method !== 'GET';
    if (request.isFailing) request.resolve(new Response(null, { status: 400 }));
    else if (value === undefined) request.resolve(new Response(null, { status: 404 }));
    else if (isWrite && request.end === 'lost') request.reject(new TypeError('Failed to fetch'));
    else if (isWrite && request.end === 'failure') request.resolve(new Response('{}', { status: 500 }));
    else if (isWrite && request.end === 'empty') request.resolve(new Response(null, { status: 204 }));
    else if (isWrite && request.end === 'success') request.resolve(Response.json({ success: true }));
    else {
      if (isList(request)) this.#noteBrought(request, value as { cards: readonly CardFields[] }); // cast: own server
      request.resolve(Response.json(value, { status: request.method === 'POST' ? 201 : 200 }));
    }
  }

  #noteBrought({ url, number }: Request, { cards }: { readonly cards: readonly CardFields[] }): void {
    const { page, ...args } = Object.fromEntries(url.searchParams);
    const key = keyOf(args);
    const known = this.#brought.get(key);
    if (known && known.number > number) this.#play('crossed');
    else if (page === undefined) this.#brought.set(key, { number, rows: cards });
    // a page that does not continue the present rows is refused
    else if (known && known.rows.at(-1)?.id === page.split('|')[1]) known.rows = [...known.rows, ...cards];
  }

  get #movable(): Request[] {
    return this.#waiting.filter(({ isHeld }) => !isHeld);
  }

  #pick(at: number, isWanted: (request: Request) => boolean = () => true): Request | undefined {
    const found = this.#movable.filter(isWanted);
    return found[at % (found.length || 1)];
  }

  /** Until nothing is in flight; held requests are released. */
  async rest(): Promise<void> {
    for (const request of this.#waiting) request.isHeld = false;
    for (let count = 0; this.#waiting.length > 0; count += 1) {
      if (count > 300) throw new Violation('I13', 'the lists do not come to rest');
      this.#answer(this.#waiting[0]!);
      await settle();
      this.check();
    }
  }

  async begin(): Promise<void> {
    const { controller, resource, setting } = this;
    for (const [at, args] of this.lists.entries()) {
      if (at === setting.unloaded) continue;
      const reading = controller.fetch(resource.getList, args);
      await settle();
      await this.rest();
      let { next } = await reading;
      while (setting.paging === 'hand' && next) {
        this.#inPages.add(args);
        const page = this.#readPage(args, next);
        await settle();
        await this.rest();
        ({ next } = await page);
      }
    }
    // a window that has one page of a list by hand cannot know that there are more
    if (setting.hasWindow && setting.paging !== 'hand') await this.#openWindow();
  }

  #readPage(args: ListArgs, page: string) {
    return this.controller.fetch(this.resource.getList.getPage, { ...args, page });
  }

  async #openWindow(): Promise<void> {
    const answer = async (address: string, init: RequestInit = {}): Promise<Response> =>
      Response.json(this.server.handle(new URL(address), init.method ?? 'GET', {}));
    this.#window = new Controller({
      ...this.time.options,
      fetch: (address, init) => answer(String(address), init),
    });
    this.#window.start();
    for (const args of this.lists) {
      this.#window.watch(this.resource.getList, args).subscribe(() => {});
      await settle();
    }
  }

  /** The second window gets a message about each change when the server makes it. */
  #tellWindow({ method, url }: Request, value: unknown): void {
    const { resource } = this;
    const row = value as CardFields; // cast: own server
    const { id } = row;
    if (!this.#window) return;
    this.#play('window');
    if (method === 'DELETE') void this.#window.setResponse(resource.delete, { id }, { id });
    else if (method === 'PATCH') void this.#window.set(Card, { id }, row);
    else if (url.pathname.endsWith('restore')) void this.#window.setResponse(resource.restore, { id }, row);
    else void this.#window.setResponse(resource.getList.push, {}, row);
  }

  async act(step: Step): Promise<void> {
    const { at, kind } = step;
    const quiet = (call: Promise<unknown>): void => void call.catch(() => undefined);
    this.#nextEnd = step.end;
    if ((WRITES as readonly string[]).includes(kind)) this.#write(step, quiet);
    else if (kind === 'detail')
      this.#ifRow(step, ({ id }) => quiet(this.controller.fetch(this.resource.get, { id })));
    else if (kind === 'read' || kind === 'more') this.#load(step, quiet);
    else if (kind === 'handle')
      this.#ifRequest(
        kind,
        this.#pick(at, ({ body }) => !body),
        (one) => this.#handle(one),
      );
    else if (kind === 'deliver') this.#ifRequest(kind, this.#pick(at), (one) => this.#answer(one));
    else if (kind === 'newest') this.#ifRequest(kind, this.#movable.at(-1), (one) => this.#answer(one));
    else if (kind === 'hold')
      this.#ifRequest(
        kind,
        this.#pick(at, ({ method }) => method !== 'GET'),
        (one) => (one.isHeld = true),
      );
    else if (kind === 'tell') this.#tell(step);
    else if (kind === 'idle') await this.#rest();
    else if (kind === 'mount') this.#mount(step.list);
    else if (kind === 'save') await this.#save(step);
    else if (kind === 'bring') this.#bring();
    else if (kind === 'fail') {
      this.#play(kind);
      this.#failures = 1 + (at % 3);
    } else {
      this.#play('expire');
      this.controller.expireAll(this.resource.getList);
    }
    await settle();
    this.check();
  }

  #ifRow({ at, kind }: Step, act: (row: CardFields) => void): void {
    const rows = [...this.server.rows.values()];
    const row = rows[at % (rows.length || 1)];
    if (!row) return;
    this.#play(kind);
    if (!this.controller.get(Card, { id: row.id })) this.#play('unread');
    act(row);
  }

  #ifRequest(kind: Kind, request: Request | undefined, act: (request: Request) => void): void {
    if (!request) return;
    this.#play(kind);
    act(request);
  }

  #write(step: Step, quiet: (call: Promise<unknown>) => void): void {
    const { controller, resource, server } = this;
    const { kind, rank, word } = step;
    const lane = word === 'a' || word === 'x' ? 'a' : 'b';
    const title = word === 'x' || word === 'a' ? 'x' : 'y';
    if (kind === 'create') {
      this.#play(kind);
      this.#play(step.end);
      quiet(controller.fetch(resource.getList.push, { rank, lane, title }));
    } else if (kind === 'restore') {
      const ids = [...server.deleted.keys()];
      const id = ids[step.at % (ids.length || 1)];
      if (id === undefined) return;
      this.#play(kind);
      quiet(controller.fetch(resource.restore, { id }));
    } else
      this.#ifRow(step, ({ id }) => {
        this.#play(step.end);
        if (kind === 'remove') quiet(controller.fetch(resource.delete, { id }));
        else {
          const part = kind === 'rank' ? { rank } : kind === 'lane' ? { lane } : { title };
          quiet(controller.fetch(resource.partialUpdate, { id }, part));
        }
      });
  }

  #load({ kind, list }: Step, quiet: (call: Promise<unknown>) => void): void {
    const { controller, resource, setting } = this;
    const args = this.lists[list % this.lists.length]!;
    this.#play(kind);
    // a user continues with the shown token of the list
    const { next } = controller.getResponse(resource.getList, args).data ?? {};
    const token = kind === 'more' && setting.paging === 'hand' ? next : undefined;
    if (token) quiet(this.#readPage(args, token));
    else if (kind === 'more' && RULES[setting.paging]) quiet(loadMore(controller, resource.getList, args));
    else quiet(controller.fetch(resource.getList, args));
  }

  /** A message with the present row, about a row that has no pending call: no client can know which of the two is later. */
  #tell(step: Step): void {
    this.#ifRow(step, (row) => {
      const isNamed = this.#waiting.some(
        ({ url, method, body }) => url.pathname.includes(row.id) || method === 'POST' || body,
      );
      if (!isNamed) void this.controller.set(Card, { id: row.id }, row);
    });
  }

  /** Some seconds without a user action, in which every request gets its response except the held ones. */
  async #rest(): Promise<void> {
    const { time } = this.time;
    for (let count = 0; count < 100 && this.#movable.some(({ method }) => method !== 'GET'); count += 1) {
      this.#answer(this.#movable[0]!);
      await settle();
    }
    const isHeld = this.#waiting.some((request) => request.isHeld);
    this.#play(isHeld ? 'heldIdle' : 'idle');
    this.#idle = { sinceMs: time.elapsedMs, sends: new Map() };
    for (const endMs = time.elapsedMs + 3_500; time.elapsedMs < endMs && !this.#fault;) {
      time.advance(10);
      const [request] = this.#movable;
      if (request) this.#answer(request);
      else time.advance(Math.min(endMs - time.elapsedMs, time.nextDelayMs() ?? 3_500));
      await settle();
      this.check();
    }
    this.#idle = undefined;
  }

  #mount(list: number): void {
    const { controller, resource } = this;
    const args = this.lists[list % this.lists.length]!;
    const known = this.#mounted.get(args);
    this.#play('mount');
    known?.stop();
    this.#mounted.delete(args);
    if (known) return;
    const observer = controller.watch(resource.getList, args);
    const read = (): unknown => observer.read().data;
    const mounted: Mounted = { args, read, stop: () => undefined, seen: read() };
    this.#mounted.set(args, mounted);
    mounted.stop = observer.subscribe(() => (mounted.seen = read()));
  }

  /** Another client reads a list now, and saves: often the list that is not loaded here, which the state then brings first. */
  async #save({ at, list: any }: Step): Promise<void> {
    const { paging, unloaded } = this.setting;
    if (paging === 'hand') return;
    this.#play('save');
    const list = at % 2 === 0 && unloaded < this.lists.length ? unloaded : any;
    const other = new Controller({
      ...this.time.options,
      fetch: async (address) => Response.json(this.server.handle(new URL(String(address)), 'GET', {})),
    });
    const args = this.lists[list % this.lists.length]!;
    await other.fetch(this.resource.getList, args);
    this.#states.push({ saved: JSON.stringify(dehydrate(other)), args });
  }

  #bring(): void {
    const state = this.#states.shift();
    if (!state) return;
    this.#play('bring');
    this.#brought.delete(keyOf(state.args));
    hydrate(this.controller, JSON.parse(state.saved));
  }

  /** The conditions that hold at every moment. */
  check(): void {
    if (this.#fault) throw this.#fault;
    for (const args of this.lists) this.#checkShown(args);
    for (const { args, read, seen } of this.#mounted.values()) {
      const now = read();
      const anew = this.controller.watch(this.resource.getList, args).read().data;
      if (now !== seen) throw new Violation('I10', `${textOf(args)} changed and its reader was not told`);
      if (now !== anew) throw new Violation('I10', `${textOf(args)} shows a new reader something else`);
    }
  }

  #checkShown(args: ListArgs): void {
    const { data } = this.controller.getResponse(this.resource.getList, args);
    const cards = data?.cards ?? [];
    const ids = cards.map(({ id }) => id);
    if (new Set(ids).size < ids.length) throw new Violation('I5', `${textOf(args)} shows ${ids.join()}`);
    for (const card of cards) {
      const alone = this.controller.get(Card, { id: card.id });
      if (alone !== card)
        throw new Violation(
          'I9',
          `${textOf(args)} shows ${JSON.stringify(card)}, and the row is ${JSON.stringify(alone)}`,
        );
    }
    if (data && typeof data.total === 'number' && data.total < cards.length)
      throw new Violation('lists', `${textOf(args)} shows ${cards.length} rows and a total of ${data.total}`);
  }

  /** Nothing is in flight: fresh data equals that of the server, as far as it is loaded. */
  checkRest(when: string): void {
    for (const args of this.lists) this.#checkFresh(this.controller, args, when);
    if (this.#window)
      for (const args of this.lists) this.#checkFresh(this.#window, args, `${when}, in the other window,`);
  }

  #checkFresh(controller: Controller, args: ListArgs, when: string): void {
    const { data, expiresAt } = controller.getResponse(this.resource.getList, args);
    if (!data || expiresAt <= this.time.time.clock.now()) return;
    const all = this.server.list(args);
    const cards = data.cards ?? [];
    const { paging } = this.setting;
    // no client knows whether a list by hand has more pages when only one was ever loaded
    if (paging === 'hand' && !this.#inPages.has(args)) return;
    // a token means that there is more
    const isWhole = paging === 'whole' || (paging === 'hand' && !data.next);
    if (this.setting.arrangement === 'free') {
      // the client chooses the place of a new row; in pages it may be before rows that are not loaded
      const wanted = isWhole ? all : all.filter(({ id }) => cards.some((card) => card.id === id));
      compare(
        cardsText(cards.toSorted(compareCards)),
        cardsText(wanted.sort(compareCards)),
        `${when} ${textOf(args)}`,
      );
    } else {
      const expected = isWhole ? all : all.slice(0, cards.length);
      compare(cardsText(cards), cardsText(expected), `${when} ${textOf(args)}`);
    }
    compare(String(data.total), String(all.length), `${when} the total of ${textOf(args)}`);
    if (controller !== this.controller) return;
    // a row that has not changed since its response is not behind the last loaded one
    for (const row of this.#brought.get(keyOf(args))?.rows ?? []) {
      const now = this.server.rows.get(row.id);
      if (!now || cardsText([now]) !== cardsText([row]) || now.lane !== row.lane) continue;
      if (!cards.some(({ id }) => id === row.id))
        throw new Violation(
          'lists',
          `${when} ${textOf(args)} shows ${cardsText(cards)} and lacks ${row.id}, which its response brought`,
        );
    }
  }

  async readAll(): Promise<void> {
    const { controller, resource } = this;
    for (const args of this.lists) {
      controller.fetch(resource.getList, args).catch(() => undefined);
      await settle();
    }
    await this.rest();
  }

  stop(): void {
    for (const { stop } of this.#mounted.values()) stop();
    this.controller.stop();
    this.#window?.stop();
  }
}

/** The name of a list, independent of the order of its arguments. */
const keyOf = (args: ListArgs): string => JSON.stringify(sorted(args));

const textOf = (args: ListArgs): string => `?${new URLSearchParams(args).toString()}`;

const cardsText = (cards: readonly Pick<CardFields, 'id' | 'rank' | 'title'>[]): string =>
  cards.map(({ id, rank, title }) => `${id}:${rank}${title}`).join(' ');

function compare(shown: string, expected: string, what: string): void {
  if (shown !== expected)
    throw new Violation('lists', `${what} shows ${shown} as fresh, and the server has ${expected}`);
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Throws where data is wrong and counts as fresh. */
export async function checkSeveral(
  given: SeveralSetting,
  played: Map<string, number> = new Map(),
): Promise<void> {
  const world = new World(given, played);
  try {
    await world.begin();
    for (const step of given.steps) await world.act(step);
    await world.rest();
    world.checkRest('at rest');
    await world.readAll();
    world.checkRest('after one more read');
  } finally {
    world.stop();
  }
}

/** Looks for a wrong list in this many settings. */
export async function judgeSeveral(
  runs: number,
): Promise<{ readonly message: string | undefined; readonly schedules: number }> {
  const property = fc.asyncProperty(severalSetting, (given) => checkSeveral(given));
  const found = await fc.check(property, { numRuns: runs, seed: 987_654_321 });
  const message = found.failed ? String(found.errorInstance) : undefined;
  return { message, schedules: found.numRuns };
}
