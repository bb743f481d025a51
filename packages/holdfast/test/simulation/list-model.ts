// Lists in pages and orders against a model of their server, as a property: rows are inserted, deleted and moved by this client
// and by others while requests are in flight, responses arrive in any order, some fail, and the state is saved and restored.
// Whenever a list is fresh and nobody else has changed anything since it was requested, it equals the list of the server as far
// as it is loaded; and it always does after one more read.
import {
  Controller,
  createResource,
  dehydrate,
  Entity,
  hydrate,
  inPages,
  loadMore,
  loadPrevious,
  orderBy,
  schema,
  totalOf,
} from 'holdfast';
import fc from 'fast-check';
import { FakeWorld } from '../support/fake-world.ts';
import { byRank, isCountedWay, ListServer, RULES, textOf, WAYS } from './list-server.ts';
import type { Fields, Way } from './list-server.ts';
import { Violation } from './violation.ts';

class Card extends Entity {
  static override key = 'Card';
  id = '';
  rank = 0;
  lane = 'a';
}

const BY_OTHERS = ['insert', 'delete', 'move'] as const;
const BY_US = ['create', 'remove', 'rank', 'rank', 'lane'] as const;
const REST = [
  'detail',
  'read',
  'more',
  'more',
  'deliver',
  'deliver',
  'deliver',
  'look',
  'restore',
  'fail',
] as const;

interface Step {
  readonly kind: (typeof BY_OTHERS)[number] | (typeof BY_US)[number] | (typeof REST)[number];
  readonly at: number;
  readonly rank: number;
  readonly lane: string;
}

export interface Setting {
  readonly way: Way;
  readonly isOrdered: boolean;
  readonly isOptimistic: boolean;
  /** True when nobody else changes anything. */
  readonly isAlone: boolean;
  readonly steps: readonly Step[];
}

const detail = { at: fc.nat(20), rank: fc.nat(9), lane: fc.constantFrom('a', 'b') };
const any = fc.record({ kind: fc.constantFrom(...BY_OTHERS, ...BY_US, ...REST), ...detail });

/** One step of each of these kinds; the kinds in one array are alternatives. */
function phrase(
  ...kinds: readonly (Step['kind'] | readonly Step['kind'][])[]
): fc.Arbitrary<readonly Step[]> {
  return fc.tuple(...kinds.map((kind) => fc.record({ kind: fc.constantFrom(...[kind].flat()), ...detail })));
}

export const setting: fc.Arbitrary<Setting> = fc.record({
  // numbered pages can fail in more ways than others
  way: fc.constantFrom(...WAYS, 'number', 'number', 'offset', 'offset', 'number token', 'offset token'),
  // where only the server knows the order, most changes make the list stale
  isOrdered: fc.constantFrom(true, true, false),
  isOptimistic: fc.boolean(),
  isAlone: fc.boolean(),
  steps: fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.tuple(any) },
        // a change between two pages shifts their rows
        { weight: 1, arbitrary: phrase('more', 'deliver', BY_US, 'deliver', 'more', 'deliver') },
        { weight: 1, arbitrary: phrase(BY_US, 'more', 'deliver', 'deliver') },
        { weight: 1, arbitrary: phrase('rank', 'more', 'deliver', 'deliver') },
        { weight: 1, arbitrary: phrase('rank', 'deliver', 'more', 'deliver') },
        // a change of a row that is known and not among the loaded ones
        {
          weight: 1,
          arbitrary: fc
            .record(detail)
            .map((one) =>
              (['detail', 'deliver', 'lane', 'deliver'] as const).map((kind) => ({ kind, ...one })),
            ),
        },
        // only the saved data of a restored list is known
        { weight: 1, arbitrary: phrase('deliver', 'deliver', 'restore', ['create', 'rank'], 'deliver') },
        {
          weight: 1,
          arbitrary: phrase('more', 'deliver', 'read', 'deliver', [...BY_OTHERS, ...BY_US], 'deliver'),
        },
      ),
      { minLength: 2, maxLength: 9, size: 'max' },
    )
    .map((phrases) => phrases.flat()),
});

const ARGS = { lane: 'a', order: 'rank' };
const order = orderBy((left: Card, right: Card) => byRank(left, right)) as orderBy.Order<Card>;

/** The server, the requests in flight, and the application. */
class World {
  readonly way: Way;
  readonly world = new FakeWorld();
  readonly server: ListServer;
  /** How often others have changed something. */
  changes = 0;
  /** The value of that count when the list was last requested. */
  known = 0;
  /** True when this client may have written a row that others had changed: the row was counted with its old fields. */
  isMixed = false;
  readonly #waiting: { readonly run: () => void }[] = [];
  #failures = 0;
  readonly #isAlone: boolean;
  readonly #isCounted: boolean;
  /** The value of that count when the response to a page last arrived. */
  #answered = 0;
  #reads = 0;
  /** Changes by others while numbered pages are in flight. */
  #shift: 'insert' | 'delete' | undefined;
  readonly resource: ReturnType<World['createResource']>;
  controller: Controller;

  constructor({ way, isOrdered, isOptimistic, isAlone }: Setting) {
    // pages by hand do not follow changes by others
    this.#isAlone = isAlone || way === 'hand';
    this.#isCounted = isCountedWay(way);
    this.way = way;
    this.server = new ListServer(way);
    this.resource = this.createResource(isOrdered, isOptimistic);
    this.controller = this.#open();
  }

  #open(): Controller {
    return new Controller({ ...this.world.options, fetch: (url, init) => this.#fetch(String(url), init) });
  }

  createResource(isOrdered: boolean, isOptimistic: boolean) {
    const rule = RULES[this.way];
    const resource = createResource({
      urlPrefix: 'http://model.test',
      path: '/cards/:id',
      schema: Card,
      searchParams: {} as { lane: string; order: string },
      body: {} as Partial<Fields>,
      paginationField: 'page',
      optimistic: isOptimistic,
    });
    const cards = new schema.Collection([Card], isOrdered ? { order } : {});
    return resource.extend({
      getList: {
        schema: { cards, next: '', previous: '', total: totalOf(cards) },
        ...(rule && { pages: inPages(rule) }),
      },
    });
  }

  #fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address);
    // mutations are handled when they arrive, which is when they are released
    return new Promise((resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      this.#waiting.push({
        run: () => {
          this.#failures -= 1;
          if (url.searchParams.has('lane')) this.#answered = this.changes;
          const isFailure = this.#failures === 0;
          resolve(isFailure ? new Response(null, { status: 400 }) : this.server.answer(url, init));
        },
      });
    });
  }

  async deliver(at: number): Promise<void> {
    const [one] = this.#waiting.splice(at % (this.#waiting.length || 1), 1);
    one?.run();
    await settle();
    if (this.#waiting.length === 0) this.#shift = undefined;
  }

  async deliverAll(): Promise<void> {
    for (let count = 0; count < 200 && this.#waiting.length > 0; count += 1) await this.deliver(0);
  }

  /** Reads the first page; by hand, also all others. */
  async begin(): Promise<void> {
    const { controller, resource, way } = this;
    const reading = controller.fetch(resource.getList, ARGS);
    await settle();
    await this.deliverAll();
    let { next } = await reading;
    while (way === 'hand' && next) {
      const page = this.#readPage(next);
      await settle();
      await this.deliverAll();
      ({ next } = await page);
    }
  }

  readonly #cursors: string[] = [];

  #readPage(page: string) {
    const { controller, resource } = this;
    if (!this.#cursors.includes(page)) this.#cursors.push(page);
    return controller.fetch(resource.getList.getPage, { ...ARGS, page });
  }

  async act({ kind, at, rank, lane }: Step): Promise<void> {
    const { controller, resource, server } = this;
    const known = [...server.rows.values()];
    const row = known[at % (known.length || 1)];
    const quiet = (call: Promise<unknown>): void => void call.catch(() => undefined);
    if ((BY_US as readonly string[]).includes(kind) && this.changes > 0) this.isMixed = true;
    if (kind === 'insert' || kind === 'delete' || kind === 'move')
      this.#actAsOther(kind, row, { rank, lane });
    else if (kind === 'create')
      quiet(controller.fetch(resource.getList.push, { lane, order: 'rank' }, { rank, lane }));
    else if (kind === 'remove' && row) quiet(controller.fetch(resource.delete, { id: row.id }));
    else if (kind === 'rank' && row)
      quiet(controller.fetch(resource.partialUpdate, { id: row.id }, { rank }));
    else if (kind === 'lane' && row)
      quiet(controller.fetch(resource.partialUpdate, { id: row.id }, { lane }));
    else if (kind === 'detail' && row) quiet(controller.fetch(resource.get, { id: row.id }));
    else if (kind === 'read' || kind === 'more') quiet(this.#load(kind, at));
    else if (kind === 'deliver') await this.deliver(at);
    else if (kind === 'look') this.shown();
    else if (kind === 'fail') this.#failures = 1 + (at % 3);
    else if (kind === 'restore' && this.#waiting.length === 0) {
      this.controller = this.#open();
      hydrate(this.controller, JSON.parse(JSON.stringify(dehydrate(controller))));
    }
    await settle();
  }

  #actAsOther(
    kind: (typeof BY_OTHERS)[number],
    row: Fields | undefined,
    to: { readonly rank: number; readonly lane: string },
  ): void {
    if (this.#isAlone) return;
    // a total reveals rows that are added between two numbered pages, or removed; not both together, and not a row that moves
    if (this.#isCounted && this.#waiting.length > 0) {
      if (kind === 'move' || (this.#shift ?? kind) !== kind) return;
      this.#shift = kind;
      // a row in the list: the total says nothing about others
      if (kind === 'insert' ? to.lane !== 'a' : row?.lane !== 'a') return;
    }
    this.changes += 1;
    if (this.#waiting.length > 0) this.isMixed = true;
    if (kind === 'insert') this.server.insert(to.rank, to.lane);
    else if (kind === 'delete' && row) this.server.rows.delete(row.id);
    else if (kind === 'move' && row) this.server.rows.set(row.id, { ...row, ...to });
  }

  #load(kind: 'read' | 'more', at: number): Promise<unknown> {
    const { controller, resource, way } = this;
    if (way === 'hand') return this.#readPage(this.#cursors[at % this.#cursors.length]!); // several pages
    if (kind === 'read' || way === 'whole') return this.#read();
    const isBefore = way === 'end' || (way === 'middle' && at % 2 === 0);
    return (isBefore ? loadPrevious : loadMore)(controller, resource.getList, ARGS);
  }

  /** The list knows nothing of later changes by others. */
  async #read(): Promise<void> {
    const { changes } = this;
    const isFirst = this.#waiting.length === 0;
    const turn = (this.#reads += 1);
    await this.controller.fetch(this.resource.getList, ARGS);
    // numbered pages that have arrived are those of one moment
    if (this.#isCounted && turn === this.#reads) this.known = this.#answered;
    else if (isFirst) this.known = changes;
  }

  shown() {
    const { data, expiresAt } = this.controller.getResponse(this.resource.getList, ARGS);
    const cards = data?.cards ?? [];
    const beside = { next: data?.next ?? '', previous: data?.previous ?? '' };
    const expected = this.server.expected(cards.length, cards[0]?.id, beside) ?? 'something else';
    const isFresh = !!data && expiresAt > this.world.time.clock.now();
    return { ids: textOf(cards), expected, total: `${String(data?.total)} in all`, isFresh };
  }

  get total(): string {
    return `${[...this.server.rows.values()].filter(({ lane }) => lane === ARGS.lane).length} in all`;
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Throws where a list is wrong and counts as fresh, or where a response contradicts the order although nobody else has written. */
export async function checkLists(given: Setting): Promise<void> {
  const { warn } = console;
  const warnings: string[] = [];
  console.warn = (text) => void warnings.push(String(text));
  try {
    await playLists(given);
  } finally {
    console.warn = warn;
  }
  const contradiction = warnings.find((text) => text.includes('ORDER_CONTRADICTED'));
  if (given.isAlone && contradiction !== undefined) throw new Violation('lists', contradiction);
}

async function playLists(given: Setting): Promise<void> {
  const world = new World(given);
  await world.begin();
  for (const step of given.steps) await world.act(step);
  await world.deliverAll();
  const { ids, expected, total, isFresh } = world.shown();
  if (isFresh && world.known === world.changes) {
    compare(ids, expected, 'at rest');
    if (!world.isMixed) compare(total, world.total, 'at rest');
  }

  // pages that were loaded by hand are not read again
  if (world.way === 'hand') return;
  // a read that moves a row may leave the list stale once
  for (let reads = 0; reads < 2; reads += 1) {
    const reading = world.controller.fetch(world.resource.getList, ARGS).catch((error: unknown) => error);
    await settle();
    await world.deliverAll();
    if ((await reading) instanceof Error) return;
  }
  const last = world.shown();
  if (!last.isFresh) throw new Violation('lists', 'a list that was just read is not fresh');
  compare(last.ids, last.expected, 'after one more read');
  compare(last.total, world.total, 'after one more read');
}

function compare(shown: string, expected: string, when: string): void {
  if (shown !== expected)
    throw new Violation('lists', `${when} the list shows ${shown}, and the server has ${expected}`);
}

/** Looks for a wrong list in this many settings. */
export async function judgeLists(
  runs: number,
): Promise<{ readonly message: string | undefined; readonly schedules: number }> {
  const found = await fc.check(fc.asyncProperty(setting, checkLists), { numRuns: runs, seed: 987_654_321 });
  const message = found.failed ? String(found.errorInstance) : undefined;
  return { message, schedules: found.numRuns };
}
