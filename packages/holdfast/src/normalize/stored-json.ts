// Stored forms as JSON and back: references by table and key, and everything JSON has no word for (dates, big integers,
// Infinity, undefined, errors) as a small tagged object. Decoding is total: whatever it is given, it gives a value.
import { InlineEntity } from '../schema/inline-entity.ts';
import { Parsed } from '../schema/parsed.ts';
import { putField } from '../store/fields.ts';
import { List, Row } from '../store/nodes.ts';
import { NamedMember, TaggedReference } from '../store/reference.ts';
import { decodeError, encodeError } from './error-json.ts';

/** Marks an object that stands for something else. */
const TAG = '$';

type Members = Record<string, unknown>;

/** How references are looked up when a state is read. */
export interface References {
  row(table: unknown, pk: unknown): Row | undefined;
  list(table: unknown, id: unknown): List | undefined;
}

export function encode(value: unknown): unknown {
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
      return value === null ? null : encodeObject(value);
    default:
      return { [TAG]: 'undefined' };
  }
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function encodeObject(value: object): unknown {
  if (Array.isArray(value)) return value.map(encode);
  if (value instanceof Row) {
    const row = value.forward ?? value;
    return { [TAG]: 'row', table: row.table.key, pk: row.pk };
  }
  if (value instanceof List) return { [TAG]: 'list', table: value.table.key, id: value.identity.id };
  if (value instanceof TaggedReference) return { [TAG]: 'tagged', tag: value.tag, of: encode(value.row) };
  if (value instanceof NamedMember) return { [TAG]: 'named', name: value.name, of: encode(value.member) };
  // the wire form: whoever reads it parses it
  if (value instanceof Parsed) return encode(value.raw);
  if (value instanceof InlineEntity) return { [TAG]: 'inline', of: encodeMembers(value.fields) };
  if (value instanceof Date) return { [TAG]: 'date', text: numberText(value.getTime()) };
  if (value instanceof Error) return { [TAG]: 'error', ...encodeError(value) };
  const members = encodeMembers(value);
  return Object.hasOwn(value, TAG) ? { [TAG]: 'object', of: members } : members;
}

function encodeMembers(value: object): Members {
  const members: Members = {};
  for (const [name, member] of Object.entries(value)) putField(members, name, encode(member));
  return members;
}

export function decode(value: unknown, references: References): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => decode(item, references));
  const from = value as Members; // cast: an object
  return Object.hasOwn(from, TAG) ? decodeTagged(from, references) : decodeMembers(from, references);
}

export function decodeMembers(value: unknown, references: References): Members {
  const members: Members = {};
  if (typeof value !== 'object' || value === null) return members;
  for (const [name, member] of Object.entries(value)) putField(members, name, decode(member, references));
  return members;
}

function decodeTagged(from: Members, references: References): unknown {
  switch (from[TAG]) {
    case 'number':
      return Number(from['text']);
    case 'bigint':
      return /^-?\d+$/.test(String(from['text'])) ? BigInt(String(from['text'])) : undefined;
    case 'date':
      return new Date(Number(from['text']));
    case 'row':
      return references.row(from['table'], from['pk']);
    case 'list':
      return references.list(from['table'], from['id']);
    case 'tagged':
      return new TaggedReference(decode(from['of'], references), String(from['tag']));
    case 'named':
      return new NamedMember(String(from['name']), decode(from['of'], references));
    case 'inline':
      return new InlineEntity(decodeMembers(from['of'], references));
    case 'error':
      return decodeError(from);
    case 'object':
      return decodeMembers(from['of'], references);
    default:
      return undefined;
  }
}
