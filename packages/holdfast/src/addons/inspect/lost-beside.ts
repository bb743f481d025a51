// The rules for what comes beside the answers: a value for `set`, or of a stream, leaves alone what this client has just written. By
// the same look at requests under way as controller/request/keep-acknowledged.ts has.
import type { Core } from '../../controller/state/core.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { Effects } from '../../store/effects.ts';
import { isEqual } from '../../store/fields.ts';
import type { Fields, Row } from '../../store/nodes.ts';
import { rowOf } from '../../store/stored-form.ts';
import type { LostRule } from './explanation.types.ts';
import type { KnownRequest } from './known-request.ts';
import type { RowSources } from './sources.ts';

/** The fields of a value that were not taken. */
interface Aside {
  readonly row: Row;
  readonly incoming: Fields;
  readonly names: readonly string[];
}

/** What payloads said of their rows when they were read: what this client knows better is taken out before they are stored. */
export class Asides {
  readonly #said = new WeakMap<Effects, readonly Fields[]>();

  note(effects: Effects): void {
    this.#said.set(effects, [...effects.fields]);
  }

  /** What was taken out since. */
  *of(effects: Effects): Iterable<Aside> {
    for (const [at, incoming] of this.#said.get(effects)?.entries() ?? []) {
      const taken = effects.fields[at]!; // grow together
      if (incoming === taken) continue;
      const names = Object.keys(incoming).filter((name) => !Object.hasOwn(taken, name));
      if (names.length > 0) yield { row: effects.rows[at]!, incoming, names }; // as above
    }
  }
}

export function loseAside(
  { acknowledged, flights }: Core,
  sources: RowSources,
  { row, incoming, names }: Aside,
  from: KnownRequest,
  requestOf: (flight: Flight) => KnownRequest | undefined,
): void {
  const sends = (flight: Flight, name: string): boolean =>
    flight.sentRows?.some((part) => rowOf(part.row) === row && Object.hasOwn(part.fields, name)) === true;
  for (const name of names) {
    // of several the last call counts
    const flight = [...flights].reverse().find((one) => sends(one, name));
    const known = flight
      ? flight.sentRows?.find((part) => rowOf(part.row) === row)?.fields[name]
      : row.base?.[name];
    const isOwn = flight ?? acknowledged.find((one) => one.row === row && Object.hasOwn(one.fields, name));
    let rule: LostRule['rule'] = flight ? 'own-write-under-way' : 'own-write-answered-lately';
    if (isEqual(known, incoming[name])) rule = 'echo-of-own-write';
    if (!isOwn) rule = 'cannot-tell';
    // a row that was deleted and has come back may be without the field
    const winner = row.base && Object.hasOwn(row.base, name) ? sources.of(name)?.request : undefined;
    sources.lose({ name, value: incoming[name], from, to: flight ? requestOf(flight) : winner, rule });
  }
}
