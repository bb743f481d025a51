// The server of the second model: items with an owner, every state that a row ever had, and lists, whole or in pages.
export type Fields = Readonly<Record<string, unknown>>;
export type Params = Readonly<Record<string, string>>;
export type Asked = Readonly<{ method: string; path: string; params: Params; body: Fields }>;
/** The rows of a read, in order, and the token of the next page. */
export type Brought = Readonly<{ ids: readonly string[]; next: string }>;
/** The result of a request. Status 0: the response is lost. `rev`: the revision of the server; `wrote`: the changed row. */
export type Result = Readonly<{ status: number; body: unknown; rev: number; wrote?: string }> & Brought;
/** A state of a row, from a revision of the server on; null: the row is deleted. */
export type Form = Readonly<{ rev: number; row: Fields | null }>;
export const WRITE_ENDS = ['full', 'brief', '204', 'success', '500', 'lost', 'never', 'refused'] as const;
export const READ_ENDS = ['full', '500', 'lost'] as const;
const STATUS: Readonly<Record<string, number>> = { '204': 204, '500': 500, lost: 0, never: 0, refused: 409 };
const PAGE_ROWS = 2;
const MADE = { title: '', status: 'open', done: false, rank: 50, owner: 'u1' };
export const isWhole = (family: string): boolean => family === 'items' || family === 'counted';
export const isBare = (family: string): boolean => family === 'items' || family === 'hand';
/** True when a list with these parameters contains the row, without its limit and its pages. */
export function matches(row: Fields | null, { status = 'all', done, q = '' }: Params): boolean {
  if (!row || !('title' in row) || (status !== 'all' && row['status'] !== status)) return false;
  return (!done || String(row['done']) === done) && String(row['title']).includes(q);
}
export function createServer() {
  let rev = 0;
  const past = new Map<string, readonly Form[]>();
  const made = new Map<string, number>();
  const row = (id: string): Fields | null => past.get(id)?.at(-1)?.row ?? null;
  /** The states that a row had at a revision and later. */
  const since = (id: string, from: number): readonly Form[] => {
    const forms = past.get(id) ?? [];
    const first = forms.findLastIndex((form) => form.rev <= from);
    return forms.slice(Math.max(first, 0));
  };
  const placeOf = (id: string, { sort }: Params): number => Number(sort ? row(id)?.['rank'] : made.get(id));
  const write = (id: string, now: Fields | null): void => {
    if (!row(id)) made.set(id, rev);
    past.set(id, [...(past.get(id) ?? []), { rev: (rev += 1), row: now }]);
  };
  for (const id of ['u1', 'u2']) write(id, { id, name: id });
  for (const n of [1, 2, 3, 4, 5]) {
    const said = { title: n === 4 ? 'b' : 'a', status: n === 5 ? 'shut' : 'open', done: n === 2 };
    write(`i${n}`, { ...MADE, ...said, id: `i${n}`, rank: n, owner: n % 2 ? 'u1' : 'u2' });
  }
  /** The row as in a response: with its owner. */
  const whole = (id: string): Fields | null => {
    const now = row(id);
    return now?.['owner'] ? { ...now, owner: row(String(now['owner'])) } : now;
  };
  const list = (params: Params): string[] =>
    [...past.keys()]
      .filter((id) => matches(row(id), params))
      .sort((left, right) => placeOf(left, params) - placeOf(right, params));
  const read = (family: string, id: string, params: Params): Brought & Pick<Result, 'status' | 'body'> => {
    if (id) return { status: row(id) ? 200 : 404, body: whole(id), ids: [id], next: '' };
    const all = list(params);
    const { page = 1, offset = 0, cursor = -1, limit = Infinity } = params;
    const behind = all.filter((one) => placeOf(one, params) > Number(cursor));
    const from = Number(offset) + (Number(page) - 1) * PAGE_ROWS;
    const ids = behind.slice(from, from + (isWhole(family) ? Number(limit) : PAGE_ROWS));
    const last = ids.at(-1) ?? '';
    const next = isWhole(family) || !last || last === all.at(-1) ? '' : String(placeOf(last, params));
    const rows = ids.map(whole);
    return { status: 200, ids, next, body: isBare(family) ? rows : { rows, total: all.length, next } };
  };
  const handle = ({ method, path, params, body }: Asked, end = 'full'): Result => {
    const [, family = '', id = ''] = path.split('/');
    const answer = { status: STATUS[end] ?? 200, body: null, rev, ids: [], next: '' };
    if (method === 'GET') return end === 'full' ? { ...answer, ...read(family, id, params) } : answer;
    if (end === 'never' || end === 'refused') return answer;
    const isCreation = method === 'POST' && !id;
    const wrote = isCreation ? String(body['id'] ?? `i${past.size - 1}`) : id;
    const before = row(wrote);
    if (isCreation === !!before) return { ...answer, status: isCreation ? 409 : 404 };
    const fields = path.endsWith('/close') ? { status: 'shut' } : body;
    write(wrote, method === 'DELETE' ? null : { ...(before ?? MADE), id: wrote, ...fields });
    const now = whole(wrote) ?? { id };
    const brief = Object.fromEntries(['id', ...Object.keys(fields)].map((name) => [name, now[name]]));
    return { ...answer, body: { success: { success: true }, brief }[end] ?? now, rev, wrote };
  };
  return { past, since, row, whole, list, handle };
}
