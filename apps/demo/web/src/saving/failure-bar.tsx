// The list of changes that did not get through, at the foot of the page.
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';
import { dismiss, useFailures } from './failures.ts';

export function FailureBar(): ReactNode {
  const failures = useFailures();
  return (
    <div className="failure-bar" role="status" aria-live="polite">
      {failures.map((failure, index) => (
        <div key={index} className="failure">
          <LineIcon name="warning" />
          <span>
            <strong>{failure.label}</strong> was not saved: {failure.reason}
          </span>
          <button type="button" className="button small" onClick={failure.retry}>
            Retry
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={`Dismiss: ${failure.label}`}
            onClick={() => dismiss(failure)}
          >
            <LineIcon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
