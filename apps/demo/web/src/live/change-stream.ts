// What other people do, as it happens. The server tells every change once, in order and resumably;
// each is handed to the endpoint that would have brought it, so it reaches the same lists and views.
import type { Manager, ManagerHost } from 'holdfast';
import { CommentResource } from '../resources/comment.ts';
import { IssueResource } from '../resources/issue.ts';
import { ProjectResource } from '../resources/project.ts';
import { UserResource } from '../resources/user.ts';

interface Change {
  type: 'user' | 'project' | 'issue' | 'comment';
  id: string;
  value?: { issueId?: string };
}

const EVERYTHING = { testKey: () => true };

export class ChangeStream implements Manager {
  #source: EventSource | undefined;

  start(host: ManagerHost): void {
    const source = new EventSource('/api/changes');
    const read = (event: MessageEvent<string>): Change => JSON.parse(event.data) as Change; // cast: the server's own format
    source.addEventListener('upsert', (event) => this.#upsert(host, read(event)));
    source.addEventListener('delete', (event) => this.#delete(host, read(event)));
    // the connection was away for so long that the server no longer knows what was missed
    source.addEventListener('reset', () => host.expireAll(EVERYTHING));
    this.#source = source;
  }

  stop(): void {
    this.#source?.close();
  }

  #upsert(host: ManagerHost, { type, id, value }: Change): void {
    switch (type) {
      case 'issue':
        // as a creation: a new issue joins the lists it belongs to, a known one is changed
        return void host.setResponse(IssueResource.getList.push, value, value);
      case 'comment':
        return void host.setResponse(CommentResource.getList.push, { issueId: value?.issueId }, value, value);
      case 'project':
        return void host.setResponse(ProjectResource.get, { id }, value);
      case 'user':
        return void host.setResponse(UserResource.get, { id }, value);
    }
  }

  #delete(host: ManagerHost, { type, id }: Change): void {
    if (type === 'issue') void host.setResponse(IssueResource.delete, { id }, { id });
    if (type === 'comment') void host.setResponse(CommentResource.delete, { id }, { id });
  }
}
