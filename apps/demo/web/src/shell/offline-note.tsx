// Shows that the network is away, for as long as it is.
import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

export function OfflineNote(): ReactNode {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
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
