// The inspector: a manager that keeps a recorder beside the controller it is given to, and answers questions. Every question gets
// an answer; one about nothing is told so.
import type { Controller } from '../../controller/controller.ts';
import { EndpointObserver } from '../../controller/observe/observer.ts';
import { CORE } from '../../controller/state/core.ts';
import type { Core } from '../../controller/state/core.ts';
import { EndpointCall } from '../../dispatch/call.ts';
import { INSTALL } from '../../dispatch/manager.ts';
import type { ControllerEvent, Manager, ManagerHost } from '../../dispatch/manager.ts';
import { quarantines } from '../validate/refused-rows.ts';
import type { RefusedRow } from '../validate/refused-rows.ts';
import { callSafely } from '../../support/call-safely.ts';
import { toCall, findRow, isEndpoint, isKnown, nothingKnown } from './find-subject.ts';
import { explainAnswer, explainRow, explainWrites } from './explain.ts';
import type {
  ExplainedAnswer,
  ExplainedField,
  ExplainedLeave,
  ExplainedList,
  ExplainedMember,
  ExplainedRow,
  Guess,
  LostRule,
  LostValue,
  NothingKnown,
  RequestId,
  StaleReason,
} from './explanation.types.ts';
import type {
  InspectedEvent,
  InspectedReader,
  InspectedRequest,
  InspectedWake,
  InspectedWrite,
  InspectOptions,
  InspectorTrace,
  WakeReason,
} from './inspected.types.ts';
import { nameReaders, namesOf } from './name-readers.ts';
import { putInto } from './put-into.ts';
import { Recorder } from './recorder.ts';
import { REDACTED, Redaction } from './redact.ts';
import { DEFAULT_HISTORY } from './ring.ts';
import { reasonsFor } from './stale.ts';

/**
 * Answers why: which request supplied a field, which lost and by what rule, why something was fetched, why a reader was told. Made
 * by {@link inspect}. Of several controllers it answers for the one that was started last.
 *
 * @example
 * const inspector: Inspector = inspect();
 * const row = inspector.explain(Todo, { id: '5' });
 * if (row.found === 'entity') console.log(row.fields['title']?.lost);
 */
export class Inspector implements Manager {
  readonly #keep: number;
  readonly #redact: readonly (string | RegExp)[];
  /** Of each controller that it was given to: React makes two in development, and forgets one; a server makes one per page. */
  readonly #recorders = new WeakMap<Core, Recorder>();
  /** Of the one that was started last; until one is, of the last that it was given to. */
  #recorder: Recorder | null = null;
  #isStarted = false;
  /** Those whose readers have names. */
  readonly #named = new WeakSet<Controller>();
  readonly #listeners = new Set<() => void>();

  constructor({ keep = DEFAULT_HISTORY, redact = [] }: InspectOptions = {}) {
    this.#keep = Number.isFinite(keep) && keep >= 1 ? Math.floor(keep) : DEFAULT_HISTORY;
    this.#redact = redact;
  }

  /** @internal */ [INSTALL](given: unknown): null {
    const core = given as Core; // cast: only the controller calls this
    const recorder = new Recorder(core, this.#keep);
    this.#recorders.set(core, recorder);
    if (!this.#isStarted) this.#recorder = recorder;
    putInto(core, recorder);
    return null;
  }

  start(host: ManagerHost): void {
    const recorder = this.#of(host);
    if (!recorder) return;
    this.#isStarted = true;
    this.#recorder = recorder;
    const controller = host as Controller; // cast: as below
    if (!this.#named.has(controller)) nameReaders(controller, recorder.components);
    this.#named.add(controller);
  }

  event(event: ControllerEvent, host: ManagerHost): void {
    this.#of(host)?.hear(event);
    for (const listener of this.#listeners) callSafely(listener);
  }

  #of(host: ManagerHost): Recorder | undefined {
    return this.#recorders.get((host as Controller)[CORE]); // cast: managers are called by controllers
  }

  /** Calls back after something has happened. For a panel. */
  listen(onChange: () => void): () => void {
    const listener = (): void => onChange();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // ── questions ────────────────────────────────────────────────────────────────────────────────

  /**
   * What is known of a row, or of an endpoint's answer.
   *
   * @example
   * inspector.explain(Todo, { id: '5' });
   * inspector.explain(TodoResource.getList, { userId: '1' });
   */
  explain(what: unknown, ...args: readonly unknown[]): ExplainedRow | ExplainedAnswer | NothingKnown {
    const recorder = this.#recorder;
    if (recorder && !isEndpoint(what)) {
      const row = findRow(recorder.core, what, args);
      return 'found' in row ? row : explainRow(recorder, row);
    }
    return this.#ofCall<ExplainedAnswer | NothingKnown>(what, args, (known, call) =>
      known.core.engine.store.slots.has(call.slotKey)
        ? explainAnswer(known, call)
        : nothingKnown(`${call.endpoint.name} was not fetched with these arguments.`),
    );
  }

  /** Asks about an endpoint with its arguments. */
  #ofCall<T>(
    endpoint: unknown,
    args: readonly unknown[],
    find: (recorder: Recorder, call: EndpointCall) => T,
  ): T | NothingKnown {
    const recorder = this.#recorder;
    if (!recorder) return nothingKnown('The inspector is no manager of a controller yet.');
    const call = toCall(endpoint, args);
    return call instanceof EndpointCall ? find(recorder, call) : call;
  }

  /** Why a request was sent, by its id. */
  whyFetched(id: RequestId): InspectedRequest | NothingKnown {
    const request = this.#recorder?.requests.get(id);
    return (
      request?.toInspected() ??
      nothingKnown(`No request ${id} is remembered: it never was, or it is forgotten.`)
    );
  }

  /** Why an endpoint's data is stale, or not there; no reasons where it is good. */
  whyStale(endpoint: unknown, ...args: readonly unknown[]): readonly StaleReason[] | NothingKnown {
    return this.#ofCall(endpoint, args, (recorder, call) =>
      reasonsFor(recorder, call, recorder.core.engine.store.slots.get(call.slotKey)),
    );
  }

  /** The last times that readers of an endpoint were told, the latest first, and why. */
  whyRendered(endpoint: unknown, ...args: readonly unknown[]): readonly InspectedWake[] | NothingKnown {
    return this.#ofCall<readonly InspectedWake[] | NothingKnown>(endpoint, args, ({ wakes }, call) => {
      const found = wakes.toArray().filter(({ key }) => key === call.key);
      return found.length > 0
        ? found.reverse()
        : nothingKnown(`No reader of ${call.endpoint.name} was told, as far as is remembered.`);
    });
  }

  // ── what there is ────────────────────────────────────────────────────────────────────────────

  /** The last requests and direct writes, the oldest first. */
  requests(): readonly InspectedRequest[] {
    return this.#recorder?.known().map((request) => request.toInspected()) ?? [];
  }

  /** The last events, the oldest first. */
  history(): readonly InspectedEvent[] {
    return this.#recorder?.history.toArray() ?? [];
  }

  /** The last times that any reader was told, the oldest first. */
  wakes(): readonly InspectedWake[] {
    return this.#recorder?.wakes.toArray() ?? [];
  }

  /** The mutations that have not been answered, in the order of calls. */
  writes(): readonly InspectedWrite[] {
    return this.#recorder ? explainWrites(this.#recorder) : [];
  }

  /** The rows that checks have refused and that have not come as they should since, the oldest first. See `holdfast/validate`. */
  refused(): readonly RefusedRow[] {
    const engine = this.#recorder?.core.engine;
    return (engine && quarantines.get(engine.store.timeline)?.read(engine)) ?? [];
  }

  /** How many endpoints are read on the page. */
  countMounted(): number {
    return this.#observers().length;
  }

  #observers(): EndpointObserver[] {
    const observed = this.#recorder?.core.observed ?? [];
    return [...observed].filter((observer) => observer instanceof EndpointObserver);
  }

  /** What is read on the page, and why it is good or not; at most so many. */
  mounted(most: number = Infinity): readonly InspectedReader[] {
    const recorder = this.#recorder;
    if (!recorder) return [];
    const { engine } = recorder.core;
    return this.#observers()
      .slice(0, most)
      .map((observer) => {
        const { call, listeners } = observer;
        const slot = engine.store.slots.get(call.slotKey);
        return {
          endpoint: call.endpoint.name,
          key: call.key,
          args: call.args,
          listenerCount: listeners.size,
          components: namesOf(recorder.components, observer),
          from: slot?.hasResult ? recorder.requests.get(slot.stamp.fetchedAt)?.id : undefined,
          stale: reasonsFor(recorder, call, slot),
          wakeCount: recorder.wakes.timesOf(observer),
        };
      });
  }

  /** The entity types and how many rows each has. */
  entityTypes(): readonly { readonly entity: string; readonly count: number }[] {
    const tables = this.#recorder?.core.engine.store.tables.values() ?? [];
    return [...tables].flatMap(({ key, rows }) => {
      const count = [...rows.values()].filter(isKnown).length;
      return count > 0 ? { entity: key, count } : [];
    });
  }

  /** The primary keys of an entity type, from a place on. */
  pksOf(entity: string, from: number, count: number): readonly string[] {
    const rows = this.#recorder?.core.engine.store.tables.get(entity)?.rows;
    const known = [...(rows?.values() ?? [])].filter(isKnown);
    return known.slice(from, from + count).map(({ pk }) => pk);
  }

  /** What is known of a row, by the key of its type and its own. */
  explainPk(entity: string, pk: string): ExplainedRow | NothingKnown {
    const recorder = this.#recorder;
    const table = recorder?.core.engine.store.tables.get(entity);
    const row = table?.rows.get(pk) ?? table?.aliases.get(pk);
    return recorder && row
      ? explainRow(recorder, row.forward ?? row)
      : nothingKnown(`No ${entity} ${pk} is stored.`);
  }

  /** Everything that is known, as plain data for a bug report; of the rows as many as `keep` says. */
  trace(): InspectorTrace {
    const redaction = new Redaction(this.#redact);
    const entities = this.entityTypes()
      .flatMap(({ entity }) => this.pksOf(entity, 0, this.#keep).map((pk) => ({ entity, pk })))
      .slice(0, this.#keep)
      .flatMap(({ entity, pk }) => {
        const explained = this.explainPk(entity, pk);
        return explained.found === 'entity' ? explained : [];
      });
    const trace: InspectorTrace = {
      format: 1,
      at: this.#recorder?.now() ?? 0,
      history: this.history(),
      requests: this.requests(),
      writes: this.writes(),
      mounted: this.mounted(),
      // a message may repeat the value
      refused: this.refused().map((row) => ({
        ...row,
        fields: row.fields.map((one) =>
          redaction.hides(one.field.split('.')[0]!) ? { ...one, message: REDACTED } : one,
        ),
      })),
      entities,
    };
    for (const { args } of [...trace.requests, ...trace.writes, ...trace.mounted]) redaction.learnFrom(args);
    for (const { fields } of entities)
      for (const [name, { value, server, lost, guesses }] of Object.entries(fields))
        for (const one of [value, server, ...[...lost, ...guesses].map((other) => other.value)])
          redaction.learnFrom({ [name]: one });
    return redaction.clean(trace) as InspectorTrace; // cast: of the same shape, with texts in place of what is hidden
  }
}

/**
 * A manager that can be asked why. Give it to one controller, before the others.
 *
 * @example
 * const inspector = inspect({ keep: 500, redact: [/token/i, 'ssn'] });
 * const controller = new Controller({ managers: [inspector, ...getDefaultManagers()] });
 * inspector.explain(Todo, { id: '5' });
 */
export function inspect(options: InspectOptions = {}): Inspector {
  return new Inspector(options);
}

export declare namespace Inspector {
  export type {
    ExplainedAnswer,
    ExplainedField,
    ExplainedLeave,
    ExplainedList,
    ExplainedMember,
    ExplainedRow,
    Guess,
    InspectOptions as Options,
    InspectedEvent,
    InspectedReader,
    InspectedRequest,
    InspectedWake,
    InspectedWrite,
    InspectorTrace as Trace,
    LostRule,
    LostValue,
    NothingKnown,
    RequestId,
    StaleReason,
    WakeReason,
  };
}
