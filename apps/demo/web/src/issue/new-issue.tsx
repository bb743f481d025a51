// The button and the dialog that create an issue with all its fields. What was typed stays until it is
// saved or cancelled: Escape throws nothing away.
import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';
import type { Draft } from './new-issue-form.tsx';

const NewIssueDialog = lazy(async () => ({
  default: (await import('./new-issue-dialog.tsx')).NewIssueDialog,
}));

interface NewIssueProps {
  /** The project that is being looked at. */
  projectId: string | undefined;
}

export function NewIssue({ projectId }: NewIssueProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [draft, setDraft] = useState<Draft>({});
  return (
    <>
      <button type="button" className="button primary" aria-keyshortcuts="C" onClick={() => setIsOpen(true)}>
        <LineIcon name="plus" /> <span className="wide-only">New issue</span>
        <span className="visually-hidden narrow-only">New issue</span>
      </button>
      <Suspense>
        {isOpen && (
          <NewIssueDialog
            projectId={projectId}
            draft={draft}
            onType={setDraft}
            onClose={() => setIsOpen(false)}
          />
        )}
      </Suspense>
    </>
  );
}
