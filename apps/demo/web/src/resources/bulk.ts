// Changes and deletions of many issues: each row is a call of its own, with its own optimistic update and its own end, and the calls
// of one action leave as one request.
import { BatchManager, failure, success } from 'holdfast/edit';
import { DemoEndpoint } from './demo-endpoint.ts';
import { IssueResource } from './issue.ts';
import type { IssueInput } from './issue.ts';

interface BulkInput {
  readonly update?: readonly ({ readonly id: string } & Partial<IssueInput>)[];
  readonly delete?: readonly string[];
}

interface BulkReply {
  readonly updated: readonly { readonly id: string }[];
  readonly failed: readonly { readonly id: string; readonly status: number; readonly message: string }[];
  /** The projects of the changed rows, with their counts. */
  readonly projects: readonly { readonly id: string }[];
}

const bulkIssues = new DemoEndpoint({
  urlPrefix: '/api',
  path: '/issues/bulk',
  method: 'POST',
  body: {} as BulkInput,
  process: (reply: BulkReply) => reply,
});

function resultsOf(
  { updated, failed, projects }: BulkReply,
  calls: readonly (readonly [{ readonly id: string | number }, ...(readonly unknown[])])[],
): BatchManager.Result[] {
  const refusals = new Map(failed.map((row) => [row.id, row]));
  const rows = new Map(updated.map((row) => [row.id, row]));
  return calls.map(([params]) => {
    const id = String(params.id);
    const refused = refusals.get(id);
    if (refused) return failure(refused.status, { detail: refused.message });
    // LTH-12 is an issue of the project LTH
    const project = projects.find((one) => id.startsWith(`${one.id}-`));
    return success({ ...(rows.get(id) ?? { id }), ...(project && { project }) });
  });
}

/** How many rows the server changes by one request. */
const MOST = 500;

export const bulkManagers = [
  new BatchManager({
    each: IssueResource.partialUpdate,
    as: bulkIssues,
    most: MOST,
    args: (calls) => [{ update: calls.map(([{ id }, fields]) => ({ ...fields, id: String(id) })) }],
    results: resultsOf,
  }),
  new BatchManager({
    each: IssueResource.delete,
    as: bulkIssues,
    most: MOST,
    args: (calls) => [{ delete: calls.map(([{ id }]) => String(id)) }],
    results: resultsOf,
  }),
];
