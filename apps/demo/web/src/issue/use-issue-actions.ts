// The actions of a visitor on an issue. Each action is one fetch: the change is on screen in every view before the request is
// sent. A failure is kept by FailedManager.
import { useController } from 'holdfast/react';
import type { IssueInput } from '../resources/issue.ts';
import { addIssue, Issue, IssueResource } from '../resources/issue.ts';
import { ProjectResource } from '../resources/project.ts';
import type { Status } from '../resources/vocabulary.ts';
import { noteDeletions } from '../saving/deletions.ts';
import { usePast } from '../saving/past.ts';
import { lastDeletion, withdraw } from '../saving/undo.ts';

export interface IssueActions {
  change(id: string, fields: Partial<IssueInput>): void;
  create(fields: IssueInput & { projectId: string; status: Status }): void;
  /** Deletes it, and offers to restore it. */
  remove(id: string): void;
  changeMany(ids: readonly string[], fields: Partial<IssueInput>): void;
  removeMany(ids: readonly string[]): void;
}

export function useIssueActions(): IssueActions {
  const controller = useController();
  const past = usePast();
  const removeMany = (ids: readonly string[], label: string): void => {
    const deletion = { ids, label };
    lastDeletion.write(deletion);
    // the calls of one task leave as one request: see resources/bulk.ts
    const calls = ids.map((id) => controller.fetch(IssueResource.delete, { id }));
    noteDeletions(ids, Promise.allSettled(calls));
    Promise.any(calls).then(
      // the response to a deletion stores nothing, and the counts of the projects have changed
      () => controller.expireAll(ProjectResource.getList),
      // nothing was deleted: there is nothing to restore
      () => withdraw(deletion),
    );
  };
  return {
    change: (id, fields) => void controller.fetch(IssueResource.partialUpdate, { id }, fields),
    create: (fields) => void controller.fetch(addIssue, fields),
    remove: (id) => removeMany([id], `“${controller.get(Issue, { id })?.title ?? id}”`),
    // one request, as above
    changeMany(ids, fields) {
      past.group('Change of issues', () => {
        for (const id of ids) void controller.fetch(IssueResource.partialUpdate, { id }, fields);
      });
    },
    removeMany: (ids) => removeMany(ids, `${ids.length} issues`),
  };
}
