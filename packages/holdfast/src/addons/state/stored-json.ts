// Converts stored forms to JSON and back. References become table and key; values that JSON lacks (dates, bigints, NaN, Infinity,
// -0, undefined, maps, sets, errors) become small tagged objects. Decoding does not throw: an unknown tagged object becomes
// undefined.
import { InlineEntity, Parsed } from '../../schema/protocol/stored-forms.ts';
import { isObject, putField } from '../../support/plain.ts';
import { List, Row } from '../../store/nodes.ts';
import { NamedMember, TaggedReference } from '../../store/stored-form.ts';
import { ensure } from '../../support/ensure.ts';
import { decodeError, encodeError } from './error-json.ts';

/**
 * The property that marks a tagged object. Its value names the type of the value that the object represents, such as 'row' or
 * 'date'.
 */
const STORED_TAG = '$';
/**
 * The property for the table of a reference. It is a string, because the build shortens the names of properties but not strings.
 */
const TABLE = 'table';
/** Values nested deeper than this are written to a flat array, because JSON.stringify and structured clone may recurse. */
const LEVELS_IN_PLACE = 100;

type EncodedObject = Record<string, unknown>;

/** A value that is written to the flat array, because it is nested too deep or occurs in several places. */
interface EncodedPart {
  readonly value: object;
  /** The reference that is written in place of the value; `at` is the index in the flat array. */
  readonly reference: { readonly [STORED_TAG]: 'part'; at: number };
  /** The parts to which this part refers, once for each reference. */
  readonly innerParts: EncodedPart[];
  /** The number of references to this part from values that `encodeParts` has not sorted yet. */
  referenceCount: number;
  encoded?: unknown;
}

/** Finds the rows and lists of references when a saved state is read. */
export interface References {
  row(table: unknown, pk: unknown): Row | undefined;
  list(table: unknown, id: unknown): List | undefined;
}

/**
 * Converts a stored form to JSON. Throws a RangeError for a value without a JSON form, such as a Blob, and for plain data that
 * contains itself.
 */
export function encode(value: unknown): unknown {
  const encoder = new Encoder();
  const whole = encoder.encode(value, 0);
  const parts = encoder.encodeParts();
  return parts.length === 0 ? whole : { [STORED_TAG]: 'deep', of: whole, 'below': parts };
}

class Encoder {
  readonly #seen = new Set<object>();
  readonly #parts = new Map<object, EncodedPart>();
  /** The parts inside the value that is being encoded. */
  #inner: EncodedPart[] = [];

  /** The encoded parts, sorted so that each part follows all parts that contain it. Throws if the parts form a cycle. */
  encodeParts(): unknown[] {
    const outermost = this.#inner;
    // The map grows during the loop.
    for (const part of this.#parts.values()) {
      this.#inner = part.innerParts;
      part.encoded = this.encode(part.value, 0);
    }
    const sorted: unknown[] = [];
    const free = outermost.filter((part) => (part.referenceCount -= 1) === 0);
    // The array grows during the loop.
    for (const part of free) {
      part.reference.at = sorted.push(part.encoded) - 1;
      for (const inner of part.innerParts) if ((inner.referenceCount -= 1) === 0) free.push(inner);
    }
    if (sorted.length < this.#parts.size) throw new RangeError('contains itself');
    return sorted;
  }

  encode(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0)
          ? value
          : { [STORED_TAG]: 'number', text: numberText(value) };
      case 'bigint':
        return { [STORED_TAG]: 'bigint', text: String(value) };
      case 'object':
        return value === null ? null : this.#encodeObject(value, depth);
      default:
        return { [STORED_TAG]: 'undefined' };
    }
  }

  #encodeObject(value: object, depth: number): unknown {
    if (value instanceof Row) {
      const row = value.replacedBy ?? value;
      return { [STORED_TAG]: 'row', [TABLE]: row.table.key, pk: row.pk };
    }
    if (value instanceof List)
      return { [STORED_TAG]: 'list', [TABLE]: value.table.key, id: value.identity.id };
    if (depth > 0 && (depth >= LEVELS_IN_PLACE || this.#seen.has(value))) return this.#addPart(value);
    this.#seen.add(value);
    const inner = (member: unknown): unknown => this.encode(member, depth + 1);
    if (Array.isArray(value)) return value.map(inner);
    if (value instanceof TaggedReference)
      return { [STORED_TAG]: 'tagged', tag: value.qualifier, of: inner(value.inside) };
    if (value instanceof NamedMember)
      return { [STORED_TAG]: 'named', name: value.qualifier, of: inner(value.inside) };
    // Only the wire form is saved. It is parsed again when the field is read.
    if (value instanceof Parsed) return inner(value.inside);
    if (value instanceof InlineEntity)
      return { [STORED_TAG]: 'inline', of: this.#encodeMembers(value.inside, depth) };
    if (value instanceof Date) return { [STORED_TAG]: 'date', text: numberText(value.getTime()) };
    if (value instanceof Map) return { [STORED_TAG]: 'map', of: [...value].map(inner) };
    if (value instanceof Set) return { [STORED_TAG]: 'set', of: [...value].map(inner) };
    if (value instanceof Error) return { [STORED_TAG]: 'error', ...encodeError(value) };
    if (isOpaque(value)) throw new RangeError('no JSON form');
    const members = this.#encodeMembers(value, depth);
    return Object.hasOwn(value, STORED_TAG) ? { [STORED_TAG]: 'object', of: members } : members;
  }

  #encodeMembers(value: object, depth: number): EncodedObject {
    const members: EncodedObject = {};
    for (const [name, member] of Object.entries(value))
      putField(members, name, this.encode(member, depth + 1));
    return members;
  }

  /** Registers a value as a part, which `encodeParts` will write to the flat array. Returns the reference to the part. */
  #addPart(value: object): EncodedPart['reference'] {
    const part = ensure(this.#parts, value, (): EncodedPart => ({
      value,
      reference: { [STORED_TAG]: 'part', at: 0 },
      innerParts: [],
      referenceCount: 0,
    }));
    part.referenceCount += 1;
    this.#inner.push(part);
    return part.reference;
  }
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** True for objects whose content is not in their own properties: a Blob, a typed array, a stream. */
function isOpaque(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  return !isPlain && (ArrayBuffer.isView(value) || (Object.keys(value).length === 0 && !('toJSON' in value)));
}

export function decode(value: unknown, references: References): unknown {
  return decodeIn(value, { references, parts: [] });
}

/** The input of decoding besides the value: the finder of rows and lists, and the decoded parts of the flat array. */
interface DecodeContext {
  readonly references: References;
  readonly parts: readonly unknown[];
}

function decodeIn(value: unknown, at: DecodeContext): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map((item) => decodeIn(item, at));
  const from = value as EncodedObject; // cast: an object, no array
  return Object.hasOwn(from, STORED_TAG) ? decodeTagged(from, at) : decodeMembers(from, at);
}

function decodeMembers(value: unknown, at: DecodeContext): EncodedObject {
  const members: EncodedObject = {};
  if (!isObject(value)) return members;
  for (const [name, member] of Object.entries(value)) putField(members, name, decodeIn(member, at));
  return members;
}

function decodeList(value: unknown, at: DecodeContext): unknown[] {
  return Array.isArray(value) ? value.map((item) => decodeIn(item, at)) : [];
}

/** Decodes the flat array from its end, because a part contains only later parts. Then decodes the whole value. */
function decodeDeep(from: EncodedObject, { references }: DecodeContext): unknown {
  const encoded: readonly unknown[] = Array.isArray(from['below']) ? from['below'] : [];
  const parts: unknown[] = [];
  for (let index = encoded.length - 1; index >= 0; index -= 1)
    parts[index] = decodeIn(encoded[index], { references, parts });
  return decodeIn(from['of'], { references, parts });
}

function decodeTagged(from: EncodedObject, at: DecodeContext): unknown {
  const { references } = at;
  switch (from[STORED_TAG]) {
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
      return new TaggedReference(decodeIn(from['of'], at), String(from['tag']));
    case 'named':
      return new NamedMember(decodeIn(from['of'], at), String(from['name']));
    case 'inline':
      return new InlineEntity(decodeMembers(from['of'], at), null);
    case 'map':
      return new Map(
        decodeList(from['of'], at).map((pair) =>
          Array.isArray(pair) ? [pair[0], pair[1]] : [pair, undefined],
        ),
      );
    case 'set':
      return new Set(decodeList(from['of'], at));
    case 'error':
      return decodeError(from);
    case 'object':
      return decodeMembers(from['of'], at);
    case 'deep':
      return decodeDeep(from, at);
    case 'part':
      return at.parts[Number(from['at'])];
    default:
      return undefined;
  }
}
