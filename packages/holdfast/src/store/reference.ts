// References inside records and lists: a Row stands for itself; these two carry a word more. Immutable, compared by
// content, and private shapes, so that a payload's own field names can never be mistaken for one.
import { Row } from './nodes.ts';

/** A reference through a mapping of schemas: the row and the entry that was chosen when it was written. */
export class TaggedReference {
  readonly row: unknown;
  readonly tag: string;

  constructor(row: unknown, tag: string) {
    this.row = row;
    this.tag = tag;
  }

  isSame(other: unknown): boolean {
    return other instanceof TaggedReference && other.row === this.row && other.tag === this.tag;
  }
}

/** A member of a keyed list: `schema.Values` under a Collection. */
export class NamedMember {
  readonly name: string;
  readonly member: unknown;

  constructor(name: string, member: unknown) {
    this.name = name;
    this.member = member;
  }

  isSame(other: unknown): boolean {
    return (
      other instanceof NamedMember && other.name === this.name && isSameMember(other.member, this.member)
    );
  }
}

/** The row a list's member stands for, if it stands for one. */
export function rowOf(member: unknown): Row | undefined {
  if (member instanceof Row) return member.forward ?? member;
  if (member instanceof TaggedReference) return rowOf(member.row);
  return member instanceof NamedMember ? rowOf(member.member) : undefined;
}

export function isSameMember(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (left instanceof TaggedReference || left instanceof NamedMember) return left.isSame(right);
  return false;
}
