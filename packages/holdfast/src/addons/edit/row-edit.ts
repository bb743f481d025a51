// The edit of one row. It keeps the values that are set, by field. With `save: 'auto'`, the fields that are not sent yet are the
// body of one mutation, which is shown, held back, and amended by each `set`.
//
//   set ─▶ dirty fields ─▶ held mutation ──pause──▶ in flight ──acknowledged──▶ clean
//               ▲                                       │
//               └──────────── failed: held again ───────┘   in the batch that rolls the failed update back
import { inDevelopment } from '#env';
import type { Controller } from '../../controller/controller.ts';
import { eventListenersOf } from '../../controller/event-listeners.ts';
import { watchSchema } from '../../controller/observe/view-observer.ts';
import { amendWrite, discardWrite } from '../../controller/request/amend-write.ts';
import { openWrite, sendWrite } from '../../controller/request/fetch-write.ts';
import { CORE } from '../../controller/state/core.ts';
import type { Core } from '../../controller/state/core.ts';
import { listen, notify } from '../../controller/state/listeners.ts';
import type { Listeners } from '../../controller/state/listeners.ts';
import { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { queueNameOf, rowsAmong, targetsOfArgs, targetsOfCall } from '../../dispatch/write-queues.ts';
import { finishEndpoint } from '../../endpoint/endpoint-base.ts';
import type { AnyEndpoint, EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { entityKindOf, respondOptimistically, sentRowsOf } from '../../endpoint/row-name.ts';
import { fieldOf, isEqual, omit } from '../../store/fields.ts';
import type { Fields } from '../../store/nodes.ts';
import { HoldfastError, report, ResetError, warnOnce } from '../../support/errors.ts';
import { tryRun } from '../../support/call-safely.ts';
import { subscribeToLeave } from '../../support/environment.ts';
import { isHttpError } from '../../support/network-errors.ts';
import { copyPlain, isRecord } from '../../support/plain.ts';
import type { EditFields, EditOptions, EditState } from './edit.types.ts';
import { createNamedRowKind, ensurePk } from './named-row-kind.ts';
import { createSaveTimer } from './save-timer.ts';
import type { SaveTimer } from './save-timer.ts';
import { listenToWrites } from './write-events.ts';
import type { OnWrite } from './write-events.ts';

/** The largest body, in characters, that is sent with `keepalive`: browsers refuse bodies of more than 64 KiB. */
const KEEPALIVE_LIMIT = 64_000;

/** An endpoint of one of the library's classes. */
interface SavingEndpoint extends EndpointInterface {
  readonly requestInit?: RequestInit;
  extend(options: object): SavingEndpoint;
}

/** The value of a field on the server, in an array of its own, because the value may be undefined. */
type ServerValue = readonly [unknown];

/** A field that was set and is not acknowledged. */
interface DirtyField {
  readonly value: unknown;
  /**
   * The server's value when the field was first set, or when a mutation of this client that sends the field was last acknowledged. If
   * the row was not loaded then: undefined, and from the first `read` with a loaded row on, the value at that read.
   */
  before: ServerValue | undefined;
  /** The last save that contains the field; undefined if the next save contains it. */
  save: Flight | undefined;
}

export class RowEdit {
  readonly #controller: Controller;
  readonly #core: Core;
  readonly #endpoint: SavingEndpoint;
  /** A call that is never made. It identifies the row. */
  readonly #rowCall: EndpointCall;
  readonly #options: EditOptions<AnyEndpoint>;
  readonly #fieldNames: readonly string[];
  readonly #row: ReturnType<typeof watchSchema>;
  readonly #timer: SaveTimer;
  readonly #listeners: Listeners = new Set();
  readonly #dirty = new Map<string, DirtyField>();
  /** The mutation with the unsent fields. With `save: 'submit'` there is none. */
  #held: Flight | undefined;
  /** The mutations of this edit for which `sendWrite` was called and which have not ended, with the names of their fields. */
  readonly #saves = new Map<Flight, Set<string>>();
  /** The call that this edit has opened last. */
  #opened: EndpointCall | undefined;
  /**
   * The call of the last save. Undefined once the fields that were set are forgotten and, with `save: 'auto'`, once another
   * mutation of the row was called.
   */
  #lastCall: EndpointCall | undefined;
  #error: Error | undefined;
  #fieldErrors: Fields = {};
  /**
   * True after the component of the edit was unmounted. If a save then fails, the fields that were set are forgotten, and the error
   * is reported unless a manager handles failures.
   */
  #isReleased = false;
  /**
   * They end the subscriptions to mutations, events of the controller, resets and leaving the page. Empty while no field is dirty
   * and no save in flight.
   */
  readonly #stops: (() => void)[] = [];
  #shown: EditState<AnyEndpoint> | undefined;

  constructor(
    controller: Controller,
    given: AnyEndpoint,
    params: unknown,
    options: EditOptions<AnyEndpoint>,
  ) {
    const core = controller[CORE];
    const endpoint = finishEndpoint(given) as SavingEndpoint; // cast: both endpoint classes have `extend`
    const { name, method } = endpoint;
    const entity = entityKindOf(endpoint);
    if (!endpoint.sideEffect || !entity || (method === 'PUT' && !options.body))
      throw new HoldfastError('EDIT_ENDPOINT_INVALID', { endpoint: name, method });
    this.#controller = controller;
    this.#core = core;
    this.#endpoint = endpoint.getOptimisticResponse
      ? endpoint
      : endpoint.extend({ getOptimisticResponse: respondOptimistically });
    this.#options = options;
    this.#fieldNames = entity.fieldNames();
    this.#rowCall = new EndpointCall(endpoint, [params, {}]);
    this.#row = watchSchema(core, createNamedRowKind(entity, this.#rowCall), []);
    this.#timer = createSaveTimer(core.environment.timers, options, () => {
      if (!this.#saves.size) this.#save();
    });
    this.pause = this.#timer.pause;
    this.resume = this.#timer.resume;
  }

  // ── what users call ──────────────────────────────────────────────────────────────────────────

  readonly set = (given: Fields): void => {
    const fields = copyPlain(given) as Fields; // cast: the copy of an object is an object
    const names = Object.keys(fields);
    for (const field of names)
      if (!this.#fieldNames.includes(field))
        throw new HoldfastError('EDIT_FIELD_UNKNOWN', { endpoint: this.#endpoint.name, field });
    this.#subscribe();
    for (const name of names)
      this.#dirty.set(name, {
        before: this.#readServerValue(name),
        ...this.#dirty.get(name),
        value: fields[name],
        save: undefined,
      });
    this.#fieldErrors = omit(this.#fieldErrors, new Set(names));
    if (this.#isAuto) {
      this.#amendConflicted();
      this.#hold(names);
      this.#timer.start();
    }
    notify(this.#listeners);
  };

  readonly read = (): EditState<AnyEndpoint> => {
    const values: Record<string, unknown> = { ...(this.#row.read().data as Fields | undefined) }; // cast: an entity has fields
    const changed: string[] = [];
    for (const [name, dirty] of this.#dirty) {
      const { value } = dirty;
      const now = this.#readServerValue(name);
      values[name] = value;
      dirty.before ??= now;
      if (now && !isEqual(dirty.before, now) && !isEqual([value], now)) changed.push(name);
    }
    const next = {
      values,
      state: this.#saves.size ? 'saving' : this.#error ? 'failed' : this.#dirty.size ? 'dirty' : 'clean',
      error: this.#error,
      fieldErrors: this.#fieldErrors,
      changed,
    };
    if (!isEqual(this.#shown, next)) this.#shown = next as object as EditState<AnyEndpoint>; // cast: the names of the fields follow from the endpoint
    return this.#shown!; // set above
  };

  readonly listen = (onChange: () => void): (() => void) => {
    const stop = listen(this.#listeners, onChange);
    const stopRow = this.#row.subscribePassively(onChange);
    return () => {
      stop();
      stopRow();
    };
  };

  readonly flush = async (): Promise<void> => {
    const { engine } = this.#core;
    // An endpoint without queues would send this save while another save is in flight.
    await Promise.allSettled(this.#outcomes());
    if (this.#core.engine !== engine) throw new ResetError();
    this.#save();
    await Promise.all(this.#outcomes());
  };

  readonly discard = (): void => {
    if (this.#held) discardWrite(this.#core, this.#held);
    this.#forget();
  };

  readonly pause: () => void;
  readonly resume: () => void;

  // ── for the hook ─────────────────────────────────────────────────────────────────────────────

  /**
   * Called when the component that uses the edit is mounted. Returns the function to call when it has unmounted: with `save: 'auto'`
   * the unsent fields are then saved, with `submit` they are discarded. Until `retain` is called again, no component can show or
   * repeat a failure of this edit.
   */
  readonly retain = (): (() => void) => {
    this.#isReleased = false;
    return () => {
      this.#isReleased = true;
      if (this.#isAuto) this.#save();
      else this.discard();
    };
  };

  // ── saving ───────────────────────────────────────────────────────────────────────────────────

  get #isAuto(): boolean {
    return this.#options.save !== 'submit';
  }

  #outcomes(): Promise<unknown>[] {
    return [...this.#saves.keys()].map(({ promise }) => promise);
  }

  /** The arguments of a mutation with these fields. */
  #argsOf(names: Iterable<string>): readonly unknown[] {
    const fields = Object.fromEntries(
      [...names].map((name) => [name, this.#dirty.get(name)?.value]),
    ) as EditFields<AnyEndpoint>; // cast: the names were checked by `set`
    return [this.#rowCall.args[0], this.#options.body?.(fields, this.#row.read().data) ?? fields];
  }

  /** The names of the dirty fields whose last save this is; without a save, of the fields that the next save contains. */
  #namesIn(save?: Flight): string[] {
    return [...this.#dirty].flatMap(([name, dirty]) => (dirty.save === save ? name : []));
  }

  #assign(names: readonly string[], save?: Flight): void {
    for (const name of names) this.#dirty.get(name)!.save = save; // every caller passes names of dirty fields
  }

  /** Shows the unsent fields in the held mutation; discards that mutation if no field is unsent. */
  #hold(changed: readonly string[]): void {
    const held = this.#held;
    const names = this.#namesIn();
    if (names.length) {
      const args = this.#argsOf(names);
      if (held) amendWrite(this.#core, held, args, changed);
      else this.#held = this.#open(args);
    } else if (held) {
      this.#held = undefined;
      discardWrite(this.#core, held);
    }
  }

  /**
   * While a person decides about the conflicts of the last save: replaces the values of that save by values that were set later for
   * the same fields, so that the question shows the later values. With the option `body`, the save gets all unsent fields. Returns
   * whether the save has changed. A save whose call is not `#lastCall` stays as it is, for example because a rule or a decision has
   * corrected the save, or because another mutation of the row was called.
   */
  #amendConflicted(): boolean {
    const [flight, names] = [...this.#saves].pop() ?? [];
    if (flight?.status !== 'conflict' || flight.call !== this.#lastCall || !names) return false;
    const changed = this.#namesIn().filter((name) => this.#options.body || names.has(name));
    if (!changed.length) return false;
    for (const name of changed) names.add(name);
    this.#assign(changed, flight);
    this.#error = undefined;
    amendWrite(this.#core, flight, this.#argsOf(names), changed);
    this.#lastCall = flight.call;
    return true;
  }

  #open(args: readonly unknown[]): Flight {
    return openWrite(this.#core, (this.#opened = new EndpointCall(this.#endpoint, args)));
  }

  #save(): void {
    this.#hold([]); // the option `body` reads the row, which may have changed
    if (this.#held) this.#send(this.#held, this.#namesIn());
  }

  #send(flight: Flight, names: readonly string[]): void {
    this.#timer.clear();
    this.#held = undefined;
    this.#error = undefined;
    this.#lastCall = flight.call;
    // The save is stored first, because `#onWrite` looks it up, and a mutation may fail before `sendWrite` returns.
    this.#saves.set(flight, new Set(names));
    this.#assign(names, flight);
    this.#core.actionCount += 1;
    flight.promise = sendWrite(this.#core, flight);
    flight.promise.catch(() => undefined); // see `#keepFailed`
    notify(this.#listeners);
  }

  /**
   * Called when the page is left. With `save: 'auto'`, sends all dirty fields now, also the fields that are in flight, because
   * requests in flight may be lost with the page.
   */
  readonly #sendBeforeLeaving = (): void => {
    const names = [...this.#dirty.keys()];
    if (!this.#isAuto || !names.length) return; // nothing is dirty if later mutations have set every field that is in flight
    const args = this.#argsOf(names);
    const { name, requestInit } = this.#endpoint;
    const isSmall = JSON.stringify(args[1]).length <= KEEPALIVE_LIMIT;
    inDevelopment(() => {
      if (!isSmall) warnOnce(this.#core.engine, 'EDIT_TOO_LARGE', name, { endpoint: name });
    });
    const flight = (this.#held ??= this.#open(args));
    const endpoint = this.#endpoint.extend({ requestInit: { ...requestInit, keepalive: isSmall } });
    amendWrite(this.#core, flight, args, names, endpoint);
    flight.queues = [];
    this.#send(flight, names);
  };

  // ── events ───────────────────────────────────────────────────────────────────────────────────

  /**
   * Subscribes to mutations, events of the controller, resets and leaving the page. The subscriptions end when no field is dirty
   * and no save is in flight.
   */
  #subscribe(): void {
    if (this.#stops.length) return;
    const core = this.#core;
    const { engine } = core;
    this.#stops.push(
      listenToWrites(core, this.#onWrite),
      // The row does not notify of a change that the fields of this edit hide.
      listen(eventListenersOf(this.#controller), () => {
        if (this.#shown !== this.read()) notify(this.#listeners);
      }),
      subscribeToLeave(this.#sendBeforeLeaving),
      listen(core.pendingListeners, () => {
        if (core.engine === engine) {
          if (this.#held && this.#amendConflicted()) this.#hold([]);
          return;
        }
        // After a reset, no other code ends the held mutation.
        if (this.#held) core.flights.endFlight(this.#held);
        this.#saves.clear();
        this.#forget();
      }),
    );
  }

  readonly #onWrite: OnWrite = (flight, event, error) => {
    if (event === 'open' || event === 'amend') return this.#giveWay(flight);
    if (event === 'discard' && flight === this.#held) return this.#forget();
    // What this client has saved counts as seen: only later changes are changes of others.
    if (event === 'acknowledge')
      for (const name of this.#namesSentBy(flight)) {
        const dirty = this.#dirty.get(name);
        if (dirty) dirty.before = this.#readServerValue(name);
      }
    const names = this.#saves.get(flight);
    if (!names) return;
    this.#saves.delete(flight);
    // A save that an undo has discarded was not acknowledged, but its fields must not be saved any more either.
    if (event === 'acknowledge' || event === 'discard') {
      this.#fieldErrors = omit(this.#fieldErrors, names);
      for (const name of this.#namesIn(flight)) this.#dirty.delete(name);
    } else this.#keepFailed(flight, names, error!); // an event `fail` has an error
    // The microtask runs after the batch of the response.
    queueMicrotask(() => {
      this.#timer.saveIfDue();
      this.#unsubscribeWhenClean();
      notify(this.#listeners);
    });
  };

  /**
   * Called when any mutation is called or amended. If it is another mutation of this row, and `save` is `auto`, sends the held
   * mutation, and forgets the fields that the other mutation sets, because the values of the other mutation are newer.
   */
  #giveWay(flight: Flight): void {
    const isOwn = flight.call === this.#opened || flight === this.#held || this.#saves.has(flight);
    const names = isOwn || !this.#isAuto ? [] : this.#namesSentBy(flight);
    if (!names.length) return;
    if (this.#held) this.#send(this.#held, this.#namesIn());
    this.#lastCall = undefined;
    for (const name of names) this.#dirty.delete(name);
  }

  /**
   * Keeps the fields of a failed save for the next save, or forgets all fields if the edit is released. This function runs in the
   * batch that rolls the failed update back, so that no reader sees the old values of kept fields.
   */
  #keepFailed(flight: Flight, names: ReadonlySet<string>, error: Error): void {
    if (this.#isReleased) {
      if (!this.#core.handlesFailures) report(error);
      return this.#forget();
    }
    flight.isFailureReported = true;
    const setAgain = new Set(this.#namesIn());
    const notSetAgain = this.#namesIn(flight);
    this.#assign(notSetAgain);
    // If none of the fields is unsent, a later save or another mutation has set them all, or they were discarded.
    if (!this.#namesIn().some((name) => names.has(name))) return;
    this.#error = error;
    const texts = tryRun(() => this.#options.fieldErrors?.(error)) ?? readFieldErrors(error);
    this.#fieldErrors = omit(texts, setAgain);
    if (this.#isAuto) this.#hold(notSetAgain);
  }

  /** Forgets the fields that were set. Mutations in flight continue. */
  #forget(): void {
    this.#held = undefined;
    this.#lastCall = undefined;
    this.#timer.clear();
    this.#dirty.clear();
    this.#error = undefined;
    this.#fieldErrors = {};
    this.#unsubscribeWhenClean();
    notify(this.#listeners);
  }

  #unsubscribeWhenClean(): void {
    if (this.#dirty.size + this.#saves.size === 0) for (const stop of this.#stops.splice(0)) stop();
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  /** The row of the edit; for a row that is not stored, its table and primary key. Empty if no row is identified. */
  #target(): ReturnType<typeof targetsOfCall> {
    const { engine } = this.#core;
    ensurePk(engine, this.#rowCall);
    return targetsOfCall(engine, this.#rowCall);
  }

  /** The names of the parameters and fields that the mutation sends for the row of this edit; empty for a mutation of other rows. */
  #namesSentBy({ call }: Flight): string[] {
    const { endpoint, sourceKind, args } = call;
    const own = this.#target().map(queueNameOf);
    const sent = [tryRun(() => sentRowsOf(endpoint, call.withPk(args)))].flat();
    return sent.flatMap((fields) => {
      const targets = targetsOfArgs(this.#core.engine, sourceKind, [[fields]]);
      return targets.some((row) => own.includes(queueNameOf(row))) ? Object.keys(Object(fields)) : [];
    });
  }

  /** Returns undefined if the row is not loaded. */
  #readServerValue(name: string): ServerValue | undefined {
    const [row] = rowsAmong(this.#target());
    return row?.base === undefined ? undefined : [fieldOf(row.base, name)];
  }
}

/** The texts in `errors` of a problem body: `{ errors: { title: 'too long' } }`, or a list of texts for each field. */
function readFieldErrors(error: Error): Readonly<Record<string, string>> {
  const errors = isHttpError(error, 422) ? error.problem?.['errors'] : undefined;
  if (!isRecord(errors)) return {};
  return Object.fromEntries(Object.entries(errors).map(([name, texts]) => [name, [texts].flat().join(' ')]));
}
