// What stands for something else inside records and lists: a Row for itself, the classes below with a word more. And the
// plain form of all of them, which is what users' own hooks see.
import { changePlain, putField } from '../support/plain.ts';
import { isNode, Row } from './nodes.ts';
import type { Fields } from './nodes.ts';

/**
 * A stored form around another one: a reference with a tag, a member with a name, a parsed field, an entity without a key.
 * Rows and lists stand for themselves, and all else that is stored is plain data. Classes of the library's own: no payload
 * can be mistaken for one.
 */
export class Wrapped<Inside = unknown, Mark = unknown> {
  /** The stored form inside. */
  readonly inside: Inside;
  /** What tells two of one class with the same content apart. */
  readonly mark: Mark;

  constructor(inside: Inside, mark: Mark) {
    this.inside = inside;
    this.mark = mark;
  }

  /** What users' hooks see, with stored forms still inside. */
  storedToPlain(): unknown {
    return this.inside;
  }
}

/** A reference through a mapping of schemas: the row, marked with the entry that was chosen when it was written. */
export class TaggedReference extends Wrapped<unknown, string> {
  override storedToPlain(): unknown {
    return { id: this.inside, schema: this.mark };
  }
}

/** A member of a keyed list (`schema.Values` under a Collection), marked with its name. */
export class NamedMember extends Wrapped<unknown, string> {}

/** The name of a member of a map; undefined for any other member. */
export function nameIn(member: unknown): string | undefined {
  return member instanceof NamedMember ? member.mark : undefined;
}

/** The row a list's member stands for, if it stands for one. */
export function rowOf(member: unknown): Row | undefined {
  if (member instanceof Row) return member.forward ?? member;
  return member instanceof Wrapped ? rowOf(member.inside) : undefined;
}

/** Entities are their ids, parsed fields their wire form, tagged references `{ id, schema }`; plain data is the same object. */
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
