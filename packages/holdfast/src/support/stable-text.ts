// The one canonical text of arguments: the same for equal ones whatever the order of their members, different for different
// ones (NaN is not null, 1n is not 1, a Map is not {}). Keys of endpoints and of look-ups in the store are such texts.
import { hasToJson, tagOf } from './value-kind.ts';

/** Names an object that counts by identity; undefined for one that counts by content. */
type NameOf = (value: object) => string | undefined;

/** JSON with sorted members, and a tagged form for what JSON would drop or merge. */
export function stableText(value: unknown, nameOf?: NameOf, above: readonly unknown[] = []): string {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function')
    return (
      nameOf?.(value) ??
      (typeof value === 'function'
        ? '(function)'
        : above.includes(value)
          ? '(cycle)'
          : objectText(value, nameOf, [...above, value]))
    );
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  return typeof value === 'symbol' ? '(symbol)' : String(value); // -0 is 0
}

function objectText(value: object, nameOf: NameOf | undefined, above: readonly unknown[]): string {
  const text = (member: unknown): string => stableText(member, nameOf, above);
  if (Array.isArray(value)) return `[${value.map(text).join(',')}]`;
  if (value instanceof Map || value instanceof Set || isEntries(value)) {
    return `(${tagOf(value)} [${[...value].map(text).join(',')}])`;
  }
  if (hasToJson(value)) return text(value.toJSON());
  if (isBlob(value)) return `(Blob ${value.size} ${JSON.stringify(value.type)})`;
  if (ArrayBuffer.isView(value))
    return `(bytes ${[...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)]})`;
  const members = value as Readonly<Record<string, unknown>>; // cast: read by its own names only
  const pairs: string[] = [];
  for (const name of Object.keys(members).sort()) {
    if (members[name] !== undefined) pairs.push(`${JSON.stringify(name)}:${text(members[name])}`);
  }
  return `{${pairs.join(',')}}`;
}

function isEntries(value: object): value is Iterable<unknown> & object {
  return ['FormData', 'URLSearchParams', 'Headers'].includes(tagOf(value)) && Symbol.iterator in value;
}

function isBlob(value: object): value is Blob {
  return ['Blob', 'File'].includes(tagOf(value));
}
