// The server of the model of several lists: cards in lanes, in the order of their ranks or of their creation, whole or in pages.
// One table has several lists: one for each lane, one of all, one of `lane=all`, and one by a word in the title.

export interface CardFields {
  readonly id: string;
  readonly rank: number;
  readonly lane: string;
  readonly title: string;
}

/** In pages by cursor, by number, all at once, and by cursor and by hand. */
export const PAGINGS = ['cursor', 'number', 'whole', 'hand'] as const;
export type Paging = (typeof PAGINGS)[number];

export type ListArgs = Readonly<Record<string, string>>;

/** The arguments of each list, beside those of its order. */
export const SEVERAL: readonly ListArgs[] = [
  { lane: 'a' },
  {},
  { lane: 'all' },
  { word: 'x' },
  { lane: 'b' },
];

/** The response to a mutation that was done. */
export const ENDS = ['row', 'row', 'row', 'row', 'empty', 'success', 'failure', 'lost'] as const;
export type End = (typeof ENDS)[number];

const SIZE = 2;

export class SeveralServer {
  readonly rows = new Map<string, CardFields>();
  /** Deleted rows: each may be restored. */
  readonly deleted = new Map<string, CardFields>();
  readonly #paging: Paging;
  #made = 0;

  constructor(paging: Paging) {
    this.#paging = paging;
    for (const [rank, lane, title] of [
      [1, 'a', 'x'],
      [3, 'a', 'y'],
      [4, 'b', 'x'],
      [5, 'a', 'x'],
      [7, 'a', 'y'],
      [8, 'b', 'y'],
    ] as const)
      this.#create({ rank, lane, title });
  }

  #create({ rank = 0, lane = 'a', title = 'y' }: Partial<CardFields>): CardFields {
    const card = { id: `c${++this.#made}`, rank, lane, title };
    this.rows.set(card.id, card);
    return card;
  }

  /** The members of a list, as the server would send them now. */
  list({ lane = 'all', word = '', order }: ListArgs): CardFields[] {
    const isIn = (row: CardFields): boolean =>
      (lane === 'all' || row.lane === lane) && row.title.includes(word);
    return [...this.rows.values()].filter(isIn).sort(order === undefined ? compareAges : compareCards);
  }

  /** Handles the request and returns the body of the response; undefined: there is no such row. */
  handle(url: URL, method: string, sent: Partial<CardFields>): unknown {
    const [, , id, verb] = url.pathname.split('/');
    if (verb === 'restore') return this.#restore(id!);
    if (method === 'POST') return this.#create(sent);
    if (id === undefined) return this.#page(Object.fromEntries(url.searchParams));
    const row = this.rows.get(id);
    if (!row || method === 'GET') return row;
    this.rows.delete(id);
    if (method === 'DELETE') this.deleted.set(id, row);
    else this.rows.set(id, { ...row, ...sent });
    return method === 'DELETE' ? { id } : this.rows.get(id);
  }

  #restore(id: string): CardFields | undefined {
    const row = this.deleted.get(id);
    if (!row) return this.rows.get(id);
    this.deleted.delete(id);
    this.rows.set(id, row);
    return row;
  }

  #page({ page, ...args }: ListArgs): object {
    const all = this.list(args);
    const [rank, id = ''] = (page ?? '').split('|');
    const compare = args['order'] === undefined ? compareAges : compareCards;
    const isBefore = (row: CardFields): boolean =>
      page !== undefined && compare(row, { id, rank: Number(rank) }) <= 0;
    const from = this.#paging === 'number' ? (Number(page ?? 1) - 1) * SIZE : all.filter(isBefore).length;
    const cards = this.#paging === 'whole' ? all : all.slice(from, from + SIZE);
    const last = cards.at(-1);
    const next = last && from + cards.length < all.length ? `${last.rank}|${last.id}` : '';
    return { cards, total: all.length, next };
  }
}

/** In the order of their creation, which follows from their ids. */
function compareAges(left: Pick<CardFields, 'id'>, right: Pick<CardFields, 'id'>): number {
  return Number(left.id.slice(1)) - Number(right.id.slice(1));
}

export function compareCards(
  left: Pick<CardFields, 'id' | 'rank'>,
  right: Pick<CardFields, 'id' | 'rank'>,
): number {
  return left.rank - right.rank || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
}
