// A stored form is a row, a list, an instance of `Wrapped`, which wraps another stored form, or other data, in which stored forms
// may be nested. This file also makes the plain form of a stored form, which users' hooks get.
import { changePlain, putField } from '../support/plain.ts';
import { isRowOrList, Row } from './nodes.ts';
import type { Fields } from './nodes.ts';

/**
 * A stored form around another stored form, for example a reference with a tag, a member with a name, a parsed field or an entity
 * without a key. The classes are the library's own, so that no payload can be mistaken for an instance.
 */
export class Wrapped<Inside = unknown, Qualifier = unknown> {
  readonly inside: Inside;
  /** What the class keeps besides `inside`, such as the tag or the name of the member. */
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
 * A value of a schema that maps tags to schemas (`Union` and the like): its stored form, which is usually a row, with the tag of
 * its schema.
 */
export class TaggedReference extends Wrapped<unknown, string> {
  override storedToPlain(): unknown {
    return { id: this.inside, schema: this.qualifier };
  }
}

/** A member of a keyed list (`schema.Values` under a Collection), with its name. */
export class NamedMember extends Wrapped<unknown, string> {}

/** The name of the member in a map; undefined for a member of an array. */
export function nameOfMember(member: unknown): string | undefined {
  return member instanceof NamedMember ? member.qualifier : undefined;
}

/** The row that a list's member refers to; undefined if it refers to no row. */
export function rowOf(member: unknown): Row | undefined {
  if (member instanceof Row) return member.replacedBy ?? member;
  return member instanceof Wrapped ? rowOf(member.inside) : undefined;
}

/**
 * Makes the plain form: rows and lists become their ids, tagged references become `{ id, schema }`, and any other wrapped form
 * becomes what it wraps, such as the wire form of a parsed field. Plain data stays the same object.
 */
export function toPlain(stored: unknown): unknown {
  return changePlain(stored, (leaf) => {
    if (isRowOrList(leaf)) return String(leaf);
    return leaf instanceof Wrapped ? leaf.storedToPlain() : leaf;
  });
}

export function plainFields(fields: Fields): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) putField(plain, name, toPlain(value));
  return plain;
}
