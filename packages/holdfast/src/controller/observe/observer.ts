// What bindings stand on: one framework-free observer per endpoint and arguments that carries expiry, refetch, error
// policy and retention. A hook looks at it, subscribes to it, and asks it to make sure that there is data.
import type { Flight } from '../../dispatch/flights.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { isHttpError } from '../../support/network-errors.ts';
import { Aborts } from './aborts.ts';
import { ExpiryStatus } from '../state/expiry-status.ts';
import { slotKeyOf } from '../state/core.ts';
import type { Core } from '../state/core.ts';
import { startRead } from '../request/fetch-read.ts';
import { errorLifetime, isMisdated } from '../state/lifetimes.ts';
import { isHidden } from './hidden.ts';
import { Listeners } from '../state/listeners.ts';
import { isResting } from '../slot/read-slot.ts';
import type { Observation } from '../slot/read-slot.ts';
import { redateFailure } from './redate.ts';
import { SlotReader } from './slot-reader.ts';
import { clearError } from '../slot/write-slot.ts';
import { NOTHING_SHOWN, ObservedState, ShownValue } from './shown.ts';
import type { Observer, ObserverState, Shown } from './shown.ts';
import { isDue, isSound, whenDue } from './when-due.ts';

export class EndpointObserver extends SlotReader implements Observer {
  readonly key: string;
  readonly #active: Set<EndpointObserver>;
  readonly #listeners = new Listeners(() => this.#isNews());
  /** How many of the listeners want fresh data. */
  #wishes = 0;
  #shown: ShownValue = NOTHING_SHOWN;
  /** What the shown value was made of, where it follows from that alone. */
  #shownOf: Observation | null = null;
  #state: ObservedState | null = null;
  /** What listeners last heard of. */
  #told: unknown = null;
  /** The request this observer started or joined last. */
  #flight: Flight | null = null;
  /** The end of a mutation that may show what a guess hides. */
  #awaited: Promise<void> | null = null;
  #aborts: Aborts | null = null;

  constructor(
    core: Core,
    endpoint: EndpointInterface,
    args: readonly unknown[],
    key: string,
    active: Set<EndpointObserver>,
  ) {
    const slotKey = endpoint.listKey === undefined ? key : slotKeyOf(endpoint, args);
    super(core, endpoint, args, slotKey);
    this.#active = active;
    this.key = key;
  }

  /** Whether somebody listens: what this shows must be kept. */
  get isActive(): boolean {
    return this.#listeners.size > 0;
  }

  readonly readShown = (): Shown => this.#show(this.observe());

  #show(seen: Observation): Shown {
    if (seen === this.#shownOf) return this.#shown;
    // what is valid is shown as it is: no need to ask what time it is
    const isValid = seen.expiryStatus === ExpiryStatus.Valid;
    const now = isValid ? 0 : this.#now();
    const isBlocked = !isValid && this.#isBlocked(seen, now);
    const data = isBlocked ? undefined : seen.data;
    const error = isBlocked ? undefined : this.#failure(seen, now);
    const shown = this.#shown;
    const isSame = shown.data === data && shown.error === error && shown.isBlocked === isBlocked;
    // whoever waits for a request that was outdated meanwhile has to wait for the newer one
    const joinable = isBlocked ? this.core.flights.joinable(this.key, this.endpoint) : undefined;
    if (!isSame || (isBlocked && !shown.waitsFor(joinable?.promise)))
      this.#shown = isBlocked
        ? new ShownValue(data, error, this.#await)
        : new ShownValue(data, error, null, this.#answered(shown));
    this.#shownOf = isValid ? seen : null;
    return this.#shown;
  }

  /** The promise that readers of this have waited for, if it is over. */
  #answered(shown: ShownValue): Promise<unknown> | null {
    const flight = this.#flight;
    if (!shown.isBlocked) return null;
    if (flight?.isSettled && shown.waitsFor(flight.promise)) return flight.promise;
    return this.core.arrivals?.awaitedBy(this) ?? null;
  }

  readonly read = (): ObserverState => {
    const seen = this.observe();
    const { expiryStatus, isFetching } = seen;
    const shown = this.#show(seen);
    const state = this.#state;
    if (state?.shown !== shown || state.expiryStatus !== expiryStatus || state.isFetching !== isFetching)
      this.#state = new ObservedState(shown, expiryStatus, isFetching);
    return this.#state!; // made above
  };

  readonly ensure = (): Promise<unknown> | undefined => this.#ensure(false);

  #ensure(mayRest: boolean): Promise<unknown> | undefined {
    const seen = this.tryObserve();
    if (seen === undefined) return undefined; // readers meet the error in what they read
    const now = this.#now();
    if (isHidden(this.core, seen, now)) {
      const ended = this.core.flights.nextWrite();
      // whichever mutation it was: has a look then, once
      if (this.#awaited !== ended) void ended.then(() => this.wake());
      this.#awaited = ended;
      return ended;
    }
    // whether anybody looks is the dearest question, so it comes last
    if (!this.#mustFetch(seen, now) || (mayRest && isResting(this.core, seen))) return undefined;
    const isBlocked = this.#isBlocked(seen, now);
    const arrival = this.core.arrivals?.waitFor(this);
    if (arrival) return isBlocked ? arrival : undefined;
    // readers that start anew start without the failure that has had its time
    if (isBlocked && seen.error !== undefined) this.#forgetError();
    const { promise } = this.#fetch();
    return isBlocked ? promise : undefined;
  }

  /** Whether only a request, or a state that is still to come, can give readers what they want. */
  get isWanting(): boolean {
    return this.#mustFetch(this.observe(), this.#now());
  }

  /** What a reader that renders waits for. Where somebody listens, requests are sent by what happens, never by renders. */
  readonly #await = (): Promise<unknown> | undefined => {
    const isUnderWay = this.#wishes > 0 && this.#flight?.isSettled === false;
    return isUnderWay ? this.#flight?.promise : this.ensure();
  };

  readonly retry = (): void => {
    this.#aborts = null;
    this.#forgetError();
    this.#fetch();
  };

  readonly subscribe = (onChange: () => void): (() => void) => {
    const isFirst = this.#wishes === 0;
    if (isFirst) void this.ensure();
    this.#wishes += 1;
    const stop = this.subscribePassively(onChange);
    if (isFirst) this.refresh();
    if (this.#listeners.size === 1) this.#isNews(); // the first one reads for itself
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#wishes -= 1;
      stop();
      if (this.#wishes > 0) return;
      this.core.alarms.clear(this);
      this.core.flights.release(this.key, this);
    };
  };

  readonly subscribePassively = (onChange: () => void): (() => void) => {
    const stop = this.#listeners.add(onChange);
    if (this.#listeners.size === 1) {
      this.#active.add(this);
      this.attach();
    }
    return () => {
      if (!stop() || this.#listeners.size > 0) return;
      this.#active.delete(this);
      this.detach();
    };
  };

  /** The store is another one: listen there. */
  reattach(): void {
    if (!this.isActive) return;
    this.detach();
    this.attach();
    this.wake();
  }

  /**
   * Looks whether what is shown is still good, if somebody wants it to be; a failure too, when it is time to try again, and
   * with `alsoFailed` at once, if it had no answer.
   */
  refresh(alsoFailed: boolean = false): void {
    const seen = this.#wishes > 0 ? this.tryObserve() : undefined;
    if (seen === undefined) return;
    const now = this.#now();
    if (this.#aborts === null && isSound(this.core, this.endpoint, seen, now)) {
      this.#schedule(seen, now);
      return;
    }
    const until = this.#aborts?.until || seen.errorExpiresAt;
    const { error } = this.readShown();
    if (alsoFailed && error !== undefined && !isHttpError(error)) this.#fetch();
    else if (isMisdated(until, this.endpoint, this.core.lifetimes, now))
      redateFailure(this.core, this.endpoint, this.slotKey, this.#aborts);
    else void this.#ensure(true);
    this.#schedule();
  }

  /** Something has changed, or had its time. */
  wake(): void {
    this.refresh();
    this.#listeners.tell();
  }

  /** Whether listeners have not heard of what there is to read. */
  #isNews(): boolean {
    const before = this.#state;
    let state: unknown;
    try {
      state = this.read();
    } catch (error) {
      state = error; // they meet it when they read
    }
    // a reader has met the newer request to wait for already, and nothing else is new
    const told = this.#told;
    this.#told = state;
    return state !== told && !(state === before && told instanceof ObservedState && told.isLike(before));
  }

  /** Wakes at the moment at which the data, or the error, has had its time. */
  #schedule(seen: Observation | undefined = this.tryObserve(), now: number = this.#now()): void {
    const dueAt = seen && whenDue(this.core, this.endpoint, seen, this.#aborts?.until ?? 0, now);
    if (dueAt) this.core.alarms.set(this, dueAt);
    else this.core.alarms.clear(this);
  }

  #now(): number {
    return this.core.environment.clock.now();
  }

  #mustFetch(seen: Observation, now: number): boolean {
    if (seen.errorExpiresAt > now || (this.#aborts?.until ?? 0) > now) return false;
    // a failure that readers see is tried again even where others brought fresh data meanwhile
    return seen.error !== undefined || isDue(this.core, this.endpoint, seen, now);
  }

  /** Whether what is stored must not be shown. */
  #isUnusable(seen: Observation, now: number): boolean {
    return seen.expiryStatus !== ExpiryStatus.Valid && isDue(this.core, this.endpoint, seen, now);
  }

  #failure(seen: Observation, now: number): Error | undefined {
    return seen.error ?? (this.#isUnusable(seen, now) ? this.#aborts?.error : undefined);
  }

  /** A failure that has had its time is shown on to those who look at it; whoever comes new waits for another try. */
  #isBlocked(seen: Observation, now: number): boolean {
    if (isHidden(this.core, seen, now)) return true;
    if (!this.#isUnusable(seen, now) || !this.#mustFetch(seen, now)) return false;
    return this.#wishes === 0 || this.#failure(seen, now) === undefined;
  }

  #forgetError(): void {
    this.#listeners.hold(() => clearError(this.core.engine.store, this.slotKey));
  }

  /** Joins or sends the request. May run while a component renders: listeners hear of it afterwards. */
  #fetch(): Flight {
    const flight = this.#listeners.hold(() => {
      const started = startRead(this.core, this.endpoint, this.args);
      // another request to wait for is news, also where nothing else has changed
      if (started !== this.#flight) this.#listeners.tell();
      return started;
    });
    if (this.#wishes > 0) flight.readers.add(this);
    if (this.#flight !== flight) {
      this.#flight = flight;
      flight.promise.then(
        () => (this.#aborts = null),
        (error: unknown) => {
          const pauseAfter = (n: number) => errorLifetime(this.endpoint, this.core.lifetimes, n + 1);
          this.#aborts ??= new Aborts();
          if (!this.#aborts.hear(error, flight, this.#now(), pauseAfter)) return;
          if (this.#wishes > 0) this.#schedule();
          this.#listeners.tell();
        },
      );
    }
    return flight;
  }
}
