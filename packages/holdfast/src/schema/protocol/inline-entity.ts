// An object with no key of its own: it stays where it stood and reads back as an instance.
import { isEqual } from '../../store/fields.ts';
import type { Fields } from '../../store/nodes.ts';

export class InlineEntity {
  readonly fields: Fields;

  constructor(fields: Fields) {
    this.fields = fields;
  }

  isSame(other: unknown): boolean {
    return other instanceof InlineEntity && isEqual(other.fields, this.fields);
  }
}
