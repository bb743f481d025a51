// What Array, All, Values, Union and Invalidate share: a definition that is one schema or a mapping of several told
// apart by an attribute, and `define` for definitions that refer to each other in a circle.
import { HoldfastError } from '../../support/errors.ts';
import { ChoiceKind } from './choice-kind.ts';
import type { SchemaAttribute } from './choice-kind.ts';
import { kindOf } from './kind-of.ts';
import { KIND } from '../protocol/protocol.ts';
import type { Kind } from '../protocol/protocol.ts';
import type { Given, OUT } from '../protocol/schema.types.ts';
import { INSIDE } from '../protocol/walkable.ts';
import type { Walkable } from '../protocol/walkable.ts';

/** The items of a definition: of the schema itself, or of any entry of a mapping. */
export type ItemOf<S> = S extends Record<string, unknown> ? S[keyof S] : S;

/** The second argument: required with a mapping, refused without one. */
export type AttributeFor<S> = S extends
  | { readonly [OUT]: unknown }
  | ((...args: never) => unknown)
  | (abstract new (...args: never) => unknown)
  ? []
  : S extends Record<string, unknown>
    ? [schemaAttribute: string | ((value: Given, parent: Given, key: string) => keyof S | undefined)]
    : [];

/** A schema over items: Array, All, Values, Invalidate and Union say which kind makes what of them. */
export abstract class ItemsSchema<S> implements Walkable {
  readonly [KIND]: Kind;
  readonly #name: string;
  readonly #attribute: SchemaAttribute | undefined;
  #definition: S;
  #item: Kind | null = null;

  /** `name` is what an error calls the schema. */
  protected constructor(
    name: string,
    definition: S,
    [attribute]: readonly unknown[],
    createKind: (item: () => Kind) => Kind,
  ) {
    if (isMapping(definition) && attribute === undefined) {
      throw new HoldfastError('SCHEMA_ATTRIBUTE_REQUIRED', { kind: name });
    }
    this.#name = name;
    this.#definition = definition;
    this.#attribute = attribute as SchemaAttribute | undefined; // cast: see AttributeFor
    this[KIND] = createKind(() => this.#itemKind());
  }

  /** One schema, or the mapping of several. */
  get schema(): S {
    return this.#definition;
  }

  /** Merges further entries into a mapping, or replaces a single schema: for definitions in a circle. */
  define(definition: Partial<S> | S): void {
    const isMerge = isMapping(this.#definition) && isMapping(definition);
    this.#definition = (isMerge ? { ...this.#definition, ...definition } : definition) as S; // cast: with the entries it had
    this.#item = null;
  }

  /** The kind of one item. Made on first use: definitions may come late. */
  #itemKind(): Kind {
    this.#item ??=
      this.#attribute === undefined
        ? kindOf(this.#definition)
        : new ChoiceKind(() => this.#choices(), this.#attribute);
    return this.#item;
  }

  #choices(): Map<string, Kind> {
    const mapping = this.#definition as Record<string, unknown>; // cast: with an attribute it is a mapping
    return new Map(Object.keys(mapping).map((name) => [name, kindOf(mapping[name])]));
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    const Class = this.constructor as new (schema: unknown, attribute: unknown) => unknown; // cast: one signature for all
    const { schema } = this;
    return {
      kind: this.#name,
      schemas: [schema],
      with: (change) =>
        new Class(
          isMapping(schema)
            ? Object.fromEntries(Object.entries(schema).map(([name, one]) => [name, change(one)]))
            : change(schema),
          this.#attribute,
        ),
    };
  }
}

function isMapping(definition: unknown): definition is Record<string, unknown> {
  return (
    typeof definition === 'object' &&
    definition !== null &&
    !Array.isArray(definition) &&
    !(KIND in definition)
  );
}
