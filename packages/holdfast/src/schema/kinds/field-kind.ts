// The kinds of values that contain no entities. FieldKind parses the wire form by a function or constructor (Date, BigNumber,
// Temporal.Instant.from), usually when a changed wire form is written. PlainKind stores a value unchanged, and may have a default.
import { isEqual } from '../../store/fields.ts';
import { copyPlain, isObject } from '../../support/plain.ts';
import { ValidationError } from '../../support/errors.ts';
import { Parsed } from '../protocol/stored-forms.ts';
import type { HasQuery, Kind, ReadContext, WriteContext } from '../protocol/protocol.ts';
import { INVALID } from '../protocol/protocol.ts';

type Parser = (value: never) => unknown;

export class FieldKind implements Kind {
  readonly #parser: Parser;
  readonly #isConstructor: boolean;

  constructor(parser: Parser) {
    this.#parser = parser;
    this.#isConstructor = isConstructor(parser);
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    const { existing } = at;
    if (existing instanceof Parsed && existing.qualifier === this && isEqual(existing.inside, value))
      return existing;
    try {
      const raw = at.isOwned ? value : copyPlain(value);
      return new Parsed(raw, this.#parse(raw), this);
    } catch (error) {
      if (error instanceof ValidationError) throw error;
      const reason = error instanceof Error ? error.message : 'no Error';
      return at.fail('FIELD_PARSER_THREW', { reason }, { cause: error });
    }
  }

  open(stored: unknown): unknown {
    if (stored === null || stored === undefined) return stored;
    if (stored instanceof Parsed && stored.qualifier === this) return stored.value;
    // The field came with a saved state, or was written by a class with the same key that parses the field differently or not at
    // all.
    try {
      return this.#parse(stored instanceof Parsed ? stored.inside : stored);
    } catch {
      return INVALID;
    }
  }

  #parse(value: unknown): unknown {
    // cast: `#isConstructor` tells whether it is called or constructed
    const Parse = this.#parser as (new (value: unknown) => unknown) & ((value: unknown) => unknown);
    if (!this.#isConstructor) return Parse(value);
    return value instanceof Parse ? value : new Parse(value);
  }
}

const CONVERSIONS: readonly unknown[] = [Number, String, Boolean, BigInt, Symbol];

/**
 * True for classes, built-in constructors and functions with methods in their `prototype`, which are called with `new`. False for
 * conversions, arrows, methods and other functions.
 */
function isConstructor(parser: Parser): boolean {
  if (CONVERSIONS.includes(parser)) return false;
  const prototype: unknown = (parser as { prototype?: unknown }).prototype; // cast: arrows have none
  if (!isObject(prototype)) return false;
  return Reflect.ownKeys(prototype).length > 1 || /^class\b/.test(Function.prototype.toString.call(parser));
}

/**
 * The kind of a property whose schema is a literal. A literal other than null, such as `''`, is the value that readers get while
 * the property is absent. An endpoint without a schema has this kind too.
 */
export class PlainKind implements Kind, HasQuery {
  readonly fallback: unknown;

  constructor(fallback: unknown) {
    this.fallback = fallback;
  }

  enter(value: unknown, at: WriteContext): unknown {
    return at.isOwned ? value : copyPlain(value);
  }

  open(stored: unknown, _at?: ReadContext): unknown {
    return stored === undefined && this.fallback !== null ? this.fallback : stored;
  }

  /** Returns the default, so that an object around a list can be read by the list's arguments alone. */
  query(): unknown {
    return this.fallback;
  }
}
