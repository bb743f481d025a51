// The lists that users read, and the names by which reads are compared.
import { sorted } from './model-network.ts';
import type { Filter } from './model-server.ts';
import type { ReadCall } from './subject.ts';

export const LISTS: readonly Filter[] = [
  {},
  { status: 'open' },
  { status: 'done' },
  { group: 'a', status: 'open' },
  { orderBy: 'title', status: 'open' },
  { q: '1' },
  { feed: '1' },
];

/** Further pages of the last list; each has its own request and is a part of that list. */
export const PAGES: readonly Filter[] = [
  { cursor: '2', feed: '1' },
  { cursor: '4', feed: '1' },
];

/**
 * Lists of another shape. Properties of a key that start with `order` filter nothing, so these define how the list is read: in an
 * envelope beside a total, as a field of a row, with members of two types.
 */
export const SHAPED: readonly Filter[] = [
  { orderBox: '1', status: 'open' },
  { orderBox: '1' },
  { orderNest: '1', status: 'open' },
  { orderNest: '1', status: 'done' },
  { things: '1' },
];

/** True when only the server knows the membership rule: a search, or a list in pages. */
export const isOpaque = (filter: Filter): boolean => 'q' in filter || 'feed' in filter || 'things' in filter;

/** True when the response is an object around the list. */
export const isWrapped = (filter: Filter): boolean => 'orderBox' in filter || 'orderNest' in filter;

const listKeys = new Map<Filter, string>(
  [...LISTS, ...SHAPED].map((filter) => [filter, JSON.stringify(sorted(filter))]),
);

export const listKey = (filter: Filter): string => listKeys.get(filter) ?? JSON.stringify(sorted(filter));

/** The list in pages. */
export const FEED = listKey({ feed: '1' });

/** The same text as the key of the exchange that serves the read. */
export function readKey(call: ReadCall): string {
  if (call.kind === 'list') {
    const { filter } = call;
    if ('orderNest' in filter) return `GET /boards/${filter['status']} {}`;
    return `GET /${'things' in filter ? 'things' : 'items'} ${listKey(filter)}`;
  }
  if (call.kind === 'jobs') return `GET ${call.list.path} ${JSON.stringify(call.list.query)}`;
  if (call.kind === 'notes') return 'GET /notes {}';
  if (call.kind === 'note') return `GET /notes/${call.id} {}`;
  return `GET /${call.kind === 'get' ? 'items' : 'users'}/${call.id} {}`;
}
