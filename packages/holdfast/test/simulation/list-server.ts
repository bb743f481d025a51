// The server of the list model: cards in lanes, sorted by rank, in pages of every kind. Also computes how a right list with some
// of the cards looks.
import type { inPages } from 'holdfast';

export interface Fields {
  readonly id: string;
  readonly rank: number;
  readonly lane: string;
}

/**
 * By cursor; by number or offset, where rows shift from one page to another; by tokens that are numbers or offsets; all at once;
 * by cursor and by hand, without a page rule; opened in the middle with pages on both sides; opened at the end with pages in front.
 */
export const WAYS = [
  'cursor',
  'number',
  'offset',
  'number token',
  'offset token',
  'whole',
  'hand',
  'middle',
  'end',
] as const;
export type Way = (typeof WAYS)[number];

/** The ways in which a page is requested by its position, so that rows shift from one page to another. */
const COUNTED: readonly Way[] = ['number', 'offset', 'number token', 'offset token'];

export function isCountedWay(way: Way): boolean {
  return COUNTED.includes(way);
}

export const RULES: Record<Way, inPages.Options | null> = {
  cursor: { next: 'next' },
  number: { by: 'number', total: 'total' },
  offset: { by: 'offset', total: 'total' },
  'number token': { next: 'next', total: 'total' },
  'offset token': { next: 'next', total: 'total' },
  whole: null,
  hand: null,
  middle: { next: 'next', previous: 'previous' },
  end: { previous: 'previous' },
};

/** The properties of a response beside its rows. */
export interface Beside {
  readonly next: string;
  readonly previous: string;
}

const SIZE = 2;
/** The rank at which the middle begins. */
const PIVOT = 5;

export function byRank(left: Fields, right: Fields): number {
  return left.rank - right.rank || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
}

export class ListServer {
  readonly rows = new Map<string, Fields>();
  readonly #way: Way;
  #made = 0;

  constructor(way: Way) {
    this.#way = way;
    for (const rank of [1, 2, 2, 3, 5, 5, 6, 7, 9]) this.insert(rank, 'a');
  }

  insert(rank: number, lane: string): void {
    this.#made += 1;
    const id = `c${this.#made}`;
    this.rows.set(id, { id, rank, lane });
  }

  #list(lane: string): Fields[] {
    return [...this.rows.values()].filter((row) => row.lane === lane).sort(byRank);
  }

  answer(url: URL, { method = 'GET', body }: RequestInit): Response {
    const id = url.pathname.split('/')[2];
    const sent = body ? (JSON.parse(String(body)) as Partial<Fields>) : {};
    if (method === 'POST') {
      this.insert(sent.rank ?? 0, sent.lane ?? 'a');
      return Response.json([...this.rows.values()].at(-1), { status: 201 });
    }
    if (id === undefined)
      return Response.json(this.#page(url.searchParams.get('lane') ?? '', url.searchParams.get('page')));
    const row = this.rows.get(id);
    if (!row) return new Response(null, { status: 404 });
    if (method === 'DELETE') this.rows.delete(id);
    else this.rows.set(id, { ...row, ...sent });
    return method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(this.rows.get(id));
  }

  #page(lane: string, token: string | null): Beside & { cards: readonly Fields[]; total: number } {
    const all = this.#list(lane);
    const total = all.length;
    const [from, to] = this.#rangeOf(all, token);
    const cards = all.slice(from, to);
    const [first, last] = [cards[0], cards.at(-1)];
    const next = last && to < total ? this.#tokenAfter(last, to) : '';
    // an empty first page may have a page in front of it
    const { rank, id } = first ?? { rank: PIVOT, id: '' };
    const previous = from > 0 && (first ?? token === null) ? `before|${rank}|${id}` : '';
    return { cards, total, next, previous };
  }

  #tokenAfter({ rank, id }: Fields, to: number): string {
    if (this.#way === 'number token') return String(to / SIZE + 1);
    return this.#way === 'offset token' ? String(to) : `after|${rank}|${id}`;
  }

  #rangeOf(all: readonly Fields[], token: string | null): readonly [from: number, to: number] {
    const [side, rank, id = ''] = token?.split('|') ?? [];
    const isBefore = (row: Fields): boolean => byRank(row, { rank: Number(rank), id, lane: '' }) < 0;
    const before = all.filter(isBefore).length;
    const isAt = all[before]?.id === id;
    const from = token === null ? this.#opensAt(all) : before + Number(isAt);
    switch (this.#way) {
      case 'whole':
        return [0, all.length];
      case 'number':
      case 'number token':
        return [(Number(token ?? 1) - 1) * SIZE, Number(token ?? 1) * SIZE];
      case 'offset':
      case 'offset token':
        return [Number(token), Number(token) + SIZE];
      default:
        return side === 'before' ? [Math.max(0, before - SIZE), before] : [from, from + SIZE];
    }
  }

  /** The number of rows in front of the first page. */
  #opensAt(all: readonly Fields[]): number {
    if (this.#way === 'end') return Math.max(0, all.length - SIZE);
    return this.#way === 'middle' ? all.filter(({ rank }) => rank < PIVOT).length : 0;
  }

  /** A right list with this many rows, starting at the given one; undefined where no list with these tokens is right. */
  expected(count: number, firstId: string | undefined, { next, previous }: Beside): string | undefined {
    const all = this.#list('a');
    const opensAt = this.#way === 'middle' ? this.#opensAt(all) : 0;
    const found = firstId === undefined ? opensAt : all.findIndex(({ id }) => id === firstId);
    const from = this.#way === 'middle' ? found : this.#way === 'end' ? all.length - count : 0;
    const to = from + count;
    if (['whole', 'hand'].includes(this.#way) && count !== all.length) return textOf(all);
    if (this.#way !== 'middle') return textOf(all.slice(Math.max(0, from), to));
    const isRight = from >= 0 && (previous !== '' || from === 0) && (next !== '' || to >= all.length);
    return isRight ? textOf(all.slice(from, to)) : undefined;
  }
}

export function textOf(rows: readonly Pick<Fields, 'id' | 'rank'>[]): string {
  return rows.map(({ id, rank }) => `${id}:${rank}`).join(' ');
}
