// Cursor and offset paging for any query with a total order. A cursor holds the sort value and the
// sequence number of the last row of a page, so that rows added or removed in front of it never
// make the next page skip or repeat a row.
import type { SQLInputValue } from 'node:sqlite';
import type { Database, Row } from './database.ts';
import { invalid, Problem } from './problem.ts';

export interface PageQuery {
  table: string;
  conditions: string[];
  values: SQLInputValue[];
  /** An SQL expression that is never null. */
  sortKey: string;
  descending: boolean;
  /** Identifies the order; a cursor made under another one is refused. */
  orderName: string;
}

export interface PageRequest {
  cursor?: string;
  offset?: number;
  limit: number;
}

export interface Page {
  rows: Row[];
  total: number;
  cursor: string;
  /** The value of the `Link` header, or an empty string. */
  link: string;
}

export function readPage(db: Database, query: PageQuery, request: PageRequest, url: URL): Page {
  if (request.cursor && request.offset !== undefined) {
    throw new Problem(422, 'Page by cursor or by offset, not both.', [
      { field: 'offset', message: 'cannot be combined with cursor' },
    ]);
  }
  const where = (conditions: readonly string[]): string =>
    conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
  const total = Number(
    db.get(`select count(*) n from ${query.table}${where(query.conditions)}`, ...query.values)?.['n'],
  );

  const conditions = [...query.conditions];
  const values = [...query.values];
  if (request.cursor) {
    const after = readCursor(request.cursor, query.orderName);
    conditions.push(`(${query.sortKey}, seq) ${query.descending ? '<' : '>'} (?, ?)`);
    values.push(after.sortValue, after.seq);
  }
  const direction = query.descending ? 'desc' : 'asc';
  // only the keys are sorted: rows contain long texts, and most of them are skipped
  const found = db.all(
    `select row.*, sort_value from
       (select seq, ${query.sortKey} as sort_value from ${query.table}${where(conditions)}
        order by ${query.sortKey} ${direction}, seq ${direction} limit ? offset ?) as place
     join ${query.table} as row on row.seq = place.seq
     order by sort_value ${direction}, row.seq ${direction}`,
    ...values,
    request.limit + 1,
    request.offset ?? 0,
  );

  // one row more than requested shows whether there is a next page
  const rows = found.slice(0, request.limit);
  const last = rows.at(-1);
  const cursor = found.length > request.limit && last ? writeCursor(last, query.orderName) : '';
  return { rows, total, cursor, link: writeLink(url, request, total, cursor) };
}

function writeCursor(row: Row, orderName: string): string {
  return Buffer.from(JSON.stringify([orderName, row['sort_value'], row['seq']])).toString('base64url');
}

function readCursor(cursor: string, orderName: string): { sortValue: string | number; seq: number } {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parsed) && parsed.length === 3 && parsed[0] === orderName) {
      const [, sortValue, seq] = parsed as unknown[];
      const isSortValue = typeof sortValue === 'string' || typeof sortValue === 'number';
      if (isSortValue && typeof seq === 'number') return { sortValue, seq };
    }
  } catch {
    // not base64 or not JSON: refused below like every other foreign string
  }
  throw invalid([{ field: 'cursor', message: 'does not belong to this list and order' }]);
}

function writeLink(url: URL, request: PageRequest, total: number, cursor: string): string {
  const links: string[] = [];
  const add = (rel: string, name: 'cursor' | 'offset', value: string | number): void => {
    const target = new URL(url);
    target.searchParams.delete('cursor');
    target.searchParams.delete('offset');
    target.searchParams.set(name, String(value));
    links.push(`<${target.pathname}${target.search}>; rel="${rel}"`);
  };
  if (request.offset === undefined) {
    if (cursor) add('next', 'cursor', cursor);
    return links.join(', ');
  }
  const { offset, limit } = request;
  add('first', 'offset', 0);
  if (offset > 0) add('prev', 'offset', Math.max(0, offset - limit));
  if (offset + limit < total) add('next', 'offset', offset + limit);
  add('last', 'offset', Math.max(0, (Math.ceil(total / limit) - 1) * limit));
  return links.join(', ');
}
