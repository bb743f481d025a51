// What bindings stand on: one framework-free observer per endpoint and arguments. It looks at the slot, lets decide.ts
// judge, and does what was decided: shows, fetches, sets its alarm, tells those who listen.
import { throttle } from './pace.ts';
import type { Pace } from './pace.ts';
import { changeSlot } from '../slot/write-slot.ts';
import { startRead } from '../request/fetch-read.ts';
import { notify } from '../state/listeners.ts';
import { buildSlotView, isShallowEqual, joinable, slotOf } from '../slot/read-slot.ts';
import type { SlotFacts } from '../slot/read-slot.ts';
import { NOTHING_SHOWN } from './shown.ts';
import type { Observer, ObserverState, Shown, Waiters } from './shown.ts';
import { isAbortError } from '../../support/network-errors.ts';
import { ViewObserver } from './view-observer.ts';
import { HoldfastError } from '../../support/errors.ts';
import { decide, errorExpiry, VALID } from '../slot/decide.ts';
import type { Decision, Pause } from '../slot/decide.ts';
import { tryRun } from '../../support/call-safely.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { ReadContext, ViewReader } from '../../schema/protocol/protocol.ts';
import type { View } from '../../store/graph.ts';
import type { Core, AwaitingReader } from '../state/core.ts';

const NO_VALUE = { data: undefined, error: undefined };

/** How often a request may be aborted from outside in a row before its readers are told. */
const FREE_ABORTS = 2;

export class EndpointObserver extends ViewObserver implements Observer, AwaitingReader, ViewReader {
  readonly call: EndpointCall;
  /** Whether it had no listener at the last `forgetIdle`. */
  isIdle = false;
  /** How many of those who listen want fresh data. */
  #subscriptions = 0;
  #state: ObserverState = NOTHING_SHOWN;
  /** The look that the state follows from, whatever the time; null where it does not. */
  #facts: SlotFacts | null = null;
  /** The first state with what is on screen: the same object while only freshness or requests change. */
  #shown: Shown = NOTHING_SHOWN;
  /** What readers of the shown value were given to wait for, or the settled promise; null until one asks. */
  #promise: Promise<unknown> | null = null;
  /** The state that listeners last heard of, or what reading it threw. */
  #notified: unknown = null;
  /** While it starts a request: that may be during a render, and React forbids to update a component then, so listeners hear later. */
  #isStarting = false;
  /** The request this observer started or joined last. */
  #flight: Flight | null = null;
  /** What comes before the next request: the end of a mutation whose guess hides the data, or of the rest after a reset. */
  #awaited: Promise<void> | null = null;
  /** Aborts in a row. They are no state of the data, so the slot does not know them. */
  #aborts = 0;
  #pause: Pause | null = null;
  readonly #pace: Pace = { requestAt: 0, actionCount: 0 };
  /** The end of the pause that a read is held back for; 0 for none. */
  #heldUntil = 0;

  constructor(core: Core, call: EndpointCall) {
    super(core);
    this.call = call;
  }

  // ── looking ──────────────────────────────────────────────────────────────────────────────────

  protected override findView(): View {
    const { core, call } = this;
    return core.engine.viewOf(slotOf(core, call), this, call.args);
  }

  /** Of the view that this observer is the reader of. */
  build(view: View, context: ReadContext): void {
    buildSlotView(this.core, this.call, view, context);
  }

  #readFacts(): SlotFacts {
    return this.core.engine.read(this.view()) as SlotFacts; // cast: what build makes
  }

  /** What follows from what is there now. Throws what a class's own code throws. */
  #decide(facts = this.#readFacts(), mayDefer?: boolean, retriesFailed?: boolean): Decision {
    const { core, call } = this;
    const isMounted = this.#subscriptions > 0;
    const policy = { core, endpoint: call.endpoint, isMounted, pause: this.#pause, mayDefer, retriesFailed };
    return decide(facts, policy, core.environment.clock.now());
  }

  // ── showing ──────────────────────────────────────────────────────────────────────────────────

  readonly readShown = (): Shown => {
    this.read();
    return this.#shown;
  };

  readonly read = (): ObserverState => {
    const facts = this.#readFacts();
    // fast: R2, test/controller/decide. What is shown of valid data without a failure follows from the look alone
    if (facts === this.#facts) return this.#state;
    const { show, error, expiryStatus } = this.#decide(facts);
    this.#facts = expiryStatus === VALID && !facts.error ? facts : null;
    const isBlocked = show === 'wait';
    const shown: Shown = { ...(isBlocked ? NO_VALUE : { data: facts.data, error }), isBlocked };
    const state = { ...shown, expiryStatus, isFetching: facts.isFetching };
    // readers of a request that was outdated meanwhile have to wait for the newer one
    const request = isBlocked ? joinable(slotOf(this.core, this.call), this.call)?.promise : undefined;
    if (isShallowEqual(shown, this.#shown) && (!request || !this.#promise || this.#promise === request)) {
      this.#promise ??= request ?? null;
      if (!isShallowEqual(state, this.#state)) this.#state = state;
    } else {
      this.#promise = isBlocked ? null : this.#settledPromise();
      this.#shown = this.#state = state;
    }
    return this.#state;
  };

  /** The promise that readers have waited for, if it is over: they are given it again, as `use` expects. */
  #settledPromise(): Promise<unknown> | null {
    const flight = this.#flight;
    if (!this.#shown.isBlocked) return null;
    if (flight?.isSettled && (this.#promise ?? flight.promise) === flight.promise) return flight.promise;
    return this.core.arrivals?.awaitedBy(this) ?? null;
  }

  /** `shown` is what a hook has just read: the React Compiler then sees that the promise follows from it. */
  readonly ensurePromise = (
    { data, error, isBlocked }: Shown = this.readShown(),
    waiters?: Waiters,
  ): Promise<unknown> => {
    const flight = this.#flight;
    // with subscribers, requests are sent by events, never by renders
    const sent = this.#subscriptions > 0 && flight?.isSettled === false ? flight.promise : undefined;
    const request = isBlocked ? (sent ?? this.ensure()) : undefined;
    // a subscriber says itself when it goes
    if (waiters && request && this.#subscriptions === 0) {
      waiters.add(this.core.flights.release);
      this.#flight?.readers.add(waiters);
    }
    const settled = async (): Promise<unknown> => {
      if (error) throw error;
      return data;
    };
    this.#promise = request ?? this.#promise ?? settled();
    this.#promise.catch(() => undefined); // readers meet the failure in what they read
    return this.#promise;
  };

  // ── fetching ─────────────────────────────────────────────────────────────────────────────────

  /** Fetches when there is no data or it is stale; gives the request that readers have to wait for, if any. */
  readonly ensure = (): Promise<unknown> | undefined => {
    const decision = tryRun(() => this.#decide());
    return decision && this.#fetchAsDecided(decision); // where reading throws, readers meet the error in what they read
  };

  /** Whether only a request, or a state that is still to come, can give readers what they want. */
  get awaitsData(): boolean {
    return this.#decide().fetch === 'yes';
  }

  readonly retry = (): void => {
    this.#endAborts();
    this.#startOver();
  };

  /** Looks whether a request is to be sent, and when to look again. */
  override freshen(retriesFailed?: boolean): void {
    if (this.#subscriptions === 0) return;
    const decision = tryRun(() => this.#decide(undefined, true, retriesFailed));
    if (decision) this.#followDecision(decision);
  }

  /** Does what was decided. Where that changes nothing, the decision also says when to look again. */
  #followDecision(decision: Decision): void {
    void this.#fetchAsDecided(decision);
    if (decision.fetch === 'redate') this.#redate();
    this.#schedule(decision.fetch === 'no' ? decision : undefined);
  }

  #schedule(decision = tryRun(() => this.#decide(undefined, true))): void {
    this.core.setAlarm(this, this.#heldUntil || (decision?.wakeAt ?? 0));
  }

  /** Gives what readers have to wait for, if they have to. */
  #fetchAsDecided({ fetch, show }: Decision): Promise<unknown> | undefined {
    const { arrivals, requestAt, environment, flights, rest } = this.core;
    const isBlocked = show === 'wait';
    const isFetch = fetch === 'yes';
    const mayRequest = !isFetch || (this.#subscriptions === 0 && requestAt <= environment.clock.now());
    const ended = fetch === 'afterWrite' ? flights.nextWrite() : mayRequest ? undefined : rest;
    if (ended) {
      // whichever mutation it was: has a look then, once
      if (this.#awaited !== ended) void ended.then(() => this.wake());
      this.#awaited = ended;
      return isBlocked ? ended : undefined;
    }
    const joined = joinable(slotOf(this.core, this.call), this.call);
    this.#heldUntil = isFetch && !isBlocked && !joined ? throttle(this.core, this.#pace) : 0;
    if (!isFetch || this.#heldUntil > 0) return undefined;
    const promise = arrivals?.waitFor(this) ?? (isBlocked ? this.#startOver() : this.#fetch()).promise;
    return isBlocked ? promise : undefined;
  }

  /** Fetches for readers that start without the failure that has had its time. */
  #startOver(): Flight {
    const slot = slotOf(this.core, this.call);
    this.#isStarting = true;
    if (slot.error) changeSlot(this.core.engine.store, slot, { error: undefined });
    return this.#fetch();
  }

  /** Joins or sends the request. */
  #fetch(): Flight {
    const { name: endpoint, sideEffect } = this.call.endpoint;
    // types forbid it, and JavaScript has none: a mutation is sent by an event, once, and not because somebody looks
    if (sideEffect) throw new HoldfastError('MUTATION_READ', { endpoint });
    this.#isStarting = true;
    const flight = startRead(this.core, this.call);
    this.#isStarting = false;
    // another request to wait for is news, also where nothing else has changed
    queueMicrotask(() => this.#notify());
    if (this.#subscriptions > 0) flight.readers.add(this);
    if (this.#flight === flight) return flight;
    this.#flight = flight;
    flight.promise.then(
      () => this.#endAborts(),
      (error: Error) => {
        // the library aborted it, because its last reader had gone: that does not count
        if (!isAbortError(error) || flight.aborter.signal.aborted) return;
        this.#aborts += 1;
        if (this.#aborts < FREE_ABORTS) return;
        this.#pause = { error, until: errorExpiry(this.core, this.call.endpoint, this.#aborts + 1) };
        if (this.#subscriptions > 0) this.#schedule();
        this.#notify();
      },
    );
    return flight;
  }

  #endAborts(): void {
    this.#aborts = 0;
    this.#pause = null;
  }

  /** A failure from before the clock was set back stands as long as a new one would, from now on. */
  #redate(): void {
    const slot = slotOf(this.core, this.call);
    const expiresAt = errorExpiry(this.core, this.call.endpoint, slot.failures);
    if (this.#pause) this.#pause = { ...this.#pause, until: expiresAt };
    else changeSlot(this.core.engine.store, slot, { errorStamp: { ...slot.errorStamp, expiresAt } });
  }

  // ── listening ────────────────────────────────────────────────────────────────────────────────

  readonly subscribe = (onChange: () => void): (() => void) => {
    // the first one waits for another try of what has failed, and does not rest
    const decision = this.#subscriptions > 0 ? undefined : tryRun(() => this.#decide());
    this.#subscriptions += 1;
    const stop = this.subscribePassively(onChange);
    if (decision) this.#followDecision(decision);
    if (this.listeners.size === 1) this.#hasChanged(); // the first one reads for itself
    return () => {
      if (!stop()) return;
      this.#subscriptions -= 1;
      if (this.#subscriptions > 0) return;
      this.core.setAlarm(this, 0);
      this.core.flights.release(this);
    };
  };

  override wake(): void {
    if (this.#isStarting) return;
    this.freshen();
    this.#notify();
  }

  #notify(): void {
    if (this.listeners.size && this.#hasChanged()) notify(this.listeners);
  }

  /** Whether listeners have not heard of what there is to read. */
  #hasChanged(): boolean {
    const notified = this.#notified;
    const before = this.#state;
    try {
      this.#notified = this.read();
    } catch (error) {
      this.#notified = error; // they meet it when they read
    }
    if (this.#notified === notified) return false;
    // a reader has met the newer request to wait for already, and nothing else is new
    return this.#notified !== before || !isShallowEqual(before, notified as ObserverState | null); // cast: what was thrown is not alike
  }
}
