// Tells which parts of a saved state are as they were written: each carries a sum of all that it says. A storage may lose or
// change any of it, and a reader of the state knows no schema by which it could tell. Members of a state are written as texts,
// as in dehydrate.ts.
import { isObject, isRecord } from '../../support/plain.ts';

type SummedMembers = Readonly<Record<string, unknown>>;

/** A text that is the same for equal plain data, whatever the order of members: storages may sort them. No recursion. */
export function sumOf(root: unknown): string {
  let sum = 0;
  const rest: { readonly value: unknown; readonly path: number }[] = [{ value: root, path: 0 }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, path } = next;
    const text = isObject(value) ? (Array.isArray(value) ? '[' : '{') : `${typeof value}${String(value)}`;
    // what stands where: each by itself, so that their order is no matter
    sum = (sum + mix(path, text)) | 0;
    if (!isObject(value)) continue;
    for (const [name, inner] of Object.entries(value)) rest.push({ value: inner, path: mix(path, name) });
  }
  return (sum >>> 0).toString(36);
}

/** FNV-1a, and the last steps of murmur3, so that sums of similar texts differ in all their bits. */
function mix(start: number, text: string): number {
  let hash = start ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** The places of parts. */
export const ANSWERS = 'answers';
export const rowsOf = (table: string): string => `rows of ${table}`;
export const listsOf = (table: string): string => `lists of ${table}`;

/** The sum of a row, a list or an answer: of its place, such as `rows of Todo`, of what it says, and of the stamps that it names. */
export function sumOfPart(place: string, part: SummedMembers, stamps: readonly unknown[]): string {
  const { 'sum': _own, ...incoming } = part;
  const segments: readonly unknown[] = Array.isArray(incoming['segments']) ? incoming['segments'] : [];
  const named = [incoming, ...segments].filter(isRecord).flatMap((one) => [one['stamp'], one['errorStamp']]);
  return sumOf([place, incoming, named.map((at) => stamps[Number(at)] ?? null)]);
}

/** The sum of what holds the parts: one that is missing is missed. */
export function sumOfFrame(state: SummedMembers): string {
  const countOf = (parts: unknown): number => partsIn(parts).length;
  const tables = partsIn(state['tables']).map((table) =>
    isRecord(table)
      ? [table['key'], countOf(table['rows']), countOf(table['lists']), table['versionBy']]
      : null,
  );
  return sumOf([state['last'], tables, countOf(state['slots'])]);
}

function partsIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What is left of a state. */
export interface SoundParts {
  readonly tables: readonly {
    readonly key: string;
    readonly 'versionBy': unknown;
    readonly 'rows': readonly SummedMembers[];
    readonly 'lists': readonly SummedMembers[];
  }[];
  readonly slots: readonly SummedMembers[];
  readonly stamps: readonly unknown[];
  /** Names of the parts that are not as they were written. */
  readonly lost: readonly string[];
  /** Whether an answer may be among them. */
  readonly lacksResponses: boolean;
}

export function readSound(state: SummedMembers): SoundParts {
  const lost: string[] = [];
  const stamps = partsIn(state['stamps']);
  const keep = (place: string, parts: unknown): SummedMembers[] =>
    partsIn(parts).filter((part): part is SummedMembers => {
      const isSound = isRecord(part) && part['sum'] === sumOfPart(place, part, stamps);
      if (!isSound) lost.push(place);
      return isSound;
    });
  const tables = partsIn(state['tables'])
    .filter(isRecord)
    .map((table) => {
      const key = String(table['key']);
      return {
        key,
        'versionBy': table['versionBy'],
        'rows': keep(rowsOf(key), table['rows']),
        'lists': keep(listsOf(key), table['lists']),
      };
    });
  const lostBefore = lost.length;
  const slots = keep(ANSWERS, state['slots']);
  if (state['sum'] !== sumOfFrame(state)) lost.push('the frame');
  return { tables, slots, stamps, lost, lacksResponses: lost.length > lostBefore };
}
