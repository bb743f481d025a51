// The fixed values of the demo's domain, shared by the OpenAPI document, the queries and the seed.

/** In board order: also the order in which `orderBy=status` sorts. */
export const STATUSES = ['backlog', 'todo', 'doing', 'review', 'done'] as const;
/** Most urgent first: also the order in which `orderBy=priority` sorts. */
export const PRIORITIES = ['urgent', 'high', 'medium', 'low', 'none'] as const;
export const LABELS = [
  'bug',
  'feature',
  'design',
  'docs',
  'performance',
  'security',
  'chore',
  'research',
] as const;

export type Status = (typeof STATUSES)[number];
export type Priority = (typeof PRIORITIES)[number];
