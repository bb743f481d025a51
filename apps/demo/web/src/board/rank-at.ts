// The rank of a card at a place among others: a string between those of its neighbours, so that a move changes one row.
import { generateKeyBetween } from 'fractional-indexing';

export function rankAt(rows: readonly { readonly rank: string }[], place: number): string {
  // a card that the server has not ranked yet has none
  const above = rows[place - 1]?.rank || null;
  // two people may have dropped cards at the same place, with the same rank: no rank is between those
  const below = rows.slice(place).find(({ rank }) => rank > (above ?? ''))?.rank ?? null;
  return generateKeyBetween(above, below);
}
