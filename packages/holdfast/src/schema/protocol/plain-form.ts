// Stored form to plain form: what users' own hooks get to see. Entities are their ids, parsed fields their wire form,
// tagged references `{ id, schema }`. Everything else is as it was.
import { List, Row } from '../../store/nodes.ts';
import { NamedMember, TaggedReference } from '../../store/reference.ts';
import type { Fields } from '../../store/nodes.ts';
import { putField } from '../../store/fields.ts';
import { InlineEntity } from './inline-entity.ts';
import { Parsed } from './parsed.ts';
import { changePlain, mapPlain } from '../../support/map-plain.ts';

export function toPlain(stored: unknown): unknown {
  return mapPlain(stored, plainLeaf);
}

function plainLeaf(stored: unknown): unknown {
  if (stored instanceof Row) return stored.pk;
  if (stored instanceof Parsed) return stored.raw;
  if (stored instanceof List) return stored.identity.id;
  if (stored instanceof TaggedReference) return { id: toPlain(stored.row), schema: stored.tag };
  if (stored instanceof NamedMember) return toPlain(stored.member);
  if (stored instanceof InlineEntity) return toPlain(stored.fields);
  return stored;
}

/** Fields as hooks know them: ids for entities, wire forms for parsed fields. */
export function plainFields(fields: Fields): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) putField(plain, name, unwrap(fields[name]));
  return plain;
}

/** The plain form of a field's value; plain JSON, which holds nothing of the store's, is the same object. */
export function unwrap(stored: unknown): unknown {
  return changePlain(stored, plainLeaf);
}
