// The actions of a visitor on an issue. Each action is one fetch: the change is on screen in every view before the request is
// sent. A failure is kept by FailedManager.
import { useController } from 'holdfast/react';
import type { IssueInput } from '../resources/issue.ts';
import { addIssue, Issue, IssueResource } from '../resources/issue.ts';
import { ProjectResource } from '../resources/project.ts';
import type { Status } from '../resources/vocabulary.ts';
import { noteDeletions } from '../saving/deletions.ts';
import { nameDeletion, usePast } from '../saving/past.ts';

export interface IssueActions {
  change(id: string, fields: Partial<IssueInput>): void;
  create(fields: IssueInput & { projectId: string; status: Status }): void;
  /** Deletes it; undo-offer.tsx offers to undo that. */
  remove(id: string): void;
  changeMany(ids: readonly string[], fields: Partial<IssueInput>): void;
  removeMany(ids: readonly string[]): void;
}

export function useIssueActions(): IssueActions {
  const controller = useController();
  const past = usePast();
  const removeMany = (ids: readonly string[]): void => {
    const [first = ''] = ids;
    const title = `“${controller.get(Issue, { id: first })?.title ?? first}”`;
    const issues = ids.length > 1 ? `${title} and ${ids.length - 1} more` : title;
    // the calls of one task leave as one request: see resources/bulk.ts
    const calls = past.group(nameDeletion(issues), () =>
      ids.map((id) => controller.fetch(IssueResource.delete, { id })),
    );
    noteDeletions(ids, Promise.allSettled(calls));
    // the response to a deletion stores nothing, and the counts of the projects have changed
    Promise.any(calls).then(
      () => controller.expireAll(ProjectResource.getList),
      () => undefined,
    );
  };
  return {
    change: (id, fields) => void controller.fetch(IssueResource.partialUpdate, { id }, fields),
    create: (fields) => void controller.fetch(addIssue, fields),
    remove: (id) => removeMany([id]),
    // one request, as above
    changeMany(ids, fields) {
      past.group('Change of issues', () => {
        for (const id of ids) void controller.fetch(IssueResource.partialUpdate, { id }, fields);
      });
    },
    removeMany,
  };
}
