// The inspector: a manager that puts a recorder into each of its controllers, and explains the data of one of these controllers.
// When no answer is known, its methods do not throw: they return a `NothingKnown` with the reason, or an empty result.
import type { Controller } from '../../controller/controller.ts';
import { EndpointObserver } from '../../controller/observe/observer.ts';
import { CORE } from '../../controller/state/core.ts';
import { EndpointCall } from '../../dispatch/call.ts';
import { EXTENSION, extend } from '../../dispatch/extension.ts';
import type { Extension, ExtensionHost } from '../../dispatch/extension.ts';
import type { ControllerEvent, Manager, ManagerHost } from '../../dispatch/manager.ts';
import type { List, Row } from '../../store/nodes.ts';
import { reportsByTimeline } from '../validate/refused-rows.ts';
import type { RefusedRow } from '../validate/refused-rows.ts';
import { rowOf } from '../../store/stored-form.ts';
import { callSafely } from '../../support/call-safely.ts';
import { hasState, isEndpoint, identifyRow, nothingKnown, storedRow, toCall } from './find-subject.ts';
import type { FoundRow } from './find-subject.ts';
import { explainList, explainResponse, explainRow, explainWrites } from './explain.ts';
import type {
  EarlierValue,
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
  ListNote,
  InspectorTrace,
  WakeReason,
} from './inspected.types.ts';
import { componentNamesOf } from './name-readers.ts';
import type { InterferenceState } from './interference.ts';
import { Recorder } from './recorder.ts';
import { REDACTED, Redaction } from './redact.ts';
import { DEFAULT_INSPECT_KEEP } from './ring.ts';
import { staleReasonsOf } from './stale.ts';

const NO_CONTROLLER = nothingKnown('The inspector is no manager of a controller yet.');

/**
 * Explains the data of a controller: which request supplied a field, which values were not stored and by which rule, why a request
 * was sent, why a reader was notified. {@link inspect} creates it. If several controllers have the same inspector, the inspector
 * explains the controller that was started last.
 *
 * @example
 * const inspector: Inspector = inspect();
 * const row = inspector.explain(Todo, { id: '5' });
 * if (row.found === 'entity') console.log(row.fields['title']?.lost);
 */
export class Inspector implements Manager {
  readonly #historyLimit: number;
  readonly #redactedNames: readonly (string | RegExp)[];
  readonly #notes: readonly ListNote[];
  /**
   * The recorders, one per controller. React creates two controllers in development and discards one; a server creates one per
   * request.
   */
  readonly #recorders = new WeakMap<ExtensionHost, Recorder>();
  /**
   * The recorder of the controller that was started last. Before the first start, the recorder of the controller that was created
   * last.
   */
  #recorder: Recorder | null = null;
  #isStarted = false;
  #host: ManagerHost | undefined;
  readonly #listeners = new Set<() => void>();

  constructor({ keep = DEFAULT_INSPECT_KEEP, redact = [], notes = [] }: InspectOptions = {}) {
    this.#historyLimit = keep >= 1 && keep < Infinity ? Math.floor(keep) : DEFAULT_INSPECT_KEEP;
    this.#redactedNames = redact;
    this.#notes = notes;
  }

  /** @internal */ [EXTENSION](host: ExtensionHost, inner: Extension): Extension {
    const recorder = new Recorder(host, this.#historyLimit, this.#notes);
    this.#recorders.set(host, recorder);
    if (!this.#isStarted) this.#recorder = recorder;
    return extend(inner, recorder);
  }

  start(host: ManagerHost): void {
    const recorder = this.#recorderOf(host);
    if (!recorder) return;
    this.#isStarted = true;
    this.#host = host;
    this.#recorder = recorder;
    recorder.isStarted = true;
  }

  event(event: ControllerEvent, host: ManagerHost): void {
    this.#recorderOf(host)?.onEvent(event);
    for (const listener of this.#listeners) callSafely(listener);
  }

  #recorderOf(host: ManagerHost): Recorder | undefined {
    return this.#recorders.get((host as Controller)[CORE]); // cast: every host of a manager is a controller
  }

  /** Calls `onChange` after each event of a controller, until the returned function is called. */
  listen(onChange: () => void): () => void {
    const listener = (): void => onChange();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // ── questions ────────────────────────────────────────────────────────────────────────────────

  /**
   * Explains a row, or the stored response of a call.
   *
   * @example
   * inspector.explain(Todo, { id: '5' });
   * inspector.explain(TodoResource.getList, { userId: '1' });
   */
  explain(what: unknown, ...args: readonly unknown[]): ExplainedRow | ExplainedAnswer | NothingKnown {
    if (!isEndpoint(what)) {
      const row = identifyRow(what, args);
      return 'found' in row ? row : this.explainPk(row.entity, row.pk);
    }
    return this.#findByCall<ExplainedAnswer | NothingKnown>(what, args, (known, call) =>
      known.core.engine.store.slots.has(call.slotKey)
        ? explainResponse(known, call)
        : nothingKnown(`${call.endpoint.name} was not fetched with these arguments.`),
    );
  }

  /** Runs `find` with the call of these arguments. Returns the reason if there is no such call. */
  #findByCall<T>(
    endpoint: unknown,
    args: readonly unknown[],
    find: (recorder: Recorder, call: EndpointCall) => T,
  ): T | NothingKnown {
    const recorder = this.#recorder;
    if (!recorder) return NO_CONTROLLER;
    const call = toCall(endpoint, args);
    return call instanceof EndpointCall ? find(recorder, call) : call;
  }

  /** The request with this id. Its `cause` is the reason why it was sent. */
  whyFetched(id: RequestId): InspectedRequest | NothingKnown {
    const request = this.#recorder?.requests.get(id);
    return (
      request?.toInspected() ??
      nothingKnown(`No request ${id} is remembered: it never was, or it is forgotten.`)
    );
  }

  /** Why the data of a call is stale or absent. Empty if the data is fresh. */
  whyStale(endpoint: unknown, ...args: readonly unknown[]): readonly StaleReason[] | NothingKnown {
    return this.#findByCall(endpoint, args, (recorder, call) =>
      staleReasonsOf(recorder, call, recorder.core.engine.store.slots.get(call.slotKey)),
    );
  }

  /** The last notifications of the readers of a call, with the reasons; the latest first. */
  whyRendered(endpoint: unknown, ...args: readonly unknown[]): readonly InspectedWake[] | NothingKnown {
    return this.#findByCall<readonly InspectedWake[] | NothingKnown>(endpoint, args, ({ wakes }, call) => {
      const found = wakes.toArray().filter(({ key }) => key === call.key);
      return found.length > 0
        ? found.reverse()
        : nothingKnown(`No reader of ${call.endpoint.name} was told, as far as is remembered.`);
    });
  }

  // ── records and present state ────────────────────────────────────────────────────────────────

  /** The last requests and direct writes, the oldest first. */
  requests(): readonly InspectedRequest[] {
    return this.#recorder?.rememberedRequests().map((request) => request.toInspected()) ?? [];
  }

  /** The last events, the oldest first. */
  history(): readonly InspectedEvent[] {
    return this.#recorder?.history.toArray() ?? [];
  }

  /** The last notifications of all readers, the oldest first. */
  wakes(): readonly InspectedWake[] {
    return this.#recorder?.wakes.toArray() ?? [];
  }

  /** The mutations that have not ended, in the order of their turns. */
  writes(): readonly InspectedWrite[] {
    return this.#recorder ? explainWrites(this.#recorder) : [];
  }

  /** The reports of rows that checks have refused, the oldest first: see `getRefused` of `holdfast/validate`. */
  refused(): readonly RefusedRow[] {
    const engine = this.#recorder?.core.engine;
    return (engine && reportsByTimeline.get(engine.store.timeline)?.read(engine)) ?? [];
  }

  /** How many calls have readers on the page. */
  countMounted(): number {
    return this.#observers().length;
  }

  #observers(): EndpointObserver[] {
    const observed = this.#recorder?.core.mountedObservers ?? [];
    return [...observed].filter((observer) => observer instanceof EndpointObserver);
  }

  /** The calls that have readers on the page, with the reasons why their data is stale; at most `most` of them. */
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
          components: componentNamesOf(recorder.components, observer),
          from: slot?.hasResult ? recorder.requests.get(slot.stamp.sent)?.id : undefined,
          stale: staleReasonsOf(recorder, call, slot),
          wakeCount: recorder.wakes.wakeCountOf(observer),
        };
      });
  }

  #storedLists(): List[] {
    const tables = [...(this.#recorder?.core.engine.store.tables.values() ?? [])];
    return tables.flatMap(({ lists }) => [...lists.values()].filter(({ exists }) => exists));
  }

  /** All stored lists, with at most `most` rows each, and how these rows entered the lists. */
  lists(most: number = Infinity): readonly ExplainedList[] {
    const recorder = this.#recorder;
    return recorder
      ? this.#storedLists().map((list) => explainList(recorder, list, (members) => members.slice(0, most)))
      : [];
  }

  /** The lists that may contain the row. Their `items` have at most this row: see {@link describeMember}. */
  listsFor({ entity, pk }: Pick<ExplainedRow, 'entity' | 'pk'>): readonly ExplainedList[] {
    const recorder = this.#recorder;
    const row = recorder && storedRow(recorder.core, entity, pk);
    if (!row) return [];
    return this.#storedLists()
      .filter((list) => list.table.rowTables.has(row.table))
      .map((list) =>
        explainList(recorder, list, (members) => members.filter((member) => rowOf(member) === row)),
      );
  }

  #rows(): Row[] {
    const tables = [...(this.#recorder?.core.engine.store.tables.values() ?? [])];
    return tables.flatMap(({ rows }) => [...rows.values()].filter(hasState));
  }

  /**
   * The rows, also the deleted ones, whose entity type, whose key or one of whose shown values contains the text. The empty text
   * finds every row.
   */
  findRows(text: string = ''): readonly FoundRow[] {
    const wanted = text.trim().toLowerCase();
    const isFound = (row: Row): boolean =>
      [row.table.key.toLowerCase(), ...textsOf(row)].some((one) => one.includes(wanted));
    return this.#rows()
      .filter((row) => !wanted || isFound(row))
      .map(toFound);
  }

  /** Maps each text that is the key or a shown value of exactly one row to that row. The texts are in lower case. */
  findByTexts(texts: ReadonlySet<string>): ReadonlyMap<string, FoundRow> {
    const found = new Map<string, Row>();
    const ambiguous = new Set<string>();
    for (const row of this.#rows())
      for (const text of textsOf(row)) {
        if (!texts.has(text)) continue;
        if ((found.get(text) ?? row) !== row) ambiguous.add(text);
        found.set(text, row);
      }
    return new Map(
      [...found].filter(([text]) => !ambiguous.has(text)).map(([text, row]) => [text, toFound(row)]),
    );
  }

  /** The time on the clock of the controller, in milliseconds since 1970. */
  now(): number {
    return this.#recorder?.now() ?? 0;
  }

  // ── by hand ──────────────────────────────────────────────────────────────────────────────────

  /** Repeats a read. Does nothing for a mutation, or if the request is forgotten. */
  loadAgain(id: RequestId): void {
    const call = this.#recorder?.callOf(id);
    if (call && this.#recorder?.requests.get(id)?.kind === 'read')
      void this.#host?.fetch(call.endpoint, ...call.args).catch(() => undefined);
  }

  /** Marks the response to a read stale. Readers on the page then load the response again. */
  makeStale(id: RequestId): void {
    const key = this.#recorder?.callOf(id)?.key;
    if (key !== undefined) this.#host?.expireAll({ testKey: (other) => other === key });
  }

  /**
   * Holds the response to the next request back, until `release` is called, the request is aborted or the store is emptied. It does
   * nothing in a production build.
   */
  holdNext(): void {
    this.#recorder?.interference?.holdNext();
  }

  /** Lets the next request fail, as if there were no network. It does nothing in a production build. */
  failNext(): void {
    this.#recorder?.interference?.failNext();
  }

  /** Lets held responses arrive, and cancels `holdNext` and `failNext`. */
  release(): void {
    this.#recorder?.interference?.release();
  }

  /** Whether the response to the next request will be held or that request will fail, and how many responses are held. */
  interference(): InterferenceState {
    return this.#recorder?.interference?.state ?? { isHolding: false, heldCount: 0, isFailing: false };
  }

  /** Explains the row with this entity key and this primary key. */
  explainPk(entity: string, pk: string): ExplainedRow | NothingKnown {
    const recorder = this.#recorder;
    if (!recorder) return NO_CONTROLLER;
    const row = storedRow(recorder.core, entity, pk);
    return row
      ? explainRow(recorder, row)
      : nothingKnown(`No ${entity} ${pk} is stored: it was never seen, or it is forgotten.`);
  }

  /** The inspector's records and at most `keep` rows, as plain data for a bug report, without the redacted values. */
  trace(): InspectorTrace {
    const redaction = new Redaction(this.#redactedNames);
    const entities = this.findRows()
      .slice(0, this.#historyLimit)
      .map(({ entity, pk }) => this.explainPk(entity, pk))
      .filter(({ found }) => found === 'entity') as ExplainedRow[]; // cast: the filter keeps only these
    const trace: InspectorTrace = {
      format: 2,
      at: this.now(),
      history: this.history(),
      requests: this.requests(),
      wakes: this.wakes(),
      lists: this.lists(),
      writes: this.writes(),
      mounted: this.mounted(),
      // The message of a check may contain the value of a redacted field.
      refused: this.refused().map((row) => ({
        ...row,
        fields: row.fields.map((refused) =>
          redaction.isHidden(refused.field.split('.')[0]!) ? { ...refused, message: REDACTED } : refused,
        ),
      })),
      entities,
    };
    for (const { args } of [...trace.requests, ...trace.wakes, ...trace.writes, ...trace.mounted])
      redaction.addHiddenIn(args);
    for (const list of trace.lists) redaction.addHiddenIn(list.arguments);
    for (const { fields } of entities)
      for (const [name, field] of Object.entries(fields)) {
        const { server, history, lost, guesses } = field;
        const others = [field, ...history, ...lost, ...guesses].map(({ value }) => value);
        redaction.addHiddenIn({ [name]: [server, others] });
      }
    return redaction.withoutSecrets(trace) as InspectorTrace; // cast: the same shape, with a string in place of each hidden value
  }
}

const toFound = ({ table, pk }: Row): FoundRow => ({ entity: table.key, pk });

/** The key of a row and its shown values, in the form in which a search compares them. Only strings and numbers are found. */
const textsOf = ({ pk, shown }: Row): string[] =>
  [pk, ...Object.values(shown ?? {})]
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map((value) => String(value).toLowerCase());

/**
 * Creates an inspector, a manager that explains the data of its controller. Put it before the other managers.
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
    FoundRow,
    InterferenceState,
    ListNote as Note,
    EarlierValue,
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
