// Stored forms as JSON and back: references by table and key, and everything JSON has no word for (dates, big integers,
// Infinity, undefined, maps, sets, errors) as a small tagged object. Decoding is total: whatever it is given, it gives a value.
import { InlineEntity, Parsed } from '../schema/protocol/stored-forms.ts';
import { isObject, putField } from '../support/plain.ts';
import { List, Row } from '../store/nodes.ts';
import { NamedMember, TaggedReference } from '../store/stored-form.ts';
import { decodeError, encodeError } from './error-json.ts';

/** Marks an object that stands for something else. */
const TAG = '$';
/** The key of a reference's table in a saved state: the build shortens members of that name, and no text. */
const TABLE = 'table';
/** How deep a value may be: far beyond any real one, and far above what the platform's stack bears. */
const DEEPEST = 1_000;

type Members = Record<string, unknown>;

/** How references are looked up when a state is read. */
export interface References {
  row(table: unknown, pk: unknown): Row | undefined;
  list(table: unknown, id: unknown): List | undefined;
}

/** Throws a RangeError for a value that is too deep, or has no JSON form. */
export function encode(value: unknown, depth: number = 0): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { [TAG]: 'number', text: numberText(value) };
    case 'bigint':
      return { [TAG]: 'bigint', text: String(value) };
    case 'object':
      return value === null ? null : encodeObject(value, depth + 1);
    default:
      return { [TAG]: 'undefined' };
  }
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function encodeObject(value: object, depth: number): unknown {
  if (depth > DEEPEST) throw new RangeError(`deeper than ${DEEPEST}`);
  if (Array.isArray(value)) return value.map((item) => encode(item, depth));
  if (value instanceof Row) {
    const row = value.forward ?? value;
    return { [TAG]: 'row', [TABLE]: row.table.key, pk: row.pk };
  }
  if (value instanceof List) return { [TAG]: 'list', [TABLE]: value.table.key, id: value.identity.id };
  if (value instanceof TaggedReference)
    return { [TAG]: 'tagged', tag: value.mark, of: encode(value.inside, depth) };
  if (value instanceof NamedMember)
    return { [TAG]: 'named', name: value.mark, of: encode(value.inside, depth) };
  // the wire form: the reader of the state parses it
  if (value instanceof Parsed) return encode(value.inside, depth);
  if (value instanceof InlineEntity) return { [TAG]: 'inline', of: encodeMembers(value.inside, depth) };
  if (value instanceof Date) return { [TAG]: 'date', text: numberText(value.getTime()) };
  if (value instanceof Map) return { [TAG]: 'map', of: [...value].map((pair) => encode(pair, depth)) };
  if (value instanceof Set) return { [TAG]: 'set', of: [...value].map((item) => encode(item, depth)) };
  if (value instanceof Error) return { [TAG]: 'error', ...encodeError(value) };
  if (isOpaque(value)) throw new RangeError('no JSON form');
  const members = encodeMembers(value, depth);
  return Object.hasOwn(value, TAG) ? { [TAG]: 'object', of: members } : members;
}

/** A Blob, a buffer, a stream: an object of a class whose content is not in its own properties. */
function isOpaque(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  return !isPlain && (ArrayBuffer.isView(value) || (Object.keys(value).length === 0 && !('toJSON' in value)));
}

function encodeMembers(value: object, depth: number): Members {
  const members: Members = {};
  for (const [name, member] of Object.entries(value)) putField(members, name, encode(member, depth));
  return members;
}

export function decode(value: unknown, references: References, depth: number = 0): unknown {
  if (!isObject(value)) return value;
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return value.map((item) => decode(item, references, depth + 1));
  const from = value as Members; // cast: an object
  return Object.hasOwn(from, TAG)
    ? decodeTagged(from, references, depth + 1)
    : decodeMembers(from, references, depth);
}

export function decodeMembers(value: unknown, references: References, depth: number = 0): Members {
  const members: Members = {};
  if (!isObject(value)) return members;
  for (const [name, member] of Object.entries(value))
    putField(members, name, decode(member, references, depth + 1));
  return members;
}

function decodeList(value: unknown, references: References, depth: number): unknown[] {
  return Array.isArray(value) ? value.map((item) => decode(item, references, depth)) : [];
}

function decodeTagged(from: Members, references: References, depth: number): unknown {
  switch (from[TAG]) {
    case 'number':
      return Number(from['text']);
    case 'bigint':
      return /^-?\d+$/.test(String(from['text'])) ? BigInt(String(from['text'])) : undefined;
    case 'date':
      return new Date(Number(from['text']));
    case 'row':
      return references.row(from[TABLE], from['pk']);
    case 'list':
      return references.list(from[TABLE], from['id']);
    case 'tagged':
      return new TaggedReference(decode(from['of'], references, depth), String(from['tag']));
    case 'named':
      return new NamedMember(decode(from['of'], references, depth), String(from['name']));
    case 'inline':
      return new InlineEntity(decodeMembers(from['of'], references, depth), null);
    case 'map':
      return new Map(
        decodeList(from['of'], references, depth).map((pair) =>
          Array.isArray(pair) ? [pair[0], pair[1]] : [pair, undefined],
        ),
      );
    case 'set':
      return new Set(decodeList(from['of'], references, depth));
    case 'error':
      return decodeError(from);
    case 'object':
      return decodeMembers(from['of'], references, depth);
    default:
      return undefined;
  }
}
