// The rules for what comes beside the answers: a value for `set`, or of a stream, leaves alone what this client has just written. By
// the same look at requests under way as controller/request/keep-own.ts has.
import type { Core } from '../../controller/state/core.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { isEqual } from '../../store/fields.ts';
import type { Fields, Row } from '../../store/nodes.ts';
import type { LostRule } from './explanation.types.ts';
import type { KnownRequest } from './known-request.ts';
import type { RowSources } from './sources.ts';

/** The fields of a value that were not taken. */
export interface Aside {
  readonly row: Row;
  readonly said: Fields;
  readonly names: readonly string[];
}

export function loseAside(
  { own, flights }: Core,
  sources: RowSources,
  { row, said, names }: Aside,
  from: KnownRequest,
  requestOf: (flight: Flight) => KnownRequest | undefined,
): void {
  const sends = (flight: Flight, name: string): boolean =>
    flight.own?.some((part) => part.row === row && Object.hasOwn(part.fields, name)) === true;
  for (const name of names) {
    // of several the last call counts
    const flight = [...flights].reverse().find((one) => sends(one, name));
    const known = flight ? flight.own?.find((part) => part.row === row)?.fields[name] : row.base?.[name];
    const isOwn = flight ?? own.find((one) => one.row === row && Object.hasOwn(one.fields, name));
    let rule: LostRule['rule'] = flight ? 'own-write-under-way' : 'own-write-answered-lately';
    if (isEqual(known, said[name])) rule = 'echo-of-own-write';
    if (!isOwn) rule = 'cannot-tell';
    sources.lose({
      name,
      value: said[name],
      from,
      to: flight ? requestOf(flight) : sources.of(name)?.request,
      rule,
    });
  }
}
