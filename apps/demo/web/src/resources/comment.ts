// Comments of an issue. Each response to a write contains the issue, so its comment count is right everywhere without a further
// request.
import { createResource, Entity } from 'holdfast';
import { DemoEndpoint } from './demo-endpoint.ts';
import { Issue } from './issue.ts';
import { User } from './user.ts';

export class Comment extends Entity {
  static override key = 'Comment';
  id = '';
  issueId = '';
  author: User | null = null;
  body = '';
  createdAt = new Date(0);
  updatedAt = new Date(0);
  static override schema = { author: User, issue: Issue, createdAt: Date, updatedAt: Date };
  override pk(): string {
    return this.id;
  }
}

export const CommentResource = createResource({
  urlPrefix: '/api',
  path: '/issues/:issueId/comments/:id',
  schema: Comment,
  Endpoint: DemoEndpoint,
  optimistic: true,
  body: {} as { body: string },
}).extend({
  // a creation whose response was lost is repeated, and the server creates no second one
  getList: { idempotencyKey: true },
});
