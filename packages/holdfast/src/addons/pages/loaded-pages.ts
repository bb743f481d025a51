// The record of a list's loaded pages: how many pages are loaded after and before the first page, their rows, and the tokens of the
// next pages at both ends. `addPage` adds one response; rule.ts decides which pages are requested.
import { checkToken, inDevelopment } from '#env';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import { findInBody, toToken } from './bodies.ts';
import type { Finder } from './bodies.ts';
import { HoldfastError } from '../../support/errors.ts';

/**
 * How a list's pages follow each other.
 *
 * @example
 * const options: inPages.Options = { by: 'offset', total: 'meta.total' };
 * const getTodos = TodoResource.getList.extend({ paginationField: 'offset', pages: inPages(options) });
 */
export interface PageOptions {
  /**
   * The place of the next page's token in a response: a path such as `'meta.next'`, or a function of the body and the `Response`.
   */
  readonly next?: Finder<string | number>;
  /** The place of the previous page's token, for a list that opens in its middle or at its end. */
  readonly previous?: Finder<string | number>;
  /** The parameter that requests the previous page. Default: the endpoint's `paginationField`. */
  readonly previousField?: string;
  /**
   * How pages are requested. `'number'`: by page number, without tokens. `'offset'`: by the number of rows before the page, without
   * tokens. `'cursor'`: by tokens, each of which names a row, even if it is a whole number. By default, pages are requested by
   * tokens too, but a token that is a whole number counts as a position, so that rows may shift from one page to another.
   */
  readonly by?: 'number' | 'offset' | 'cursor';
  /**
   * The number of the first page. Default: 0 with `by: 'offset'`, else 1. The first page is requested with this number only if
   * `sendFirst` is set.
   */
  readonly from?: number;
  /**
   * Requests the first page with a token too, for a server that sends an envelope only with a page number. With true, the token is
   * the number `from`; with a string, the token is the string. The key of the list does not change.
   */
  readonly sendFirst?: boolean | string;
  /**
   * The place of the total in a response. If two pages have different totals, rows have shifted between the pages. If pages are
   * requested by number or by offset, the list ends when as many rows are loaded.
   */
  readonly total?: Finder<number>;
  /**
   * How many pages are read again at most: the first page, then the pages after it, then the pages before it. Default: all loaded
   * pages.
   */
  readonly most?: number;
}

/** The end of the list at which a page is added: after the loaded pages, or before them. */
export type Direction = 'next' | 'previous';

/** Both directions, in the order in which pages are read again. */
export const DIRECTIONS = ['next', 'previous'] as const satisfies readonly Direction[];

export interface LoadedPages {
  /** How many pages are loaded after the first page (`next`) and before it (`previous`). */
  readonly pages: Readonly<Record<Direction, number>>;
  /** The names (`pageName`) of all loaded pages except the first: a token of a loaded page is not requested again. */
  readonly requestedNames: ReadonlySet<string>;
  /**
   * The names of the list's segments, in order. The first page and the pages that were read with it are one segment, whose name is
   * null.
   */
  readonly names: readonly (string | null)[];
  /** The rows that the pages contained. */
  readonly servedRows: ReadonlySet<unknown>;
  /** How many items the pages contained, including repetitions. */
  readonly count: number;
  /** True when a page is requested by its position, so that rows may shift from one page to another. */
  readonly isCounted: boolean;
  /** The time on the store's timeline at which the first page was requested. */
  readonly sent: number;
  /** The total in the response that was added last. */
  readonly total: unknown;
  /** The token of the page after the loaded pages; undefined if there is none. */
  readonly next: string | undefined;
  /** The token of the page before the loaded pages; undefined if there is none. */
  readonly previous: string | undefined;
}

export const NO_PAGES: LoadedPages = {
  pages: { next: 0, previous: 0 },
  requestedNames: new Set(),
  names: [null],
  servedRows: new Set(),
  count: 0,
  isCounted: false,
  sent: 0,
  total: undefined,
  next: undefined,
  previous: undefined,
};

/** How a page other than the first was requested. */
export interface RequestedPage {
  readonly direction: Direction;
  readonly token: string;
}

/** One page with its response. */
export interface LoadedPage {
  /** The direction and the token of the page; undefined for the first page. */
  readonly requested?: RequestedPage;
  readonly outcome: RequestOutcome;
  readonly rows: readonly unknown[];
  /** How many items the page contains, including repetitions. */
  readonly size: number;
}

/** Identifies a page of a list. The name contains the direction, because both directions may have the same token. */
export function pageName({ direction, token }: RequestedPage): string {
  return `${direction} ${token}`;
}

/** True when the rule computes the next page itself, from the pages or the rows that are loaded. */
export function computesNextPage({ by }: PageOptions): boolean {
  return by === 'number' || by === 'offset';
}

/** True for a whole number. It may be a page number or an offset, unless the rule declares that tokens are cursors. */
function isPosition(token: string | undefined): boolean {
  return token !== undefined && /^\d+$/.test(token);
}

/** The record of the loaded pages after one more page was loaded. */
export function addPage(
  options: PageOptions,
  before: LoadedPages,
  { requested, outcome, rows, size }: LoadedPage,
): LoadedPages {
  const { by, from = 1, total: totalAt } = options;
  const { value, response } = outcome;
  const direction = requested?.direction;
  const pages = direction ? { ...before.pages, [direction]: before.pages[direction] + 1 } : before.pages;
  const count = before.count + size;
  const total = totalAt === undefined ? undefined : findInBody(totalAt, value, response);
  const tokenAt = (finder: Finder<unknown> | undefined): string | undefined =>
    finder === undefined ? undefined : toToken(findInBody(finder, value, response));
  const isByRule = computesNextPage(options);
  const isLast = rows.length === 0 || (isByRule && count >= Number(total));
  inDevelopment(() => {
    if (!requested && typeof options.next === 'string' && rows.length)
      checkToken(options.next, value, HoldfastError);
  });
  const nextNumber = by === 'number' ? from + pages.next + 1 : count;
  const next = isLast ? undefined : isByRule ? String(nextNumber) : tokenAt(options.next);
  // An empty first page may still have a page before it.
  const previous = isLast && direction ? undefined : tokenAt(options.previous);
  return {
    pages,
    requestedNames: requested
      ? new Set([...before.requestedNames, pageName(requested)])
      : before.requestedNames,
    names: requested ? withName(before.names, requested) : before.names,
    servedRows: new Set([...before.servedRows, ...rows]),
    count,
    isCounted:
      isByRule || before.isCounted || (by === undefined && (isPosition(next) || isPosition(previous))),
    sent: before.sent,
    total,
    next: direction === 'previous' ? before.next : next,
    previous: direction === 'next' ? before.previous : previous,
  };
}

function withName(names: LoadedPages['names'], requested: RequestedPage): LoadedPages['names'] {
  const name = pageName(requested);
  return requested.direction === 'next' ? [...names, name] : [name, ...names];
}

/** True if the former total is unknown, or if both totals are equal. */
export function isSameTotal(before: unknown, now: unknown): boolean {
  return before === undefined || before === now;
}
