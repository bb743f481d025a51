// Projects with the number of their issues per status.
import { createResource, Entity } from 'holdfast';
import type { Snapshot } from 'holdfast';
import { DemoEndpoint } from './demo-endpoint.ts';
import type { Status } from './vocabulary.ts';

export class Project extends Entity {
  static override key = 'Project';
  id = '';
  name = '';
  description = '';
  hue = 0;
  counts: Record<string, number> = {};
  override pk(): string {
    return this.id;
  }
}

export const ProjectResource = createResource({
  urlPrefix: '/api',
  path: '/projects/:id',
  schema: Project,
  Endpoint: DemoEndpoint,
  optimistic: true,
});

/** An issue that changes its status in its project; null for one that is created, or deleted. */
export interface Move {
  readonly projectId: string;
  readonly from: Status | null;
  readonly to: Status | null;
}

/** The projects with their counts after the moves, as the server will send them. */
export function guessCounts(
  snapshot: Snapshot,
  moves: readonly Move[],
): { id: string; counts: Record<string, number> }[] {
  const found = new Map<string, Record<string, number>>();
  for (const { projectId, from, to } of moves) {
    const known = found.get(projectId) ?? snapshot.get(Project, { id: projectId })?.counts;
    if (!known || from === to) continue;
    const counts = { ...known };
    if (from) counts[from] = (counts[from] ?? 0) - 1;
    if (to) counts[to] = (counts[to] ?? 0) + 1;
    found.set(projectId, counts);
  }
  return [...found].map(([id, counts]) => ({ id, counts }));
}
