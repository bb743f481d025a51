// What Array, All, Values, Union and Invalidate share: a definition that is one schema or a mapping of several told
// apart by an attribute, and `define` for definitions that refer to each other in a circle.
import { HoldfastError } from '../../support/errors.ts';
import { ChoiceKind } from './choice-kind.ts';
import type { SchemaAttribute } from './choice-kind.ts';
import { kindOf } from './kind-of.ts';
import { KIND } from '../protocol/protocol.ts';
import type { Kind } from '../protocol/protocol.ts';
import type { OUT } from '../protocol/schema.types.ts';
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
    ? [schemaAttribute: string | ((value: never, parent: unknown, key: string) => keyof S | undefined)]
    : [];

/** A schema over items: Array, All, Values and Invalidate say which kind makes what of them. */
export abstract class ItemsSchema<S> implements Walkable {
  readonly [KIND]: Kind;
  readonly #definition: Definition;
  readonly #name: string;

  /** `name` is what an error calls the schema. */
  protected constructor(
    name: string,
    definition: S,
    attribute: readonly unknown[],
    createKind: (item: () => Kind) => Kind,
  ) {
    this.#name = name;
    this.#definition = new Definition(definition, attribute[0] as SchemaAttribute | undefined, name); // cast: see AttributeFor
    this[KIND] = createKind(() => this.#definition.item);
  }

  /** One schema, or the mapping of several. */
  get schema(): S {
    return this.#definition.schema as S; // cast: as it was given
  }

  /** Merges further entries into a mapping, or replaces a single schema: for definitions in a circle. */
  define(definition: Partial<S> | S): void {
    this.#definition.define(definition);
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    const definition = this.#definition;
    const Class = this.constructor as new (schema: unknown, attribute: unknown) => unknown; // cast: one signature for all
    return {
      kind: this.#name,
      schemas: [definition.schema],
      with: (change) => new Class(definition.map(change), definition.attribute),
    };
  }
}

export class Definition {
  #definition: unknown;
  readonly attribute: SchemaAttribute | undefined;
  #item: Kind | null = null;

  constructor(definition: unknown, attribute: SchemaAttribute | undefined, kind: string) {
    this.#definition = definition;
    this.attribute = attribute;
    if (isMapping(definition) && attribute === undefined) {
      throw new HoldfastError('SCHEMA_ATTRIBUTE_REQUIRED', { kind });
    }
  }

  get schema(): unknown {
    return this.#definition;
  }

  /** Mappings are merged; a single schema is replaced. */
  define(definition: unknown): void {
    const isMerge = isMapping(this.#definition) && isMapping(definition);
    this.#definition = isMerge ? { ...(this.#definition as object), ...(definition as object) } : definition; // cast: checked
    this.#item = null;
  }

  /** The kind of one item. Made on first use: definitions may come late. */
  get item(): Kind {
    this.#item ??=
      this.attribute === undefined
        ? kindOf(this.#definition)
        : new ChoiceKind(() => this.#choices(), this.attribute);
    return this.#item;
  }

  #choices(): Map<string, Kind> {
    const mapping = this.#definition as Record<string, unknown>; // cast: with an attribute it is a mapping
    return new Map(Object.keys(mapping).map((name) => [name, kindOf(mapping[name])]));
  }

  /** The same with every schema inside replaced. */
  map(change: (schema: unknown) => unknown): unknown {
    if (!isMapping(this.#definition)) return change(this.#definition);
    return Object.fromEntries(
      Object.entries(this.#definition).map(([name, schema]) => [name, change(schema)]),
    );
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
