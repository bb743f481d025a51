// The interface through which EntityKind, EntityReader and entity-policy.ts use an entity class. Entity, its subclasses and the
// classes that EntityMixin and EntityOf make implement it.
import type { Kind, Meta } from '../protocol/protocol.ts';
import type { VersionComparator } from './versions.ts';

/** Returns the entity class as its kind sees it. */
export function asEntityConstructor(entity: object): EntityConstructor {
  return entity as EntityConstructor; // cast: Entity, EntityMixin and EntityOf make classes with these members
}

/** The static properties and hooks of an entity class. */
export interface EntityConstructor {
  new (): object;
  readonly name: string;
  readonly key: string;
  readonly schema: Record<string, unknown>;
  readonly indexes?: readonly string[];
  readonly version?: VersionComparator;
  readonly wireNames?: WireRule;
  readonly defaults: object;
  readonly prototype: { pk(parent?: unknown, key?: string, args?: readonly unknown[]): unknown };
  pk(value: unknown, parent?: unknown, key?: string, args?: readonly unknown[]): unknown;
  process(input: object, parent: unknown, key: string, args: readonly unknown[]): object | undefined;
  validate(processed: object): string | undefined;
  createIfValid(props: object): object | undefined;
  fromJS(props: object): object;
  shouldUpdate(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): boolean;
  shouldReorder(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): boolean;
  merge(existing: object, incoming: object): object;
  mergeWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): object;
  mergeMetaWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): Meta;
  queryKey(args: readonly unknown[]): string | undefined;
}

/** The object in `static wireNames`. */
export interface WireRule {
  /** Converts a payload from the server's field names to the names of the class. */
  toOwn(value: unknown, kind: WireRuleKind): unknown;
  /** Converts a body, or search parameters, to the server's field names. */
  toWire(value: unknown, entity: EntityConstructor): unknown;
}

/** An entity kind as its WireRule sees it. */
export interface WireRuleKind extends Kind {
  readonly key: string;
  readonly entity: EntityConstructor;
  readonly parts: readonly { readonly name: string; readonly kind: Kind }[];
  fieldNames(): readonly string[];
}
