// The fields of rows. They are compared before they are copied, so that an identical payload copies nothing and changes no
// reference. merge-row.ts decides which fields of a payload are stored.
import { isObject, isPlain, putField } from '../support/plain.ts';
import type { Fields, RowState } from './nodes.ts';
import { Wrapped } from './stored-form.ts';

/** `base` overwritten by the `incoming` fields; `base` itself when no field differs. */
export function mergeFields(base: Fields, incoming: Fields): Fields {
  // fast: N3, test/property/order. When a payload equals the stored fields, `reuseIfUnchanged` in entity-kind.ts may pass on the
  // stored object instead of the payload.
  if (incoming === base) return base;
  let merged: Record<string, unknown> | undefined;
  // A loop over `in` makes no array of the names. It also finds names that the prototype got from other code.
  for (const name in incoming) {
    const value = incoming[name];
    if ((Object.hasOwn(base, name) && isEqual(base[name], value)) || !Object.hasOwn(incoming, name)) continue;
    putField((merged ??= { ...base }), name, value);
  }
  return merged ?? base;
}

/** A copy of the fields without the fields of these names. */
export function omit(fields: Fields, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));
}

/** The value of a field; undefined for inherited names such as `constructor` and `__proto__`, because these are not fields. */
export function fieldOf(state: RowState, name: string): unknown {
  if (!state) return undefined;
  const value = state[name];
  const mayBeInherited = typeof value === 'function' || name === '__proto__';
  return mayBeInherited && !Object.hasOwn(state, name) ? undefined : value;
}

/**
 * Whether the row has this field. This runs for every nested field, so a value that is not undefined decides without a further
 * check.
 */
export function hasField(fields: Fields, name: string): boolean {
  return fieldOf(fields, name) !== undefined || Object.hasOwn(fields, name);
}

/**
 * After this many compared values, the comparison ends and reports a difference, because by then a copy costs no more than the
 * comparison.
 */
const MAX_STEPS = 1e6;
/**
 * After this many compared values, compared objects are remembered, because an object may contain itself, or occur in many other
 * objects.
 */
const UNRECORDED_STEPS = 1e4;

/**
 * Whether two stored values are equal. This is a loop without recursion, because plain JSON inside a field may be deeper than the
 * call stack. Arrays, dates and wrapped forms are compared by their content; objects for which `isOpen` is true, by their
 * properties; any other object equals only itself.
 */
export function isEqual(
  left: unknown,
  right: unknown,
  isOpen: (value: object) => boolean = isPlain,
): boolean {
  if (left === right) return true;
  // Most fields are not objects. They are compared without an allocation.
  if (!isObject(left) || !isObject(right)) return Object.is(left, right);
  const stack: unknown[] = [left, right];
  /** The objects that were compared, each with the object that it was compared with. */
  let met: Map<object, object> | undefined;
  for (let steps = 0; steps < MAX_STEPS && stack.length; steps += 1) {
    const b = stack.pop();
    const a = stack.pop();
    if (a === b || Object.is(a, b)) continue; // `Object.is`: NaN equals NaN
    if (!isObject(a) || !isObject(b) || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    if (steps > UNRECORDED_STEPS) {
      const known = met?.get(a);
      // The same pair was compared before: it is equal unless another pair differs. An object that is compared with a second object
      // counts as different.
      if (known === b) continue;
      if (known) return false;
      (met ??= new Map<object, object>()).set(a, b);
    }
    if (Array.isArray(a)) {
      // casts: same prototype as an array
      if (a.length !== (b as unknown[]).length) return false;
      for (let i = 0; i < a.length; i += 1)
        if (a[i] !== (b as unknown[])[i]) stack.push(a[i], (b as unknown[])[i]);
    } else if (a instanceof Wrapped) {
      // casts: same prototype
      if (a.qualifier !== (b as Wrapped).qualifier) return false;
      stack.push(a.inside, (b as Wrapped).inside);
    } else if (a instanceof Date) {
      if (+a !== +b) return false;
    } else {
      if (!isOpen(a)) return false;
      // casts: open objects are read by property names
      for (const name in a) {
        const value = (a as Fields)[name];
        const other = (b as Fields)[name];
        if (value === other && value !== undefined) continue;
        if (Object.hasOwn(a, name) !== Object.hasOwn(b, name)) return false;
        stack.push(value, other);
      }
      if (countNames(a as Fields) !== countNames(b as Fields)) return false;
    }
  }
  return stack.length === 0;
}

/**
 * The number of fields, if `known` has every field with the identical value; else -1. A value that is null, undefined, an object or
 * a function also gives -1, so that the full comparison decides.
 */
export function countIfSame(fields: Fields, known: Fields): number {
  let count = 0;
  for (const name in fields) {
    const value = fields[name];
    // Each `typeof` is compared in place, so that V8 makes no string of it.
    if (
      known[name] !== value ||
      value === undefined ||
      typeof value === 'object' ||
      typeof value === 'function'
    )
      return -1;
    count += 1;
  }
  return count;
}

/** Whether `fields` has every field of `known`. */
export function hasAllOf(fields: Fields, known: RowState): boolean {
  for (const name in known) if (!Object.hasOwn(fields, name) && Object.hasOwn(known, name)) return false;
  return true;
}

/** The number of fields. It is counted without an array of the names. */
export function countNames(fields: Fields): number {
  let count = 0;
  for (const _name in fields) count += 1;
  return count;
}
