// Cancels the requests of components that suspended before they were mounted, and then were removed together with their
// AsyncBoundary. No effect of theirs runs when they are removed. The AsyncBoundary above them is mounted: it provides a set
// (`LeaveFunctions`), to which observers add the functions that release the requests, and it calls these functions when it
// unmounts.
import { createContext } from 'react';
import type { Context } from 'react';
import type { Waiters } from '../controller/observe/shown.ts';

/**
 * The room of the nearest AsyncBoundary, for `useSuspense` and `useSuspenseAll`. Without an AsyncBoundary, requests of components
 * that were removed before they were mounted are not cancelled.
 */
export const WaitingRoom: Context<Waiters> = createContext<Waiters>({ add: () => undefined });

/** The functions to call when one boundary unmounts. Each function releases requests of suspended components below the boundary. */
export class LeaveFunctions extends Set<Parameters<Waiters['add']>[0]> {
  #isMounted = false;

  /**
   * Called when the boundary mounts. Returns the function to call when the boundary unmounts. This function waits for a microtask:
   * in Strict Mode, React removes an effect and runs it again at once, and the requests must continue.
   */
  mount(): () => void {
    this.#isMounted = true;
    return () => {
      this.#isMounted = false;
      queueMicrotask(() => {
        if (!this.#isMounted) for (const leave of this) leave(this);
      });
    };
  }
}
