// Stored form to plain form: what users' own hooks get to see. Entities are their ids, parsed fields their wire form,
// tagged references `{ id, schema }`. Everything else is as it was.
import { List, Row } from '../store/nodes.ts';
import { NamedMember, TaggedReference } from '../store/reference.ts';
import { putField } from '../store/fields.ts';
import { Parsed } from './field-kind.ts';

export function toPlain(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null) return stored;
  if (stored instanceof Row) return stored.pk;
  if (stored instanceof Parsed) return stored.raw;
  if (stored instanceof List) return stored.identity.id;
  if (stored instanceof TaggedReference) return { id: toPlain(stored.row), schema: stored.tag };
  if (stored instanceof NamedMember) return toPlain(stored.member);
  if (Array.isArray(stored)) return stored.map(toPlain);
  if (Object.getPrototypeOf(stored) !== Object.prototype) return stored;
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(stored)) putField(plain, name, toPlain(value));
  return plain;
}
