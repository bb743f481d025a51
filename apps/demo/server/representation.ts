// Rows of the database in the form of the API. Only reads; used by the routes and by the stream.
import type { Database, Row } from './database.ts';
import { STATUSES } from './vocabulary.ts';
import type { Priority, Status } from './vocabulary.ts';

export interface UserJson {
  id: string;
  name: string;
  role: string;
  hue: number;
}

export interface ProjectJson {
  id: string;
  name: string;
  description: string;
  hue: number;
  counts: Record<Status, number>;
}

export interface IssueFields {
  title: string;
  description: string;
  status: Status;
  priority: Priority;
  assigneeId: string | null;
  labels: string[];
  dueDate: string | null;
  estimate: string | null;
  /** Its place in the column: a fractional index. */
  rank: string;
}

export interface IssueSummaryJson extends IssueFields {
  id: string;
  projectId: string;
  commentCount: number;
  createdAt: string;
  updatedAt: string;
  version: number;
}

/** What a search says of an issue: enough for a line in a list of what was found. */
export type IssueHitJson = Pick<
  IssueSummaryJson,
  'id' | 'projectId' | 'title' | 'status' | 'priority' | 'assigneeId' | 'labels' | 'version'
>;

export interface ActivityJson {
  id: string;
  issueId: string;
  projectId: string;
  actor: UserJson;
  kind: string;
  field: string | null;
  before: string | null;
  after: string | null;
  at: string;
}

export interface IssueJson extends IssueSummaryJson {
  project: ProjectJson;
  activity: ActivityJson[];
}

export interface CommentJson {
  id: string;
  issueId: string;
  author: UserJson;
  body: string;
  createdAt: string;
  updatedAt: string;
}

/** How many activity entries an issue contains. */
export const ACTIVITY_OF_ISSUE = 30;

export function toUser(row: Row): UserJson {
  return {
    id: String(row['id']),
    name: String(row['name']),
    role: String(row['role']),
    hue: Number(row['hue']),
  };
}

export function readUser(db: Database, id: string): UserJson | undefined {
  const row = db.get('select * from user where id = ?', id);
  return row && toUser(row);
}

export function toIssueSummary(row: Row): IssueSummaryJson {
  return {
    id: String(row['id']),
    projectId: String(row['project_id']),
    title: String(row['title']),
    description: String(row['description']),
    status: row['status'] as Status, // cast: only validated values are stored
    priority: row['priority'] as Priority,
    assigneeId: row['assignee_id'] as string | null,
    labels: JSON.parse(String(row['labels'])) as string[],
    dueDate: row['due_date'] as string | null,
    estimate: row['estimate'] as string | null,
    rank: String(row['rank']),
    commentCount: Number(row['comment_count']),
    createdAt: String(row['created_at']),
    updatedAt: String(row['updated_at']),
    version: Number(row['version']),
  };
}

export function toIssueHit(row: Row): IssueHitJson {
  const { id, projectId, title, status, priority, assigneeId, labels, version } = toIssueSummary(row);
  return { id, projectId, title, status, priority, assigneeId, labels, version };
}

export function readIssueSummary(db: Database, id: string): IssueSummaryJson | undefined {
  const row = db.get('select * from issue where id = ?', id);
  return row && toIssueSummary(row);
}

export function readIssue(db: Database, id: string): IssueJson | undefined {
  const summary = readIssueSummary(db, id);
  if (!summary) return undefined;
  const project = readProject(db, summary.projectId) as ProjectJson; // cast: a foreign key guarantees it
  return { ...summary, project, activity: readIssueActivity(db, id) };
}

export function readProject(db: Database, id: string): ProjectJson | undefined {
  const row = db.get('select * from project where id = ?', id);
  if (!row) return undefined;
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  for (const entry of db.all(
    'select status, count(*) n from issue where project_id = ? group by status',
    id,
  )) {
    counts[entry['status'] as Status] = Number(entry['n']);
  }
  return {
    id,
    name: String(row['name']),
    description: String(row['description']),
    hue: Number(row['hue']),
    counts,
  };
}

export function listProjects(db: Database): ProjectJson[] {
  return db
    .all('select id from project order by rowid')
    .flatMap((row) => readProject(db, String(row['id'])) ?? []);
}

export function toActivity(db: Database, row: Row): ActivityJson {
  return {
    id: String(row['seq']),
    issueId: String(row['issue_id']),
    projectId: String(row['project_id']),
    actor: readUser(db, String(row['actor_id'])) as UserJson, // cast: a foreign key guarantees it
    kind: String(row['kind']),
    field: row['field'] as string | null,
    before: row['before'] as string | null,
    after: row['after'] as string | null,
    at: String(row['at']),
  };
}

export function readIssueActivity(db: Database, issueId: string): ActivityJson[] {
  return db
    .all(`select * from activity where issue_id = ? order by seq desc limit ${ACTIVITY_OF_ISSUE}`, issueId)
    .map((row) => toActivity(db, row));
}

export function toComment(db: Database, row: Row): CommentJson {
  return {
    id: String(row['seq']),
    issueId: String(row['issue_id']),
    author: readUser(db, String(row['author_id'])) as UserJson, // cast: a foreign key guarantees it
    body: String(row['body']),
    createdAt: String(row['created_at']),
    updatedAt: String(row['updated_at']),
  };
}

export function readComment(db: Database, issueId: string, id: string): CommentJson | undefined {
  const row = db.get('select * from comment where issue_id = ? and seq = ?', issueId, id);
  return row && toComment(db, row);
}
