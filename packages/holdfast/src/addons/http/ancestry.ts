// What a mutation is compared with: its ancestors, as controller/request/ancestor.ts keeps them, with three corrections. A call that
// has failed with a conflict is repeated with the ancestors that it had. A call that was made over an earlier one of the same row,
// whose value a rule has changed since, has seen the value from before that change. A call that was made while the update of an
// earlier one hid a field has not seen what was stored: if the earlier one fails, its ancestor is that of the later one. What a
// mutation has sent that failed without a word of the server, or with a 5xx, may be stored: such a value is no change of another client.
import { ancestorsOf } from '../../controller/request/ancestor.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { ExtensionHost } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { normalizeSentRows } from '../../controller/request/keep-acknowledged.ts';
import { sentFields } from '../../endpoint/row-name.ts';
import type { Effects } from '../../store/effects.ts';
import { isEqual, omit } from '../../store/fields.ts';
import type { Fields, Row, RowState } from '../../store/nodes.ts';
import { rowOf } from '../../store/stored-form.ts';
import { isHttpError } from '../../support/network-errors.ts';
import { ensure } from '../../support/ensure.ts';

type States = Map<Row, RowState>;

export class Ancestry {
  readonly #host: ExtensionHost;
  // Weak: an entry goes with its mutation, or with its failed call.
  readonly #corrections = new WeakMap<Flight, States>();
  readonly #failed = new WeakMap<EndpointCall, States>();
  readonly #amended = new WeakMap<Flight, Map<Flight, States>>();
  /** For each field of a mutation, the earlier mutation whose optimistic update hid the field. */
  readonly #hidden = new WeakMap<Flight, Map<string, Flight>>();

  /** What mutations of unknown outcome have sent. */
  readonly #unknown = new WeakMap<Row, Fields[]>();

  constructor(host: ExtensionHost) {
    this.#host = host;
  }

  readonly isOwn = (row: Row, name: string, value: unknown): boolean =>
    (this.#unknown.get(row) ?? []).some((fields) => isEqual(fields[name], value));

  /** A copy of the ancestors, complete when the mutation is about to be sent. */
  statesOf(flight: Flight): States {
    const states = new Map(ancestorsOf(flight));
    for (const [row, fields] of this.#corrections.get(flight) ?? [])
      states.set(row, { ...states.get(row), ...fields });
    return states;
  }

  /** A mutation is called: is it the repetition of a failed one, or of an edit that has failed in this batch? */
  noteOpened(flight: Flight): void {
    const { rowQueues } = flight;
    const hidden = ensure(this.#hidden, flight, () => new Map());
    let failed = this.#failed.get(flight.call);
    for (const other of this.#host.flights) {
      if (!other.rowQueues.some((queue) => rowQueues.includes(queue))) continue;
      if (other.status || !this.#failed.has(other.call))
        for (const name of other.intent ? namesOf(other) : []) hidden.set(name, other);
      else failed = this.#failed.get(other.call);
    }
    if (failed) this.#corrections.set(flight, new Map(failed));
  }

  /** A mutation fails: what its update hid was never seen. */
  noteEnded(flight: Flight, error: Error | undefined): void {
    if (flight.sent && !(isHttpError(error) && error.status < 500))
      for (const { row, fields } of normalizeSentRows(this.#host, flight))
        ensure(this.#unknown, rowOf(row)!, () => []).push(fields); // a row is a row
    const states = this.statesOf(flight);
    for (const other of this.#host.flights)
      for (const [name, by] of this.#hidden.get(other) ?? [])
        for (const [row, state] of by === flight ? states : [])
          if (state && Object.hasOwn(state, name)) this.#correct(other, row, { [name]: state[name] });
  }

  /** A mutation fails because of a conflict. */
  noteFailed(flight: Flight): void {
    const names = namesOf(flight);
    const states = [...this.statesOf(flight)].map(([row, state]): [Row, RowState] => {
      const fields = Object.entries(state ?? {}).filter(
        ([name]) => names.length === 0 || names.includes(name),
      );
      return [row, Object.fromEntries(fields)];
    });
    this.#failed.set(flight.call, new Map(states));
  }

  /** A rule changes these fields of a mutation: later calls have seen its `sent` values, if the server acknowledges it. */
  noteAmended(
    flight: Flight,
    names: readonly string[],
    sent: readonly { readonly row: Row; readonly fields: Fields }[],
  ): void {
    const amended = ensure(this.#amended, flight, () => new Map());
    for (const other of this.#laterThan(flight))
      for (const { row, fields } of sent) {
        const changed = Object.entries(fields).filter(([name]) => names.includes(name));
        const seen = ensure(amended, other, () => new Map() as States);
        const stored = rowOf(row)!; // a row is a row
        // of several changes, the later call has seen the value before the first one
        seen.set(stored, { ...Object.fromEntries(changed), ...seen.get(stored) });
      }
  }

  /**
   * The response to a mutation is about to be stored. Where the response changes a field that was not sent, such as a time of the
   * last change, the server has most probably computed the field, and the DELETE of a client alone must not be a conflict.
   */
  noteResponse(flight: Flight, { rows, fields }: Effects): void {
    for (const other of this.#laterThan(flight).filter(({ call }) => call.endpoint.method === 'DELETE'))
      for (const [at, row] of rows.entries()) {
        const { base } = row;
        // else the row has moved before the response
        if (base && isEqual(this.statesOf(other).get(row), base))
          this.#correct(other, row, { ...base, ...fields[at] });
      }
  }

  /** For later calls, what the mutation has sent takes the place of what still earlier ones have sent. */
  noteAcknowledged(flight: Flight): void {
    const names = new Set(namesOf(flight));
    const body = sentBodyOf(flight);
    const sent = normalizeSentRows(this.#host, flight);
    for (const { row } of sent) this.#unknown.delete(rowOf(row)!); // a row is a row
    for (const other of this.#laterThan(flight)) {
      const states = this.#corrections.get(other);
      for (const [row, state] of states ?? []) states!.set(row, state && omit(state, names)); // iterated, so there
      // A value that both calls send is one that the later call has not changed, such as a version that the server counts.
      const later = sentBodyOf(other);
      const shared = sent.flatMap(
        ({ row, fields }) =>
          Object.entries(fields)
            .filter(([name]) => Object.hasOwn(later, name) && isEqual(later[name], body[name]))
            .map(([name, value]) => [rowOf(row)!, { [name]: value }] as const), // a row is a row
      );
      for (const [row, fields] of [...shared, ...(this.#amended.get(flight)?.get(other) ?? [])])
        this.#correct(other, row, fields);
    }
  }

  #correct(flight: Flight, row: Row, fields: RowState): void {
    const states = ensure(this.#corrections, flight, () => new Map() as States); // cast: an empty map
    states.set(row, { ...states.get(row), ...fields });
  }

  /** The mutations of the same rows that were called later and have not ended. */
  #laterThan(flight: Flight): readonly Flight[] {
    const all = [...this.#host.flights];
    return all
      .slice(all.indexOf(flight) + 1)
      .filter(({ rowQueues }) => rowQueues.some((queue) => flight.rowQueues.includes(queue)));
  }
}

/** The names of the fields in the body; of several rows, those of the first one. */
function namesOf({ call: { endpoint, args } }: Flight): readonly string[] {
  return Object.keys(sentFields([endpoint.splitArgs(args).body].flat()[0]));
}

/** The fields of the body; of several rows, the places of the rows, which are no fields. */
function sentBodyOf({ call: { endpoint, args } }: Flight): Fields {
  return sentFields(endpoint.splitArgs(args).body);
}
