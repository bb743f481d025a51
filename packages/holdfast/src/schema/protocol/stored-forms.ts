// Stored forms of values that have no row: a parsed value, and an entity without a primary key. They are classes, so that no object
// of a payload can be mistaken for an instance.
import { Wrapped } from '../../store/stored-form.ts';
import type { Fields } from '../../store/nodes.ts';

/**
 * A parsed field. `inside` is the wire form, which is compared and saved. `value` is the value that readers get. `qualifier` is the
 * kind that parsed the field, because classes that share a key may parse the field differently.
 */
export class Parsed extends Wrapped {
  readonly value: unknown;

  constructor(raw: unknown, value: unknown, parser: unknown) {
    super(raw, parser);
    this.value = value;
  }
}

/** An entity without a primary key: it is stored inside its parent, and read as an instance of its class. */
export class InlineEntity extends Wrapped<Fields> {}
