// The place of a card in its column: fractional indexes, so that moving one card writes one row. Pages compute the rank of a
// moved card; the server checks it, and computes one for a new card.
import { generateKeyBetween } from 'fractional-indexing';
import { BY_RANK } from './database.ts';
import type { Database } from './database.ts';

/** A rank in front of every issue of that column. */
export function rankOnTop(db: Database, projectId: string, status: string): string {
  const first = db.get(
    `select rank from issue where project_id = ? and status = ? order by ${BY_RANK} limit 1`,
    projectId,
    status,
  );
  return generateKeyBetween(null, (first?.['rank'] as string | undefined) ?? null);
}

/** True when another rank can be made beside it: not every string is a rank. */
export function isRank(text: string): boolean {
  try {
    generateKeyBetween(text, null);
    return true;
  } catch {
    return false;
  }
}
