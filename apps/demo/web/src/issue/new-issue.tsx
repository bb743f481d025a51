// The dialog that creates an issue with all its fields.
import { useSuspense } from 'holdfast/react';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { ProjectResource } from '../resources/project.ts';
import { UserResource } from '../resources/user.ts';
import { pickValue, PRIORITIES, PRIORITY_NAMES, STATUS_NAMES, STATUSES } from '../resources/vocabulary.ts';
import { LineIcon } from '../ui/icons.tsx';
import { useIssueActions } from './use-issue-actions.ts';

export function NewIssue({ projectId }: { projectId: string | undefined }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const projects = useSuspense(ProjectResource.getList);
  const users = useSuspense(UserResource.getList);
  const { create } = useIssueActions();

  const submit = (values: FormData): void => {
    const text = (name: string): string => String(values.get(name) ?? '').trim();
    const title = text('title');
    if (title === '') return;
    dialog.current?.close();
    create({
      title,
      projectId: text('projectId'),
      description: text('description'),
      status: pickValue(STATUSES, text('status')) ?? 'todo',
      priority: pickValue(PRIORITIES, text('priority')) ?? 'none',
      assigneeId: text('assigneeId') || null,
    });
  };
  return (
    <>
      <button type="button" className="button primary" onClick={() => dialog.current?.showModal()}>
        <LineIcon name="plus" /> <span className="wide-only">New issue</span>
        <span className="visually-hidden narrow-only">New issue</span>
      </button>
      <dialog ref={dialog} className="dialog" aria-labelledby="new-issue-title">
        <form ref={form} action={submit}>
          <h2 id="new-issue-title">New issue</h2>
          <label>
            Title
            <input name="title" required maxLength={200} autoComplete="off" />
          </label>
          <label>
            Description
            <textarea name="description" rows={4} maxLength={10_000} />
          </label>
          <div className="form-grid">
            <label>
              Project
              <select name="projectId" defaultValue={projectId}>
                {projects.map((project) => (
                  <option key={project.id} value={project.id}>
                    {project.name}
                  </option>
                ))}
              </select>
            </label>
            <label>
              Status
              <select name="status" defaultValue="todo">
                {STATUSES.map((status) => (
                  <option key={status} value={status}>
                    {STATUS_NAMES[status]}
                  </option>
                ))}
              </select>
            </label>
            <label>
              Priority
              <select name="priority" defaultValue="medium">
                {PRIORITIES.map((priority) => (
                  <option key={priority} value={priority}>
                    {PRIORITY_NAMES[priority]}
                  </option>
                ))}
              </select>
            </label>
            <label>
              Assignee
              <select name="assigneeId" defaultValue="">
                <option value="">Unassigned</option>
                {users.map((user) => (
                  <option key={user.id} value={user.id}>
                    {user.name}
                  </option>
                ))}
              </select>
            </label>
          </div>
          <div className="dialog-buttons">
            <button type="button" className="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit" className="button primary">
              Create issue
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
