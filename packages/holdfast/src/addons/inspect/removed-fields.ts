// Explains why fields of a message or of a value for `set` were not stored: controller/request/keep-acknowledged.ts removes fields
// that may be older than a mutation of this client, before the payload is applied.
import type { ExtensionHost } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { isEqual } from '../../store/fields.ts';
import type { Fields, Row } from '../../store/nodes.ts';
import { rowOf } from '../../store/stored-form.ts';
import type { LostRule } from './explanation.types.ts';
import type { KnownRequest } from './known-request.ts';
import type { RowSources } from './sources.ts';

/** The fields of a row that were removed from a payload. */
export interface RowRemovedFields {
  readonly row: Row;
  readonly incoming: Fields;
  readonly names: readonly string[];
}

export function noteRemovedFields(
  { acknowledged, flights }: ExtensionHost,
  sources: RowSources,
  { row, incoming, names }: RowRemovedFields,
  from: KnownRequest,
  requestOf: (sent: object) => KnownRequest | undefined,
): void {
  const sends = (flight: Flight, name: string): boolean =>
    flight.sentRows?.some((part) => rowOf(part.row) === row && Object.hasOwn(part.fields, name)) === true;
  for (const name of names) {
    // If several pending mutations send the field, the last call decides.
    const flight = [...flights].reverse().find((other) => sends(other, name));
    const known = flight
      ? flight.sentRows?.find((part) => rowOf(part.row) === row)?.fields[name]
      : row.base?.[name];
    const ownWrite =
      flight ??
      [...acknowledged].reverse().find((write) => write.row === row && Object.hasOwn(write.fields, name));
    let rule: LostRule['rule'] = flight ? 'own-write-under-way' : 'own-write-answered-lately';
    if (isEqual(known, incoming[name])) rule = 'echo-of-own-write';
    if (!ownWrite) rule = 'cannot-tell';
    const late = { name, value: incoming[name], from, rule };
    const isStored = !!row.base && Object.hasOwn(row.base, name);
    const isRepetition = isStored && isEqual(row.base?.[name], incoming[name]);
    // A row that was deleted and created again may lack the field.
    if (isRepetition || (isStored && !flight)) sources.addLate(late, row.base ?? null);
    else sources.addLoss({ ...late, to: ownWrite && requestOf(ownWrite) });
  }
}
