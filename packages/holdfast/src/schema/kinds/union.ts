// `schema.Union`: one value that is one of several entities, told apart by an attribute.
import { HoldfastError } from '../../support/errors.ts';
import type { SchemaAttribute } from './choice-kind.ts';
import { Definition } from './polymorphic.ts';
import { KIND } from '../protocol/protocol.ts';
import type { Kind } from '../protocol/protocol.ts';
import type { ARGS, Denormalize, OUT, OUT_NULLABLE, SchemaArgs, STORED } from '../protocol/schema.types.ts';
import { INSIDE } from '../protocol/walkable.ts';
import type { Walkable } from '../protocol/walkable.ts';

/** An attribute that all choices have, or a function that names the mapping's entry. */
export type UnionAttribute<S extends Record<string, unknown>> =
  | (keyof Denormalize<S[keyof S]> & string)
  | ((value: never, parent: unknown, key: string) => keyof S | undefined);

/**
 * One of several entities.
 *
 * @example
 * const owner = new schema.Union({ user: User, team: Team }, 'type');
 */
export class Union<S extends Record<string, unknown>> implements Walkable {
  declare readonly [OUT]: Denormalize<S[keyof S]>;
  declare readonly [OUT_NULLABLE]: Denormalize<S[keyof S]> | undefined;
  declare readonly [STORED]: { id: string; schema: keyof S };
  declare readonly [ARGS]: SchemaArgs<S[keyof S]>;
  readonly #definition: Definition;

  constructor(definition: S, schemaAttribute: UnionAttribute<S>) {
    if (!schemaAttribute) throw new HoldfastError('SCHEMA_ATTRIBUTE_REQUIRED', { kind: 'schema.Union' });
    this.#definition = new Definition(definition, schemaAttribute as SchemaAttribute, 'schema.Union'); // cast: a wider type
  }

  get [KIND](): Kind {
    return this.#definition.item;
  }

  /** Merges further entries in: for definitions in a circle. */
  define(definition: Partial<S>): void {
    this.#definition.define(definition);
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    const definition = this.#definition;
    return {
      kind: `Union ${Object.keys(definition.schema as object).join()}`,
      schemas: Object.values(definition.schema as object), // cast: a union's definition is a mapping
      with: (change) =>
        new Union(
          definition.map(change) as Record<string, unknown>, // cast: as above
          definition.attribute as UnionAttribute<Record<string, unknown>>,
        ),
    };
  }
}
