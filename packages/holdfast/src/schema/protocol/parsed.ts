// A parsed field as it is stored: the wire form is what is compared, saved and filtered by; the value is what is read.
import { isEqual } from '../../store/fields.ts';

export class Parsed {
  readonly raw: unknown;
  readonly value: unknown;
  /** Who parsed it: classes that share a key may read one field as different types. */
  readonly parser: unknown;

  constructor(raw: unknown, value: unknown, parser: unknown) {
    this.raw = raw;
    this.value = value;
    this.parser = parser;
  }

  isSame(other: unknown): boolean {
    return other instanceof Parsed && other.parser === this.parser && isEqual(other.raw, this.raw);
  }
}
