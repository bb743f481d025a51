// The activity of an issue. The same list arrives in two ways: from its own address, and inside the response to any change of the
// issue. Both keys below contain the issue, so it is one list.
import { Entity, schema } from 'holdfast';
import { DemoEndpoint } from './demo-endpoint.ts';
import { User } from './user.ts';

export class Activity extends Entity {
  static override key = 'Activity';
  id = '';
  issueId = '';
  actor = new User();
  kind: 'created' | 'changed' | 'commented' | 'deleted' | 'restored' = 'changed';
  field: string | null = null;
  before: string | null = null;
  after: string | null = null;
  at = new Date(0);
  static override schema = { actor: User, at: Date };
  override pk(): string {
    return this.id;
  }
}

export const issueActivity = new schema.Collection([Activity], {
  argsKey: ({ issueId }: { issueId: string }) => ({ issueId }),
  nestKey: (issue: { id: string }) => ({ issueId: issue.id }),
});

export const readIssueActivity = new DemoEndpoint({
  urlPrefix: '/api',
  path: '/issues/:issueId/activity',
  schema: issueActivity,
});
