// What the controller's parts share: the engine, the requests in flight, the environment and the options. Controller is
// its public face; the folders beside this one are its verbs.
import { Flights } from '../../dispatch/flights.ts';
import type { ControllerEvent, INSTALL, Send } from '../../dispatch/manager.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { Engine } from '../../normalize/engine.ts';
import type { View } from '../../store/graph.ts';
import type { Row } from '../../store/nodes.ts';
import { Timeline } from '../../store/stamp.ts';
import type { Environment } from '../../support/environment.ts';
import { ResetError } from '../../support/errors.ts';
import { createAlarms, notify } from './listeners.ts';
import type { Listeners, SetAlarm } from './listeners.ts';

/** How the library's own functions reach what a controller is made of. */
export const CORE: unique symbol = Symbol();

/** An observer that may miss something. */
export interface AwaitingReader {
  readonly awaitsData: boolean;
  freshen(): void;
  readShown(): { readonly data: unknown; readonly error: Error | undefined };
  ensurePromise(): Promise<unknown>;
}

/** States that are still to come; see addons/state/arrivals.ts. */
export interface Arriving {
  /** What the reader has to wait for, if a state that is there and not taken in yet may bring what it misses. */
  waitFor(reader: AwaitingReader): Promise<unknown> | undefined;
  /** What the reader was given to wait for, while it is being served. */
  awaitedBy(reader: AwaitingReader): Promise<unknown> | undefined;
  /** What was there from the start is on screen: the rest may come in at leisure. */
  finish(): void;
}

/**
 * What a controller may start with. Made by `savedState` and `readPage`.
 *
 * @example
 * const initialState: savedState.State = savedState(localStorage.getItem('state') ?? '');
 * const controller = new Controller({ initialState });
 */
export interface InitialState {
  /** Takes the state in; gives what is still to come after it. The code for it comes with the state, not with the controller. */
  readonly [INSTALL]: (core: Core) => Arriving | null;
}

/** A row that exists here before the server has named it. */
export interface Draft {
  /** Fulfilled once the server has named the row; rejected when its creation failed. */
  readonly named: Promise<unknown>;
  /** The mutations that wait for the name: a delete of the row aborts them. */
  readonly waiting: Set<AbortController>;
}

/** What an acknowledged mutation has sent of a row; see keep-own.ts. */
export interface AcknowledgedWrite {
  readonly row: Row;
  /** What was sent, without the fields that were read since. */
  readonly fields: Record<string, unknown>;
  /** When it was acknowledged: its place in the order, and the time. */
  readonly stamp: number;
  readonly ms: number;
}

/**
 * A mutation of an entity that has not been answered.
 *
 * @example
 * const lineOf = ({ endpoint, status }: Pending) => `${endpoint.name} (${status})`;
 * getPending(new Controller(), Todo, { id: '5' }).map(lineOf);
 */
export interface Pending {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  /** Where it is: `waiting` for its turn, or for the server to name another row; or `sent`. */
  readonly status: 'waiting' | 'sent';
}

/** What a controller was told about expiry; see decide.ts. */
export interface ExpiryTimes {
  readonly dataExpiryLength: number;
  readonly errorExpiryLength: number;
}

/** An observer with listeners. */
interface Observed {
  view(): View;
  /** Listens to the view of the present store. */
  attach(): void;
  wake(): void;
  /** `retriesFailed`: failures without an answer are tried again now. */
  freshen(retriesFailed?: boolean): void;
}

/** How often the store may be reset in a row before its readers ask again only once in a while, and what that is. */
const FREE_RESETS = 2;
const RESET_PAUSE_MS = 1_000;

type CoreParts = Pick<
  Core,
  keyof ExpiryTimes | 'environment' | 'send' | 'handlesFailures' | 'emit' | 'touch'
>;

export interface Core extends ExpiryTimes {
  /** Replaced by a reset; one kept across an await tells whether there was a reset meanwhile. */
  engine: Engine;
  /** Makes an empty store: at the start, and at a reset. */
  createEngine: () => Engine;
  /** States that are still to come, if any are. */
  arrivals?: Arriving | null | undefined;
  readonly environment: Environment;
  send: Send;
  /** Whether a manager takes care of failed mutations: their promises may go unhandled. */
  readonly handlesFailures: boolean;
  readonly emit: (event: ControllerEvent) => void;
  /** Call before a look-up: it may create nodes without an event, so the next collection must be scheduled. Cheap. */
  readonly touch: () => void;
  readonly flights: Flights;
  /** By local id, until the server has answered their creation. */
  readonly drafts: Map<string, Draft>;
  acknowledged: AcknowledgedWrite[];
  /** How often somebody has acted: called a mutation or a fetch, or expired something. */
  actionCount: number;
  /** When something was last left aside that came beside the answers; 0 for never. */
  messageIgnoredAt: number;
  /** The observers with listeners: what they show is kept. */
  observed: Set<Observed>;
  /** After a reset, until the next turn: no mounted reader asks, because those that leave with the user need nothing. */
  rest?: Promise<void> | undefined;
  /** When readers may ask after a reset, mounted or not: grows with each reset, and falls behind with time. */
  requestAt: number;
  /** When observers look again at what they show. */
  readonly setAlarm: SetAlarm;
  /** Those who hear when a mutation is sent or ends. */
  readonly pendingListeners: Listeners;
  /** Whether a mutation is pending whose guess may hide what is stored. */
  hasOptimisticUpdate(): boolean;
  /** Whether the page is hidden, or the network is away. */
  isAway(): boolean;
  /** Opens an empty store with nothing pending; the promises of requests under way reject. */
  reset(): void;
}

export function createCore(parts: CoreParts): Core {
  const { clock, timers, random, online, visibility } = parts.environment;
  // shared by all stores: stamps never go back
  const timeline = new Timeline(clock);
  const core: Core = {
    ...parts,
    createEngine: () => new Engine({ timeline, random }),
    flights: new Flights(timers),
    drafts: new Map(),
    acknowledged: [],
    actionCount: 0,
    messageIgnoredAt: 0,
    requestAt: 0,
    observed: new Set(),
    setAlarm: createAlarms(parts.environment),
    pendingListeners: new Set(),
    hasOptimisticUpdate: () => core.engine.store.intents.size > core.engine.store.unnamed.size,
    isAway: () => !(online.isOnline() && visibility.isVisible()),
    reset() {
      const observers = [...core.observed];
      core.engine = core.createEngine();
      core.arrivals = null;
      core.drafts.clear();
      core.acknowledged = [];
      const now = clock.now();
      core.requestAt =
        Math.min(Math.max(core.requestAt, now - FREE_RESETS * RESET_PAUSE_MS), now) + RESET_PAUSE_MS;
      const rest = new Promise<void>((resolve) => timers.set(resolve, Math.max(0, core.requestAt - now)));
      core.rest = rest;
      void rest.then(() => {
        if (core.rest === rest) core.rest = undefined;
      });
      for (const observer of observers) observer.attach();
      notify(core.pendingListeners);
      core.flights.abortAll(new ResetError());
      for (const observer of observers) observer.wake();
    },
  } satisfies Omit<Core, 'engine'> as Partial<Core> as Core; // cast: the engine follows at once
  core.engine = core.createEngine();
  return core;
}
