// `inPages`: the loaded pages of a list are one list. A list that is read again is read page by page, each with the token of the
// fresh answer before it; the old one stays until the last page is in. Shipped with its import alone.
//
//   loaded     [a b] [c d] [e f]        somebody inserts x behind a
//   read       [a x]─▶[b c]─▶[d e]      three requests, one answer, one batch
import type { Ask } from '../../dispatch/ask.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { NetworkRequest, Send } from '../../dispatch/manager.ts';
import type { EndpointInterface, PageRule } from '../../endpoint/endpoint-interface.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Effects } from '../../store/effects.ts';
import { itemOf } from '../../store/list-members.ts';
import { hasItem } from '../../store/graph.ts';
import { List, Row } from '../../store/nodes.ts';
import { ServerLists } from '../../store/server-lists.ts';
import type { Origin } from '../../store/stamp.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';
import { partsOf, slotOf } from '../slot/read-slot.ts';
import type { Core } from '../state/core.ts';
import { find, itemsIn, joinAnswers, toToken } from './page-answers.ts';
import type { Finder } from './page-answers.ts';

/**
 * How a list's pages follow each other.
 *
 * @example
 * const options: PageOptions = { by: 'offset', total: 'meta.total' };
 * const getTodos = TodoResource.getList.extend({ paginationField: 'offset', pages: inPages(options) });
 */
export interface PageOptions {
  /** Where the token of the next page stands in an answer: `'meta.next'`, or a function of the answer and the response. */
  readonly next?: Finder<string | number>;
  /** For pages without tokens: the parameter is the number of the page, or the count of the rows before it. */
  readonly by?: 'number' | 'offset';
  /** The number of the first page, which is asked for without one. Default: 1. */
  readonly from?: number;
  /** Where the count of all rows stands in an answer. Another count in the middle of several pages means that rows have shifted. */
  readonly total?: Finder<number>;
  /** The most pages that are read again. Default: all that were loaded. */
  readonly most?: number;
}

/** So often pages that shift while they are read are read again. */
const MOST_TRIES = 3;

/** What is known of a list's loaded pages. */
export interface Loaded {
  readonly pages: number;
  /** The rows that the pages had. */
  readonly served: ReadonlySet<unknown>;
  /** How many those were. */
  readonly count: number;
  /** When the first page was asked for. */
  readonly sent: number;
  readonly total: unknown;
  /** The token of the page behind them; undefined where there is none. */
  readonly next: string | undefined;
}

type Finish = (effects: Effects, origin: Origin) => void;

/** What an endpoint of a list in pages has. */
interface Paged {
  readonly getPage?: EndpointInterface;
  readonly paginationField?: string;
}

/**
 * Makes the loaded pages of a list one list: read again, they follow each other by fresh tokens, and the list is replaced at once.
 *
 * @example
 * const getFeed = new RestEndpoint({
 *   path: '/feed',
 *   schema: { posts: new schema.Collection([Post]), next: '' },
 *   paginationField: 'cursor',
 *   pages: inPages({ next: 'next' }),
 * });
 */
export function inPages(options: PageOptions): PageRule {
  const { next, by, most = Infinity } = options;
  if ((next === undefined) === (by === undefined) || !(most >= 1))
    throw new HoldfastError('PAGES_INVALID', { most });
  return new Pages(options) as unknown as PageRule; // cast: opaque to endpoints
}

/** What {@link inPages} makes. */
export class Pages {
  readonly #options: PageOptions;
  /** By list; of a restored one nothing is known. */
  readonly #loaded = new WeakMap<List, Loaded>();

  constructor(options: PageOptions) {
    this.#options = options;
  }

  /** Whether pages are told apart by counting, so that rows may shift from one to another. */
  get isCounted(): boolean {
    return this.#options.by !== undefined;
  }

  loaded(list: List | undefined): Loaded | undefined {
    return list && this.#loaded.get(list);
  }

  /** Whether a row of counted pages has gone since, or may have moved: the next one would begin elsewhere. */
  hasSlipped({ served, sent }: Loaded, list: List): boolean {
    const isThere = (row: unknown): boolean =>
      !(row instanceof Row) ||
      (hasItem(row.holders, list) && !(row.stamp.writeSent > 0 && row.stamp.fence > sent));
    return this.isCounted && ![...served].every(isThere);
  }

  /** How a request of the endpoint is sent. */
  sender(core: Core, flight: Flight): Send {
    const { ask, isRead } = flight;
    if (!isRead) return core.send;
    return ask.isPage
      ? (request) => this.#sendPage(core, flight, request)
      : (request) => this.#sendAll(core, flight, request);
  }

  /** A write that was under way while counted pages were read may have shifted rows: when it has ended, they are read again. */
  #doubtAfterWrites(core: Core, { isOutdated }: Flight, list: List): void {
    const { engine, flights } = core;
    const { store } = engine;
    const doubt = (): void => {
      if (core.engine === engine) store.batch(() => store.doubt(list, store.timeline.tick()));
    };
    if (flights.size > 0) void Promise.allSettled([...flights].map(({ promise }) => promise)).then(doubt);
    else if (isOutdated) doubt();
  }

  /** A page by itself: what is known of the list grows by it. */
  async #sendPage(core: Core, flight: Flight, request: NetworkRequest): Promise<RequestOutcome> {
    const { ask } = flight;
    const { name, paginationField = '' } = ask.endpoint as EndpointInterface & Paged; // cast: its list has the field
    const [params] = request.args as [Readonly<Record<string, unknown>>]; // cast: it holds the token
    const outcome = await core.send(request);
    // the list was read again meanwhile, and goes on elsewhere
    const follows = (known: Loaded | undefined): boolean =>
      known === undefined || known.next === String(params[paginationField]);
    if (!follows(this.loaded(listOf(core, ask))))
      throw new HoldfastError('PAGE_OUTDATED', { endpoint: name });
    const finish: Finish = ({ lists: [write] }) => {
      const before = this.loaded(write?.list);
      if (!write || !before) return;
      const { store } = core.engine;
      const { list, members } = write;
      const rows = members.map(itemOf);
      const known = this.#grow(ask, before, outcome, rows);
      const isMet = rows.some((row) => before.served.has(row));
      const hasShifted = this.isCounted && (isMet || !isSameTotal(before.total, known.total));
      this.#keep(core, list, known);
      // the others are read again too
      if (hasShifted || !follows(before)) store.doubt(list, store.timeline.tick());
      else if (this.isCounted) this.#doubtAfterWrites(core, flight, list);
    };
    return { ...outcome, finish };
  }

  /** The first page, and as many behind it as were loaded. */
  async #sendAll(core: Core, flight: Flight, request: NetworkRequest): Promise<RequestOutcome> {
    const { ask } = flight;
    const { endpoint, args } = ask;
    for (let tries = 1; ; tries += 1) {
      const first = await core.send(request);
      if (first.isNotModified) return first;
      const wanted = this.#countWanted(core, ask, first);
      const pages = [first];
      const tokens = new Set<string>();
      let known = this.#grow(ask, NOTHING, first, this.#rowsOf(core, ask, first));
      let hasShifted = false;
      while (pages.length < wanted && known.next !== undefined) {
        const token = known.next;
        if (tokens.has(token)) {
          core.engine.warn('PAGE_REPEATED', endpoint.name, { endpoint: endpoint.name, token });
          known = { ...known, next: undefined };
          break;
        }
        tokens.add(token);
        const page = pageOf(endpoint, args, token);
        const key = page.endpoint.key(...(page.args as never)); // cast: those of its list, and the token
        const outcome = await core.send({ ...request, ...page, key });
        const rows = this.#rowsOf(core, ask, outcome);
        const { served, total } = known;
        pages.push(outcome);
        known = this.#grow(ask, known, outcome, rows);
        hasShifted ||= rows.some((row) => served.has(row)) || !isSameTotal(total, known.total);
      }
      if (!this.isCounted || !hasShifted) return this.#join(core, flight, pages, known);
      if (tries === MOST_TRIES) throw new HoldfastError('PAGES_SHIFTED', { endpoint: endpoint.name });
    }
  }

  #join(core: Core, flight: Flight, pages: readonly RequestOutcome[], known: Loaded): RequestOutcome {
    const { endpoint } = flight.ask;
    const [first] = pages as readonly [RequestOutcome]; // cast: there is one at least
    const finish: Finish = ({ lists: [write] }, origin) => {
      if (!write) return;
      const { list, members } = write;
      // an older answer than the one that is there
      if (list.segments[0]?.stamp.date !== origin.settled) return;
      // what was behind the first page is in the answer now
      new ServerLists(core.engine.store, origin).edit(list, (page, { isFirst }) => (isFirst ? page : []));
      list.segments = list.segments.slice(0, 1);
      this.#keep(core, list, { ...known, served: new Set(members.map(itemOf)), sent: origin.sent });
      if (this.isCounted && pages.length > 1) this.#doubtAfterWrites(core, flight, list);
    };
    if (pages.length === 1) return { ...first, finish };
    const answers = pages.map(({ value }) => value);
    const isOwned = pages.every((page) => page.isOwned === true);
    return { value: joinAnswers(endpoint.schema, answers), isOwned, finish };
  }

  /** As many pages as are loaded; of a restored list, as many as its rows would take. */
  #countWanted(core: Core, ask: Ask, first: RequestOutcome): number {
    const { most = Infinity } = this.#options;
    const list = listOf(core, ask);
    const { pages } = this.loaded(list) ?? {};
    const size = itemsIn(ask.endpoint.schema, first.value).length;
    return Math.min(most, pages ?? Math.ceil((list?.base.length ?? 0) / (size || 1)));
  }

  /** The rows of a page, where they are counted: told apart by what they are stored as. */
  #rowsOf({ engine }: Core, ask: Ask, { value }: RequestOutcome): readonly unknown[] {
    const { kind, args, endpoint } = ask;
    if (!this.isCounted) return itemsIn(endpoint.schema, value);
    return engine
      .normalize(kind, value, { args, name: endpoint.name })
      .lists.flatMap(({ members }) => members.map(itemOf));
  }

  #grow(ask: Ask, before: Loaded, outcome: RequestOutcome, rows: readonly unknown[]): Loaded {
    const { next, by, from = 1, total: totalAt } = this.#options;
    const { value, response } = outcome;
    const pages = before.pages + 1;
    const count = before.count + itemsIn(ask.endpoint.schema, value).length;
    const total = totalAt === undefined ? undefined : find(totalAt, value, response);
    const found = next === undefined ? (by === 'number' ? from + pages : count) : find(next, value, response);
    const isLast = rows.length === 0 || (this.isCounted && count >= Number(total));
    return {
      pages,
      served: new Set([...before.served, ...rows]),
      count,
      sent: before.sent,
      total,
      next: isLast ? undefined : toToken(found),
    };
  }

  #keep(core: Core, list: List, known: Loaded): void {
    this.#loaded.set(list, known);
    list.hasMore = known.next !== undefined;
    core.engine.store.mark(list);
  }
}

const NOTHING: Loaded = { pages: 0, served: new Set(), count: 0, sent: 0, total: undefined, next: undefined };

/** The list that the stored answer shows. */
export function listOf(core: Core, ask: Ask): List | undefined {
  return partsOf(slotOf(core, ask).stored).find((part) => part instanceof List);
}

/** The endpoint and the arguments of a page. */
export function pageOf(
  list: EndpointInterface,
  args: readonly unknown[],
  token: string,
): { readonly endpoint: EndpointInterface; readonly args: readonly unknown[] } {
  const { getPage, paginationField: field } = list as EndpointInterface & Paged; // cast: asked below
  if (!getPage || field === undefined)
    throw new HoldfastError('PAGES_WITHOUT_FIELD', { endpoint: list.name });
  const [params, ...rest] = args;
  return { endpoint: getPage, args: [{ ...(isObject(params) && params), [field]: token }, ...rest] };
}

function isSameTotal(before: unknown, now: unknown): boolean {
  return before === undefined || before === now;
}
