// What a library must offer to take part in the rendering scenarios. Every write goes straight into its cache,
// as if the server had just answered; no network takes part.
import type { ComponentType, ReactNode } from 'react';

import type { IssueRow, PersonRow } from '../payloads/issues.ts';

/** How the page reads: one hook for the list, one hook per row, both, or a sorted view of the list. */
export type Reading = 'list' | 'rows' | 'both' | 'sorted';

export interface RenderClient {
  readonly Provider: ComponentType<{ readonly children: ReactNode }>;
  readonly useList: () => readonly IssueRow[];
  readonly useOne: (id: string) => IssueRow | undefined;
  /** Sorted by votes, as the library's users would write it. */
  readonly useSorted: () => readonly IssueRow[];
  /** The first response: a list, and one entry per row where the library keeps those apart. */
  ingest(rows: readonly IssueRow[]): void;
  updateOne(row: IssueRow): void;
  updateAuthor(author: PersonRow): void;
  unshift(row: IssueRow): void;
  remove(id: string): void;
}

export interface RenderContestant {
  readonly name: string;
  readonly packageName?: string;
  readonly createClient: (reading: Reading) => RenderClient;
}

/** Rows with one author replaced, those without it unchanged: what users of a plain cache write by hand. */
export function withAuthor(rows: readonly IssueRow[], author: PersonRow): IssueRow[] {
  return rows.map((row) => (row.author.id === author.id ? { ...row, author } : row));
}

/** Rows with one replaced. */
export function withRow(rows: readonly IssueRow[], next: IssueRow): IssueRow[] {
  return rows.map((row) => (row.id === next.id ? next : row));
}
