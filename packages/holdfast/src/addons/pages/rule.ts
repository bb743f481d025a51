// `inPages`: the loaded pages of a list are one list. A list that is read again is read page by page, each with the token of the
// fresh answer before it; the old one stays until the last page is in. Shipped with its import alone.
//
//   loaded     [a b] [c d] [e f]        somebody inserts x behind a
//   read       [a x]─▶[b c]─▶[d e]      three requests, one answer, one batch
//
// The first page is the one that is asked for without a token. Pages in front of it are read after those behind it, away from it
// in both directions.
import type { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { NetworkRequest, Send } from '../../dispatch/manager.ts';
import type { EndpointInterface, PageRule } from '../../endpoint/endpoint-interface.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Effects } from '../../store/effects.ts';
import { isEqual } from '../../store/fields.ts';
import { hasItem } from '../../store/graph.ts';
import { subjectOf, pageOf } from '../../store/list-members.ts';
import { Row } from '../../store/nodes.ts';
import type { List, Segment } from '../../store/nodes.ts';
import type { ServerLists } from '../../store/server-lists.ts';
import { HoldfastError } from '../../support/errors.ts';
import { slotOf } from '../../controller/slot/read-slot.ts';
import type { Core } from '../../controller/state/core.ts';
import { DIRECTIONS, grow, isSameTotal, pageName, NO_PAGES } from './loaded-pages.ts';
import type { RequestedPage, Direction, Loaded, PageOptions } from './loaded-pages.ts';
import { itemsIn, joinBodies, withPart } from './bodies.ts';
import type { Finder } from './bodies.ts';
import { requestedBy, listOfCall, pageRequest } from './request.ts';

/** So often pages that shift while they are read are read again. */
const MOST_TRIES = 3;

type Outcomes = readonly RequestOutcome[];
type FinishRead = (effects: Effects, lists: ServerLists) => void;

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
  const { next, previous, by, most = Infinity } = options;
  const hasTokens = next !== undefined || previous !== undefined;
  if (hasTokens === (by !== undefined) || !(most >= 1)) throw new HoldfastError('PAGES_INVALID', { most });
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

  /** Whether pages are told apart by counting: rows may shift from one to another. */
  get isCounted(): boolean {
    return this.#options.by !== undefined;
  }

  loaded(list: List | undefined): Loaded | undefined {
    return list && this.#loaded.get(list);
  }

  /** Whether there is a page beyond those that are loaded; of a restored list it is taken for granted until something tells. */
  hasPage(list: List | undefined, direction: Direction): boolean {
    const known = this.loaded(list);
    if (known) return known[direction] !== undefined;
    const { by, [direction]: finder = direction === 'next' ? by : undefined } = this.#options;
    return finder !== undefined && !!list && list.base.length > 0;
  }

  /** Whether a row of counted pages has gone since, or may have moved: the next one would begin elsewhere. */
  hasSlipped({ served, sent }: Loaded, list: List): boolean {
    const isThere = (row: unknown): boolean =>
      !(row instanceof Row) ||
      (hasItem(row.holders, list) && !(row.stamp.writeSent > 0 && row.stamp.fence > sent));
    return this.isCounted && ![...served].every(isThere);
  }

  /** The endpoint and the arguments of a page. */
  request(
    list: EndpointInterface,
    args: readonly unknown[],
    requested: RequestedPage,
  ): ReturnType<typeof pageRequest> {
    return pageRequest(this.#options, list, args, requested);
  }

  /** How a request of the endpoint is sent. */
  sender(core: Core, flight: Flight): Send {
    const { call, isRead } = flight;
    if (!isRead) return core.send;
    return call.isPage
      ? (request) => this.#sendPage(core, flight, request)
      : (request) => this.#sendAll(core, flight, request);
  }

  /** A write in flight may have shifted rows of counted pages: when it has ended they are read again, if that has not begun. */
  async #markStaleAfterWrites(core: Core, { call, isOutdated }: Flight, list: List): Promise<void> {
    const { engine, flights } = core;
    const { store } = engine;
    const known = this.loaded(list);
    const writes = [...flights];
    if (writes.length === 0 && !isOutdated) return;
    while (!isOutdated && writes.some(({ isSettled }) => !isSettled)) await flights.nextWrite();
    const reads = slotOf(core, call).flights as readonly Flight[]; // cast: opaque to the store
    const isRead = reads.some((flight) => !flight.isOutdated && !flight.call.isPage);
    if (core.engine === engine && this.loaded(list) === known && (isOutdated || !isRead))
      store.batch(() => store.markStale(list, store.timeline.tick()));
  }

  /** A page by itself: what is known of the list grows by it. */
  async #sendPage(core: Core, flight: Flight, request: NetworkRequest): Promise<RequestOutcome> {
    const { call } = flight;
    const { endpoint } = call;
    const present = (): Loaded | undefined => this.loaded(listOfCall(core, call));
    const requested = requestedBy(this.#options, endpoint, request.args, present());
    const outcome = await core.send(request);
    // the list was read again meanwhile, and goes on elsewhere
    const follows = (known: Loaded | undefined): boolean =>
      known === undefined || known[requested.direction] === requested.token;
    if (!follows(present())) throw new HoldfastError('PAGE_OUTDATED', { endpoint: endpoint.name });
    const finish: FinishRead = (effects, lists) => {
      const [write] = effects.lists;
      const before = this.loaded(write?.list);
      if (!write || !before) return;
      const { store } = core.engine;
      const { list, members } = write;
      const rows = members.map(subjectOf);
      const known = this.#grow(core, call, before, outcome, { rows, requested });
      const isMet = rows.some((row) => before.served.has(row));
      const hasShifted = this.isCounted && (isMet || !isSameTotal(before.total, known.total));
      this.#place(lists, list, requested, known);
      effects.stored = this.#showTokens(core, call, effects.stored, requested);
      this.#keep(core, list, known);
      // the others are read again too
      if (hasShifted || !follows(before)) store.markStale(list, store.timeline.tick());
      else if (this.isCounted) void this.#markStaleAfterWrites(core, flight, list);
    };
    return { ...outcome, finish };
  }

  /** Puts a page that was just written where it belongs, under a name that no token has. */
  #place(lists: ServerLists, list: List, requested: RequestedPage, { names }: Loaded): void {
    const placeOf = ({ cursor }: Segment): number => {
      const at = names.indexOf(cursor);
      return at < 0 ? names.length : at; // set by hand
    };
    list.segments = list.segments
      .map((segment) =>
        segment.cursor === requested.token ? { ...segment, cursor: pageName(requested) } : segment,
      )
      .sort((left, right) => placeOf(left) - placeOf(right));
    rejoin(lists, list);
  }

  /** What stands beside the list is the last page's, but for the token of the page before. Gives what the slot shows from now on. */
  #showTokens(core: Core, call: EndpointCall, stored: unknown, { direction }: RequestedPage): unknown {
    const slot = slotOf(core, call);
    if (!slot.hasResult) return stored;
    const [first, last] = direction === 'next' ? [slot.stored, stored] : [stored, slot.stored];
    const joined = this.#withPrevious(last, first);
    if (isEqual(slot.stored, joined)) return slot.stored;
    slot.firstPage ??= slot.stored;
    slot.stored = joined;
    core.engine.store.mark(slot);
    return joined;
  }

  /** What the last page has, with the first one's token of the page before. */
  #withPrevious(last: unknown, first: unknown): unknown {
    const { previous } = this.#options;
    return typeof previous === 'string' ? withPart(last, previous.split('.'), first) : last;
  }

  /** The first page, and as many beside it as were loaded. */
  async #sendAll(core: Core, flight: Flight, request: NetworkRequest): Promise<RequestOutcome> {
    const { call } = flight;
    const { endpoint, args } = call;
    const { most = Infinity } = this.#options;
    for (let tries = 1; ; tries += 1) {
      const first = await core.send(request);
      if (first.isNotModified) return first;
      const wanted = this.#countWanted(core, call, first);
      let pages = [first];
      let latest = first;
      let known = this.#grow(core, call, NO_PAGES, first, { rows: this.#rowsOf(core, call, first) });
      let hasShifted = false;
      for (const direction of DIRECTIONS) {
        for (;;) {
          const token = known[direction];
          if (token === undefined || known.pages[direction] >= wanted[direction] || pages.length >= most)
            break;
          const requested = { direction, token };
          const page = this.request(endpoint, args, requested);
          const key = page.endpoint.key(...(page.args as never)); // cast: those of its list, and the token
          const outcome = (latest = await core.send({ ...request, ...page, key }));
          const rows = this.#rowsOf(core, call, outcome);
          const { served, total } = known;
          pages = direction === 'next' ? [...pages, outcome] : [outcome, ...pages];
          known = this.#grow(core, call, known, outcome, { rows, requested });
          hasShifted ||= rows.some((row) => served.has(row)) || !isSameTotal(total, known.total);
        }
      }
      if (!this.isCounted || !hasShifted) return this.#join(core, flight, pages, latest.value, known);
      if (tries === MOST_TRIES) throw new HoldfastError('PAGES_SHIFTED', { endpoint: endpoint.name });
    }
  }

  #join(core: Core, flight: Flight, pages: Outcomes, latest: unknown, known: Loaded): RequestOutcome {
    const [only] = pages as readonly [RequestOutcome]; // cast: there is one at least
    const finish: FinishRead = ({ lists: [write] }, lists) => {
      if (!write) return;
      const { list, members } = write;
      const first = pageOf(list, null);
      // an older answer than the one that is there
      if (first?.stamp.date !== lists.origin.settled) return;
      // the other pages are in the answer now
      list.segments = [first];
      rejoin(lists, list);
      const served = new Set(members.map(subjectOf));
      this.#keep(core, list, { ...known, names: NO_PAGES.names, served, sent: lists.origin.sent });
      // a total is of one moment, and the rows are of others
      if (pages.length > 1 && (this.isCounted || list.restCount !== undefined))
        void this.#markStaleAfterWrites(core, flight, list);
    };
    if (pages.length === 1) return { ...only, finish };
    const bodies = pages.map(({ value }) => value);
    const isOwned = pages.every((page) => page.isOwned === true);
    const value = this.#withPrevious(joinBodies(flight.call.endpoint.schema, bodies, latest), bodies[0]);
    return { value, isOwned, finish };
  }

  /** As many pages as are loaded in each direction; of a restored list, as many as its rows would take. */
  #countWanted(core: Core, call: EndpointCall, first: RequestOutcome): Loaded['pages'] {
    const list = listOfCall(core, call);
    const known = this.loaded(list);
    if (known) return known.pages;
    const { next, previous } = this.#options;
    const size = itemsIn(call.endpoint.schema, first.value).length || 1;
    const all = list?.base.map(subjectOf) ?? [];
    // where the rows of the first page stand among those that were restored
    const rows = new Set(previous === undefined ? [] : this.#storedRows(core, call, first));
    const found = all.findIndex((row) => rows.has(row));
    const start = previous === undefined ? 0 : found < 0 && !next ? all.length - size : Math.max(found, 0);
    return { next: Math.ceil((all.length - start) / size) - 1, previous: Math.ceil(start / size) };
  }

  /** The rows of a page, where they are counted: told apart by what they are stored as. */
  #rowsOf(core: Core, call: EndpointCall, outcome: RequestOutcome): readonly unknown[] {
    return this.isCounted
      ? this.#storedRows(core, call, outcome)
      : itemsIn(call.endpoint.schema, outcome.value);
  }

  #storedRows(
    { engine }: Core,
    { kind, args, endpoint }: EndpointCall,
    { value }: RequestOutcome,
  ): readonly unknown[] {
    return engine
      .normalize(kind, value, { args, name: endpoint.name })
      .lists.flatMap(({ members }) => members.map(subjectOf));
  }

  /** What is known with one more page. A token that was met before ends the list. */
  #grow(
    core: Core,
    { endpoint, slotKey }: EndpointCall,
    before: Loaded,
    outcome: RequestOutcome,
    page: { readonly rows: readonly unknown[]; readonly requested?: RequestedPage },
  ): Loaded {
    const size = itemsIn(endpoint.schema, outcome.value).length;
    let known = grow(this.#options, before, { ...page, outcome, size });
    for (const direction of DIRECTIONS) {
      const token = known[direction];
      if (token === undefined || !known.requested.has(pageName({ direction, token }))) continue;
      core.engine.warn('PAGE_REPEATED', slotKey, { endpoint: endpoint.name, token });
      known = { ...known, [direction]: undefined };
    }
    return known;
  }

  #keep(core: Core, list: List, known: Loaded): void {
    const { next, previous } = known;
    this.#loaded.set(list, known);
    const isAtStart = previous !== undefined;
    list.unloaded = next === undefined ? (isAtStart ? 'start' : '') : isAtStart ? 'both' : 'end';
    core.engine.store.mark(list);
  }
}

/** Shows what the list's segments hold, in their order. */
function rejoin(lists: ServerLists, list: List): void {
  lists.edit(list, (page) => page);
}

export declare namespace inPages {
  export type { Finder, PageOptions as Options, PageRule as Rule };
}
