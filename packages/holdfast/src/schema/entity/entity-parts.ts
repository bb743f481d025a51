// The fields of an entity in which something is nested. Made once per class by entity-kind.ts, for writing and reading.
import { hasField } from '../../store/fields.ts';
import type { Fields } from '../../store/nodes.ts';
import type { Kind } from '../protocol/protocol.ts';

/** Nested fields and their kinds, place by place. */
export interface Parts {
  readonly names: readonly string[];
  readonly kinds: readonly Kind[];
}

export const NO_PARTS: Parts = { names: [], kinds: [] };

/** Those that are there; the whole itself for all rows that have every one. */
export function partsIn(whole: Parts, fields: Fields): Parts {
  const { names, kinds } = whole;
  let isWhole = true;
  for (let at = 0; at < names.length; at += 1) {
    if (!hasField(fields, names[at]!)) isWhole = false; // at < length
  }
  if (isWhole) return whole;
  const isPresent = (name: string): boolean => Object.hasOwn(fields, name);
  return {
    names: names.filter(isPresent),
    kinds: kinds.filter((_kind, at) => isPresent(names[at]!)), // as long as names
  };
}
