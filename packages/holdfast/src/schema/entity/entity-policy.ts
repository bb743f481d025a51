// Runs the lifecycle hooks of an entity class that overrides how rows merge. Hooks get whole rows in plain form and
// metas built for the comparison, so that the contract's default `shouldReorder` gives the order rules' verdict.
import { isEqual, mergeFields, putField } from '../../store/fields.ts';
import type { Fields, RowPolicy } from '../../store/nodes.ts';
import type { Origin, Stamp } from '../../store/stamp.ts';
import type { EntityHooks } from './entity-hooks.ts';
import { plainFields } from '../../store/plain-form.ts';
import type { Kind, Meta, Restore } from '../protocol/protocol.ts';
import { runHook } from '../protocol/run-hook.ts';

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

/** One number cannot say it all: against a read, the last fence counts; against a write, the last write's send. */
export function existingMeta(stamp: Stamp, origin: Origin): Meta {
  return {
    fetchedAt: origin.isRead ? stamp.fence : stamp.writeSent,
    date: stamp.date,
    expiresAt: stamp.expiresAt,
  };
}

export function incomingMeta({ stamp }: Origin): Meta {
  return { fetchedAt: stamp.fetchedAt, date: stamp.date, expiresAt: stamp.expiresAt };
}

export function createPolicy(entity: EntityHooks, nested: Map<string, Kind>, restore: Restore): RowPolicy {
  const stored = (
    result: object,
    existing: Fields,
    incoming: Fields,
    plains: readonly [Fields, Fields],
  ): Fields => {
    const fields: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(result)) {
      const kind = nested.get(name);
      putField(
        fields,
        name,
        kind ? backToStored(kind, name, value, existing, incoming, plains, restore) : value,
      );
    }
    return isEqual(existing, fields) ? existing : fields;
  };
  return {
    merge(existing, incoming, stamp, origin) {
      const plains = [plainFields(existing), plainFields(incoming)] as const;
      const metas = [existingMeta(stamp, origin), incomingMeta(origin)] as const;
      return runHook(entity.key, 'merge', () => {
        const result = entity.mergeWithStore(...metas, ...plains);
        const isNewer = entity.mergeMetaWithStore(...metas, ...plains) !== metas[0];
        return { fields: stored(result, existing, incoming, plains), isNewer };
      });
    },
    overlay(existing, incoming) {
      const plains = [plainFields(existing), plainFields(incoming)] as const;
      try {
        return stored(entity.merge(...plains), existing, incoming, plains);
      } catch {
        // a guess is laid again in the middle of other writes, which must not fail with it; the answer will
        return mergeFields(existing, incoming);
      }
    },
  };
}

/** A nested value that a hook passed on untouched is the stored one; a new one is normalized again. */
function backToStored(
  kind: Kind,
  name: string,
  value: unknown,
  existing: Fields,
  incoming: Fields,
  [existingPlain, incomingPlain]: readonly [Fields, Fields],
  restore: Restore,
): unknown {
  if (Object.hasOwn(incoming, name) && value === incomingPlain[name]) return incoming[name];
  if (Object.hasOwn(existing, name) && value === existingPlain[name]) return existing[name];
  return restore(kind, value);
}
