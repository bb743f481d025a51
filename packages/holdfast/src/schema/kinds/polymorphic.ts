// The base class of Array, All, Values, Union and Invalidate: its definition is one schema, or a mapping of several that an
// attribute distinguishes. `define` completes definitions that refer to each other.
import { HoldfastError } from '../../support/errors.ts';
import { isRecord } from '../../support/plain.ts';
import { ChoiceKind } from './choice-kind.ts';
import type { SchemaAttribute } from './choice-kind.ts';
import { kindOf } from './kind-of.ts';
import { KIND } from '../protocol/protocol.ts';
import type { Kind } from '../protocol/protocol.ts';
import type { Given, OUT } from '../protocol/schema.types.ts';
import { INSIDE } from '../protocol/walkable.ts';
import type { Walkable } from '../protocol/walkable.ts';

/** The schema of the items: the definition itself, or any entry of a mapping. */
export type ItemOf<S> = S extends Record<string, unknown> ? S[keyof S] : S;

/** The second constructor argument: required with a mapping, not allowed with a single schema. */
export type AttributeFor<S> = S extends
  | { readonly [OUT]: unknown }
  | ((...args: never) => unknown)
  | (abstract new (...args: never) => unknown)
  ? []
  : S extends Record<string, unknown>
    ? [schemaAttribute: string | ((value: Given, parent: Given, key: string) => keyof S | undefined)]
    : [];

/** A schema of items. Each subclass passes a function that creates its kind from the kind of the items. */
export abstract class ItemsSchema<S> implements Walkable {
  readonly [KIND]: Kind;
  readonly #name: string;
  readonly #attribute: SchemaAttribute | undefined;
  #definition: S;
  #item: Kind | null = null;

  /** `name` is the schema's name in error messages. */
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

  /** The definition: one schema, or a mapping of several. */
  get schema(): S {
    return this.#definition;
  }

  /** Adds entries to a mapping, or replaces a single schema. Schemas that refer to each other need this method. */
  define(definition: Partial<S> | S): void {
    const isMerge = isMapping(this.#definition) && isMapping(definition);
    this.#definition = (isMerge ? { ...this.#definition, ...definition } : definition) as S; // cast: a merge keeps all former entries
    this.#item = null;
  }

  /** The kind of the items. It is created at first use, because `define` may be called later. */
  #itemKind(): Kind {
    return (this.#item ??=
      this.#attribute === undefined
        ? kindOf(this.#definition)
        : new ChoiceKind(() => this.#choices(), this.#attribute));
  }

  #choices(): Map<string, Kind> {
    const mapping = this.#definition as Record<string, unknown>; // cast: with an attribute it is a mapping
    return new Map(Object.entries(mapping).map(([name, schema]) => [name, kindOf(schema)]));
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    const Class = this.constructor as new (schema: unknown, attribute: unknown) => unknown; // cast: all subclasses have this signature
    const { schema } = this;
    return {
      kind: this.#name,
      schemas: [schema],
      with: (change) =>
        new Class(
          isMapping(schema)
            ? Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, change(inner)]))
            : change(schema),
          this.#attribute,
        ),
    };
  }
}

function isMapping(definition: unknown): definition is Record<string, unknown> {
  return isRecord(definition) && !(KIND in definition);
}
