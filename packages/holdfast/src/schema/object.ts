// `schema.Object`: a plain object of schemas; `{k: S}` is its shorthand.
import { kindOf } from './kind-of.ts';
import { ObjectKind } from './object-kind.ts';
import { KIND } from './protocol.ts';
import type {
  ARGS,
  Denormalize,
  DenormalizeNullable,
  Normalize,
  OUT,
  OUT_NULLABLE,
  SchemaArgs,
  STORED,
} from './schema.types.ts';
import { INSIDE } from './walkable.ts';
import type { Walkable } from './walkable.ts';

/**
 * Normalizes an object member by member. Members without a schema stay as they are; a literal is a member's default.
 *
 * @example
 * const page = new schema.Object({ results: new schema.Collection([Post]), nextPage: '' });
 */
export class ObjectSchema<S extends Record<string, unknown>> implements Walkable {
  declare readonly [OUT]: { [K in keyof S]: Denormalize<S[K]> };
  declare readonly [OUT_NULLABLE]: { [K in keyof S]: DenormalizeNullable<S[K]> };
  declare readonly [STORED]: { [K in keyof S]: Normalize<S[K]> };
  declare readonly [ARGS]: SchemaArgs<S[keyof S]>;
  readonly [KIND]: ObjectKind;
  #definition: Record<string, unknown>;

  constructor(definition: S) {
    this.#definition = definition;
    this[KIND] = new ObjectKind(definition, kindOf);
  }

  /** Merges further members in: for definitions in a circle. */
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
          Object.fromEntries(Object.entries(definition).map(([name, one]) => [name, change(one)])),
        ),
    };
  }
}
