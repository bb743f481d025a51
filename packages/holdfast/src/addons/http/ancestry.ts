// What a mutation is compared with: its ancestors, as controller/request/ancestor.ts keeps them, with two corrections. A call that
// has failed with a conflict is repeated with the ancestors that it had. A call that was made over an earlier one of the same row,
// whose value a rule has changed since, has seen the value from before that change.
import { ancestorsOf } from '../../controller/request/ancestor.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { ExtensionHost } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { sentFields } from '../../endpoint/row-name.ts';
import type { Fields, Row, RowState } from '../../store/nodes.ts';
import { rowOf } from '../../store/stored-form.ts';
import { ensure } from '../../support/ensure.ts';

type States = Map<Row, RowState>;

interface Seen {
  readonly flight: Flight;
  readonly row: Row;
  readonly fields: Fields;
}

export class Ancestry {
  readonly #host: ExtensionHost;
  // Weak: an entry goes with its mutation, or with its failed call.
  readonly #corrections = new WeakMap<Flight, States>();
  readonly #failed = new WeakMap<EndpointCall, States>();
  readonly #amended = new WeakMap<Flight, Seen[]>();

  constructor(host: ExtensionHost) {
    this.#host = host;
  }

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
    const former = [...this.#host.flights].find(
      (other) =>
        !other.status &&
        this.#failed.has(other.call) &&
        other.rowQueues.some((queue) => rowQueues.includes(queue)),
    );
    const states = this.#failed.get(former?.call ?? flight.call);
    if (states) this.#corrections.set(flight, states);
  }

  /** A mutation fails because of a conflict. */
  noteFailed(flight: Flight): void {
    const { endpoint, args } = flight.call;
    const names = Object.keys(sentFields([endpoint.splitArgs(args).body].flat()[0]));
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
    let isLater = false;
    const seen = ensure(this.#amended, flight, () => []);
    for (const other of this.#host.flights) {
      if (isLater)
        for (const { row, fields } of sent) {
          const changed = Object.entries(fields).filter(([name]) => names.includes(name));
          seen.push({ flight: other, row: rowOf(row)!, fields: Object.fromEntries(changed) }); // a row is a row
        }
      if (other === flight) isLater = true;
    }
  }

  noteAcknowledged(flight: Flight): void {
    for (const { flight: other, row, fields } of this.#amended.get(flight) ?? []) {
      const states = ensure(this.#corrections, other, () => new Map());
      states.set(row, { ...fields, ...states.get(row) });
    }
  }
}
