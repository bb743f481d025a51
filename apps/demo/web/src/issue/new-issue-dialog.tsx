// The dialog that creates an issue: loaded when it is opened first.
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { NewIssueForm } from './new-issue-form.tsx';

interface NewIssueDialogProps {
  projectId: string | undefined;
  onClose: () => void;
}

export function NewIssueDialog({ projectId, onClose }: NewIssueDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="new-issue-title" onClose={onClose}>
      <NewIssueForm projectId={projectId} onDone={() => dialog.current?.close()} />
    </dialog>
  );
}
