// The actions of a visitor on an issue. Each action is one fetch: the change is on screen in every view before the request is
// sent. A failure is kept by FailedManager.
import { useController } from 'holdfast/react';
import { bulkIssues } from '../resources/bulk.ts';
import type { IssueInput } from '../resources/issue.ts';
import { addIssue, Issue, IssueResource } from '../resources/issue.ts';
import type { Status } from '../resources/vocabulary.ts';
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
  const offerUndo = (ids: readonly string[], label: string, deleted: Promise<unknown>): void => {
    const deletion = { ids, label };
    lastDeletion.write(deletion);
    // an issue that was not deleted needs no restoring
    deleted.catch(() => withdraw(deletion));
  };
  return {
    change: (id, fields) => void controller.fetch(IssueResource.partialUpdate, { id }, fields),
    create: (fields) => void controller.fetch(addIssue, fields),
    remove(id) {
      const label = `“${controller.get(Issue, { id })?.title ?? id}”`;
      offerUndo([id], label, controller.fetch(IssueResource.delete, { id }));
    },
    changeMany: (ids, fields) =>
      void controller.fetch(bulkIssues, { update: ids.map((id) => ({ id, ...fields })) }),
    removeMany: (ids) =>
      offerUndo(ids, `${ids.length} issues`, controller.fetch(bulkIssues, { delete: [...ids] })),
  };
}
