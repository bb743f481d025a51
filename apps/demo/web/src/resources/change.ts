// The writes of one issue. Each shows its result at once, the counts of its project included: what the server will say of
// them is known as soon as the issue's status is.
import type { Snapshot } from 'holdfast';
import { Issue, IssueResource } from './issue.ts';
import type { IssueInput } from './issue.ts';
import { Project } from './project.ts';
import type { Status } from './vocabulary.ts';

interface Move {
  readonly id: string;
  /** Undefined stays where it is; null leaves its project. */
  readonly status?: Status | null | undefined;
}

interface Counts {
  readonly id: string;
  readonly counts: Record<string, number>;
}

/** The projects of these issues with their counts after the moves. */
export function guessCounts(snapshot: Snapshot, moves: readonly Move[]): Counts[] {
  const found = new Map<string, Record<string, number>>();
  for (const { id, status } of moves) {
    const issue = snapshot.get(Issue, { id });
    if (issue && status !== undefined && status !== issue.status)
      count(found, snapshot, issue.projectId, { from: issue.status, to: status });
  }
  return [...found].map(([id, counts]) => ({ id, counts }));
}

function count(
  found: Map<string, Record<string, number>>,
  snapshot: Snapshot,
  projectId: string,
  { from, to }: { from: Status | null; to: Status | null },
): void {
  const known = found.get(projectId) ?? snapshot.get(Project, { id: projectId })?.counts;
  if (!known) return;
  const counts = { ...known };
  if (from) counts[from] = (counts[from] ?? 0) - 1;
  if (to) counts[to] = (counts[to] ?? 0) + 1;
  found.set(projectId, counts);
}

export const changeIssue = IssueResource.partialUpdate.extend({
  getOptimisticResponse(snapshot: Snapshot, { id }: { id: string }, fields: Partial<IssueInput>) {
    const [project] = guessCounts(snapshot, [{ id, status: fields.status }]);
    return { id, ...fields, ...(project && { project }) };
  },
});

export const addIssue = IssueResource.getList.push.extend({
  getOptimisticResponse(snapshot: Snapshot, fields: IssueInput & { projectId: string; status: Status }) {
    const found = new Map<string, Record<string, number>>();
    count(found, snapshot, fields.projectId, { from: null, to: fields.status });
    const [project] = [...found].map(([id, counts]) => ({ id, counts }));
    return { ...fields, ...(project && { project }) };
  },
});

export const removeIssue = IssueResource.delete.extend({
  getOptimisticResponse(snapshot: Snapshot, { id }: { id: string }) {
    const [project] = guessCounts(snapshot, [{ id, status: null }]);
    return { id, ...(project && { project }) };
  },
});
