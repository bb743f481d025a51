// Checksums of a saved state. Every row, list and slot has a checksum, by which hydrate.ts finds parts that a storage has changed.
// The checksum of the whole state shows whether parts are missing. Schemas cannot serve this purpose, because hydrate.ts has no
// schemas. As in dehydrate.ts, a property name that the build would shorten is quoted.
import { isObject, isRecord } from '../../support/plain.ts';

type SavedObject = Readonly<Record<string, unknown>>;

/**
 * A hash of plain data. It does not depend on the order of properties, because storages may sort them. It is computed by a loop and
 * not by recursion, because data may be deeper than the call stack.
 */
export function checksumOf(root: unknown): string {
  let sum = 0;
  const rest: { readonly value: unknown; readonly path: number }[] = [{ value: root, path: 0 }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, path } = next;
    const text = isObject(value) ? (Array.isArray(value) ? '[' : '{') : `${typeof value}${String(value)}`;
    // The hash of each path with its value is added: a sum does not depend on the order.
    sum = (sum + hash(path, text)) | 0;
    if (!isObject(value)) continue;
    for (const [name, inner] of Object.entries(value)) rest.push({ value: inner, path: hash(path, name) });
  }
  return (sum >>> 0).toString(36);
}

/** FNV-1a, then the last steps of murmur3, so that similar strings do not have similar hashes. */
function hash(start: number, text: string): number {
  let bits = start ^ 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** The places of parts in a state. The place is included in a part's checksum, and named in the warning about damaged parts. */
export const RESPONSES_PLACE = 'answers';
export const rowsPlaceOf = (table: string): string => `rows of ${table}`;
export const listsPlaceOf = (table: string): string => `lists of ${table}`;

/**
 * The checksum of a row, list or slot: of its place, such as `rows of Todo`, of its properties, and of the stamps to which it
 * refers.
 */
export function checksumOfPart(place: string, part: SavedObject, stamps: readonly unknown[]): string {
  const { 'sum': _own, ...incoming } = part;
  const segments: readonly unknown[] = Array.isArray(incoming['segments']) ? incoming['segments'] : [];
  const indexes = [incoming, ...segments]
    .filter(isRecord)
    .flatMap((part) => [part['stamp'], part['errorStamp']]);
  return checksumOf([place, incoming, indexes.map((index) => stamps[Number(index)] ?? null)]);
}

/** The checksum of the state as a whole: it includes the number of rows, lists and slots, so that a missing part is found. */
export function checksumOfState(state: SavedObject): string {
  const countOf = (parts: unknown): number => partsIn(parts).length;
  const tables = partsIn(state['tables']).map((table) =>
    isRecord(table)
      ? [table['key'], countOf(table['rows']), countOf(table['lists']), table['versionBy']]
      : null,
  );
  return checksumOf([state['last'], tables, countOf(state['slots'])]);
}

function partsIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The parts of a state whose checksums are correct. */
export interface IntactParts {
  readonly tables: readonly {
    readonly key: string;
    readonly 'versionBy': unknown;
    readonly 'rows': readonly SavedObject[];
    readonly 'lists': readonly SavedObject[];
  }[];
  readonly slots: readonly SavedObject[];
  readonly stamps: readonly unknown[];
  /** The places of the damaged parts, with one entry for each part; 'the frame' if the checksum of the whole state is wrong. */
  readonly damagedPlaces: readonly string[];
  /** Whether a slot may be lost. */
  readonly lacksResponses: boolean;
}

export function readIntactParts(state: SavedObject): IntactParts {
  const lost: string[] = [];
  const stamps = partsIn(state['stamps']);
  const keep = (place: string, parts: unknown): SavedObject[] =>
    partsIn(parts).filter((part): part is SavedObject => {
      const isIntact = isRecord(part) && part['sum'] === checksumOfPart(place, part, stamps);
      if (!isIntact) lost.push(place);
      return isIntact;
    });
  const tables = partsIn(state['tables'])
    .filter(isRecord)
    .map((table) => {
      const key = String(table['key']);
      return {
        key,
        'versionBy': table['versionBy'],
        'rows': keep(rowsPlaceOf(key), table['rows']),
        'lists': keep(listsPlaceOf(key), table['lists']),
      };
    });
  const lostBefore = lost.length;
  const slots = keep(RESPONSES_PLACE, state['slots']);
  if (state['sum'] !== checksumOfState(state)) lost.push('the frame');
  return { tables, slots, stamps, damagedPlaces: lost, lacksResponses: lost.length > lostBefore };
}
