// The observer of one endpoint and its arguments, on which bindings are built. The observer reads the facts of the slot, calls
// decide.ts, and carries out the decision: shows data or an error, fetches, sets an alarm for the next decision, notifies
// listeners.
import { throttle } from './pace.ts';
import type { ThrottleState } from './pace.ts';
import { changeSlot } from '../slot/write-slot.ts';
import { startRead } from '../request/fetch-read.ts';
import { buildSlotView, isShallowEqual, findJoinable, slotOf } from '../slot/read-slot.ts';
import type { SlotFacts } from '../slot/read-slot.ts';
import { NOTHING_SHOWN } from './shown.ts';
import type { Observer, ObserverState, Shown, Waiters } from './shown.ts';
import { isAbortError } from '../../support/network-errors.ts';
import { ViewObserver } from './view-observer.ts';
import { HoldfastError } from '../../support/errors.ts';
import { decide, errorExpiryTime, VALID } from '../slot/decide.ts';
import type { Decision, AbortPause } from '../slot/decide.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { AwaitingReader } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { ReadContext, ViewReader } from '../../schema/protocol/protocol.ts';
import type { View } from '../../store/graph.ts';
import type { Core } from '../state/core.ts';

/**
 * After other code has aborted this many requests and none has succeeded, readers without usable data get the abort as an error.
 */
const ABORTS_UNTIL_ERROR = 2;

export class EndpointObserver extends ViewObserver implements Observer, AwaitingReader, ViewReader {
  readonly call: EndpointCall;
  /** Whether the observer had no listener at the last `forgetIdle`, and `watch` has not returned the observer since. */
  isIdle = false;
  /** How many of the listeners want fresh data; passive listeners do not count. */
  #subscriptionCount = 0;
  #state: ObserverState = NOTHING_SHOWN;
  /** The facts from which `#state` was made, if the state does not depend on the time; else null. */
  #facts: SlotFacts | null = null;
  /**
   * The data or error on screen. Remains the same object while only the expiry status or `isFetching` changes and readers need not
   * wait for another request.
   */
  #shown: Shown = NOTHING_SHOWN;
  /**
   * The promise that readers of `#shown` got: the promise for which they wait, usually that of a request; or, if they need not
   * wait, a settled promise. It may be null until a reader needs a promise.
   */
  #promise: Promise<unknown> | null = null;
  /**
   * The state of which listeners were last notified or that the first listener has read; or the error that reading the state threw.
   */
  #lastNotified: unknown = null;
  /** True while a request is being started. Listeners are notified later, because React forbids updates during a render. */
  #isStarting = false;
  /** The request that this observer started or joined last. */
  #flight: Flight | null = null;
  /**
   * The promise for which a request has last been delayed: the end of any mutation, while an optimistic update hides the data, or
   * the end of the pause after a reset.
   */
  #waitBeforeFetch: Promise<void> | null = null;
  /**
   * How many requests other code has aborted since a request succeeded or `retry` was called. The slot does not have this number,
   * because it stores no aborts.
   */
  #abortCount = 0;
  #abortPause: AbortPause | null = null;
  readonly #throttleState: ThrottleState = { requestsAllowedAt: 0, actionCount: 0 };
  /** When a throttled read may be sent; 0 when no read is throttled. */
  #throttledUntil = 0;

  constructor(core: Core, call: EndpointCall) {
    super(core);
    this.call = call;
  }

  // ── deciding ─────────────────────────────────────────────────────────────────────────────────

  protected override findView(): View {
    const { core, call } = this;
    return core.engine.viewOf(slotOf(core, call), this, call.args);
  }

  /** Builds the value of this observer's view: the facts of the slot. */
  build(view: View, context: ReadContext): void {
    buildSlotView(this.core, this.call, view, context);
  }

  #readFacts(): SlotFacts {
    const { engine, environment } = this.core;
    const view = this.view();
    const facts = engine.read(view) as SlotFacts; // cast: `build` makes SlotFacts
    // A response of another call that repeats the row renews the row's expiry time but marks no view. So the facts are read again
    // before the row counts as expired. The deletion of a row that an optimistic update hides marks no view either.
    const { isOwnResponse, isRowHidden, expiresAt, storedAt } = facts;
    if (!isRowHidden) {
      if (isOwnResponse || !expiresAt) return facts;
      const now = environment.clock.now();
      if (now >= storedAt && now <= expiresAt) return facts;
    }
    view.isClean = false;
    return engine.read(view) as SlotFacts; // cast: as above
  }

  /** Decides from the present facts. Throws the errors of user code, such as a getter of an entity class. */
  #decide(facts = this.#readFacts(), mayDefer?: boolean, retriesFailed?: boolean): Decision {
    const { core, call } = this;
    const isMounted = this.#subscriptionCount > 0;
    const situation = {
      core,
      endpoint: call.endpoint,
      isMounted,
      pause: this.#abortPause,
      mayDefer,
      retriesFailed,
    };
    return decide(facts, situation, core.environment.clock.now());
  }

  /** The decision; undefined when deciding throws. */
  #tryDecide(mayDefer?: boolean, retriesFailed?: boolean): Decision | undefined {
    try {
      return this.#decide(undefined, mayDefer, retriesFailed);
    } catch {
      return undefined;
    }
  }

  // ── showing ──────────────────────────────────────────────────────────────────────────────────

  readonly readShown = (): Shown => {
    this.read();
    return this.#shown;
  };

  /** Returns the state. `decided` is the decision on the present facts, if the decision was made already. */
  readonly read = (decided?: Decision): ObserverState => {
    const facts = this.#readFacts();
    // fast: R2, test/controller/decide. The state of valid data without an error depends on the facts alone
    if (facts === this.#facts) return this.#state;
    const { show, error, expiryStatus } = decided ?? this.#decide(facts);
    this.#facts = expiryStatus === VALID && !facts.error ? facts : null;
    const isBlocked = show === 'wait';
    const state: ObserverState = {
      data: isBlocked ? undefined : facts.data,
      error: isBlocked ? undefined : error,
      isBlocked,
      expiryStatus,
      isFetching: facts.isFetching,
    };
    const before = this.#shown;
    const isSame =
      state.data === before.data && state.error === before.error && isBlocked === before.isBlocked;
    // When a newer request has replaced the request for which readers wait, they must wait for the newer request.
    const request = isBlocked ? findJoinable(this.core, this.call)?.promise : undefined;
    if (isSame && (!request || !this.#promise || this.#promise === request)) {
      this.#promise ??= request ?? null;
      if (!isShallowEqual(state, this.#state)) this.#state = state;
    } else {
      this.#promise = isBlocked ? null : this.#settledPromise();
      this.#shown = this.#state = state;
    }
    return this.#state;
  };

  /** The promise that readers have waited for, if there is one: React's `use` expects to get the same promise again. */
  #settledPromise(): Promise<unknown> | null {
    const flight = this.#flight;
    if (!this.#shown.isBlocked) return null;
    if (flight?.isSettled && (this.#promise ?? flight.promise) === flight.promise) return flight.promise;
    return this.core.extension.promiseOf?.(this) ?? null;
  }

  /** `useFetch` passes the `shown` that it has just read, so that the React Compiler sees that the promise depends on `shown`. */
  readonly ensurePromise = (
    { data, error, isBlocked }: Shown = this.readShown(),
    waiters?: Waiters,
  ): Promise<unknown> => {
    const flight = this.#flight;
    // While there are subscribers, a render that finds a request in flight waits for this request, and sends no newer request.
    const sent = this.#subscriptionCount > 0 && flight?.isSettled === false ? flight.promise : undefined;
    const request = isBlocked ? (sent ?? this.ensure()) : undefined;
    // The last subscriber releases the request when it unsubscribes. A reader that was never mounted has no subscription, so its
    // boundary releases the request.
    if (waiters && request && this.#subscriptionCount === 0) {
      waiters.add(this.core.flights.releaseReader);
      this.#flight?.readers.add(waiters);
    }
    const settled = async (): Promise<unknown> => {
      if (error) throw error;
      return data;
    };
    this.#promise = request ?? this.#promise ?? settled();
    this.#promise.catch(() => undefined); // readers get the error from `read`
    return this.#promise;
  };

  // ── fetching ─────────────────────────────────────────────────────────────────────────────────

  /**
   * Fetches if necessary, for example because no data is stored or the data is stale. Returns the promise that readers must wait
   * for, if there is one.
   */
  readonly ensure = (): Promise<unknown> | undefined => {
    const decision = this.#tryDecide();
    return decision && this.#fetchAsDecided(decision); // when deciding throws, readers get the error from `read`
  };

  /** Whether the present decision is to fetch. If so, saved states that have arrived are applied before a request is sent. */
  get awaitsData(): boolean {
    return this.#decide().fetch === 'yes';
  }

  readonly retry = (): void => {
    this.core.extension.onReader?.(this, 'retry');
    this.#resetAborts();
    this.#fetchAfterError();
  };

  /**
   * Decides again for mounted readers: fetches if necessary, and sets the alarm for the next decision. Returns the decision if
   * nothing has happened since that may change the facts.
   */
  override fetchIfNeeded(retriesFailed?: boolean): Decision | undefined {
    if (this.#subscriptionCount === 0) return undefined;
    this.core.extension.onReader?.(this, 'look', retriesFailed);
    const decision = this.#tryDecide(true, retriesFailed);
    if (decision) this.#followDecision(decision);
    return decision?.fetch === 'no' ? decision : undefined;
  }

  /** Carries out the decision and sets the alarm. A fetch may change the facts, so that the alarm then needs a new decision. */
  #followDecision(decision: Decision): void {
    void this.#fetchAsDecided(decision);
    if (decision.fetch === 'redate') this.#redateError();
    this.#setAlarm(decision.fetch === 'no' ? decision : undefined);
  }

  #setAlarm(decision = this.#tryDecide(true)): void {
    this.core.setAlarm(this, this.#throttledUntil || (decision?.wakeAt ?? 0));
  }

  /**
   * Fetches if the decision is to fetch and the fetch is not delayed. Returns the promise that readers must wait for, if they are
   * blocked.
   */
  #fetchAsDecided({ fetch, show }: Decision): Promise<unknown> | undefined {
    const { extension, requestsAllowedAt, environment, flights, resetPause } = this.core;
    const isBlocked = show === 'wait';
    const isFetch = fetch === 'yes';
    const mayRequest =
      !isFetch || (this.#subscriptionCount === 0 && requestsAllowedAt <= environment.clock.now());
    const ended = fetch === 'afterWrite' ? flights.whenNextWriteEnds() : mayRequest ? undefined : resetPause;
    if (ended) {
      // The observer decides again when any mutation, or the pause after a reset, has ended. Each promise gets one handler.
      if (this.#waitBeforeFetch !== ended) void ended.then(() => this.wake());
      this.#waitBeforeFetch = ended;
      return isBlocked ? ended : undefined;
    }
    const joined = findJoinable(this.core, this.call);
    this.#throttledUntil = isFetch && !isBlocked && !joined ? throttle(this.core, this.#throttleState) : 0;
    if (!isFetch || this.#throttledUntil > 0) return undefined;
    const promise =
      extension.waitForState?.(this) ?? (isBlocked ? this.#fetchAfterError() : this.#fetch()).promise;
    return isBlocked ? promise : undefined;
  }

  /** Clears the error of the slot, then fetches. */
  #fetchAfterError(): Flight {
    const slot = slotOf(this.core, this.call);
    this.#isStarting = true;
    if (slot.error) changeSlot(this.core.engine.store, slot, { error: undefined });
    return this.#fetch();
  }

  /** Joins a read in flight, or sends one. */
  #fetch(): Flight {
    const { name: endpoint, sideEffect } = this.call.endpoint;
    // The types forbid a mutation here. JavaScript callers get an error, because rendering a component must never send a mutation.
    if (sideEffect) throw new HoldfastError('MUTATION_READ', { endpoint });
    this.#isStarting = true;
    const flight = startRead(this.core, this.call);
    this.#isStarting = false;
    // The state may be new although the data is the same: blocked readers must wait for the new request.
    queueMicrotask(() => this.#notify());
    if (this.#subscriptionCount > 0) flight.readers.add(this);
    if (this.#flight === flight) return flight;
    this.#flight = flight;
    flight.promise.then(
      () => this.#resetAborts(),
      (error: Error) => {
        // An abort by the library itself, for example when the last reader has left, does not count.
        if (!isAbortError(error) || flight.aborter.signal.aborted) return;
        this.#abortCount += 1;
        if (this.#abortCount < ABORTS_UNTIL_ERROR) return;
        this.#abortPause = {
          error,
          until: errorExpiryTime(this.core, this.call.endpoint, this.#abortCount + 1),
        };
        if (this.#subscriptionCount > 0) this.#setAlarm();
        this.#notify();
      },
    );
    return flight;
  }

  #resetAborts(): void {
    this.#abortCount = 0;
    this.#abortPause = null;
  }

  /** Gives the error, or the pause after aborts, the expiry time of an error that is stored now: see `redate` of decide.ts. */
  #redateError(): void {
    const slot = slotOf(this.core, this.call);
    const expiresAt = errorExpiryTime(this.core, this.call.endpoint, slot.failureCount);
    if (this.#abortPause) this.#abortPause = { ...this.#abortPause, until: expiresAt };
    else changeSlot(this.core.engine.store, slot, { errorStamp: { ...slot.errorStamp, expiresAt } });
  }

  // ── listening ────────────────────────────────────────────────────────────────────────────────

  readonly subscribe = (onChange: () => void): (() => void) => {
    // For the first subscriber, the decision is made before the subscriber is counted, as for an unmounted reader: without usable
    // data, an expired error is cleared and retried; and no request is deferred.
    const decision = this.#subscriptionCount > 0 ? undefined : this.#tryDecide();
    this.#subscriptionCount += 1;
    const stop = this.subscribePassively(onChange);
    if (decision) this.#followDecision(decision);
    if (this.listeners.size === 1) this.#recordState(); // records the state, which the first listener has just read
    return () => {
      if (!stop()) return;
      this.#subscriptionCount -= 1;
      if (this.#subscriptionCount > 0) return;
      this.core.setAlarm(this, 0);
      this.core.flights.releaseReader(this);
    };
  };

  override wake(): void {
    if (this.#isStarting) return;
    this.#notify(this.fetchIfNeeded());
  }

  #notify(decided?: Decision): void {
    if (this.listeners.size && this.#recordState(decided)) super.wake();
  }

  /** Records the present state. Returns whether it differs from the state of which listeners were last notified. */
  #recordState(decided?: Decision): boolean {
    const notified = this.#lastNotified;
    const before = this.#state;
    try {
      this.#lastNotified = this.read(decided);
    } catch (error) {
      this.#lastNotified = error; // listeners get the error from `read`
    }
    if (this.#lastNotified === notified) return false;
    // A reader may have read the new state already: then listeners are notified only if the content of the state is new to them.
    return this.#lastNotified !== before || !isShallowEqual(before, notified as ObserverState | null); // cast: an error has no `isBlocked`, so it never equals a state
  }
}
