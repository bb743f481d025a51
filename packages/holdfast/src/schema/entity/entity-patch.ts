// Builds an entity's instance anew where only rows nested in it have changed: of a post with sixteen parts, one of whose
// comments has another author now, that comment alone is looked at. Asked by entity-kind.ts; what is not found at once,
// and entities with other parts, are read whole by entity-read.ts.
import { deepFreeze } from '#env';
import { allowPatch, forbidPatch } from '../../store/graph.ts';
import type { Fields } from '../../store/nodes.ts';
import type { Change, View } from '../../store/view.ts';
import { defaultOf } from './entity-read.ts';
import type { EntityReader, Instance } from './entity-read.ts';
import { isUnfinished } from '../kinds/list-read.ts';
import { INVALID, isThere } from '../protocol/protocol.ts';
import type { ReadContext } from '../protocol/protocol.ts';

/**
 * Builds the instance as a copy of the former one. False when the fields themselves have changed, or when a changed child
 * does not stand in them by itself.
 */
// fast: W2, test/property/memo
export function openPatch(kind: EntityReader, fields: Fields, view: View, at: ReadContext): boolean {
  const { changes } = view;
  if (changes === undefined || view.builtFrom !== fields || !kind.names.cover(fields)) return false;
  const before = view.value as Instance; // cast: what can be patched is an instance
  const { names } = kind.parts;
  for (let change = changes; change !== null; change = change.earlier)
    if (!isInSight(names, before, change)) return false;
  const instance = copyOf(kind, before, at.madeOf(view));
  if (instance === null) return false;
  // circles: whoever comes back here while the children are read gets this very instance
  view.value = instance;
  at.begin(view);
  let hasGap = false;
  for (let change = changes; change !== null; change = change.earlier) {
    const value = at.revisit(change.child);
    hasGap ||= !isThere(value);
    putParts(names, before, instance, change.before, isThere(value) ? value : INVALID);
  }
  if (at.isWaiting) return true;
  const isKept = !at.isShared(view) && isSame(names, before, instance);
  const value = hasGap && !closeGaps(kind, instance) ? INVALID : isKept ? before : instance;
  deepFreeze(value, isUnfinished);
  (value === INVALID ? forbidPatch : allowPatch)(view);
  // the children are those it had
  at.completePatch(view, value, view.children?.length ?? 0, 0);
  return true;
}

/** Null where the constructor throws, or a frozen prototype has one of the names: the whole read meets the same. */
function copyOf(kind: EntityReader, former: Instance, made: unknown): Instance | null {
  try {
    return Object.assign((made ?? new kind.entity()) as Instance, former); // cast: an entity's fields are read by name
  } catch {
    return null;
  }
}

/** Whether the child is found by the value that it had. */
function isInSight(names: readonly string[], instance: Instance, change: Change): boolean {
  const { child, before } = change;
  if (typeof before !== 'object') return false; // it was not there
  if (!(child.reader as EntityReader).isCurrent) return false; // cast: what is nested are rows of entities
  for (const name of names) {
    const part = instance[name];
    if (part === before || (Array.isArray(part) && part.includes(before))) return true;
  }
  return false; // others have read it meanwhile, between changes of its siblings: what stands here is older
}

/** Puts a child's new value wherever it stood. */
function putParts(
  names: readonly string[],
  from: Instance,
  instance: Instance,
  before: unknown,
  value: unknown,
): void {
  if (value === before) return;
  for (const name of names) {
    const part = from[name];
    if (part === before) instance[name] = value;
    if (!Array.isArray(part)) continue;
    for (let index = part.indexOf(before); index >= 0; index = part.indexOf(before, index + 1)) {
      if (instance[name] === part) instance[name] = part.slice();
      (instance[name] as unknown[])[index] = value; // cast: a copy of the array
    }
  }
}

function isSame(names: readonly string[], before: Instance, instance: Instance): boolean {
  for (const name of names) if (!Object.is(instance[name], before[name])) return false;
  return true;
}

/** Leaves out what is gone from arrays; fields have their defaults again. Whether none of them is required. */
function closeGaps(kind: EntityReader, instance: Instance): boolean {
  let isWhole = true;
  for (const name of kind.parts.names) {
    const part = instance[name];
    if (part === INVALID && (instance[name] = defaultOf(kind, name))) isWhole = false;
    if (Array.isArray(part) && part.includes(INVALID)) instance[name] = part.filter(isThere);
  }
  return isWhole;
}
