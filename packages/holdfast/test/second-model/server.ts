// The second model's server: items with an owner, every form that a row ever had, and lists that come whole or in pages.
export type Fields = Readonly<Record<string, unknown>>;
export type Params = Readonly<Record<string, string>>;

/** One form of a row, from this revision of the server on; null: the row is deleted. */
export interface Version {
  readonly rev: number;
  readonly row: Fields | null;
}

/** What the server has made of a request. */
export interface Result {
  /** 0: the response is lost. */
  readonly status: number;
  readonly body: unknown;
  /** The revision of the server right after it. */
  readonly rev: number;
  /** The row that a write changed. */
  readonly wrote?: string;
  /** The rows of a read, in order, and the token of the next page. */
  readonly ids: readonly string[];
  readonly next: string;
}

export const WRITE_ENDS = ['full', '204', 'success', 'key', '500', 'lost', 'never', 'refused'] as const;
export const READ_ENDS = ['full', '500', 'lost'] as const;
const PAGE_ROWS = 2;

export class Server {
  rev = 0;
  readonly past = new Map<string, Version[]>();
  /** In which order rows were created. */
  readonly #places = new Map<string, number>();

  constructor() {
    for (const n of [1, 2]) this.write(`u${n}`, { id: `u${n}`, name: `n${n}` });
    for (const n of [1, 2, 3, 4, 5])
      this.write(`i${n}`, {
        id: `i${n}`,
        title: n === 4 ? 'b0' : `a${n}`,
        status: n === 5 ? 'shut' : 'open',
        done: n === 2,
        rank: n,
        owner: n % 2 ? 'u1' : 'u2',
      });
  }

  row(id: string): Fields | null {
    return this.past.get(id)?.at(-1)?.row ?? null;
  }

  write(id: string, row: Fields | null): void {
    if (!this.row(id)) this.#places.set(id, this.rev);
    this.rev += 1;
    this.past.set(id, [...(this.past.get(id) ?? []), { rev: this.rev, row }]);
  }

  /** The row as responses have it: with its owner. */
  whole(id: string, row = this.row(id)): Fields | null {
    const owner = row?.['owner'];
    return row && typeof owner === 'string' ? { ...row, owner: this.row(owner) } : row;
  }

  /** The ids of a whole list, in its order. */
  list(params: Params): string[] {
    const rows = [...this.past.keys()].filter((id) => matches(this.row(id), params));
    return rows.sort((left, right) => this.#place(left, params) - this.#place(right, params));
  }

  #place(id: string, { sort }: Params): number {
    return Number(sort ? this.row(id)?.['rank'] : this.#places.get(id));
  }

  handle(method: string, path: string, params: Params, body: Fields, end: string): Result {
    const [, family = '', id = ''] = path.split('/');
    if (method === 'GET') return end === 'full' ? this.#read(family, id, params) : this.#answer(end, null);
    if (end === 'never' || end === 'refused') return this.#answer(end, null);
    const isCreation = method === 'POST' && !id;
    const wrote = isCreation ? String(body['id'] ?? `i${this.past.size - 1}`) : id;
    const before = this.row(wrote);
    if (isCreation === (before !== null))
      return { ...this.#answer('full', null), status: isCreation ? 409 : 404 };
    const made = { status: 'open', done: false, rank: 50, owner: 'u1', title: '', id: wrote };
    const isAction = method === 'POST' && id !== '';
    const fields = isAction ? { status: 'shut' } : body;
    this.write(wrote, method === 'DELETE' ? null : { ...(before ?? made), ...fields });
    // an action that is answered with a key says that nothing else has changed
    const said = isAction && end === 'key' ? 'full' : end;
    return { ...this.#answer(said, this.whole(wrote, this.row(wrote) ?? before)), wrote };
  }

  #answer(end: string, row: Fields | null): Result {
    const status = { '204': 204, '500': 500, lost: 0, never: 0, refused: 409 }[end] ?? 200;
    const body = end === 'success' ? { success: true } : end === 'key' ? { id: row?.['id'] } : row;
    return { status, body: status === 200 ? body : null, rev: this.rev, ids: [], next: '' };
  }

  #read(family: string, id: string, params: Params): Result {
    const result = { status: 200, rev: this.rev, ids: [id], next: '' };
    if (id) return { ...result, status: this.row(id) ? 200 : 404, body: this.whole(id) };
    const all = this.list(params);
    const { page = '1', offset = '0', cursor, limit = 'Infinity' } = params;
    const isInPages = family !== 'items' && family !== 'counted';
    const behind = all.findIndex((one) => this.#place(one, params) > Number(cursor));
    const from = cursor
      ? behind < 0
        ? all.length
        : behind
      : Number(offset) + (Number(page) - 1) * PAGE_ROWS;
    const ids = all.slice(from, from + (isInPages ? PAGE_ROWS : Number(limit)));
    const last = ids.at(-1);
    const next =
      last !== undefined && last !== all.at(-1) && isInPages ? String(this.#place(last, params)) : '';
    const rows = ids.map((one) => this.whole(one));
    const isBare = family === 'items' || family === 'hand';
    return { ...result, ids, next, body: isBare ? rows : { rows, total: all.length, next } };
  }
}

/** Whether a list with these parameters has the row, were it neither cut nor in pages. */
export function matches(row: Fields | null | undefined, { status = 'all', done, q = '' }: Params): boolean {
  if (!row || !('title' in row)) return false;
  const isOfStatus = status === 'all' || row['status'] === status;
  return isOfStatus && (!done || String(row['done']) === done) && String(row['title']).includes(q);
}
