// The rank of a card that comes to stand at a place among others: a text between those of its neighbours, so that a move is a
// change of one row.
import { generateKeyBetween } from 'fractional-indexing';

export function rankAt(rows: readonly { readonly rank: string }[], place: number): string {
  // a card that the server has not ranked yet has none
  const above = rows[place - 1]?.rank || null;
  // two people may have dropped cards at the same place, with the same rank: between those there is nothing
  const below = rows.slice(place).find(({ rank }) => rank > (above ?? ''))?.rank ?? null;
  return generateKeyBetween(above, below);
}
