// The order of statements about a row by the version that they carry, for classes with `static version`. Numbers, bigints,
// decimal texts and ISO dates compare by value.
import { inDevelopment } from '#env';
import { fieldOf } from '../../store/fields.ts';
import type { Fields } from '../../store/nodes.ts';
import { toPlain } from '../../store/stored-form.ts';
import type { Host } from '../protocol/protocol.ts';

type Version = readonly [isDate: boolean, value: number | bigint];

/** A version on its own scale; undefined where it is none. */
function read(version: unknown): Version | undefined {
  const text = String(version);
  if (/^-?\d+$/.test(text)) return [false, BigInt(text)];
  const isDate = /^\d{4}-\d\d-\d\d/.test(text);
  const value = isDate ? Date.parse(text) : Number(text || NaN);
  return Number.isNaN(value) ? undefined : [isDate, value];
}

/** Below 0 where the incoming version is lower, above 0 where it is higher; undefined where one is missing or they do not compare. */
export function compareVersions(
  host: Pick<Host, 'warn'>,
  entity: string,
  field: string,
  existing: Fields,
  incoming: Fields,
): number | undefined {
  const valueOf = (fields: Fields): unknown => toPlain(fieldOf(fields, field));
  const [old, now] = [existing, incoming].map((fields) => read(valueOf(fields)));
  if (old && now && old[0] === now[0]) return now[1] < old[1] ? -1 : +(now[1] > old[1]);
  inDevelopment(() => {
    const [before, after] = [existing, incoming].map(valueOf);
    if (before !== undefined && after !== undefined && before !== after)
      host.warn('VERSIONS_INCOMPARABLE', entity, { entity, field });
  });
  return undefined;
}
