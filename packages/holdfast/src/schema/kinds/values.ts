// `schema.Values`: a map with arbitrary string keys, of one schema or of several that an attribute distinguishes.
import { enterValues, mapForm, requireEntries, openValues } from './map-form.ts';
import { ItemsSchema } from './polymorphic.ts';
import type { AttributeFor, ItemOf } from './polymorphic.ts';
import type { FormFiller, Kind, ListForm, ReadContext, WriteContext } from '../protocol/protocol.ts';
import type {
  ARGS,
  Denormalize,
  LISTED,
  Normalize,
  OUT,
  OUT_MAYBE,
  STORED,
} from '../protocol/schema.types.ts';
import { isObject } from '../../support/plain.ts';

/**
 * Normalizes a map with string keys. Readers get a map without the entries whose entity is missing or deleted.
 *
 * @example
 * const byName = new schema.Values(User); // { ada: {...}, bob: {...} }
 */
export class Values<S> extends ItemsSchema<S> {
  declare readonly [OUT]: Record<string, Denormalize<ItemOf<S>>>;
  declare readonly [OUT_MAYBE]: Record<string, Denormalize<ItemOf<S>>> | undefined;
  declare readonly [STORED]: Record<string, Normalize<ItemOf<S>>>;
  declare readonly [ARGS]: never;
  declare readonly [LISTED]: true;

  constructor(definition: S, ...attribute: AttributeFor<S>) {
    super('schema.Values', definition, attribute, (item) => new ValuesKind(item));
  }
}

class ValuesKind implements Kind, FormFiller {
  readonly form: ListForm = mapForm;
  readonly item: () => Kind;

  constructor(item: () => Kind) {
    this.item = item;
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    const stored = {};
    at.fill(this, requireEntries(value, at), stored);
    return stored;
  }

  fill(members: Record<string, unknown>, stored: Record<string, unknown>, at: WriteContext): void {
    enterValues(this.item(), members, at, stored);
  }

  open(stored: unknown, at: ReadContext): unknown {
    if (!isObject(stored)) return stored;
    return openValues(this.item(), stored as Record<string, unknown>, at); // cast: an object, checked above
  }
}
