// `schema.Union`: a value that is one of several entities, which an attribute distinguishes.
import { HoldfastError } from '../../support/errors.ts';
import { ItemsSchema } from './polymorphic.ts';
import type {
  ARGS,
  Denormalize,
  Given,
  OUT,
  OUT_MAYBE,
  SchemaArgs,
  STORED,
} from '../protocol/schema.types.ts';
import { INSIDE } from '../protocol/walkable.ts';
import type { Walkable } from '../protocol/walkable.ts';

/** The name of an attribute that all choices have, or a function that returns the key of the mapping's entry. */
export type UnionAttribute<S extends Record<string, unknown>> =
  | (keyof Denormalize<S[keyof S]> & string)
  | ((value: Given, parent: Given, key: string) => keyof S | undefined);

/**
 * A value that is one of several entities. An attribute of the value determines which one.
 *
 * @example
 * class Picture extends Entity {
 *   id = '';
 *   type = 'picture';
 *   static override key = 'Picture';
 * }
 * class Film extends Entity {
 *   id = '';
 *   type = 'film';
 *   static override key = 'Film';
 * }
 * const medium = new schema.Union({ picture: Picture, film: Film }, 'type');
 */
export class Union<S extends Record<string, unknown>> extends ItemsSchema<S> {
  declare readonly [OUT]: Denormalize<S[keyof S]>;
  declare readonly [OUT_MAYBE]: Denormalize<S[keyof S]> | undefined;
  declare readonly [STORED]: { id: string; schema: keyof S };
  declare readonly [ARGS]: SchemaArgs<S[keyof S]>;

  constructor(definition: S, schemaAttribute: UnionAttribute<S>) {
    if (!schemaAttribute) throw new HoldfastError('SCHEMA_ATTRIBUTE_REQUIRED', { kind: 'schema.Union' });
    super('schema.Union', definition, [schemaAttribute], (item) => item());
  }

  override get [INSIDE](): Walkable[typeof INSIDE] {
    const { schema } = this;
    return {
      ...super[INSIDE],
      kind: `Union ${Object.keys(schema).join()}`,
      schemas: Object.values(schema),
    };
  }
}
