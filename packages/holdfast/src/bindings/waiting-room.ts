// Who waits through Suspense, where React does not tell: components that wait for their first data are not mounted, so none
// of them can say that it leaves. The boundary above them can: AsyncBoundary gives them a room, and empties it when it goes.
import { createContext } from 'react';
import type { Context } from 'react';
import type { Waiters } from '../controller/observe/shown.ts';

/** Below no AsyncBoundary nobody ever leaves. */
export const WaitingRoom: Context<Waiters> = createContext<Waiters>({ add: () => undefined });

/** The room of one boundary. */
export class Room extends Set<Parameters<Waiters['add']>[0]> {
  #isOpen = false;

  /** The boundary is mounted; gives how it goes. Later: an effect that is torn down and set up again keeps its requests. */
  enter(): () => void {
    this.#isOpen = true;
    return () => {
      this.#isOpen = false;
      queueMicrotask(() => {
        if (!this.#isOpen) for (const leave of this) leave(this);
      });
    };
  }
}
