// Lists in pages and orders against a model of their server, as a property: rows are inserted, deleted and moved by us and by others while requests are
// on their way, answers come in any order, some fail, and the state is saved and restored. Whenever a list calls itself fresh and
// nobody else has changed anything since it was asked for, it is the server's list as far as it is loaded; and so it always is
// after one more read.
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
import type { ListOrder, PageOptions } from 'holdfast';
import fc from 'fast-check';
import { FakeWorld } from '../support/fake-world.ts';
import { Violation } from './violation.ts';

class Card extends Entity {
  static override key = 'Card';
  id = '';
  rank = 0;
  lane = 'a';
}

interface Fields {
  readonly id: string;
  readonly rank: number;
  readonly lane: string;
}

const WAYS = ['cursor', 'number', 'offset', 'whole'] as const;
type Way = (typeof WAYS)[number];

interface Step {
  readonly kind:
    | 'insert'
    | 'delete'
    | 'move' // by others
    | 'create'
    | 'remove'
    | 'rank'
    | 'lane' // by us
    | 'detail'
    | 'read'
    | 'more'
    | 'deliver'
    | 'look'
    | 'restore'
    | 'fail';
  readonly at: number;
  readonly rank: number;
  readonly lane: string;
}

export interface Setting {
  readonly way: Way;
  readonly isOrdered: boolean;
  readonly isOptimistic: boolean;
  /** Whether nobody else changes anything. */
  readonly isAlone: boolean;
  readonly steps: readonly Step[];
}

export const setting: fc.Arbitrary<Setting> = fc.record({
  // counted pages go wrong in more ways than others
  way: fc.constantFrom(...WAYS, 'number', 'offset', 'offset'),
  isOrdered: fc.boolean(),
  isOptimistic: fc.boolean(),
  isAlone: fc.boolean(),
  steps: fc.array(
    fc.record({
      kind: fc.constantFrom<Step['kind']>(
        'insert',
        'delete',
        'move',
        'create',
        'remove',
        'rank',
        'rank',
        'lane',
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
      ),
      at: fc.nat(20),
      rank: fc.nat(6),
      lane: fc.constantFrom('a', 'b'),
    }),
    { minLength: 5, maxLength: 30, size: 'max' },
  ),
});

const SIZE = 3;
const ARGS = { lane: 'a', order: 'rank' };
const RULES: Record<Way, PageOptions | null> = {
  cursor: { next: 'next' },
  number: { by: 'number', total: 'total' },
  offset: { by: 'offset', total: 'total' },
  whole: null,
};

const byRank = (left: Fields, right: Fields): number =>
  left.rank - right.rank || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
const order = orderBy((left: Card, right: Card) => byRank(left, right)) as ListOrder<Card>;

/** The server, the requests on their way to it, and the application. */
class World {
  readonly way: Way;
  readonly world = new FakeWorld();
  readonly rows = new Map<string, Fields>();
  /** How often others have changed something. */
  changes = 0;
  /** How often they had when the list was last asked for. */
  known = 0;
  /** Whether we may have written a row that others had changed: it was counted as it was known. */
  isMixed = false;
  readonly #waiting: { readonly url: URL; readonly run: () => void }[] = [];
  #failures = 0;
  readonly #isAlone: boolean;
  #made = 0;
  readonly resource: ReturnType<World['createResource']>;
  controller: Controller;

  constructor({ way, isOrdered, isOptimistic, isAlone }: Setting) {
    this.#isAlone = isAlone;
    this.way = way;
    this.resource = this.createResource(isOrdered, isOptimistic);
    this.controller = this.#open();
    for (const rank of [1, 2, 2, 3, 5, 5, 6]) this.#insert(rank, 'a');
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
        schema: { cards, next: '', total: totalOf(cards) },
        ...(rule && { pages: inPages(rule) }),
      },
    });
  }

  #insert(rank: number, lane: string, id = `c${(this.#made += 1)}`): Fields {
    const row = { id, rank, lane };
    this.rows.set(id, row);
    return row;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The server's list. */
  list(lane: string): Fields[] {
    return [...this.rows.values()].filter((row) => row.lane === lane).toSorted(byRank);
  }

  #answer(url: URL, { method = 'GET', body }: RequestInit): Response {
    const id = url.pathname.split('/')[2];
    const sent = body ? (JSON.parse(String(body)) as Partial<Fields>) : {};
    if (method === 'POST')
      return Response.json(this.#insert(sent.rank ?? 0, sent.lane ?? 'a'), { status: 201 });
    if (id !== undefined) {
      const row = this.rows.get(id);
      if (!row) return new Response(null, { status: 404 });
      if (method === 'DELETE') {
        this.rows.delete(id);
        return new Response(null, { status: 204 });
      }
      this.rows.set(id, { ...row, ...sent });
      return Response.json(this.rows.get(id));
    }
    const all = this.list(url.searchParams.get('lane') ?? '');
    const token = url.searchParams.get('page');
    if (this.way === 'whole') return Response.json({ cards: all, next: '', total: all.length });
    const after = token?.split('|');
    const from =
      token === null
        ? 0
        : this.way === 'cursor'
          ? all.filter(
              (row) => byRank(row, { rank: Number(after?.[0]), id: after?.[1] ?? '', lane: '' }) <= 0,
            ).length
          : Number(token) * (this.way === 'number' ? SIZE : 1) - (this.way === 'number' ? SIZE : 0);
    const cards = all.slice(from, from + SIZE);
    const last = cards.at(-1);
    const next = last && from + SIZE < all.length ? `${last.rank}|${last.id}` : '';
    return Response.json({ cards, next, total: all.length });
  }

  #fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address);
    // mutations are handled when they arrive, which is when they are let through
    return new Promise((resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      this.#waiting.push({
        url,
        run: () => {
          this.#failures -= 1;
          resolve(this.#failures === 0 ? new Response(null, { status: 400 }) : this.#answer(url, init));
        },
      });
    });
  }

  async deliver(at: number): Promise<void> {
    const [one] = this.#waiting.splice(at % (this.#waiting.length || 1), 1);
    one?.run();
    await settle();
  }

  async deliverAll(): Promise<void> {
    for (let count = 0; count < 200 && this.#waiting.length > 0; count += 1) await this.deliver(0);
  }

  async act({ kind, at, rank, lane }: Step): Promise<void> {
    const { controller, resource } = this;
    const known = [...this.rows.values()];
    const row = known[at % (known.length || 1)];
    const isOther = ['insert', 'delete', 'move'].includes(kind);
    if (isOther && this.#isAlone) return;
    if (isOther) this.changes += 1;
    // nobody can see a deletion between two pages that are only counted, when a creation hides it from the total
    if (isOther && ['number', 'offset'].includes(this.way) && this.waiting > 0) return;
    const isOwn = ['create', 'remove', 'rank', 'lane'].includes(kind);
    if ((isOther && this.waiting > 0) || (isOwn && this.changes > 0)) this.isMixed = true;
    const quiet = (call: Promise<unknown>): void => void call.catch(() => undefined);
    if (kind === 'insert') this.#insert(rank, lane);
    else if (kind === 'delete' && row) this.rows.delete(row.id);
    else if (kind === 'move' && row) this.rows.set(row.id, { ...row, rank, lane });
    else if (kind === 'create')
      quiet(controller.fetch(resource.getList.push, { lane, order: 'rank' }, { rank, lane }));
    else if (kind === 'remove' && row) quiet(controller.fetch(resource.delete, { id: row.id }));
    else if (kind === 'rank' && row)
      quiet(controller.fetch(resource.partialUpdate, { id: row.id }, { rank }));
    else if (kind === 'lane' && row)
      quiet(controller.fetch(resource.partialUpdate, { id: row.id }, { lane }));
    else if (kind === 'detail' && row) quiet(controller.fetch(resource.get, { id: row.id }));
    else if (kind === 'read') quiet(this.#read());
    else if (kind === 'more' && this.way !== 'whole') quiet(loadMore(controller, resource.getList, ARGS));
    else if (kind === 'deliver') await this.deliver(at);
    else if (kind === 'look') this.shown();
    else if (kind === 'fail') this.#failures = 1 + (at % 3);
    else if (kind === 'restore' && this.waiting === 0) {
      this.controller = this.#open();
      hydrate(this.controller, JSON.parse(JSON.stringify(dehydrate(controller))));
    }
    await settle();
  }

  /** Asked for with nothing on the way, and answered: whatever others do from then on is unknown to the list. */
  async #read(): Promise<void> {
    const { changes, waiting } = this;
    await this.controller.fetch(this.resource.getList, ARGS);
    if (waiting === 0) this.known = changes;
  }

  shown(): {
    readonly ids: string;
    readonly count: number;
    readonly total: string;
    readonly isFresh: boolean;
  } {
    const { data, expiresAt } = this.controller.getResponse(this.resource.getList, ARGS);
    const cards = data?.cards ?? [];
    const ids = cards.map(({ id, rank }) => `${id}:${rank}`).join(' ');
    const total = `${String(data?.total)} in all`;
    return { ids, count: cards.length, total, isFresh: !!data && expiresAt > this.world.time.clock.now() };
  }

  total(): string {
    return `${this.list('a').length} in all`;
  }

  expected(count: number): string {
    const rows = this.list('a').slice(0, count);
    return rows.map(({ id, rank }) => `${id}:${rank}`).join(' ');
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Throws where a list is wrong and calls itself fresh. */
export async function checkLists(given: Setting): Promise<void> {
  const world = new World(given);
  await world.act({ kind: 'read', at: 0, rank: 0, lane: 'a' });
  await world.deliverAll();
  for (const step of given.steps) await world.act(step);
  await world.deliverAll();
  const { ids, count, total, isFresh } = world.shown();
  if (isFresh && world.known === world.changes) {
    compare(ids, world.expected(count), 'at rest');
    if (!world.isMixed) compare(total, world.total(), 'at rest');
  }

  const reading = world.controller.fetch(world.resource.getList, ARGS).catch((error: unknown) => error);
  await settle();
  await world.deliverAll();
  if ((await reading) instanceof Error) return;
  const last = world.shown();
  if (!last.isFresh) throw new Violation('lists', 'a list that was just read is not fresh');
  compare(last.ids, world.expected(last.count), 'after one more read');
  compare(last.total, world.total(), 'after one more read');
  if (world.way === 'whole') compare(last.ids, world.expected(Infinity), 'whole');
}

function compare(shown: string, expected: string, when: string): void {
  if (shown !== expected)
    throw new Violation('lists', `${when} the list shows ${shown}, and the server has ${expected}`);
}

/** Looks for a wrong list in so many settings. */
export async function judgeLists(
  runs: number,
): Promise<{ readonly message: string | undefined; readonly schedules: number }> {
  const found = await fc.check(fc.asyncProperty(setting, checkLists), { numRuns: runs, seed: 987_654_321 });
  const message = found.failed ? String(found.errorInstance) : undefined;
  return { message, schedules: found.numRuns };
}
