// The conflicts about which a person decides, for `conflicts` of HttpSemantics. A mutation with such conflicts waits until all of
// them are decided or one is cancelled; an abort or a reset may end the mutation meanwhile. If an edit amends the waiting mutation,
// the conflicts of the mutation are found anew.
import { inDevelopment } from '#env';
import type { Core } from '../../controller/state/core.ts';
import { listen, notify } from '../../controller/state/listeners.ts';
import type { Listeners } from '../../controller/state/listeners.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { isEqual } from '../../store/fields.ts';
import { warnOnce } from '../../support/errors.ts';
import { ensure } from '../../support/ensure.ts';
import type { Conflict, OpenConflict, Resolution } from './conflict.types.ts';

/**
 * The conflicts of one row about which a person decides. `useWatched` of `holdfast/react` watches this object.
 *
 * @example
 * const http = new HttpSemantics({ conflicts: { resolve: 'ask' } });
 * const watched: HttpSemantics.Watched = http.conflicts(Todo, { id: '5' });
 * const stop = watched.listen(() => console.log(watched.read().length));
 */
export interface WatchedConflicts {
  readonly read: () => readonly OpenConflict[];
  readonly listen: (onChange: () => void) => () => void;
}

interface Question {
  readonly open: readonly OpenConflict[];
  readonly resolve: (resolution?: Resolution) => void;
}

export class OpenConflicts {
  readonly #questions = new Map<Flight, Question>();
  readonly #listeners: Listeners = new Set();
  /**
   * The objects that `watch` has returned, by row: all objects with listeners, and the newest object unless its listeners have
   * left. Each has the number of its listeners.
   */
  readonly #watched = new Map<string, WatchedConflicts & { size: number }>();
  /** The row of the newest object. */
  #newest = '';

  /**
   * The conflicts of one row. `watch` returns the same object for the row until the last listener of the object has left; without a
   * listener, until `watch` is called for another row.
   */
  watch(entity: string, pk: string): WatchedConflicts {
    const name = `${entity} ${pk}`;
    return ensure(this.#watched, name, () => {
      this.#forget(this.#newest);
      this.#newest = name;
      let last: readonly OpenConflict[] = [];
      const watched = {
        read: () => {
          const now = [...this.#questions.values()]
            .flatMap(({ open }) => open)
            .filter((each) => each.entity === entity && each.pk === pk);
          return isEqual(last, now) ? last : (last = now);
        },
        listen: (onChange: () => void) => {
          const stop = listen(this.#listeners, onChange);
          this.#watched.set(name, watched);
          watched.size += 1;
          return () => {
            if (stop()) watched.size -= 1;
            this.#forget(name);
          };
        },
        size: 0,
      };
      return watched;
    });
  }

  /** Forgets the object of a row, if the object has no listeners. */
  #forget(name: string): void {
    if (!this.#watched.get(name)?.size) this.#watched.delete(name);
  }

  /**
   * Shows the conflicts until `end` is called for their mutation. The promise resolves with the value taken for each field once all
   * conflicts are decided, with 'fail' once one conflict is cancelled, and with undefined when the question is outdated.
   */
  ask(core: Core, flight: Flight, conflicts: readonly Conflict[]): Promise<Resolution | undefined> {
    return new Promise((resolve) => {
      const taken: Record<string, unknown> = {};
      const isOpen = (field: string): boolean => {
        const isAsked = this.#questions.get(flight)?.open === open && !Object.hasOwn(taken, field);
        inDevelopment(() => {
          if (!isAsked) warnOnce(core.engine, 'CONFLICT_DECIDED', field, { field });
        });
        return isAsked;
      };
      // The question ends before other code is called, because an edit must not amend a mutation after the decision.
      const decide = (resolution: Resolution): void => {
        this.end(core, flight);
        resolve(resolution);
      };
      const open = conflicts.map((conflict): OpenConflict => ({
        ...conflict,
        take: (value) => {
          const { field } = conflict;
          if (!isOpen(field)) return;
          taken[field] = value;
          if (Object.keys(taken).length === conflicts.length) decide(taken);
        },
        cancel: () => {
          if (isOpen(conflict.field)) decide('fail');
        },
      }));
      this.#questions.set(flight, { open, resolve });
      this.#setStatus(core, flight, 'conflict');
    });
  }

  /**
   * Called when the mutation got other arguments: ends the wait for a decision. The question stays on screen until the next
   * question replaces it, or `end` is called.
   */
  outdate(flight: Flight): void {
    this.#questions.get(flight)?.resolve();
  }

  end(core: Core, flight: Flight): void {
    if (this.#questions.delete(flight)) this.#setStatus(core, flight, flight.status && 'sent');
  }

  #setStatus(core: Core, flight: Flight, status: Flight['status']): void {
    flight.status = status;
    notify(core.pendingListeners);
    notify(this.#listeners);
  }
}
