// The merge policy of an entity class that overrides merge hooks or has a version. Hooks get the stored and the incoming fields in
// plain form, and metas with which the default `shouldReorder` agrees with the order rules of the store. EntityKind creates one
// policy for each object of a payload.
import { isEqual, mergeFields } from '../../store/fields.ts';
import { putField } from '../../support/plain.ts';
import type { Fields, RowPolicy } from '../../store/nodes.ts';
import { isRead, NO_STAMP } from '../../store/order.ts';
import type { Stamp } from '../../store/order.ts';
import type { EntityConstructor } from './entity-constructor.ts';
import { plainFields } from '../../store/stored-form.ts';
import type { Host, Kind, Meta } from '../protocol/protocol.ts';
import { runHook } from '../protocol/run-hook.ts';

/** A class that overrides one of these hooks has a policy with its own `merge`. */
const MERGE_HOOKS = [
  'merge',
  'mergeWithStore',
  'mergeMetaWithStore',
  'shouldUpdate',
  'shouldReorder',
] as const;

/** Whether a class or an instance overrides a hook of its base. A Collection has some of these hooks too. */
export function overridesMerge(own: MergeHooks, base: MergeHooks): boolean {
  return MERGE_HOOKS.some((hook) => own[hook] !== base[hook]);
}

type MergeHooks = { readonly [Name in (typeof MERGE_HOOKS)[number]]?: unknown };

/**
 * The metas that hooks get for the stored and for the incoming fields. `fetchedAt` of the stored fields depends on the payload: for
 * a read it is the fence; for a write it is the latest time at which an acknowledged write was sent.
 */
export function metasOf(stored: Stamp, incoming: Stamp): readonly [Meta, Meta] {
  const metaOf = ({ settled, expiresAt }: Stamp, sent: number): Meta => ({
    fetchedAt: sent,
    date: settled,
    expiresAt,
  });
  return [
    metaOf(stored, isRead(incoming) ? stored.fence : stored.writeSent),
    metaOf(incoming, incoming.sent),
  ];
}

/** Creates the merge policy of a class; `base` is the class with the default hooks. */
export function createPolicy(
  entity: EntityConstructor,
  base: EntityConstructor,
  parts: readonly { name: string; kind: Kind }[],
  host: Pick<Host, 'toStored'>,
): RowPolicy {
  const { key, version } = entity;
  const order: RowPolicy['compareVersions'] = (existing, incoming) =>
    version?.(existing, incoming, key, host);
  // The metas are empty: for an optimistic update, `shouldUpdate` decides by the fields alone.
  const updates = (existing: object, incoming: object): boolean =>
    entity.shouldUpdate(...metasOf(NO_STAMP, NO_STAMP), existing, incoming);
  /**
   * Merges two records by a hook. A nested value that the hook did not change keeps its stored form; any other nested value is
   * normalized.
   */
  const merge = (
    existing: Fields,
    incoming: Fields,
    hook: (existing: object, incoming: object) => object,
  ): Fields => {
    const before = plainFields(existing);
    const plainIncoming = plainFields(incoming);
    const fields: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(hook(before, plainIncoming))) {
      const kind = parts.find((part) => part.name === name)?.kind;
      const toStored = (): unknown => {
        if (value === plainIncoming[name]) return incoming[name];
        return value === before[name] ? existing[name] : kind && host.toStored(kind, value);
      };
      putField(fields, name, kind ? toStored() : value);
    }
    return isEqual(existing, fields) ? existing : fields;
  };
  const mergeByHooks: RowPolicy['merge'] = (existing, incoming, stamp, origin) =>
    runHook(key, 'merge', () => {
      const metas = metasOf(stamp, origin);
      let isNewer = true;
      const fields = merge(existing, incoming, (...plains) => {
        const merged = entity.mergeWithStore(...metas, ...plains);
        isNewer = entity.mergeMetaWithStore(...metas, ...plains) !== metas[0];
        return merged;
      });
      return { fields, isNewer };
    });
  return {
    compareVersions: order,
    merge: overridesMerge(entity, base) ? mergeByHooks : null,
    overlay(existing, incoming) {
      if ((order(existing, incoming) ?? 0) < 0) return existing;
      try {
        return merge(existing, incoming, (before, optimistic) => {
          // Complete records are compared, so that omitted fields do not make the optimistic update look older.
          const after = { ...before, ...optimistic };
          const isOlder = !updates(before, after) && updates(after, before);
          return isOlder ? before : entity.merge(before, optimistic);
        });
      } catch {
        // Optimistic updates are also replayed during other writes, and an error of a hook must not fail such a write. So the
        // fields are merged by the default rules here; if a hook throws in the write of the mutation's own response, that write
        // fails.
        return mergeFields(existing, incoming);
      }
    },
  };
}
