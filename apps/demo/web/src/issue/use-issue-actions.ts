// What a visitor can do to an issue. Each action is one fetch: the resource is optimistic, so the
// change is on screen in every view before the request has left. A failure is kept by FailedManager.
import { useController } from 'holdfast/react';
import { bulkIssues } from '../resources/bulk.ts';
import type { IssueInput } from '../resources/issue.ts';
import { IssueResource } from '../resources/issue.ts';

export interface IssueActions {
  change(id: string, fields: Partial<IssueInput>): void;
  create(fields: IssueInput & { projectId: string }): void;
  remove(id: string): void;
  changeMany(ids: readonly string[], fields: Partial<IssueInput>): Promise<unknown>;
  removeMany(ids: readonly string[]): Promise<unknown>;
}

export function useIssueActions(): IssueActions {
  const controller = useController();
  return {
    change: (id, fields) => void controller.fetch(IssueResource.partialUpdate, { id }, fields),
    create: (fields) => void controller.fetch(IssueResource.getList.push, fields),
    remove: (id) => void controller.fetch(IssueResource.delete, { id }),
    changeMany: (ids, fields) =>
      controller.fetch(bulkIssues, { update: ids.map((id) => ({ id, ...fields })) }),
    removeMany: (ids) => controller.fetch(bulkIssues, { delete: [...ids] }),
  };
}
