// Pages of flat items, as a server would send them: parsed anew for each request.
import { PAGE_ROWS } from '../contestants/contestant.ts';
import { createItemRow } from './flat.ts';
import type { ItemRow } from './flat.ts';

export interface ItemPage {
  readonly items: ItemRow[];
  readonly next: number;
}

/** The page that begins at this row; there is always another. */
export function readPage(from: number): ItemPage {
  const items = Array.from({ length: PAGE_ROWS }, (_, index) => createItemRow(from + index));
  return { items, next: from + PAGE_ROWS };
}
