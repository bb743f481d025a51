// The lifecycle of an entity class as the kind, its policy and its reader see it. Implemented by Entity and EntityMixin.
import type { Meta } from '../protocol/protocol.ts';
import type { VersionOrder } from './versions.ts';

/** What the kind reads off an entity class. */
export interface EntityHooks {
  new (): object;
  readonly name: string;
  readonly key: string;
  readonly schema: Record<string, unknown>;
  readonly indexes?: readonly string[];
  readonly version?: VersionOrder;
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
