// The list of changes that did not get through, at the foot of the page.
import { useFailed } from 'holdfast/react';
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';
import { describeCall, explain } from './describe-failure.ts';

export function FailureBar(): ReactNode {
  const failures = useFailed();
  return (
    <div className="failure-bar" role="status" aria-live="polite">
      {failures.map((failed, index) => {
        const label = describeCall(failed);
        return (
          <div key={index} className="failure">
            <LineIcon name="warning" />
            <span>
              <strong>{label}</strong> was not saved: {explain(failed.error)}
            </span>
            <button type="button" className="button small" onClick={() => void failed.retry()}>
              Retry
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={`Dismiss: ${label}`}
              onClick={failed.forget}
            >
              <LineIcon name="close" />
            </button>
          </div>
        );
      })}
    </div>
  );
}
