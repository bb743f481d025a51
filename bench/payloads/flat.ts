// The flat payload: rows of ten fields, about 250 bytes of JSON each, string ids.
import { createRandom, createWords } from './random.ts';

export interface ItemRow {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly category: string;
  readonly price: number;
  readonly quantity: number;
  readonly active: boolean;
  readonly owner: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Row number `index`; the same index always gives an equal row. */
export function createItemRow(index: number): ItemRow {
  const random = createRandom(index + 1);
  return {
    // padded, so that a store which keeps rows sorted by key shows them in the order of arrival
    id: `item-${String(index).padStart(6, '0')}`,
    title: createWords(random, 3),
    summary: createWords(random, 7),
    category: `category-${random(20)}`,
    price: random(100_000) / 100,
    quantity: random(500),
    active: random(2) === 0,
    owner: `user-${random(200)}`,
    createdAt: `2026-0${1 + random(9)}-1${random(10)}T0${random(10)}:30:00.000Z`,
    updatedAt: `2026-10-1${random(10)}T0${random(10)}:45:00.000Z`,
  };
}

export function createItemRows(count: number): ItemRow[] {
  return Array.from({ length: count }, (_, index) => createItemRow(index));
}

// A prime stride visits the table in an order that a cache line or a branch predictor cannot guess.
const STRIDE = 7919;

/** The row that write number `turn` sends: a different row each turn, always with a new price. */
export function createChangedRow(rows: readonly ItemRow[], turn: number): ItemRow {
  const row = rows[((turn + 1) * STRIDE) % rows.length] as ItemRow; // cast: index is below the length
  return { ...row, price: 1_000_000 + turn };
}

/** The same with a price from the middle of the table: the row moves within an order, not to its end. */
export function createMovedRow(rows: readonly ItemRow[], turn: number): ItemRow {
  return { ...createChangedRow(rows, turn), price: ((turn * STRIDE) % 100_000) / 100 };
}

/** A row that no payload holds, for pushes. */
export function createNewRow(turn: number): ItemRow {
  return { ...createItemRow(turn % 1000), id: `new-${String(turn).padStart(9, '0')}` };
}

/** What the user's own sort gives: the list of scenario L1. */
export function sortByPrice<Row extends { price: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((left, right) => left.price - right.price);
}

/** What the user's own filter and sort gives: the view of scenario Q1. */
export function selectActiveByPrice<Row extends { active: boolean; price: number }>(
  rows: readonly Row[],
): Row[] {
  return sortByPrice(rows.filter((row) => row.active));
}
