// Stored form to plain form: what users' own hooks get to see. Entities are their ids, parsed fields their wire form,
// tagged references `{ id, schema }`. Everything else is as it was.
import { changePlain } from '../support/map-plain.ts';
import { putField, Wrapped } from './fields.ts';
import { isNode } from './nodes.ts';
import type { Fields } from './nodes.ts';

/** Plain data, which holds nothing of the store's, is the same object. */
export function toPlain(stored: unknown): unknown {
  return changePlain(stored, (leaf) => {
    if (isNode(leaf)) return String(leaf);
    return leaf instanceof Wrapped ? leaf.toPlain() : leaf;
  });
}

/** Fields as hooks know them: ids for entities, wire forms for parsed fields. */
export function plainFields(fields: Fields): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) putField(plain, name, toPlain(fields[name]));
  return plain;
}
