// A parsed field as it is stored: the wire form is what is compared, saved and filtered by; the value is what is read.
import { Wrapped } from '../../store/fields.ts';

/** Marked with who parsed it: classes that share a key may read one field as different types. */
export class Parsed extends Wrapped {
  readonly value: unknown;

  constructor(raw: unknown, value: unknown, parser: unknown) {
    super(raw, parser);
    this.value = value;
  }
}
