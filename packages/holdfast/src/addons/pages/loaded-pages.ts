// What is known of a list's loaded pages: how many follow on the first one in each direction, their rows, and the tokens at both
// ends. Grows by one answer after the other; rule.ts decides which pages are asked for.
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import { find, toToken } from './bodies.ts';
import type { Finder } from './bodies.ts';

/**
 * How a list's pages follow each other.
 *
 * @example
 * const options: inPages.Options = { by: 'offset', total: 'meta.total' };
 * const getTodos = TodoResource.getList.extend({ paginationField: 'offset', pages: inPages(options) });
 */
export interface PageOptions {
  /** Where the token of the next page stands in an answer: `'meta.next'`, or a function of the answer and the response. */
  readonly next?: Finder<string | number>;
  /** Where the token of the page before stands, in a list that opens in its middle or at its end. That page goes in front. */
  readonly previous?: Finder<string | number>;
  /** The parameter that asks for the page before. Default: the endpoint's `paginationField`. */
  readonly previousField?: string;
  /** For pages without tokens: the parameter is the number of the page, or the count of the rows before it. */
  readonly by?: 'number' | 'offset';
  /** The number of the first page, which is asked for without one. Default: 1. */
  readonly from?: number;
  /** Where the count of all rows stands in an answer. Another count in the middle of several pages means that rows have shifted. */
  readonly total?: Finder<number>;
  /** The most pages that are read again, the first one and those behind it before those in front. Default: all that were loaded. */
  readonly most?: number;
}

/** Where a page stands: behind the loaded ones, or in front of them. */
export type Direction = 'next' | 'previous';

/** In the order in which pages are read again. */
export const DIRECTIONS = ['next', 'previous'] as const satisfies readonly Direction[];

export interface Loaded {
  /** How many pages follow on the first one. */
  readonly pages: Readonly<Record<Direction, number>>;
  /** The names of all further pages that were asked for: none is asked for twice. */
  readonly requested: ReadonlySet<string>;
  /** The names of those that are segments of the list, in order; null for the first one, and what was read again with it. */
  readonly names: readonly (string | null)[];
  /** The rows that the pages had. */
  readonly served: ReadonlySet<unknown>;
  /** How many those were. */
  readonly count: number;
  /** When the first page was asked for. */
  readonly sent: number;
  readonly total: unknown;
  /** The token of the page behind them; undefined where there is none. */
  readonly next: string | undefined;
  /** The token of the page in front of them. */
  readonly previous: string | undefined;
}

export const NO_PAGES: Loaded = {
  pages: { next: 0, previous: 0 },
  requested: new Set(),
  names: [null],
  served: new Set(),
  count: 0,
  sent: 0,
  total: undefined,
  next: undefined,
  previous: undefined,
};

/** How a further page was asked for. */
export interface RequestedPage {
  readonly direction: Direction;
  readonly token: string;
}

/** One page, as it came. */
export interface LoadedPage {
  /** Undefined for the first one. */
  readonly requested?: RequestedPage;
  readonly outcome: RequestOutcome;
  readonly rows: readonly unknown[];
  /** How many items it has, repeated ones too. */
  readonly size: number;
}

/** The name of a page: both directions may have the same token. */
export function pageName({ direction, token }: RequestedPage): string {
  return `${direction} ${token}`;
}

/** What is known with one more page. */
export function addPage(
  options: PageOptions,
  before: Loaded,
  { requested, outcome, rows, size }: LoadedPage,
): Loaded {
  const { by, from = 1, total: totalAt } = options;
  const { value, response } = outcome;
  const direction = requested?.direction;
  const pages = direction ? { ...before.pages, [direction]: before.pages[direction] + 1 } : before.pages;
  const count = before.count + size;
  const total = totalAt === undefined ? undefined : find(totalAt, value, response);
  const tokenAt = (finder: Finder<unknown> | undefined): string | undefined =>
    finder === undefined ? undefined : toToken(find(finder, value, response));
  const isLast = rows.length === 0 || (by !== undefined && count >= Number(total));
  const counted = by === 'number' ? from + pages.next + 1 : count;
  const next = isLast ? undefined : by === undefined ? tokenAt(options.next) : String(counted);
  // an empty first page says nothing of what is in front of it
  const previous = isLast && direction ? undefined : tokenAt(options.previous);
  return {
    pages,
    requested: requested ? new Set([...before.requested, pageName(requested)]) : before.requested,
    names: requested ? withName(before.names, requested) : before.names,
    served: new Set([...before.served, ...rows]),
    count,
    sent: before.sent,
    total,
    next: direction === 'previous' ? before.next : next,
    previous: direction === 'next' ? before.previous : previous,
  };
}

function withName(names: Loaded['names'], requested: RequestedPage): Loaded['names'] {
  const name = pageName(requested);
  return requested.direction === 'next' ? [...names, name] : [name, ...names];
}

/** Whether no row has come or gone between two pages, as far as their answers tell. */
export function isSameTotal(before: unknown, now: unknown): boolean {
  return before === undefined || before === now;
}
