// The button and the dialog that create an issue with all its fields. The dialog starts empty each time it is opened.
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';
import { NewIssueForm } from './new-issue-form.tsx';

interface NewIssueProps {
  /** The project that is being looked at. */
  projectId: string | undefined;
}

export function NewIssue({ projectId }: NewIssueProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className="button primary" aria-keyshortcuts="C" onClick={() => setIsOpen(true)}>
        <LineIcon name="plus" /> <span className="wide-only">New issue</span>
        <span className="visually-hidden narrow-only">New issue</span>
      </button>
      {isOpen && <NewIssueDialog projectId={projectId} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function NewIssueDialog({ projectId, onClose }: NewIssueProps & { onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="new-issue-title" onClose={onClose}>
      <NewIssueForm projectId={projectId} onDone={() => dialog.current?.close()} />
    </dialog>
  );
}
