// Turns the validated query parameters of GET /api/issues into SQL. Values are always bound, never written into the statement;
// column expressions come from the fixed table below.
import { BY_RANK } from './database.ts';
import type { PageQuery } from './paging.ts';
import { PRIORITIES, STATUSES } from './vocabulary.ts';

/** An SQL expression for the place of a column's value among the given ones. */
export const byPosition = (column: string, values: readonly string[]): string =>
  `case ${column} ${values.map((value, index) => `when '${value}' then ${index}`).join(' ')} end`;

/** Sort expressions, none of them null: a missing value sorts after every present one. */
const SORT_KEYS: Record<string, string> = {
  id: 'seq',
  title: 'lower(title)',
  status: byPosition('status', STATUSES),
  priority: byPosition('priority', PRIORITIES),
  assigneeId: "coalesce(assignee_id, '~')",
  dueDate: "coalesce(due_date, '9999-12-31')",
  estimate: 'coalesce(cast(estimate as real), 1000000)',
  rank: BY_RANK,
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

const EQUALS: Record<string, string> = {
  projectId: 'project_id',
  status: 'status',
  priority: 'priority',
  assigneeId: 'assignee_id',
};

export function createIssueQuery(parameters: Readonly<Record<string, unknown>>): PageQuery {
  const orderBy = typeof parameters['orderBy'] === 'string' ? parameters['orderBy'] : '-createdAt';
  const descending = orderBy.startsWith('-');
  const query: PageQuery = {
    table: 'issue',
    conditions: [],
    values: [],
    sortKey: SORT_KEYS[descending ? orderBy.slice(1) : orderBy] ?? 'seq',
    descending,
    orderName: orderBy,
  };
  const add = (condition: string, value: string): void => {
    query.conditions.push(condition);
    query.values.push(value);
  };
  for (const [name, column] of Object.entries(EQUALS)) {
    const value = parameters[name];
    if (typeof value === 'string') add(`${column} = ?`, value);
  }
  const { label, dueBefore, q } = parameters;
  if (typeof label === 'string') add('exists (select 1 from json_each(labels) where value = ?)', label);
  if (typeof dueBefore === 'string') add('due_date < ?', dueBefore);
  if (typeof q === 'string') {
    for (const word of q.split(/\s+/).filter(Boolean)) {
      const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;
      add("(id || ' ' || title) like ? escape '\\'", pattern);
    }
  }
  return query;
}
