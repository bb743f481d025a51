// Stored form to plain form: what users' own hooks get to see. Entities are their ids, parsed fields their wire form,
// tagged references `{ id, schema }`. Everything else is as it was.
import { List, Row } from '../store/nodes.ts';
import { NamedMember, TaggedReference } from '../store/reference.ts';
import type { Fields } from '../store/nodes.ts';
import { putField } from '../store/fields.ts';
import { InlineEntity } from './inline-entity.ts';
import { Parsed } from './parsed.ts';

export function toPlain(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null) return stored;
  if (stored instanceof Row) return stored.pk;
  if (stored instanceof Parsed) return stored.raw;
  if (stored instanceof List) return stored.identity.id;
  if (stored instanceof TaggedReference) return { id: toPlain(stored.row), schema: stored.tag };
  if (stored instanceof NamedMember) return toPlain(stored.member);
  if (stored instanceof InlineEntity) return toPlain(stored.fields);
  if (Array.isArray(stored)) return stored.map(toPlain);
  if (Object.getPrototypeOf(stored) !== Object.prototype) return stored;
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(stored)) putField(plain, name, toPlain(value));
  return plain;
}

/** Fields as hooks know them: ids for entities, wire forms for parsed fields. */
export function plainFields(fields: Fields): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) putField(plain, name, unwrap(fields[name]));
  return plain;
}

/** The plain form of a field's value; plain JSON, which holds nothing of the store's, is the same object. */
export function unwrap(stored: unknown): unknown {
  return holdsInternals(stored) ? toPlain(stored) : stored;
}

function holdsInternals(root: unknown): boolean {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) {
      for (const inner of Object.values(value)) stack.push(inner);
    } else if (toPlain(value) !== value) return true;
  }
  return false;
}
