// The state that all parts of the controller share, such as the engine, the requests in flight, the environment and the options.
// The Controller creates it; many functions of the controller's folders take it as their first parameter.
import { Flights } from '../../dispatch/flights.ts';
import type {
  Extensible,
  EXTENSION,
  Extension,
  ExtensionHost,
  ExtensionReader,
} from '../../dispatch/extension.ts';
import type { ControllerEvent } from '../../dispatch/manager.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { Engine } from '../../normalize/engine.ts';
import type { Row } from '../../store/nodes.ts';
import { Timeline } from '../../store/timeline.ts';
import type { Environment } from '../../support/environment.ts';
import { ResetError } from '../../support/errors.ts';
import { createSetAlarm, notify } from './listeners.ts';
import type { Listeners, SetAlarm } from './listeners.ts';

/** The property of a Controller that holds its Core, for functions of the library outside the class. */
export const CORE: unique symbol = Symbol();

/**
 * The data that a controller starts with. Made by `savedState` and `readPage`.
 *
 * @example
 * const initialState: savedState.State = savedState(localStorage.getItem('state') ?? '');
 * const controller = new Controller({ initialState });
 */
export interface InitialState {
  /**
   * Applies the first state. If more states follow, the returned extension applies them. This is a method of the state and not of
   * the controller, so that applications without a saved state do not contain the code.
   */
  readonly [EXTENSION]: Extensible[typeof EXTENSION];
}

/** What the controller knows of a draft: a row that was created here and has no id of the server yet. */
export interface Draft {
  /** Fulfilled when the row has got its id from the server; rejected when the creation failed or its response had no id. */
  readonly idArrival: Promise<unknown>;
  /** The abort controllers of the mutations that wait for the id. A DELETE that waits for the same id aborts these mutations. */
  readonly waitingAborters: Set<AbortController>;
}

/** The fields of a row that an acknowledged mutation has sent; see keep-acknowledged.ts. */
export interface AcknowledgedWrite {
  readonly row: Row;
  /** The fields that were sent, except the fields that a later read has returned. */
  readonly fields: Record<string, unknown>;
  /** When the mutation was acknowledged: `stamp` is a time on the store's timeline, `acknowledgedAt` a time of day. */
  readonly stamp: number;
  readonly acknowledgedAt: number;
}

/**
 * A mutation that has not ended.
 *
 * @example
 * const lineOf = ({ endpoint, status }: Pending) => `${endpoint.name} (${status})`;
 * getPending(new Controller(), Todo, { id: '5' }).map(lineOf);
 */
export interface Pending {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  /**
   * `waiting`: the mutation waits for its turn in the write queue, or for the id of a row that is being created. `sent`: it is in
   * flight. `conflict`: another client has changed the row, and a person decides: see `conflicts` of `HttpSemantics`.
   */
  readonly status: 'waiting' | 'sent' | 'conflict';
}

/** The controller's options for expiry, in milliseconds; see decide.ts. */
export interface ExpiryTimes {
  readonly dataExpiryLength: number;
  readonly errorExpiryLength: number;
}

/** An observer with listeners. */
interface MountedObserver extends ExtensionReader {
  /** Subscribes to the view in the present store. */
  attach(): void;
  wake(): void;
  /** `retriesFailed`: reads that show an error other than an HttpError are repeated now. */
  fetchIfNeeded(retriesFailed?: boolean): void;
}

/**
 * After this many resets in a row, and after one more for each RESET_PAUSE_MS that has passed, readers may send requests in the next
 * task. After any other reset they wait, at most RESET_PAUSE_MS.
 */
const FREE_RESETS = 2;
const RESET_PAUSE_MS = 1_000;

type CoreParts = Pick<
  Core,
  keyof ExpiryTimes | 'environment' | 'extension' | 'handlesFailures' | 'emit' | 'scheduleCollection'
>;

export interface Core extends ExpiryTimes, ExtensionHost {
  /** The present engine; a reset replaces it. Code that waits compares the engine before and after, to detect a reset. */
  engine: Engine;
  readonly environment: Environment;
  /** The outermost extension. A reset keeps it. */
  extension: Extension;
  /** Whether a manager handles failed mutations: then their promises may reject without a handler. */
  readonly handlesFailures: boolean;
  readonly emit: (event: ControllerEvent) => void;
  /** Schedules a collection. Call it before a look-up, because a look-up may create nodes but emits no event. The call is cheap. */
  readonly scheduleCollection: () => void;
  readonly flights: Flights;
  /** The drafts by local id, until the requests that create them have ended. */
  readonly drafts: Map<string, Draft>;
  acknowledged: AcknowledgedWrite[];
  /**
   * How often `fetch` was called, an edit or a held mutation was sent, or responses were invalidated or expired by a call: each of
   * these actions ends the throttling of reads.
   */
  actionCount: number;
  /**
   * The time on the store's timeline when a message last contained a field or a deletion from which a mutation was protected; 0 for
   * never.
   */
  messageFieldsIgnoredAt: number;
  /** The observers with listeners. The data that they show is not removed from the store. */
  readonly mountedObservers: Set<MountedObserver>;
  /**
   * Settles when mounted readers may send requests again after a reset. They wait, because readers that unmount together with the
   * user's session need no data.
   */
  resetPause?: Promise<void> | undefined;
  /** The time of day from which readers may send requests after a reset: at most RESET_PAUSE_MS after the last reset. */
  requestsAllowedAt: number;
  /** Sets the time at which an observer decides again. */
  readonly setAlarm: SetAlarm;
  /** Notified when the `status` of a mutation changes, and at a reset. */
  readonly pendingListeners: Listeners;
  /** Whether a mutation with an optimistic update that may hide stored data is pending. */
  hasOptimisticUpdate(): boolean;
  /** Whether the page is hidden or the network is offline. */
  isAway(): boolean;
}

export function createCore(parts: CoreParts): Core {
  const { clock, timers, random, online, visibility } = parts.environment;
  // One timeline for all engines of the controller, so that its times increase across resets too.
  const timeline = new Timeline(clock);
  const createEngine = (): Engine => new Engine({ timeline, random });
  const core: Core = {
    ...parts,
    engine: createEngine(),
    flights: new Flights(timers),
    drafts: new Map(),
    acknowledged: [],
    actionCount: 0,
    messageFieldsIgnoredAt: 0,
    requestsAllowedAt: 0,
    mountedObservers: new Set(),
    setAlarm: createSetAlarm(parts.environment),
    pendingListeners: new Set(),
    hasOptimisticUpdate: () => core.engine.store.intents.size > core.engine.store.unidentifiedCreations.size,
    isAway: () => !(online.isOnline() && visibility.isVisible()),
    reset() {
      const observers = [...core.mountedObservers];
      core.engine = createEngine();
      core.drafts.clear();
      core.acknowledged = [];
      const now = clock.now();
      core.requestsAllowedAt =
        Math.min(Math.max(core.requestsAllowedAt, now - FREE_RESETS * RESET_PAUSE_MS), now) + RESET_PAUSE_MS;
      const pause = new Promise<void>((resolve) =>
        timers.set(resolve, Math.max(0, core.requestsAllowedAt - now)),
      );
      core.resetPause = pause;
      void pause.then(() => {
        if (core.resetPause === pause) core.resetPause = undefined;
      });
      core.flights.abortAll(new ResetError());
      for (const observer of observers) observer.attach();
      notify(core.pendingListeners);
      for (const observer of observers) observer.wake();
      core.emit({ type: 'reset' });
    },
  };
  return core;
}
