// `schema.Invalidate`: a payload that says what was deleted, as objects or plain ids, one or many.
import type { Row } from '../store/nodes.ts';
import { openItems } from './array-kind.ts';
import { ItemsSchema } from './polymorphic.ts';
import type { AttributeFor, ItemOf } from './polymorphic.ts';
import { UNKNOWN } from './protocol.ts';
import type { Kind, ReadContext, TableOwner, WriteContext } from './protocol.ts';
import type { ARGS, Denormalize, OUT, OUT_NULLABLE, STORED } from './schema.types.ts';

/**
 * Removes the entities a response names. They leave every list, and no answer sent before brings them back.
 *
 * @example
 * const deleteUsers = new RestEndpoint({ path: '/users', method: 'DELETE', schema: new schema.Invalidate(User) });
 */
export class Invalidate<S> extends ItemsSchema<S> {
  declare readonly [OUT]: Denormalize<ItemOf<S>>;
  declare readonly [OUT_NULLABLE]: Denormalize<ItemOf<S>> | undefined;
  declare readonly [STORED]: string;
  declare readonly [ARGS]: never;

  constructor(definition: S, ...attribute: AttributeFor<S>) {
    super('schema.Invalidate', definition, attribute, (item) => new InvalidateKind(item));
  }
}

class InvalidateKind implements Kind {
  readonly #item: () => Kind;

  constructor(item: () => Kind) {
    this.#item = item;
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    return Array.isArray(value) ? value.map((one) => this.#remove(one, at)) : this.#remove(value, at);
  }

  #remove(value: unknown, at: WriteContext): Row | undefined {
    const row = this.#item().identify?.(value, at);
    if (row !== undefined) at.effects.removed.push(row);
    return row;
  }

  open(stored: unknown, at: ReadContext): unknown {
    return Array.isArray(stored)
      ? openItems(this.#item(), stored as unknown[], at) // cast: any[] to unknown[]
      : this.#item().open(stored, at);
  }

  query(): unknown {
    return UNKNOWN;
  }

  owners(): readonly TableOwner[] {
    return this.#item().owners?.() ?? [];
  }
}
