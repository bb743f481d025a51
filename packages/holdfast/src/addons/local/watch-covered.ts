// The observer behind `useCovered`. It shows the fields of a row that are stored, and keeps the row fresh as `watch` does. While
// fields are missing, it calls the endpoint. If the endpoint has the option `sparse` and the stored fields are not stale, it
// requests the missing fields alone (sparse.ts).
import type { Controller } from '../../controller/controller.ts';
import type { EndpointObserver } from '../../controller/observe/observer.ts';
import { ViewObserver } from '../../controller/observe/view-observer.ts';
import { isShallowEqual, slotOf } from '../../controller/slot/read-slot.ts';
import { CORE } from '../../controller/state/core.ts';
import type { ReadEndpoint } from '../../endpoint/endpoint-interface.ts';
import type { ReadContext, ViewReader } from '../../schema/protocol/protocol.ts';
import type { View } from '../../store/graph.ts';
import { isStale } from '../../store/order.ts';
import { LONGEST_TIMER_MS } from '../../support/environment.ts';
import { buildCoveredRow, rowKindOf } from './covered-row.ts';
import type { CoveredRow } from './covered-row.ts';
import { sparseCall } from './sparse.ts';

/** The state that {@link useCovered} shows. */
export interface CoveredState {
  readonly data: unknown;
  readonly missing: readonly string[];
  readonly loading: boolean;
  readonly error: Error | undefined;
}

export class CoveredObserver extends ViewObserver implements ViewReader {
  readonly #controller: Controller;
  readonly #whole: EndpointObserver;
  /** The observer that sends the request for the whole row, or for the missing fields; null while no request is needed. */
  #source: EndpointObserver | null;
  #stopSource: (() => void) | null = null;
  #subscriptionCount = 0;
  #state: CoveredState = { data: undefined, missing: [], loading: false, error: undefined };
  #notified: CoveredState | null = null;

  constructor(controller: Controller, endpoint: ReadEndpoint, args: readonly unknown[]) {
    super(controller[CORE]);
    this.#controller = controller;
    this.#whole = controller.watch(endpoint, ...(args as readonly [null])) as EndpointObserver; // cast: typed where it is called
    this.#source = this.#whole;
    rowKindOf(this.#whole.call);
  }

  protected override findView(): View {
    const { core } = this;
    const { call } = this.#whole;
    return core.engine.viewOf(slotOf(core, call), this, call.args);
  }

  build(view: View, at: ReadContext): void {
    buildCoveredRow(this.#whole.call, view, at);
  }

  readonly read = (): CoveredState => {
    const { data: found, missing } = this.#readRow();
    const whole = this.#whole.read();
    // A whole row is shown only if `watch` would show it.
    const data = missing.length === 0 && whole.isBlocked ? undefined : found;
    const { error, isFetching } = this.#source?.read() ?? { error: undefined, isFetching: false };
    // Before a reader is mounted, `loading` is already true if fields are missing, because the first reader will send a request.
    const willFetch = this.#subscriptionCount === 0 || isFetching;
    const loading = !error && (data === undefined ? whole.isBlocked : missing.length > 0 && willFetch);
    const state = { data, missing, loading, error };
    if (!isShallowEqual(state, this.#state)) this.#state = state;
    return this.#state;
  };

  #readRow(): CoveredRow {
    return this.core.engine.read(this.view()) as CoveredRow; // cast: `build` makes it
  }

  /** The observer whose requests the row needs now, and the time at which the decision is made again. */
  #chooseSource(): readonly [source: EndpointObserver | null, lookAt: number] {
    const whole = this.#whole;
    const { data, missing, row } = this.#readRow();
    const slot = slotOf(this.core, whole.call);
    if (data === undefined || !row || slot.hasResult || isStale(slot) || isStale(row)) return [whole, 0];
    if (missing.length > 0) {
      const call = sparseCall(whole.call, missing);
      return [call ? (this.#controller.watch(...call) as EndpointObserver) : whole, 0]; // cast: of an endpoint
    }
    // If the server has omitted fields that were requested, they are not requested again before the other fields expire.
    const { expiresAt, storedAt } = row.stamp;
    const now = this.core.environment.clock.now();
    const isFresh = storedAt <= now && now <= expiresAt;
    const isSparse = whole.call.kind.covers?.(row.shown ?? {}) === false;
    return isFresh && isSparse ? [null, expiresAt + 1] : [whole, 0];
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

  /** Starts or stops keeping the row fresh, and sets the alarm for the next decision. */
  override fetchIfNeeded(): void {
    const { core } = this;
    const isMounted = this.#subscriptionCount > 0;
    const [source, lookAt] = this.#chooseSource();
    if (!isMounted || source !== this.#source) {
      this.#stopSource?.();
      this.#stopSource = null;
    }
    this.#source = source;
    if (isMounted) this.#stopSource ??= source?.subscribe(() => this.wake()) ?? null;
    core.setAlarm(this, isMounted && lookAt - core.environment.clock.now() < LONGEST_TIMER_MS ? lookAt : 0);
  }

  override wake(): void {
    this.fetchIfNeeded();
    if (this.read() === this.#notified) return;
    this.#notified = this.#state;
    super.wake();
  }
}
