// The search over all issues. The server sends a few fields of each issue that it finds, and says so: a page of the whole issue
// waits for the others. Loaded with the palette's first opening, because only then the library's summaries are needed.
import { schema } from 'holdfast';
import { pick } from 'holdfast/local';
import { DemoEndpoint } from './demo-endpoint.ts';
import { Issue } from './issue.ts';

const FoundIssue = pick(Issue, ['id', 'projectId', 'title', 'status', 'priority', 'assigneeId', 'labels']);

export const searchIssues = new DemoEndpoint({
  urlPrefix: '/api',
  path: '/search',
  searchParams: {} as { q: string; limit: number },
  schema: new schema.Collection([FoundIssue]),
});
