// Saved states that arrive one after another while a server-rendered page loads. The first state is applied at once. Each later
// state is applied when a reader lacks data, so that a component hydrates with the data with which the server rendered it. The
// remaining states are applied when all states have arrived, the controller has started and the page is idle.
import { EXTENSION, extend } from '../../dispatch/extension.ts';
import type { AwaitingReader, Extension, ExtensionHost, ExtensionParts } from '../../dispatch/extension.ts';
import { hydrateEngine } from './hydrate.ts';
import type { DehydratedState } from './dehydrate.ts';
import type { InitialState } from '../../controller/state/core.ts';
import type { Engine } from '../../normalize/engine.ts';
import { isObject } from '../../support/plain.ts';

/**
 * A source of several saved states, such as an array of them. Each controller that uses the source starts with the first state.
 *
 * @example const source: savedState.Source = [dehydrate(new Controller())];
 */
export interface StateSource {
  /** The state with this index, as an object or a JSON string; undefined if the state has not arrived or does not exist. */
  at(index: number): unknown;
  /** Settles when no more states can arrive. By default, all states have already arrived. */
  readonly ended?: Promise<unknown>;
}

/**
 * Errors in these states are shown for at least this long: a page may take this long to hydrate, and must not send the failed
 * requests again before.
 */
const ERROR_SHOWN_MS = 10_000;

export class Arrivals implements ExtensionParts {
  readonly #host: ExtensionHost;
  /**
   * Contains only the engine to which the states belong. The set is weak, so that the engine can be collected after a reset has
   * replaced it.
   */
  readonly #engine: WeakSet<Engine>;
  readonly #source: StateSource;
  readonly #promisesByReader = new Map<AwaitingReader, Promise<unknown>>();
  #index = 0;
  #isFinishing = false;
  #isFinished = false;

  constructor(host: ExtensionHost, source: StateSource) {
    this.#host = host;
    this.#engine = new WeakSet([host.engine]);
    this.#source = source;
  }

  /**
   * The next state; undefined if no state has arrived. Also undefined after a reset, because the remaining states belong to the
   * time before the reset.
   */
  #peekNext(): unknown {
    return this.#engine.has(this.#host.engine) ? this.#source.at(this.#index) : undefined;
  }

  /** Applies the next state. Returns false if there is no next state. */
  applyNext(): boolean {
    const { environment, errorExpiryLength, engine } = this.#host;
    const state = this.#peekNext();
    if (state === undefined || state === null) return false;
    this.#index += 1;
    const shownMs = Math.max(errorExpiryLength, ERROR_SHOWN_MS);
    hydrateEngine(engine, state, environment.clock.now(), shownMs);
    return true;
  }

  waitForState(reader: AwaitingReader): Promise<unknown> | undefined {
    if (this.#isFinished) return undefined;
    const waiting = this.#promisesByReader.get(reader);
    if (waiting) return waiting;
    if (this.#peekNext() === undefined) return undefined;
    const promise = this.#waitForData(reader);
    promise.catch(() => undefined); // avoids an unhandled rejection; readers await `promise` itself
    this.#promisesByReader.set(reader, promise);
    return promise;
  }

  promiseOf(reader: AwaitingReader): Promise<unknown> | undefined {
    return this.#promisesByReader.get(reader);
  }

  start(): void {
    if (this.#isFinishing) return;
    this.#isFinishing = true;
    const takeAll = (): void => {
      while (this.applyNext());
      this.#isFinished = true;
    };
    const takeAllWhenIdle = (): unknown => this.#host.environment.idle.request(takeAll);
    void Promise.resolve(this.#source.ended).then(takeAllWhenIdle, takeAllWhenIdle);
  }

  async #waitForData(reader: AwaitingReader): Promise<unknown> {
    // The states are applied in a microtask, because a component may be rendering now, and other components must not be notified
    // during a render.
    await Promise.resolve();
    let shown: ReturnType<AwaitingReader['readShown']> | null;
    try {
      while (reader.awaitsData && this.applyNext());
      // `readShown` must run before the promise is deleted below: the reader gets this promise from `promiseOf`, and React's `use`
      // expects to get the same promise again.
      shown = reader.awaitsData ? null : reader.readShown();
    } finally {
      this.#promisesByReader.delete(reader); // also when user code throws: the next `waitForState` starts again
    }
    reader.fetchIfNeeded();
    if (shown === null) return reader.ensurePromise();
    if (shown.error !== undefined) throw shown.error;
    return shown.data;
  }
}

/**
 * A saved state for a controller to start with: the result of `dehydrate`, its JSON string, or a source of several states.
 * `savedState` is a separate function, so that an application without saved states does not ship the code for them.
 *
 * @example
 * const controller = new Controller({ initialState: savedState(localStorage.getItem('state')) });
 */
export function savedState(state: DehydratedState | StateSource | string | null | undefined): InitialState {
  return { [EXTENSION]: (host, inner) => applyInitialState(host, inner, state) };
}

function applyInitialState(host: ExtensionHost, inner: Extension, state: unknown): Extension {
  if (!state) return inner;
  if (!isSource(state)) {
    hydrateEngine(host.engine, state, host.environment.clock.now());
    return inner;
  }
  const arrivals = new Arrivals(host, state);
  arrivals.applyNext();
  return extend(inner, arrivals);
}

function isSource(state: unknown): state is StateSource {
  return isObject(state) && 'at' in state && typeof state.at === 'function';
}

export declare namespace savedState {
  export type { InitialState as State, StateSource as Source };
}
