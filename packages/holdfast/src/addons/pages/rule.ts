// `inPages`: the rule that makes the loaded pages of a list one list. When the list is read again, each further page is requested
// with the token in the new response of the page next to it, or with a number that the rule computes. The old list is shown until
// the last page has arrived.
//
//   loaded     [a b] [c d] [e f]        another client inserts x after a
//   read       [a x]─▶[b c]─▶[d e]      three requests, joined to one response, stored in one batch
//
// The first page is requested without a token, or with the token of `sendFirst`. Then the pages after it are read, then the pages before
// it, each time starting next to the first page.
import type { EndpointCall } from '../../dispatch/call.ts';
import { EXTENSION, extend } from '../../dispatch/extension.ts';
import type { Extensible, Extension, ExtensionHost, SendFlight } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { NetworkRequest } from '../../dispatch/network-request.ts';
import type { EndpointInterface, PageRule } from '../../endpoint/endpoint-interface.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Effects } from '../../store/effects.ts';
import { isEqual } from '../../store/fields.ts';
import { hasItem } from '../../store/graph.ts';
import { subjectOf, findPage } from '../../store/list-members.ts';
import { Row } from '../../store/nodes.ts';
import type { BaseLists, List, Segment } from '../../store/nodes.ts';
import { cameWith, knowsOf, wasWritten } from '../../store/order.ts';
import { HoldfastError, warnOnce } from '../../support/errors.ts';
import { slotOf } from '../../controller/slot/read-slot.ts';
import { DIRECTIONS, addPage, computesNextPage, isSameTotal, pageName, NO_PAGES } from './loaded-pages.ts';
import type { RequestedPage, Direction, LoadedPages, PageOptions } from './loaded-pages.ts';
import { itemsIn, joinBodies, withValueFrom } from './bodies.ts';
import type { Finder } from './bodies.ts';
import { firstToken, pageRequestedBy, listOfCall, pageRequest } from './request.ts';

/** How many times one read requests all pages at most. A read requests them again if rows have shifted between the pages. */
const MOST_TRIES = 3;

type Outcomes = readonly RequestOutcome[];

/**
 * Returns the rule for the option `pages` of an endpoint. The rule makes the loaded pages of a list one list: when the list is read
 * again, its pages are read one after another and replaced at once.
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
  const { next, previous, most = Infinity } = options;
  const hasTokens = next !== undefined || previous !== undefined;
  if (hasTokens === computesNextPage(options) || !(most >= 1))
    throw new HoldfastError('PAGES_INVALID', { most });
  return new InPagesRule(options);
}

/** Records which pages of each list are loaded, and reads them as one list. */
export class InPagesRule implements PageRule, Extensible {
  readonly #options: PageOptions;
  /** The loaded pages of each list. A list from a saved state has no entry until it is read again. */
  readonly #loaded = new WeakMap<List, LoadedPages>();

  constructor(options: PageOptions) {
    this.#options = options;
  }

  /** True when the rule itself computes the number or the offset of the next page. */
  get computesNextPage(): boolean {
    return computesNextPage(this.#options);
  }

  loadedPagesOf(list: List | undefined): LoadedPages | undefined {
    return list && this.#loaded.get(list);
  }

  /** Whether there is one more page in this direction. For a restored list with rows, the options alone decide. */
  hasPage(list: List | undefined, direction: Direction): boolean {
    const known = this.loadedPagesOf(list);
    if (known) return known[direction] !== undefined;
    const isFound = this.#options[direction] !== undefined || (direction === 'next' && this.computesNextPage);
    return isFound && !!list && list.base.length > 0;
  }

  /**
   * Whether rows may have been missed: the pages are counted, and a row has left the list, or was written and got data after the
   * first page was requested, so that the next page may begin at another row.
   */
  hasMissedRows({ servedRows: served, sent, isCounted }: LoadedPages, list: List): boolean {
    const isUnchanged = (row: unknown): boolean =>
      !(row instanceof Row) ||
      (hasItem(row.listsInBase, list) && !(wasWritten(row.stamp) && !knowsOf(sent, row.stamp.fence)));
    return isCounted && ![...served].every(isUnchanged);
  }

  /** The endpoint and the arguments that request a page. */
  pageRequestOf(
    list: EndpointInterface,
    args: readonly unknown[],
    requested: RequestedPage,
  ): ReturnType<typeof pageRequest> {
    return pageRequest(this.#options, list, args, requested);
  }

  /**
   * Sends the reads of the endpoint: a read of a further page requests this page, and any other read requests the first page and
   * the loaded pages.
   */
  [EXTENSION](core: ExtensionHost, inner: Extension): Extension {
    return extend(inner, {
      sendFlight: (request, flight, next) => {
        if (!flight.isRead) return next(request, flight);
        return flight.call.isPage
          ? this.#sendPage(core, flight, request, next)
          : this.#sendAll(core, flight, request, next);
      },
    });
  }

  /**
   * Marks the list stale if a mutation may have shifted rows between pages. If this flight is outdated, the list is marked at once.
   * If mutations are in flight now, the list is marked when they have ended, unless by then the list was read again, another page
   * was loaded, or a read of the list that is not outdated is in flight.
   */
  async #markStaleAfterWrites(core: ExtensionHost, { call, isOutdated }: Flight, list: List): Promise<void> {
    const { engine, flights } = core;
    const { store } = engine;
    const known = this.loadedPagesOf(list);
    const writes = [...flights];
    if (writes.length === 0 && !isOutdated) return;
    while (!isOutdated && writes.some(({ isSettled }) => !isSettled)) await flights.whenNextWriteEnds();
    const isRead = flights.readsOf(call.slotKey).some((flight) => !flight.isOutdated && !flight.call.isPage);
    if (core.engine === engine && this.loadedPagesOf(list) === known && (isOutdated || !isRead))
      store.batch(() => store.markStale(list, store.timeline.tick()));
  }

  /** Sends the request of a single page, and adds the page to the loaded pages. */
  async #sendPage(
    core: ExtensionHost,
    flight: Flight,
    request: NetworkRequest,
    next: SendFlight,
  ): Promise<RequestOutcome> {
    const { call } = flight;
    const { endpoint } = call;
    const present = (): LoadedPages | undefined => this.loadedPagesOf(listOfCall(core, call));
    const requested = pageRequestedBy(this.#options, endpoint, request.args, present());
    const outcome = await next(request, flight);
    // False if another token is the next token now, for example because the list was read again meanwhile.
    const follows = (known: LoadedPages | undefined): boolean =>
      known === undefined || known[requested.direction] === requested.token;
    if (!follows(present())) throw new HoldfastError('PAGE_OUTDATED', { endpoint: endpoint.name });
    flight.afterWrites.push((effects, lists) => {
      const [write] = effects.lists;
      const before = this.loadedPagesOf(write?.list);
      if (!write || !before) return;
      const { store } = core.engine;
      const { list, members } = write;
      const rows = members.map(subjectOf);
      const known = this.#addPage(core, call, before, outcome, { rows, requested });
      const hasKnownRow = rows.some((row) => before.servedRows.has(row));
      const hasShifted = known.isCounted && (hasKnownRow || !isSameTotal(before.total, known.total));
      this.#placePage(lists, list, requested, known);
      effects.stored = this.#storeTokens(core, call, effects.stored, requested);
      this.#setLoaded(core, list, known);
      notePagedBy(list, effects, lists);
      // Rows have shifted between pages, or the page does not follow the loaded pages, so all pages must be read again.
      if (hasShifted || !follows(before)) store.markStale(list, store.timeline.tick());
      else if (known.isCounted) void this.#markStaleAfterWrites(core, flight, list);
    });
    return outcome;
  }

  /**
   * Moves the segment of a page that was just stored to its position. The cursor of the segment becomes the page's name instead of
   * the token.
   */
  #placePage(lists: BaseLists, list: List, requested: RequestedPage, { names }: LoadedPages): void {
    const placeOf = ({ cursor }: Segment): number => {
      const index = names.indexOf(cursor);
      return index < 0 ? names.length : index; // a segment of no known page comes last
    };
    list.segments = list.segments
      .map((segment) =>
        segment.cursor === requested.token ? { ...segment, cursor: pageName(requested) } : segment,
      )
      .sort((left, right) => placeOf(left) - placeOf(right));
    updateMembers(lists, list);
  }

  /**
   * Joins the slot's values besides the list with those of a page, by `#withPrevious`. Stores and returns the result. A slot
   * without a response stays as it is.
   */
  #storeTokens(
    core: ExtensionHost,
    call: EndpointCall,
    stored: unknown,
    { direction }: RequestedPage,
  ): unknown {
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

  /** The values of the last page, but with the `previous` token of the first page if the option `previous` is a path. */
  #withPrevious(last: unknown, first: unknown): unknown {
    const { previous } = this.#options;
    return typeof previous === 'string' ? withValueFrom(last, previous.split('.'), first) : last;
  }

  /**
   * Reads the first page and at most as many other pages as were loaded, and joins their responses. Starts again, up to MOST_TRIES
   * in all, if rows shift between the pages.
   */
  async #sendAll(
    core: ExtensionHost,
    flight: Flight,
    request: NetworkRequest,
    next: SendFlight,
  ): Promise<RequestOutcome> {
    const { call } = flight;
    const { endpoint, args } = call;
    const { most = Infinity } = this.#options;
    const token = firstToken(this.#options);
    let start = request;
    if (token !== undefined) {
      const page = this.pageRequestOf(endpoint, args, { direction: 'next', token });
      start = { ...request, ...page, key: page.endpoint.key(...page.args), firstPageOf: request };
    }
    for (let tries = 1; ; tries += 1) {
      const first = await next(start, flight);
      if (first.isNotModified) return first;
      const wanted = this.#countPagesToRead(core, call, first);
      let pages = [first];
      let latest = first;
      const items = itemsIn(endpoint.schema, first.value);
      let known = this.#addPage(core, call, NO_PAGES, first, { rows: items });
      // Two counted pages may contain the same row as two objects, so the stored rows are compared.
      const rowsIn = (outcome: RequestOutcome): readonly unknown[] =>
        known.isCounted ? this.#storedRows(core, call, outcome) : itemsIn(endpoint.schema, outcome.value);
      known = { ...known, servedRows: new Set(rowsIn(first)) };
      let hasShifted = false;
      for (const direction of DIRECTIONS) {
        for (;;) {
          const token = known[direction];
          if (token === undefined || known.pages[direction] >= wanted[direction] || pages.length >= most)
            break;
          const requested = { direction, token };
          const page = this.pageRequestOf(endpoint, args, requested);
          const key = page.endpoint.key(...page.args);
          const outcome = (latest = await next({ ...request, ...page, key }, flight));
          const rows = rowsIn(outcome);
          const { servedRows: served, total } = known;
          pages = direction === 'next' ? [...pages, outcome] : [outcome, ...pages];
          known = this.#addPage(core, call, known, outcome, { rows, requested });
          hasShifted ||= rows.some((row) => served.has(row)) || !isSameTotal(total, known.total);
        }
      }
      const isSteady = !known.isCounted || !hasShifted;
      if (isSteady || (tries === MOST_TRIES && !this.computesNextPage))
        return this.#finishPages(core, flight, pages, latest.value, { ...known, isSteady });
      if (tries === MOST_TRIES) throw new HoldfastError('PAGES_SHIFTED', { endpoint: endpoint.name });
    }
  }

  /** Joins the responses of the pages into one response. When the joined response is written, the loaded pages are recorded. */
  #finishPages(
    core: ExtensionHost,
    flight: Flight,
    pages: Outcomes,
    latest: unknown,
    { isSteady, ...known }: LoadedPages & { readonly isSteady: boolean },
  ): RequestOutcome {
    const [single] = pages as readonly [RequestOutcome]; // cast: there is at least one page
    flight.afterWrites.push((effects, lists) => {
      const [write] = effects.lists;
      if (!write) return;
      const { list, members } = write;
      const first = findPage(list, null);
      // A newer response has replaced the first page, and the pages of that response are loaded.
      if (!first || !cameWith(first.stamp, lists.origin)) return;
      // The segment of the first page now contains all pages, so the other segments are removed.
      list.segments = [first];
      updateMembers(lists, list);
      const served = new Set(members.map(subjectOf));
      this.#setLoaded(core, list, {
        ...known,
        names: NO_PAGES.names,
        servedRows: served,
        sent: lists.origin.sent,
      });
      notePagedBy(list, effects, lists);
      // Rows were repeated, or totals differed, at each try. This is not an error, because tokens that are numbers may be cursors.
      if (!isSteady) core.engine.store.markStale(list, core.engine.store.timeline.tick());
      // The pages were read one after another, so a mutation between two reads may have shifted rows or changed the total.
      else if (pages.length > 1 && (known.isCounted || list.restCount !== undefined))
        void this.#markStaleAfterWrites(core, flight, list);
    });
    if (pages.length === 1) return single;
    const bodies = pages.map(({ value }) => value);
    const isOwned = pages.every((page) => page.isOwned === true);
    const value = this.#withPrevious(joinBodies(flight.call.endpoint.schema, bodies, latest), bodies[0]);
    return { value, isOwned };
  }

  /**
   * How many pages to read after and before the first page: the number of loaded pages or, for a restored list, the number of pages
   * that its rows fill.
   */
  #countPagesToRead(core: ExtensionHost, call: EndpointCall, first: RequestOutcome): LoadedPages['pages'] {
    const list = listOfCall(core, call);
    const known = this.loadedPagesOf(list);
    if (known) return known.pages;
    const { next, previous } = this.#options;
    const size = itemsIn(call.endpoint.schema, first.value).length || 1;
    const all = list?.base.map(subjectOf) ?? [];
    // `start` is the position of the first page among the restored rows.
    const rows = new Set(previous === undefined ? [] : this.#storedRows(core, call, first));
    const found = all.findIndex((row) => rows.has(row));
    const start = previous === undefined ? 0 : found < 0 && !next ? all.length - size : Math.max(found, 0);
    return { next: Math.ceil((all.length - start) / size) - 1, previous: Math.ceil(start / size) };
  }

  #storedRows(
    { engine }: ExtensionHost,
    { kind, args, endpoint }: EndpointCall,
    { value }: RequestOutcome,
  ): readonly unknown[] {
    return engine
      .normalize(kind, value, { args, name: endpoint.name })
      .lists.flatMap(({ members }) => members.map(subjectOf));
  }

  /**
   * The record of the loaded pages after one more page. If the response has the token of a page that was already requested, no page
   * follows in that direction.
   */
  #addPage(
    core: ExtensionHost,
    { endpoint, slotKey }: EndpointCall,
    before: LoadedPages,
    outcome: RequestOutcome,
    page: { readonly rows: readonly unknown[]; readonly requested?: RequestedPage },
  ): LoadedPages {
    const size = itemsIn(endpoint.schema, outcome.value).length;
    let known = addPage(this.#options, before, { ...page, outcome, size });
    for (const direction of DIRECTIONS) {
      const token = known[direction];
      if (token === undefined || !known.requestedNames.has(pageName({ direction, token }))) continue;
      warnOnce(core.engine, 'PAGE_REPEATED', slotKey, { endpoint: endpoint.name, token });
      known = { ...known, [direction]: undefined };
    }
    return known;
  }

  #setLoaded(core: ExtensionHost, list: List, known: LoadedPages): void {
    const { next, previous } = known;
    this.#loaded.set(list, known);
    const hasPrevious = previous !== undefined;
    // The loaded pages limit the list, not an argument of the list.
    list.identity.limit = undefined;
    list.unloadedEnds = next === undefined ? (hasPrevious ? 'start' : '') : hasPrevious ? 'both' : 'end';
    core.engine.store.mark(list);
  }
}

/** Records in the segment of the response that the rule of the pages knows which pages are not loaded. */
function notePagedBy(list: List, effects: Effects, { origin }: BaseLists): void {
  list.segments = list.segments.map((one) =>
    cameWith(one.stamp, origin) ? { ...one, pagedBy: effects } : one,
  );
}

/** Computes the members of the list again after its segments have changed. */
function updateMembers(lists: BaseLists, list: List): void {
  lists.edit(list, (page) => page);
}

export declare namespace inPages {
  export type { Finder, PageOptions as Options, PageRule as Rule };
}
