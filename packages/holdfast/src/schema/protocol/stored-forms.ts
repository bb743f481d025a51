// Stored forms that kinds make beside references: a parsed field, and an entity that has no key. Private classes, so that a
// payload's own members are never mistaken for one.
import { Wrapped } from '../../store/stored-form.ts';
import type { Fields } from '../../store/nodes.ts';

/**
 * A parsed field: the wire form inside is what is compared, saved and filtered by; the value is what is read. Marked with
 * its parser: classes that share a key may read one field as different types.
 */
export class Parsed extends Wrapped {
  readonly value: unknown;

  constructor(raw: unknown, value: unknown, parser: unknown) {
    super(raw, parser);
    this.value = value;
  }
}

/** An object with no key of its own: it stays where it stood and reads back as an instance. */
export class InlineEntity extends Wrapped<Fields> {}
