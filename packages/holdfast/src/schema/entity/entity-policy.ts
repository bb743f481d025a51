// Runs the lifecycle hooks of an entity class that overrides how rows merge. Hooks get whole rows in plain form and
// metas built for the comparison, so that the contract's default `shouldReorder` gives the order rules' verdict.
import { isEqual, mergeFields } from '../../store/fields.ts';
import { putField } from '../../support/plain.ts';
import type { Fields, RowPolicy } from '../../store/nodes.ts';
import { NEVER } from '../../store/stamp.ts';
import type { Origin, Stamp } from '../../store/stamp.ts';
import type { EntityHooks } from './entity-hooks.ts';
import { plainFields } from '../../store/stored-form.ts';
import type { Host, Kind, Meta } from '../protocol/protocol.ts';
import { runHook } from '../protocol/run-hook.ts';

/** A class that overrides one of these, or has a version, has its rows merged here. */
const MERGE_HOOKS = [
  'merge',
  'mergeWithStore',
  'mergeMetaWithStore',
  'shouldUpdate',
  'shouldReorder',
] as const;

export function overridesMerge(entity: EntityHooks, base: EntityHooks): boolean {
  return MERGE_HOOKS.some((hook) => entity[hook] !== base[hook]);
}

/**
 * What hooks are told of the stored side and of the incoming one. One number cannot say it all: against a read, the last fence
 * counts; against a write, the last write's send.
 */
export function metasOf(stored: Stamp, { isRead, stamp: incoming }: Origin): readonly [Meta, Meta] {
  const metaOf = ({ date, expiresAt }: Stamp, fetchedAt: number): Meta => ({ fetchedAt, date, expiresAt });
  return [metaOf(stored, isRead ? stored.fence : stored.writeSent), metaOf(incoming, incoming.fetchedAt)];
}

/** The policy of a class; `base` is the class whose hooks are the default ones. */
export function createPolicy(
  entity: EntityHooks,
  base: EntityHooks,
  parts: readonly { name: string; kind: Kind }[],
  host: Pick<Host, 'restore' | 'warn'>,
): RowPolicy {
  const { key, version } = entity;
  const order: RowPolicy['byVersion'] = (existing, incoming) => version?.(existing, incoming, key, host);
  // metas that tell nothing: only what a class finds in the fields makes a guess older
  const updates = (existing: object, incoming: object): boolean =>
    entity.shouldUpdate(NEVER, NEVER, existing, incoming);
  /** What a hook makes of two records. A nested value that it passed on untouched is the stored one; a new one is normalized. */
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
        return value === before[name] ? existing[name] : kind && host.restore(kind, value);
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
    byVersion: order,
    merge: overridesMerge(entity, base) ? mergeByHooks : null,
    overlay(existing, incoming) {
      if ((order(existing, incoming) ?? 0) < 0) return existing;
      try {
        return merge(existing, incoming, (before, optimistic) => {
          // fields that the guess does not state say nothing of its age
          const after = { ...before, ...optimistic };
          const isOlder = !updates(before, after) && updates(after, before);
          return isOlder ? before : entity.merge(before, optimistic);
        });
      } catch {
        // a guess is laid again in the middle of other writes, which must not fail with it; the answer will
        return mergeFields(existing, incoming);
      }
    },
  };
}
