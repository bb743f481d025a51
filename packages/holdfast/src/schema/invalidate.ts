// `schema.Invalidate`: a payload that says what was deleted, as objects or plain ids, one or many.
import type { Row } from '../store/nodes.ts';
import { ArrayRead } from './array-kind.ts';
import type { AttributeFor, ItemOf } from './array.ts';
import type { SchemaAttribute } from './choice-kind.ts';
import { Definition } from './polymorphic.ts';
import { KIND, UNKNOWN } from './protocol.ts';
import type { Kind, ReadContext, TableOwner, WriteContext } from './protocol.ts';
import type { ARGS, Denormalize, OUT, OUT_NULLABLE, STORED } from './schema.types.ts';
import { INSIDE } from './walkable.ts';
import type { Walkable } from './walkable.ts';

/**
 * Removes the entities a response names. They leave every list, and no answer sent before brings them back.
 *
 * @example
 * const deleteUsers = new RestEndpoint({ path: '/users', method: 'DELETE', schema: new schema.Invalidate(User) });
 */
export class Invalidate<S> implements Walkable {
  declare readonly [OUT]: Denormalize<ItemOf<S>>;
  declare readonly [OUT_NULLABLE]: Denormalize<ItemOf<S>> | undefined;
  declare readonly [STORED]: string;
  declare readonly [ARGS]: never;
  readonly [KIND]: Kind;
  readonly #definition: Definition;

  constructor(definition: S, ...[schemaAttribute]: AttributeFor<S>) {
    this.#definition = new Definition(
      definition,
      schemaAttribute as SchemaAttribute | undefined,
      'schema.Invalidate',
    ); // cast: see AttributeFor
    this[KIND] = new InvalidateKind(() => this.#definition.item);
  }

  /** The schema of what is removed. */
  get schema(): S {
    return this.#definition.schema as S; // cast: as it was given
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    const definition = this.#definition;
    return {
      schemas: [definition.schema],
      with: (change) =>
        new Invalidate(
          definition.map(change),
          ...([definition.attribute] as unknown as AttributeFor<unknown>),
        ), // cast: as given
    };
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
      ? new ArrayRead(this.#item(), stored as unknown[]) // cast: any[] to unknown[]
      : this.#item().open(stored, at);
  }

  query(): unknown {
    return UNKNOWN;
  }

  owners(): readonly TableOwner[] {
    return this.#item().owners?.() ?? [];
  }
}
