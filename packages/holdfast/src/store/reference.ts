// References inside records and lists: a Row stands for itself; these two carry a word more. Private classes, so that a
// payload's own field names can never be mistaken for one.
import { Wrapped } from './fields.ts';
import { Row } from './nodes.ts';

/** A reference through a mapping of schemas: the row, marked with the entry that was chosen when it was written. */
export class TaggedReference extends Wrapped<unknown, string> {
  override toPlain(): unknown {
    return { id: this.inside, schema: this.mark };
  }
}

/** A member of a keyed list (`schema.Values` under a Collection), marked with its name. */
export class NamedMember extends Wrapped<unknown, string> {}

/** The row a list's member stands for, if it stands for one. */
export function rowOf(member: unknown): Row | undefined {
  if (member instanceof Row) return member.forward ?? member;
  return member instanceof Wrapped ? rowOf(member.inside) : undefined;
}
