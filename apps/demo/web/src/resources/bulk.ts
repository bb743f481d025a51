// Many issues changed or deleted by one request. Each row succeeds or fails separately: rows that the response lists as changed
// are confirmed, the others are rolled back. Refused rows are stored like all other data of the server.
import { Entity, schema } from 'holdfast';
import type { Snapshot } from 'holdfast';
import { DemoEndpoint } from './demo-endpoint.ts';
import { Issue, moveOf } from './issue.ts';
import type { IssueInput } from './issue.ts';
import { guessCounts, Project } from './project.ts';

type RowChange = { readonly id: string } & Partial<IssueInput>;

export interface BulkInput {
  readonly update?: readonly RowChange[];
  readonly delete?: readonly string[];
}

/** A row that a bulk change did not reach, with the requested change. */
export class Refusal extends Entity {
  static override key = 'Refusal';
  /** The issue's id: a row is refused once, however often it is tried. */
  id = '';
  status = 0;
  message = '';
  /** The fields that were sent; null for a deletion. */
  wanted: RowChange | null = null;
  isDismissed = false;
}

interface BulkAnswer {
  readonly updated: readonly { readonly id: string }[];
  readonly deleted: readonly { readonly id: string }[];
  readonly failed: readonly { readonly id: string; readonly status: number; readonly message: string }[];
  readonly projects: readonly object[];
}

export const bulkIssues = new DemoEndpoint({
  urlPrefix: '/api',
  path: '/issues/bulk',
  method: 'POST',
  body: {} as BulkInput,
  schema: {
    updated: [Issue],
    deleted: [new schema.Invalidate(Issue)],
    projects: [Project],
    failed: [Refusal],
    settled: [new schema.Invalidate(Refusal)],
  },
  process(answer: BulkAnswer, _params: unknown, body: BulkInput) {
    const wanted = (id: string): RowChange | null => body.update?.find((change) => change.id === id) ?? null;
    return {
      ...answer,
      failed: answer.failed.map((row) => ({ ...row, wanted: wanted(row.id), isDismissed: false })),
      // a row that succeeded now is no longer refused
      settled: [...answer.updated, ...answer.deleted].map(({ id }) => ({ id })),
    };
  },
  getOptimisticResponse(snapshot: Snapshot, { update = [], delete: deleted = [] }: BulkInput) {
    const moves = [
      ...update.flatMap(({ id, status }) => moveOf(snapshot, id, status)),
      ...deleted.flatMap((id) => moveOf(snapshot, id, null)),
    ];
    return {
      updated: update,
      deleted: deleted.map((id) => ({ id })),
      projects: guessCounts(snapshot, moves),
      failed: [],
      settled: [],
    };
  },
});

/** Every row that a bulk change did not reach and that nobody has dismissed. */
export const refusals = new schema.Query(new schema.All(Refusal), (rows) =>
  rows.filter((row) => !row.isDismissed),
);
