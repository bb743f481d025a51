// Grey shapes in the places where something is about to appear.
import type { ReactNode } from 'react';

interface SkeletonProps {
  /** What is loading, for people who do not see the shapes. */
  label: string;
  count?: number;
  kind?: 'card' | 'row' | 'line' | 'page';
}

export function Skeleton({ label, count = 3, kind = 'line' }: SkeletonProps): ReactNode {
  return (
    <div className={`skeletons of-${kind}s`} role="status" aria-label={`Loading ${label}`}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="skeleton" style={{ animationDelay: `${index * 80}ms` }} />
      ))}
    </div>
  );
}
