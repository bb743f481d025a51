// `schema.Object`: a plain object of schemas; `{k: S}` is its shorthand.
import { kindOf } from './kind-of.ts';
import { ObjectKind } from './object-kind.ts';
import { KIND } from '../protocol/protocol.ts';
import type {
  ARGS,
  Denormalize,
  DenormalizeNullable,
  Normalize,
  OUT,
  OUT_MAYBE,
  SchemaArgs,
  STORED,
} from '../protocol/schema.types.ts';
import { INSIDE } from '../protocol/walkable.ts';
import type { Walkable } from '../protocol/walkable.ts';

/**
 * Options of `schema.Object`: which properties may be missing, in the payload or because their entity was deleted.
 *
 * @example
 * const options: schema.Object.Options<'pinned'> = { optional: ['pinned'] };
 * const profile = new schema.Object({ user: User, pinned: Post }, options);
 */
export interface ObjectOptions<Name extends string> {
  readonly optional?: readonly Name[];
}

/**
 * Normalizes an object property by property. Properties without a schema are stored unchanged; a literal other than null is the
 * default of a property. When the entity in a property is deleted, the whole object must be fetched again; if the property is
 * `optional`, its value is undefined instead.
 *
 * @example
 * const page = new schema.Object({ results: new schema.Collection([Post]), nextPage: '' });
 * const profile = new schema.Object({ user: User, pinned: Post }, { optional: ['pinned'] });
 */
export class ObjectSchema<
  S extends Record<string, unknown>,
  Optional extends keyof S & string = never,
> implements Walkable {
  declare readonly [OUT]: {
    [K in keyof S]: Denormalize<S[K]> | (K extends Optional ? undefined : never);
  };
  declare readonly [OUT_MAYBE]: {
    [K in keyof S]: DenormalizeNullable<S[K]> | (K extends Optional ? undefined : never);
  };
  declare readonly [STORED]: { [K in keyof S]: Normalize<S[K]> };
  declare readonly [ARGS]: SchemaArgs<S[keyof S]>;
  readonly [KIND]: ObjectKind;
  readonly #options: ObjectOptions<string>;
  #definition: Record<string, unknown>;

  constructor(definition: S, options: ObjectOptions<Optional> = {}) {
    this.#definition = definition;
    this.#options = options;
    this[KIND] = new ObjectKind(definition, kindOf, options.optional);
  }

  /** Adds properties to the definition, or replaces them, for schemas that refer to each other. */
  define(definition: Record<string, unknown>): void {
    this.#definition = { ...this.#definition, ...definition };
    this[KIND].define(definition);
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    const definition = this.#definition;
    return {
      kind: `Object ${Object.keys(definition).join()}`,
      schemas: Object.values(definition),
      with: (change) =>
        new ObjectSchema(
          Object.fromEntries(Object.entries(definition).map(([name, inner]) => [name, change(inner)])),
          this.#options,
        ),
    };
  }
}

export declare namespace ObjectSchema {
  export type { ObjectOptions as Options };
}
