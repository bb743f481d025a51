// What a visitor can do to an issue. Each action is one fetch: the resource is optimistic, so the
// change is on screen in every view before the request has left.
import { useController } from 'holdfast/react';
import type { IssueInput } from '../resources/issue.ts';
import { bulkIssues, IssueResource } from '../resources/issue.ts';
import { save } from '../saving/failures.ts';

export interface IssueActions {
  change(id: string, fields: Partial<IssueInput>, label?: string): void;
  create(fields: IssueInput & { projectId: string }): Promise<boolean>;
  remove(id: string): void;
  changeMany(ids: readonly string[], fields: Partial<IssueInput>): Promise<boolean>;
  removeMany(ids: readonly string[]): Promise<boolean>;
}

export function useIssueActions(): IssueActions {
  const controller = useController();
  return {
    change(id, fields, label = `Change ${id}`) {
      void save(id, label, () => controller.fetch(IssueResource.partialUpdate, { id }, fields));
    },
    create(fields) {
      const { projectId, title } = fields;
      return save(`new in ${projectId}`, `“${title}”`, () =>
        controller.fetch(IssueResource.getList.push, fields),
      );
    },
    remove(id) {
      void save(id, `Delete ${id}`, () => controller.fetch(IssueResource.delete, { id }));
    },
    changeMany: (ids, fields) =>
      save('bulk', `Change of ${ids.length} issues`, () =>
        controller.fetch(bulkIssues, { update: ids.map((id) => ({ id, ...fields })) }),
      ),
    removeMany: (ids) =>
      save('bulk', `Deletion of ${ids.length} issues`, () =>
        controller.fetch(bulkIssues, { delete: [...ids] }),
      ),
  };
}
