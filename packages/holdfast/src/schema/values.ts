// `schema.Values`: unbounded maps with string keys, of one schema or of several told apart by an attribute.
import { putField } from '../store/fields.ts';
import { nameOf } from '../support/errors.ts';
import { ItemsSchema } from './polymorphic.ts';
import type { AttributeFor, ItemOf } from './polymorphic.ts';
import { INVALID, ReadFrame, UNKNOWN, WriteFrame } from './protocol.ts';
import type { Kind, ReadContext, WriteContext } from './protocol.ts';
import type { ARGS, Denormalize, Normalize, OUT, OUT_NULLABLE, STORED } from './schema.types.ts';

/**
 * Normalizes a map with string keys. Members that are missing or deleted are left out when it is read.
 *
 * @example
 * const rates = new schema.Values(ExchangeRate); // { EUR: {...}, GBP: {...} }
 */
export class Values<S> extends ItemsSchema<S> {
  declare readonly [OUT]: Record<string, Denormalize<ItemOf<S>>>;
  declare readonly [OUT_NULLABLE]: Record<string, Denormalize<ItemOf<S>>> | undefined;
  declare readonly [STORED]: Record<string, Normalize<ItemOf<S>>>;
  declare readonly [ARGS]: never;

  constructor(definition: S, ...attribute: AttributeFor<S>) {
    super('schema.Values', definition, attribute, (item) => new ValuesKind(item));
  }
}

export class ValuesKind implements Kind {
  readonly item: () => Kind;

  constructor(item: () => Kind) {
    this.item = item;
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    return new ValuesWrite(this.item(), membersOf(value, at));
  }

  open(stored: unknown, _at: ReadContext): unknown {
    if (typeof stored !== 'object' || stored === null) return stored;
    return new ValuesRead(this.item(), stored as Record<string, unknown>); // cast: an object, checked above
  }

  query(): unknown {
    return UNKNOWN;
  }
}

export function membersOf(value: unknown, at: WriteContext): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>; // cast: checked
  return at.fail('WRONG_SHAPE', { expected: 'an object', found: nameOf(value) });
}

/** Writes the members; each sees the map as its parent and its own name as the key. */
export class ValuesWrite extends WriteFrame {
  readonly size: number;
  protected readonly names: readonly string[];
  protected readonly stored: Record<string, unknown> = {};
  readonly #item: Kind;
  readonly #input: Record<string, unknown>;

  constructor(item: Kind, input: Record<string, unknown>) {
    super();
    this.#item = item;
    this.#input = input;
    this.names = Object.keys(input).filter((name) => input[name] !== undefined && input[name] !== null);
    this.size = this.names.length;
  }

  next(at: WriteContext): unknown {
    const name = this.names[this.index]!; // index < size
    at.parent = this.#input;
    at.key = name;
    at.existing = undefined;
    return this.#item.enter(this.#input[name], at);
  }

  accept(stored: unknown): void {
    putField(this.stored, this.names[this.index]!, stored); // index < size
  }

  finish(_at: WriteContext): unknown {
    return this.stored;
  }

  step(): string {
    return `.${this.names[this.index]}`;
  }
}

export class ValuesRead extends ReadFrame {
  readonly size: number;
  readonly #item: Kind;
  readonly #names: readonly string[];
  readonly #stored: Record<string, unknown>;
  readonly #value: Record<string, unknown> = {};

  constructor(item: Kind, stored: Record<string, unknown>) {
    super();
    this.#item = item;
    this.#stored = stored;
    this.#names = Object.keys(stored);
    this.size = this.#names.length;
  }

  next(at: ReadContext): unknown {
    return this.#item.open(this.#stored[this.#names[this.index]!], at); // index < size
  }

  accept(value: unknown): void {
    if (value !== undefined && value !== INVALID) putField(this.#value, this.#names[this.index]!, value); // index < size
  }

  finish(): unknown {
    return this.#value;
  }
}
