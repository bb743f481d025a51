// Changes by other people, as they happen. The server sends every change once, in order and resumably; each is given to the
// endpoint that would have fetched it, so it reaches the same lists and views.
import { StreamManager } from 'holdfast';
import type { Manager } from 'holdfast';
import { CommentResource } from '../resources/comment.ts';
import { IssueResource } from '../resources/issue.ts';
import { ProjectResource } from '../resources/project.ts';
import { UserResource } from '../resources/user.ts';
import { CLIENT_ID } from './client-id.ts';

interface Change {
  op: 'ready' | 'reset' | 'upsert' | 'delete';
  type: 'user' | 'project' | 'issue' | 'comment';
  id: string;
  value?: { issueId?: string };
}

const EVERYTHING = { testKey: () => true };

export function createChangeStream(): StreamManager {
  return new StreamManager({
    connect(resumeFrom) {
      const query = new URLSearchParams({ client: CLIENT_ID });
      if (resumeFrom !== undefined) query.set('after', resumeFrom);
      return new EventSource(`/api/stream?${query}`);
    },
    receive(message, host) {
      const change = message as Change; // cast: the server's own format
      if (change.op === 'upsert') return upsert(host, change);
      if (change.op === 'delete') return remove(host, change);
      // away for so long that the server no longer has the missed changes
      if (change.op === 'reset') host.expireAll(EVERYTHING);
      return undefined;
    },
  });
}

function upsert(host: Manager.Host, { type, id, value }: Change): Promise<void> {
  switch (type) {
    case 'issue':
      // as a creation: a new issue enters the lists it belongs to, a known one is changed
      return host.setResponse(IssueResource.getList.push, value, value);
    case 'comment':
      return host.setResponse(CommentResource.getList.push, { issueId: value?.issueId }, value, value);
    case 'project':
      return host.setResponse(ProjectResource.get, { id }, value);
    case 'user':
      return host.setResponse(UserResource.get, { id }, value);
  }
}

async function remove(host: Manager.Host, { type, id }: Change): Promise<void> {
  if (type === 'issue') return host.setResponse(IssueResource.delete, { id }, { id });
  if (type === 'comment') return host.setResponse(CommentResource.delete, { id }, { id });
}
