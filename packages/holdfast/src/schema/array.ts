// `schema.Array`: an array of one schema, or of several told apart by an attribute. `[S]` is its shorthand.
import { ArrayKind } from './array-kind.ts';
import type { SchemaAttribute } from './choice-kind.ts';
import { Definition } from './polymorphic.ts';
import { KIND } from './protocol.ts';
import type { Kind } from './protocol.ts';
import type { ARGS, Denormalize, Normalize, OUT, OUT_NULLABLE, STORED } from './schema.types.ts';
import { INSIDE } from './walkable.ts';
import type { Walkable } from './walkable.ts';

/** The items of a definition: of the schema itself, or of any entry of a mapping. */
export type ItemOf<S> = S extends Record<string, unknown> ? S[keyof S] : S;

/** The second argument: required with a mapping, refused without one. */
export type AttributeFor<S> = S extends
  | { readonly [OUT]: unknown }
  | ((...args: never) => unknown)
  | (abstract new (...args: never) => unknown)
  ? []
  : S extends Record<string, unknown>
    ? [schemaAttribute: string | ((value: never, parent: unknown, key: string) => keyof S | undefined)]
    : [];

/**
 * Normalizes an array. An object given instead is taken as the array of its values; an object for which a mapping has no
 * entry stays as it was.
 *
 * @example
 * const feed = new schema.Array({ link: Link, post: Post }, 'type');
 */
export class ArraySchema<S> implements Walkable {
  declare readonly [OUT]: Denormalize<ItemOf<S>>[];
  declare readonly [OUT_NULLABLE]: Denormalize<ItemOf<S>>[] | undefined;
  declare readonly [STORED]: Normalize<ItemOf<S>>[];
  declare readonly [ARGS]: never;
  readonly [KIND]: Kind;
  readonly #definition: Definition;

  constructor(definition: S, ...[schemaAttribute]: AttributeFor<S>) {
    this.#definition = new Definition(
      definition,
      schemaAttribute as SchemaAttribute | undefined,
      'schema.Array',
    ); // cast: see AttributeFor
    this[KIND] = new ArrayKind(() => this.#definition.item);
  }

  /** Merges further entries into a mapping, or replaces a single schema: for definitions in a circle. */
  define(definition: Partial<S> | S): void {
    this.#definition.define(definition);
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    const definition = this.#definition;
    return {
      schemas: [definition.schema],
      with: (change) =>
        new ArraySchema(
          definition.map(change),
          ...([definition.attribute] as unknown as AttributeFor<unknown>),
        ), // cast: as given
    };
  }
}
