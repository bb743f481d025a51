// Grey shapes in the places where something is about to appear.
import type { ReactNode } from 'react';
import { useIsOnline } from './use-is-online.ts';

interface SkeletonProps {
  /** What is loading, for people who do not see the shapes. */
  label: string;
  count?: number;
  kind?: 'card' | 'row' | 'line' | 'page';
}

/** When the animation of each shape starts: one after the other. */
const DELAYS_MS = Array.from({ length: 20 }, (_, index) => index * 80);

export function Skeleton({ label, count = 3, kind = 'line' }: SkeletonProps): ReactNode {
  const isOnline = useIsOnline();
  return (
    <div className={`skeletons of-${kind}s`} role="status" aria-label={`Loading ${label}`}>
      {DELAYS_MS.slice(0, count).map((delay) => (
        <div key={delay} className="skeleton" style={{ animationDelay: `${delay}ms` }} />
      ))}
      {!isOnline && <p className="skeleton-note">Not loaded yet: you are offline.</p>}
    </div>
  );
}
