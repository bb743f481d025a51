// A stored form is plain data, a row, a list, or an instance of a class below, which wraps another stored form. This file also
// makes the plain form of a stored form, which users' own hooks get.
import { changePlain, putField } from '../support/plain.ts';
import { isNode, Row } from './nodes.ts';
import type { Fields } from './nodes.ts';

/**
 * A stored form around another one, for example a reference with a tag, a member with a name, a parsed field or an entity without a
 * key. The classes are the library's own, so that no payload can be mistaken for an instance.
 */
export class Wrapped<Inside = unknown, Qualifier = unknown> {
  /** The stored form inside. */
  readonly inside: Inside;
  /** Distinguishes two instances of one class with the same `inside`. */
  readonly qualifier: Qualifier;

  constructor(inside: Inside, qualifier: Qualifier) {
    this.inside = inside;
    this.qualifier = qualifier;
  }

  /** The form that users' hooks get; it may still contain stored forms. */
  storedToPlain(): unknown {
    return this.inside;
  }
}

/**
 * A reference through a mapping of schemas: the row, marked with the entry of the mapping that was chosen when it was written.
 */
export class TaggedReference extends Wrapped<unknown, string> {
  override storedToPlain(): unknown {
    return { id: this.inside, schema: this.qualifier };
  }
}

/** A member of a keyed list (`schema.Values` under a Collection), marked with its name. */
export class NamedMember extends Wrapped<unknown, string> {}

/** The name of a map's member; undefined for any other member. */
export function nameOfMember(member: unknown): string | undefined {
  return member instanceof NamedMember ? member.qualifier : undefined;
}

/** The row that a list's member refers to; undefined when it refers to none. */
export function rowOf(member: unknown): Row | undefined {
  if (member instanceof Row) return member.replacedBy ?? member;
  return member instanceof Wrapped ? rowOf(member.inside) : undefined;
}

/**
 * Rows and lists become their ids, parsed fields their wire form, tagged references `{ id, schema }`; plain data stays the same
 * object.
 */
export function toPlain(stored: unknown): unknown {
  return changePlain(stored, (leaf) => {
    if (isNode(leaf)) return String(leaf);
    return leaf instanceof Wrapped ? leaf.storedToPlain() : leaf;
  });
}

/** The plain forms of all fields. */
export function plainFields(fields: Fields): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) putField(plain, name, toPlain(fields[name]));
  return plain;
}
