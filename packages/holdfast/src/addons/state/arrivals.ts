// States that reach a controller one after another, as a page that is still loading brings them. The first is taken in at
// once; each later one when a reader misses something, so that what renders first sees what the server saw then. The rest
// follows when the page is up and there is nothing better to do.
import { INSTALL } from '../../dispatch/manager.ts';
import { hydrateEngine } from './hydrate.ts';
import type { DehydratedState } from './dehydrate.ts';
import type { Arriving, Core, InitialState, AwaitingReader } from '../../controller/state/core.ts';
import { isObject } from '../../support/plain.ts';

/**
 * Where states come from; an array of them is one. Controllers that share it each start from its first.
 *
 * @example const source: savedState.Source = [dehydrate(new Controller())];
 */
export interface StateSource {
  /** The state at this place, an object or its JSON text; undefined when it is not there, or not yet. */
  at(index: number): unknown;
  /** Settles when no more will come. Default: no more will. */
  readonly ended?: Promise<unknown>;
}

/** A page may take its time until it is alive: until then a failure that came with it is not tried again. */
const ERROR_SHOWN_MS = 10_000;

export class Arrivals implements Arriving {
  readonly #core: Core;
  readonly #source: StateSource;
  readonly #waiting = new Map<AwaitingReader, Promise<unknown>>();
  #index = 0;
  #isFinishing = false;
  #isOver = false;

  constructor(core: Core, source: StateSource) {
    this.#core = core;
    this.#source = source;
  }

  /** Takes the next state in; false when there is none. */
  open(): boolean {
    const state = this.#source.at(this.#index);
    if (state === undefined || state === null) return false;
    this.#index += 1;
    const { environment, errorExpiryLength, engine } = this.#core;
    const shownMs = Math.max(errorExpiryLength, ERROR_SHOWN_MS);
    hydrateEngine(engine, state, environment.clock.now(), shownMs);
    return true;
  }

  waitFor(reader: AwaitingReader): Promise<unknown> | undefined {
    if (this.#isOver) return undefined;
    const waiting = this.#waiting.get(reader);
    if (waiting) return waiting;
    if (this.#source.at(this.#index) === undefined) return undefined;
    const promise = this.#serve(reader);
    promise.catch(() => undefined); // readers meet the failure when they look
    this.#waiting.set(reader, promise);
    return promise;
  }

  awaitedBy(reader: AwaitingReader): Promise<unknown> | undefined {
    return this.#waiting.get(reader);
  }

  finish(): void {
    if (this.#isFinishing) return;
    this.#isFinishing = true;
    const takeAll = (): void => {
      while (this.#core.arrivals === this && this.open());
      this.#isOver = true;
    };
    void Promise.resolve(this.#source.ended).then(() => this.#core.environment.idle.request(takeAll));
  }

  async #serve(reader: AwaitingReader): Promise<unknown> {
    // a moment later: a component may be rendering, and others must not hear of it meanwhile
    await Promise.resolve();
    let shown: ReturnType<AwaitingReader['readShown']> | null;
    try {
      // a reset forgets what is still to come
      while (this.#core.arrivals === this && reader.awaitsData && this.open());
      // looked at while it is known whom the promise is for: what is shown then goes on with it, as `use` expects
      shown = reader.awaitsData ? null : reader.readShown();
    } finally {
      this.#waiting.delete(reader); // also where a class's own code throws: the next time is a new one
    }
    reader.freshen();
    if (shown === null) return reader.ensurePromise();
    if (shown.error !== undefined) throw shown.error;
    return shown.data;
  }
}

/**
 * A saved state for a controller to start with: what `dehydrate` gave, its JSON text, or a source of several. A function
 * of its own, so that an application that starts empty does not ship what reads states.
 *
 * @example
 * const controller = new Controller({ initialState: savedState(localStorage.getItem('state')) });
 */
export function savedState(state: DehydratedState | StateSource | string | null | undefined): InitialState {
  return { [INSTALL]: (core) => takeInitial(core, state) };
}

function takeInitial(core: Core, state: unknown): Arrivals | null {
  if (!state) return null;
  if (!isSource(state)) {
    hydrateEngine(core.engine, state, core.environment.clock.now());
    return null;
  }
  const arrivals = new Arrivals(core, state);
  arrivals.open();
  return arrivals;
}

function isSource(state: unknown): state is StateSource {
  return isObject(state) && 'at' in state && typeof state.at === 'function';
}

export declare namespace savedState {
  export type { InitialState as State, StateSource as Source };
}
