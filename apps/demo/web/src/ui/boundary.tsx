// The place where loading and failures are shown. Components inside may assume that their data is there.
import { AsyncBoundary } from 'holdfast/react';
import type { ReactNode } from 'react';
import { explain } from '../saving/describe-failure.ts';
import { LineIcon } from './icons.tsx';

interface BoundaryProps {
  /** The content, as in "Could not load the board". */
  name: string;
  fallback: ReactNode;
  children: ReactNode;
}

export function Boundary({ name, fallback, children }: BoundaryProps): ReactNode {
  return (
    <AsyncBoundary
      fallback={fallback}
      errorComponent={({ error, resetErrorBoundary }) => (
        <ErrorCard name={name} error={error} onRetry={resetErrorBoundary} />
      )}
    >
      {children}
    </AsyncBoundary>
  );
}

interface ErrorCardProps {
  name: string;
  error: unknown;
  onRetry: () => void;
}

export function ErrorCard({ name, error, onRetry }: ErrorCardProps): ReactNode {
  return (
    <div className="error-card" role="alert">
      <LineIcon name="warning" />
      <div>
        <strong>Could not load {name}</strong>
        <p>{explain(error)}</p>
      </div>
      <button type="button" className="button" onClick={onRetry}>
        <LineIcon name="retry" /> Try again
      </button>
    </div>
  );
}
