// The fields of an entity in which something is nested. Made once per class by entity-kind.ts, for writing and reading.
import { hasField } from '../store/fields.ts';
import type { Fields } from '../store/nodes.ts';
import type { Kind } from './protocol.ts';

/** Nested fields and their kinds, place by place. */
export interface Parts {
  readonly names: readonly string[];
  readonly kinds: readonly Kind[];
  /** How many of the first ones are leaves. Asked once: a class whose schema is assigned late may cease to be one. */
  readonly leaves: number;
}

export const NO_PARTS: Parts = { names: [], kinds: [], leaves: 0 };

export function createParts(names: readonly string[], kinds: readonly Kind[]): Parts {
  const first = kinds.findIndex((kind) => kind.isLeaf !== true);
  return { names, kinds, leaves: first < 0 ? kinds.length : first };
}

/** Those that are there; the whole itself for all rows that have every one. */
export function partsIn(whole: Parts, fields: Fields): Parts {
  const { names, kinds } = whole;
  let isWhole = true;
  for (let at = 0; at < names.length; at += 1) {
    if (!hasField(fields, names[at]!)) isWhole = false; // at < length
  }
  if (isWhole) return whole;
  const isPresent = (name: string): boolean => Object.hasOwn(fields, name);
  return createParts(
    names.filter(isPresent),
    kinds.filter((_kind, at) => isPresent(names[at]!)), // as long as names
  );
}
