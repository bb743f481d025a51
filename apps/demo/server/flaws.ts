// Broken rows on demand. A page that sends `Demo-Network: broken=3` gets lists in which three rows, always the same three,
// violate the description of the API, as happens behind real APIs. The stored data stays right.
import type { Row } from './database.ts';
import { toIssueSummary } from './representation.ts';

/** One kind per broken row; the seed marks a row for each. */
export const FLAWS = ['status', 'title', 'dueDate'] as const;

const BROKEN: Record<string, object> = {
  status: { status: 'on hold' },
  title: { title: null },
  dueDate: { dueDate: 20_261_117 },
};

/** Rows as a list sends them, with the first `broken` kinds of flaws. */
export function toIssueRows(rows: readonly Row[], broken: number): object[] {
  const flaws: readonly unknown[] = FLAWS.slice(0, broken);
  return rows.map((row) => ({
    ...toIssueSummary(row),
    ...(flaws.includes(row['flaw']) ? BROKEN[String(row['flaw'])] : {}),
  }));
}
