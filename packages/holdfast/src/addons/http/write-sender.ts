// Sends one mutation by the rules of HttpSemantics. With conflict rules, the mutation is compared with the stored row before it is
// sent and, after a refusal, with the present row of the server. So the mutation replaces a known change that its caller has not
// seen only if the rules or a person decide so.
//
//   called ─▶ has the row changed? ─▶ sent ─▶ acknowledged
//                     │       ▲         │ 409, 412: at most `rounds` times; 428: once
//                     ▼       │         ▼
//                   judge ─▶ decide   read the row
//                     ▲                 │
//                     └─────────────────┘
import { inDevelopment } from '#env';
import { amendWrite } from '../../controller/request/amend-write.ts';
import { waitUnlessAborted, withServerIds } from '../../controller/request/drafts.ts';
import { writeResponse } from '../../controller/request/write-response.ts';
import { createStamp } from '../../controller/slot/write-slot.ts';
import type { Core, Pending } from '../../controller/state/core.ts';
import { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { NetworkRequest } from '../../dispatch/network-request.ts';
import { rowsAmong, targetsOfCall } from '../../dispatch/write-queues.ts';
import { entityKindOf } from '../../endpoint/row-name.ts';
import { createIdempotencyHeaders } from '../../endpoint/run-request.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import { markRowAndHoldersStale } from '../../store/apply-effects.ts';
import { isEqual } from '../../store/fields.ts';
import type { Fields, Row, RowState } from '../../store/nodes.ts';
import { knowsOf } from '../../store/order.ts';
import { tryRun } from '../../support/call-safely.ts';
import { currentAddress } from '../../support/environment.ts';
import { warnOnce } from '../../support/errors.ts';
import { ConnectionError, isGone, isHttpError } from '../../support/network-errors.ts';
import type { HttpError } from '../../support/network-errors.ts';
import { parseAddress } from '../../support/origin.ts';
import type { AddressTags } from './address-tags.ts';
import type { Ancestry } from './ancestry.ts';
import { ConflictError } from './conflict-error.ts';
import type { Conflict } from './conflict.types.ts';
import {
  conflictOf,
  mustChange,
  judgedRowsOf,
  judgeItem,
  createResolutionError,
  runRule,
  sentFieldsOf,
} from './judge.ts';
import type { Verdict } from './judge.ts';
import type { OpenConflicts } from './open-conflicts.ts';
import type { HttpRules } from './options.ts';
import type { WriteSending } from './preconditions.ts';
import { pauseFlight, readCallOf, readRow, resumeFlight } from './read-row.ts';

export interface WriteSenderContext {
  readonly core: Core;
  readonly rules: HttpRules;
  readonly tags: AddressTags;
  readonly open: OpenConflicts;
  readonly ancestry: Ancestry;
}

type SendAttempt = (sending: WriteSending) => Promise<RequestOutcome>;

export class WriteSender {
  readonly #context: WriteSenderContext;
  readonly #flight: Flight;
  readonly #send: SendAttempt;
  /**
   * The call as its caller has made it, or as an edit has amended it while a person decided, with its idempotency key. A call with
   * another body gets another key.
   */
  #original: Pick<Flight, 'call' | 'headers'>;
  readonly #sending: WriteSending;
  /** The ancestors. For a row that `#reconcile` has judged, the state of the row at that time. */
  readonly #seen: Map<Row, RowState>;
  #refusal: HttpError | undefined;
  /** Whether the row has changed while managers held the request, so that the mutation must not be sent unchanged. */
  #isOvertaken = false;
  /**
   * Whether the row had changed when `#reconcile` last judged it, compared with the previous judgement or, without one, with the
   * ancestor.
   */
  #hasRowChanged = false;

  constructor(context: WriteSenderContext, request: NetworkRequest, flight: Flight, send: SendAttempt) {
    this.#context = context;
    this.#flight = flight;
    this.#send = send;
    this.#original = copyCall(flight);
    const mayBeSent = (): boolean => !(this.#isOvertaken = this.#mustStop());
    this.#sending = { flight, request, mayBeSent };
    this.#seen = context.ancestry.beginSending(flight);
  }

  async run(): Promise<RequestOutcome> {
    const { core, rules } = this.#context;
    const { conflicts } = rules;
    const flight = this.#flight;
    let error: HttpError | undefined;
    let isStopped = this.#mustStop();
    for (let rounds = 0; ; isStopped = true) {
      if (isStopped) {
        const { sent } = flight;
        pauseFlight(core, flight);
        const outcome = (error && (await this.#read(error, sent))) ?? (await this.#reconcile());
        resumeFlight(core, flight);
        if (outcome) return outcome;
      }
      try {
        return await this.#send(this.#sending);
      } catch (thrown) {
        inDevelopment(() => {
          const { condition, found } = this.#sending;
          if (condition !== 'ours' || !(thrown instanceof ConnectionError)) return;
          const [page, origin] = [currentAddress(), thrown.url].map(
            (url) => url && parseAddress(url)?.origin,
          );
          if (page === undefined || page === origin) return;
          // If the server does not allow a header, the browser does not send the request, and its error does not give the reason.
          const header = found === 'nothing' ? 'If-None-Match' : 'If-Match';
          warnOnce(core.engine, 'HEADER_NOT_ALLOWED', `${origin} ${header}`, { header, origin });
        });
        error = undefined;
        if (this.#isOvertaken) continue;
        if (!isHttpError(thrown) || !this.#mayContinue(thrown)) throw thrown;
        error = thrown;
        if (thrown.status === 428) continue;
        // The row was read and had not changed, so the server refused for another reason than the version of the row.
        if (this.#refusal && !this.#hasRowChanged && thrown.status !== 412) throw thrown;
        this.#refusal = thrown;
        if (rounds === conflicts!.rounds) throw this.#endInConflict(); // only conflicts let a refused mutation continue
        rounds += 1;
      }
    }
  }

  /** Whether the row is read after this failure, so that the mutation may be sent again. */
  #mayContinue({ status }: HttpError): boolean {
    const { core, rules } = this.#context;
    const { condition, found, request } = this.#sending;
    if (condition === 'theirs') return false;
    // A POST has no precondition, and neither has a mutation of several rows.
    if (request.endpoint.method === 'POST' || Array.isArray(request.args.at(-1))) return false;
    if (status === 428) return !!rules.preconditions && !found && !!readCallOf(request);
    return !!rules.conflicts?.statuses.includes(status) && judgedRowsOf(core, this.#flight).length === 1;
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  /**
   * Reads the row after the mutation was refused: by the server, or by preconditions.ts, which needs the row's tag. Returns an
   * outcome if the mutation is a DELETE and the row does not exist any more.
   */
  async #read(error: HttpError, sent: number): Promise<RequestOutcome | undefined> {
    const { core, rules } = this.#context;
    const { conflicts } = rules;
    const sending = this.#sending;
    const { endpoint, args } = sending.request;
    const { store } = core.engine;
    const named = rowsAmong(targetsOfCall(core.engine, this.#flight.call));
    const isSeen = named.some(({ base }) => base); // before the read, which removes a row that is gone
    const call = readCallOf(sending.request);
    let isTaken: boolean | undefined;
    try {
      isTaken = call && this.#takeCurrent(error, call, sent);
    } finally {
      // The server has another version. If the read fails, the row stays stale.
      if (this.#refusal && !isTaken)
        store.batch(() => named.forEach((row) => markRowAndHoldersStale(store, row)));
    }
    try {
      if (!isTaken)
        await waitUnlessAborted(this.#flight, () =>
          conflicts!.read ? conflicts!.read(this.#pending()) : readRow(core, call, error),
        );
      sending.found = 'row';
    } catch (failure) {
      if (!isGone(failure)) throw failure;
      if (endpoint.method === 'DELETE') return { value: endpoint.splitArgs(args).params };
      // A PUT may create a row that this client does not know.
      if (endpoint.method !== 'PUT' || this.#refusal || isSeen) throw failure;
      sending.found = 'nothing';
    }
    return undefined;
  }

  /**
   * Stores the row that the refusal contains. Returns false if the row must be read: there is no `current`, or the refusal does not
   * contain the row, or lacks fields that the mutation sends; or a precondition was sent, so that only a read brings the row's new
   * tag.
   */
  #takeCurrent(error: HttpError, call: EndpointCall, sent: number): boolean {
    const { core, rules } = this.#context;
    const [item] = judgedRowsOf(core, this.#flight);
    const { current } = rules.conflicts!; // only with rules is a row read
    if (this.#sending.condition || !item || !current) return false;
    const { row, body } = item;
    // If `current` fails, the conflict that is reported has no value of the server, because that value is not known yet.
    const value = runRule(current, [error], conflictOf(row, '', [undefined, body, undefined]));
    if (value === undefined) return false;
    return core.engine.store.batch(() => {
      const origin = createStamp(core, call.endpoint, { isRead: true, sent });
      const incoming = tryRun(() => writeResponse(core, call, value, origin))?.incomingOf(row);
      return !!incoming && Object.keys(body ?? {}).every((name) => Object.hasOwn(incoming, name));
    });
  }

  // ── judging ──────────────────────────────────────────────────────────────────────────────────

  /** Whether the comparison with the stored rows changes the mutation or finds a conflict. */
  #mustStop(): boolean {
    return !!this.#context.rules.conflicts && this.#judge().some(mustChange);
  }

  #judge(): readonly Verdict[] {
    const { core, rules, ancestry } = this.#context;
    const parts = {
      core,
      flight: this.#flight,
      isRefused: !!this.#refusal,
      seen: this.#seen,
      isOwn: ancestry.isOwn,
      mergeOf: ({ table }: Row, field: string) =>
        rules.conflicts!.merge.find(
          ([entity]) => core.engine.tableOf(entityKindOf({ schema: entity })!) === table,
        )?.[1][field], // entities have a kind
    };
    return judgedRowsOf(core, this.#flight).map((item) => judgeItem(parts, item));
  }

  /** Judges and decides until the mutation may be sent. Returns the outcome when no field is left to send. */
  async #reconcile(): Promise<RequestOutcome | undefined> {
    const { core, open } = this.#context;
    const flight = this.#flight;
    try {
      for (;;) {
        const verdicts = this.#judge();
        const conflicts = verdicts.flatMap((each) => each.conflicts);
        const states = verdicts.map(({ item: { row } }) => [row, row.base] as const);
        const resolved = conflicts.length ? await this.#decide(conflicts) : {};
        if (!resolved) {
          this.#setRequest(withServerIds(core, flight.call.args, true));
          this.#original = copyCall(flight);
          continue;
        }
        const isLeft = this.#amend(verdicts, resolved);
        this.#hasRowChanged = states.some(([row, base]) => !isEqual(this.#seen.get(row), base));
        // From now on, these states are known to the rules, or to a person.
        for (const [row, base] of states) this.#seen.set(row, base);
        if (!isLeft) return this.#endUnsent(verdicts);
        // While a person or a rule decided, the row may have changed again.
        if (!this.#mustStop()) return undefined;
      }
    } catch (error) {
      this.#giveUp();
      throw error;
    } finally {
      open.end(core, flight);
    }
  }

  /** Decides the value of each field in conflict. Returns undefined when the mutation was amended meanwhile, as by an edit. */
  async #decide(conflicts: readonly Conflict[]): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { core, rules, open } = this.#context;
    const flight = this.#flight;
    const { call } = flight;
    const [first] = conflicts as readonly [Conflict]; // cast: there is one
    const { resolve = 'fail' } = rules.conflicts!; // else nothing is judged
    let resolution: unknown = resolve;
    try {
      await waitUnlessAborted(flight, async () => {
        if (resolve === 'ask') resolution = await open.ask(core, flight, conflicts);
        else if (typeof resolve === 'function') resolution = await resolve(conflicts, this.#pending());
      });
    } catch (error) {
      if (flight.aborter.signal.aborted) throw error;
      throw createResolutionError(first, error);
    }
    if (flight.call !== call) return undefined;
    if (resolution === 'fail') throw new ConflictError(conflicts, this.#refusal);
    if (resolution === 'mine' || resolution === 'theirs')
      return Object.fromEntries(conflicts.map((each) => [each.field, each[resolution as 'mine']])); // cast: one of both
    const fields = new Set(conflicts.map(({ field }) => field));
    const given = Object.keys(Object(resolution));
    const stray = given.find((field) => !fields.delete(field)) ?? [...fields][0];
    if (stray === undefined) return resolution as Readonly<Record<string, unknown>>; // cast: it has the fields
    throw createResolutionError({
      ...(conflicts.find(({ field }) => field === stray) ?? first),
      field: stray,
    });
  }

  // ── what is sent ─────────────────────────────────────────────────────────────────────────────

  /** Gives the mutation the body that follows from the verdicts. Returns false when no field is left to send. */
  #amend(verdicts: readonly Verdict[], resolved: Readonly<Record<string, unknown>>): boolean {
    const { core, ancestry } = this.#context;
    const flight = this.#flight;
    const { endpoint, args } = this.#sending.request;
    /** For each old body, or old item of the body, the new one; undefined if it need not be sent. */
    const bodies = new Map<unknown, Fields | undefined>();
    const changed: string[] = [];
    let isLeft = verdicts.length === 0;
    for (const { item, changed: values, settled, left, conflicts } of verdicts) {
      const body: Record<string, unknown> = { ...item.body };
      for (const { field, theirs } of conflicts) {
        const value = resolved[field];
        const isTheirs = isEqual(value, theirs);
        if (isTheirs) left.delete(field);
        else left.add(field);
        if (!field) continue;
        values.set(field, value);
        if (isTheirs) settled.add(field);
      }
      for (const [field, value] of values) body[field] = value;
      changed.push(...values.keys(), ...settled);
      if (endpoint.method === 'PATCH') for (const field of settled) delete body[field];
      bodies.set(item.body, left.size ? body : undefined);
      if (left.size) isLeft = true;
    }
    const replace = (value: unknown): unknown => bodies.get(value) ?? value;
    const next = args.map((arg) =>
      Array.isArray(arg)
        ? arg.filter((each) => bodies.get(each) ?? !bodies.has(each)).map(replace)
        : replace(arg),
    );
    ancestry.noteAmended(flight, changed);
    if (!isLeft || isEqual(next, args)) return isLeft;
    if (!flight.aborter.signal.aborted) amendWrite(core, flight, next);
    this.#setRequest(next);
    return true;
  }

  /**
   * Makes the mutation's new call, with these arguments, the request that is sent next. The request gets a new idempotency key, if
   * the endpoint sends one.
   */
  #setRequest(args: readonly unknown[]): void {
    const flight = this.#flight;
    const { request } = this.#sending;
    flight.headers = createIdempotencyHeaders(request.endpoint, args, this.#context.core.environment.random);
    this.#sending.request = { ...request, args, key: flight.call.key, headers: flight.headers };
  }

  /**
   * Ends the call with its rows as they are stored. The stored rows are not a response, so the call gets an endpoint without a
   * schema, and the rows are not stored again.
   */
  #endUnsent(verdicts: readonly Verdict[]): RequestOutcome {
    const { engine } = this.#context.core;
    const flight = this.#flight;
    const { endpoint, args, argsForLookUp } = flight.call;
    const { body } = endpoint.splitArgs(args);
    const values = verdicts.map(({ item: { row, body: item } }) => {
      const by = Array.isArray(body) ? item : argsForLookUp[0];
      const view = engine.cellView(entityKindOf(endpoint)!, [by]); // the call identifies rows
      return engine.readWithoutMemo(view, undefined, new Map([[row, row.base!]])).value; // judged, so stored
    });
    const { extend } = endpoint as typeof endpoint & { extend(options: object): typeof endpoint }; // cast: both classes have it
    flight.call = new EndpointCall(extend.call(endpoint, { schema: undefined }), args);
    return { value: Array.isArray(body) ? values : values[0] };
  }

  // ── failing ──────────────────────────────────────────────────────────────────────────────────

  #pending(): Pending {
    const { endpoint, args } = this.#flight.call;
    return { endpoint, args, status: 'conflict' };
  }

  /**
   * Ends the mutation after the last round. The error contains every field that would still be sent. The row becomes stale, because
   * the server has refused its last known version.
   */
  #endInConflict(): ConflictError {
    const { core } = this.#context;
    const { store } = core.engine;
    const flight = this.#flight;
    const { row, body } = judgedRowsOf(core, flight)[0]!; // there is one: see #mayContinue
    const states = [
      this.#seen.get(row),
      body && { ...body, ...sentFieldsOf(core, flight, row) },
      row.base,
    ] as const;
    const conflicts = Object.keys(body ?? { '': 0 }).map((field) =>
      conflictOf(row, field, field ? states.map((each) => each?.[field]) : states),
    );
    const error = new ConflictError(conflicts, this.#refusal);
    pauseFlight(core, flight);
    this.#giveUp();
    store.batch(() => markRowAndHoldersStale(store, row));
    return error;
  }

  /**
   * Called after the last round, and when `#reconcile` throws. Restores the original call, and keeps its ancestors, with which a
   * repetition of the call is judged.
   */
  #giveUp(): void {
    const { core, ancestry } = this.#context;
    const flight = this.#flight;
    const { store } = core.engine;
    const rows = judgedRowsOf(core, flight).map(({ row }) => row);
    Object.assign(flight, this.#original);
    ancestry.noteGivenUp(flight);
    // If fields of messages were ignored while this mutation was pending, they must be read again.
    if (core.messageFieldsIgnoredAt)
      store.batch(() => {
        for (const row of rows)
          if (!knowsOf(row.stamp.fence, core.messageFieldsIgnoredAt)) markRowAndHoldersStale(store, row);
      });
  }
}

function copyCall({ call, headers }: Flight): Pick<Flight, 'call' | 'headers'> {
  return { call, headers };
}
