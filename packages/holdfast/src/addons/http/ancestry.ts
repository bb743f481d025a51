// Finds the ancestors with which a mutation is compared. It takes them from controller/request/ancestor.ts, and corrects them:
//
//   a call that failed with a conflict is repeated     the repeated call keeps the ancestors of the failed call
//   a rule or a person changes an earlier call         the ancestor is the value from before that change
//   an earlier call whose update hid a field fails     the ancestor is that of the earlier call or, if the earlier call had been
//                                                      compared before the later call was made, the value of that comparison
//   the response to an earlier call changes a field    the ancestor of a later DELETE is the row of that response
//   both calls send the same value of a field          the later call has not changed the field, for example a version
//
// The server may have stored a mutation that failed without a response, or with a 5xx status. It may also have stored a mutation that
// failed with a 412, because a browser sends a request again when its connection breaks. So a stored value that such a mutation has
// sent does not count as a change of another client.
import { ancestorsOf, pickFields } from '../../controller/request/ancestor.ts';
import type { RowStates } from '../../controller/request/ancestor.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { ExtensionHost } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { queueNameOf } from '../../dispatch/write-queues.ts';
import { normalizeSentRows } from '../../controller/request/keep-acknowledged.ts';
import { sentFields } from '../../endpoint/row-name.ts';
import type { Effects } from '../../store/effects.ts';
import { isEqual, omit } from '../../store/fields.ts';
import type { Fields, Row, RowState } from '../../store/nodes.ts';
import { rowOf } from '../../store/stored-form.ts';
import { isHttpError } from '../../support/network-errors.ts';
import { ensure } from '../../support/ensure.ts';
import { ConflictError } from './conflict-error.ts';

type States = Map<Row, RowState>;

interface Hiding {
  readonly by: Flight;
  /** The rows with which `by` had been compared when the later mutation was called; empty if `by` waited for its turn. */
  readonly over: States;
}

export class Ancestry {
  readonly #host: ExtensionHost;
  // The keys of a WeakMap are weak: an entry is collected together with its mutation, or with its failed call.
  readonly #corrections = new WeakMap<Flight, States>();
  readonly #givenUp = new WeakMap<EndpointCall, States>();
  readonly #amended = new WeakMap<Flight, Map<Flight, States>>();
  /** For each mutation, by the name of a field: the last earlier mutation whose optimistic update hid the field. */
  readonly #hidden = new WeakMap<Flight, Map<string, Hiding>>();
  /**
   * For each mutation whose sending has begun, its ancestors. A row with which the mutation was compared has its state at that
   * time.
   */
  readonly #compared = new WeakMap<Flight, States>();
  /**
   * For each engine, by the queue of a row, its mutations in the order of their turns. Mutations that have ended may still be among
   * them. The map is collected together with the engine, which a reset replaces.
   */
  readonly #queues = new WeakMap<ExtensionHost['engine'], Map<string, Set<Flight>>>();
  /** The fields that mutations with an unknown result have sent. */
  readonly #unknown = new WeakMap<Row, Fields[]>();

  constructor(host: ExtensionHost) {
    this.#host = host;
  }

  readonly isOwn = (row: Row, name: string, value: unknown): boolean | undefined =>
    this.#unknown.get(row)?.some((fields) => isEqual(fields[name], value));

  /**
   * The ancestors of a mutation that is about to be sent. In this map, the sender replaces each row with which it has compared the
   * mutation.
   */
  beginSending(flight: Flight): States {
    const states = this.#statesOf(flight);
    this.#compared.set(flight, states);
    return states;
  }

  /**
   * A copy of the ancestors with all corrections so far. The corrections are complete when the earlier mutations of the same rows
   * have ended.
   */
  #statesOf(flight: Flight): States {
    const states = new Map(ancestorsOf(flight));
    for (const [row, fields] of this.#corrections.get(flight) ?? [])
      states.set(row, { ...states.get(row), ...fields });
    return states;
  }

  /**
   * Called when a mutation is called. Notes which earlier updates hide fields of its rows. If the mutation repeats a call that was
   * given up, it keeps the ancestors of that call. So does the next save of an edit, which the edit opens in the batch that ends the
   * save that was given up.
   */
  noteOpened(flight: Flight): void {
    const hidden = new Map<string, Hiding>();
    this.#hidden.set(flight, hidden);
    let failed = this.#givenUp.get(flight.call);
    for (const other of flight.rowQueues.flatMap(this.#pendingIn)) {
      const again = this.#givenUp.get(other.call);
      if (other.status || !again)
        for (const name of other.intent ? bodyFieldNamesOf(other) : [])
          hidden.set(name, { by: other, over: new Map(this.#compared.get(other)) });
      else failed = again;
    }
    this.#addPending(flight);
    if (failed) this.#corrections.set(flight, new Map(failed));
  }

  /**
   * Called when a mutation fails. Notes the fields that it has sent, if its result is unknown. Later calls get the ancestors of the
   * fields that the mutation's update hid. `isResponded` is true if the server has responded to an attempt to send the mutation.
   */
  noteFailed(flight: Flight, error: Error | undefined, isResponded: boolean): void {
    // `sent` is 0 for a mutation that was paused or never sent. If such a mutation ends with a ConflictError, it was compared with
    // the row, so its result is known. If it ends with another error after a response, the row may not have been read, so the
    // result is unknown.
    const isUnknown = flight.sent
      ? !(isHttpError(error) && error.status < 500 && error.status !== 412)
      : isResponded && !(error instanceof ConflictError);
    if (isUnknown)
      for (const [row, fields] of this.#sentRowsOf(flight)) ensure(this.#unknown, row, () => []).push(fields);
    const states = this.#statesOf(flight);
    for (const other of flight.rowQueues.flatMap(this.#pendingIn))
      for (const [name, { by, over }] of this.#hidden.get(other) ?? [])
        for (const [row, state] of by === flight ? [...states, ...over] : [])
          if (state && Object.hasOwn(state, name)) this.#correct(other, row, { [name]: state[name] });
    this.noteEnded(flight);
  }

  /** Keeps the ancestors of a mutation that the sender gives up, for a repetition of the call. */
  noteGivenUp(flight: Flight): void {
    const names = bodyFieldNamesOf(flight);
    const states = this.#statesOf(flight);
    if (names.length) for (const [row, state] of states) states.set(row, pickFields(state, names));
    this.#givenUp.set(flight.call, states);
  }

  /**
   * Called when a rule or a person is about to change the fields `names` of a mutation. Later calls were made while the values that the
   * mutation sends were shown, so these values become the ancestors of the later calls as soon as the server acknowledges the mutation.
   */
  noteAmended(flight: Flight, names: readonly string[]): void {
    const amended = ensure(this.#amended, flight, () => new Map());
    const sent = this.#sentRowsOf(flight);
    for (const other of this.#laterThan(flight)) {
      const seen = ensure(amended, other, () => new Map() as States);
      // Of several changes, the later call has seen the value before the first change.
      for (const [row, fields] of sent) seen.set(row, { ...pickFields(fields, names), ...seen.get(row) });
    }
  }

  /** The rows of which the mutation sends fields, with these fields in stored form. */
  #sentRowsOf(flight: Flight): (readonly [Row, Fields])[] {
    return normalizeSentRows(this.#host, flight).map(({ row, fields }) => [rowOf(row)!, fields]); // `rowOf` of a row is a row
  }

  /**
   * Called when the response to a mutation is about to be stored. A field that the response changes although it was not sent, such
   * as the time of the last change, was most probably computed by the server. A later DELETE of this client must not be in conflict
   * with this field.
   */
  noteResponse(flight: Flight, { rows, fields }: Effects): void {
    for (const other of this.#laterThan(flight).filter(({ call }) => call.endpoint.method === 'DELETE'))
      for (const [at, row] of rows.entries()) {
        const { base } = row;
        // The ancestor gets the fields of the response only if the row has not changed between the call of the DELETE and this
        // response.
        if (base && isEqual(this.#statesOf(other).get(row), base))
          this.#correct(other, row, { ...base, ...fields[at] });
      }
  }

  /**
   * For each later call, removes the corrections of the fields that this mutation has sent. Then corrects the fields that both
   * calls send with the same value, and the fields that a rule or a person has changed in this mutation.
   */
  noteAcknowledged(flight: Flight): void {
    const names = new Set(bodyFieldNamesOf(flight));
    const body = sentBodyOf(flight);
    const sent = this.#sentRowsOf(flight);
    const later = this.#laterThan(flight);
    // The values stay noted while there are later calls, because these calls were made before it was known what the server had
    // stored after an unknown result.
    if (later.length === 0) for (const [row] of sent) this.#unknown.delete(row);
    for (const other of later) {
      const states = this.#corrections.get(other);
      for (const [row, state] of states ?? []) states!.set(row, state && omit(state, names)); // iterated, so there
      // If both calls send the same value, the later call has not changed it: for example, a version that the server counts.
      const otherBody = sentBodyOf(other);
      const same = Object.keys(otherBody).filter((name) => isEqual(otherBody[name], body[name]));
      if (same.length) for (const [row, fields] of sent) this.#correct(other, row, pickFields(fields, same));
      for (const [row, fields] of this.#amended.get(flight)?.get(other) ?? [])
        this.#correct(other, row, fields);
    }
    this.noteEnded(flight);
  }

  #correct(flight: Flight, row: Row, fields: RowState): void {
    const states = ensure(this.#corrections, flight, () => new Map() as States); // cast: an empty map
    states.set(row, { ...states.get(row), ...fields });
  }

  /**
   * The mutations of the same rows that have not ended and come after `flight`, usually because they were called later. A mutation of
   * several rows may occur more than once.
   */
  #laterThan(flight: Flight): readonly Flight[] {
    return flight.rowQueues.flatMap((queue) => {
      const pending = this.#pendingIn(queue);
      return pending.slice(pending.indexOf(flight) + 1);
    });
  }

  get #byQueue(): Map<string, Set<Flight>> {
    return ensure(this.#queues, this.#host.engine, () => new Map<string, Set<Flight>>());
  }

  /** The mutations of a row's queue that have not ended, in the order of their turns. */
  readonly #pendingIn = (queue: string): Flight[] =>
    [...(this.#byQueue.get(queue) ?? [])].filter(({ isSettled }) => !isSettled);

  /**
   * The mutations of the rows that a mutation has changed; after a creation all mutations, because the queues of the created rows may
   * still have their old names.
   */
  readonly findPending = ({ intent }: Flight, changed: RowStates): Iterable<Flight> =>
    intent?.drafts.length
      ? this.#host.flights
      : [...changed.keys()].flatMap((row) => this.#pendingIn(queueNameOf(row)));

  readonly #addPending = (flight: Flight): void => {
    for (const queue of flight.rowQueues) ensure(this.#byQueue, queue, () => new Set()).add(flight);
  };

  /** Called when a mutation was discarded before it was sent; this class calls it at each other end. */
  noteEnded(flight: Flight): void {
    // The server may have assigned ids to rows that the mutation has created, and then their queues have other names.
    if (flight.intent?.drafts.length) {
      this.#byQueue.clear();
      this.#host.flights.forEach(this.#addPending);
    }
    for (const queue of flight.rowQueues) {
      const pending = this.#byQueue.get(queue);
      pending?.delete(flight);
      if (!pending?.size) this.#byQueue.delete(queue);
    }
  }
}

/** The names of the fields in the body. If the body has several rows, the names of the first row's fields. */
function bodyFieldNamesOf({ call: { endpoint, args } }: Flight): readonly string[] {
  return Object.keys(sentFields([endpoint.splitArgs(args).body].flat()[0]));
}

/** The fields of the body. For an array of rows, the names are indexes, which are not fields. */
function sentBodyOf({ call: { endpoint, args } }: Flight): Fields {
  return sentFields(endpoint.splitArgs(args).body);
}
