// The observer of a local query. While a whole and fresh list covers the query, the observer sends no request; else it keeps the
// endpoint fresh with the query's arguments, as `watch` does.
import type { Controller } from '../../controller/controller.ts';
import type { EndpointObserver } from '../../controller/observe/observer.ts';
import { NOTHING_SHOWN } from '../../controller/observe/shown.ts';
import type { Observer, ObserverState } from '../../controller/observe/shown.ts';
import { ViewObserver } from '../../controller/observe/view-observer.ts';
import { CORE } from '../../controller/state/core.ts';
import { isShallowEqual } from '../../controller/slot/read-slot.ts';
import type { ReadEndpoint } from '../../endpoint/endpoint-interface.ts';
import type { View } from '../../store/graph.ts';
import { LONGEST_TIMER_MS } from '../../support/environment.ts';
import { reportsByTimeline } from '../validate/refused-rows.ts';
import { expiryOf, isUnexpired, isWhole } from './covering-list.ts';
import { listOf } from './list-of.ts';
import type { LocalArgs, LocalData, LocalValue } from './local.types.ts';
import type { LocalFacts, Plan } from './plan.ts';

/** The state that {@link useLocal} shows. */
export interface LocalState<T = unknown> extends ObserverState<T> {
  readonly data: T;
  readonly isComplete: boolean;
}

export class LocalObserver extends ViewObserver implements Observer {
  readonly #plan: Plan;
  readonly #source: EndpointObserver;
  #stopSource: (() => void) | null = null;
  #subscriptionCount = 0;
  /** Null before the first read. */
  #state: LocalState | null = null;
  #notified: LocalState | null = null;

  constructor(controller: Controller, plan: Plan, args: readonly unknown[]) {
    super(controller[CORE]);
    this.#plan = plan;
    this.#source = controller.watch(
      plan.endpoint as ReadEndpoint, // cast: `local` accepts no mutation
      ...(args as readonly [null]), // cast: typed where it is called
    ) as EndpointObserver; // cast: of an endpoint
  }

  protected override findView(): View {
    const { core } = this;
    const { call } = this.#source;
    core.scheduleCollection();
    return core.engine.viewOf(listOf(this.#plan.list, call.args, core.engine), this.#plan, call.args);
  }

  readonly read = (): LocalState => {
    const facts = this.#readFacts();
    const { data } = facts;
    const isComplete = this.#isFresh(facts);
    const source = this.#source;
    const { error, isFetching } = isComplete && !this.#stopSource ? NOTHING_SHOWN : source.read();
    // Before a reader is mounted, `isFetching` is already true if the first reader will send a request.
    const willFetch = !isComplete && !this.#subscriptionCount && source.awaitsData;
    const state = { ...NOTHING_SHOWN, data, error, isFetching: isFetching || willFetch, isComplete };
    if (!isShallowEqual(state, this.#state)) this.#state = state;
    return this.#state!; // set above
  };

  readonly readShown = this.read;

  readonly isComplete = (): boolean => this.read().isComplete;

  #readFacts(): LocalFacts {
    return this.core.engine.read(this.view()) as LocalFacts; // cast: `build` of the plan makes them
  }

  #isFresh({ coveringList, isDecidable }: LocalFacts): boolean {
    const { engine, environment } = this.core;
    const { store } = engine;
    const isKnown = isDecidable || store.intents.size === 0;
    return (
      !!coveringList &&
      isKnown &&
      isWhole(store, coveringList) &&
      isUnexpired(coveringList, environment.clock.now())
    );
  }

  readonly subscribe = (onChange: () => void): (() => void) => {
    this.#subscriptionCount += 1;
    const stop = this.subscribePassively(onChange);
    this.fetchIfNeeded();
    this.#notified = this.read();
    return () => {
      if (!stop()) return;
      this.#subscriptionCount -= 1;
      this.fetchIfNeeded();
    };
  };

  /** Starts or stops keeping the endpoint fresh, and sets the alarm for the moment at which the covering list expires. */
  override fetchIfNeeded(): void {
    const { core } = this;
    const facts = this.#readFacts();
    const isMounted = this.#subscriptionCount > 0;
    const isFresh = this.#isFresh(facts);
    const refused = reportsByTimeline.get(core.engine.store.timeline);
    refused?.listeners[isMounted ? 'add' : 'delete'](this.#onChange);
    // If a list covers the query while a request is in flight, the subscription stays until the response has come.
    if (!isMounted || (isFresh && !this.#source.read().isFetching)) {
      this.#stopSource?.();
      this.#stopSource = null;
    } else if (!isFresh) this.#stopSource ??= this.#source.subscribe(this.#onChange);
    const until = isMounted && isFresh ? expiryOf(facts.coveringList!) + 1 : 0; // only a list is fresh
    core.setAlarm(this, until - core.environment.clock.now() < LONGEST_TIMER_MS ? until : 0);
  }

  readonly #onChange = (): void => this.wake();

  override wake(): void {
    this.fetchIfNeeded();
    if (this.read() === this.#notified) return;
    this.#notified = this.#state;
    super.wake();
  }

  readonly ensure = (): undefined => {
    if (!this.isComplete()) void this.#source.ensure();
  };

  readonly ensurePromise = async (): Promise<unknown> => {
    if (!this.isComplete()) await this.#source.ensurePromise();
    return this.read().data;
  };

  readonly retry = (): void => this.#source.retry();
}

/**
 * Returns an observer of a local query. It shows the stored rows at once, and requests the endpoint only while no whole and fresh
 * list covers the query. `isComplete` tells whether the result is the same as on the server.
 *
 * @example
 * const open = local(TodoResource.getList, { where: { done: false }, orderBy: 'title' });
 * const observer = watchLocal(controller, open, { userId: '1' });
 * const stop = observer.subscribe(() => console.log(observer.read().data?.length, observer.isComplete()));
 */
export function watchLocal<L extends LocalValue>(
  controller: Controller,
  query: L,
  ...args: LocalArgs<L>
): Observer<LocalData<L>> & { readonly isComplete: () => boolean } {
  const observer = new LocalObserver(controller, query as L & Plan, args); // cast: `local` makes every query
  return observer as Observer<LocalData<L>> & { readonly isComplete: () => boolean }; // cast: the data follows from the query
}

export declare namespace watchLocal {
  export type { LocalArgs as Args, LocalData as Data };
}
