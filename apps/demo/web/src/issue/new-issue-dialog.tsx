// The dialog that creates an issue: loaded when it is opened first.
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { NewIssueForm } from './new-issue-form.tsx';
import type { Draft } from './new-issue-form.tsx';

interface NewIssueDialogProps {
  projectId: string | undefined;
  draft: Draft;
  onType: (draft: Draft) => void;
  onClose: () => void;
}

export function NewIssueDialog({ onClose, ...form }: NewIssueDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="new-issue-title" onClose={onClose}>
      <NewIssueForm {...form} onDone={() => dialog.current?.close()} />
    </dialog>
  );
}
