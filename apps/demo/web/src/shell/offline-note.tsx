// Shows that the network is away, for as long as it is.
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';
import { useIsOnline } from '../ui/use-is-online.ts';

export function OfflineNote(): ReactNode {
  const isOnline = useIsOnline();
  return (
    <div role="status" className="offline-note">
      {!isOnline && (
        <>
          <LineIcon name="warning" /> <strong>You are offline.</strong> You see what was loaded. What you
          change is listed as not saved, to be retried when you are back.
        </>
      )}
    </div>
  );
}
