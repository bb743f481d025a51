// Cancels the requests of suspended components that are removed. Such components were never mounted, so no effect of theirs
// runs when they are removed. AsyncBoundary above them is mounted: it provides a Room, where the hooks register, and
// releases the requests of the room when it unmounts itself.
import { createContext } from 'react';
import type { Context } from 'react';
import type { Waiters } from '../controller/observe/shown.ts';

/** The room of the nearest AsyncBoundary. Without an AsyncBoundary, requests of suspended components are not cancelled. */
export const WaitingRoom: Context<Waiters> = createContext<Waiters>({ add: () => undefined });

/** The release functions for the requests that suspended components below one boundary wait for. */
export class Room extends Set<Parameters<Waiters['add']>[0]> {
  #isOpen = false;

  /**
   * Called when the boundary is mounted; the returned function, when it unmounts. That function waits for a microtask, so that
   * an effect that React removes and runs again at once (Strict Mode) keeps its requests.
   */
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
