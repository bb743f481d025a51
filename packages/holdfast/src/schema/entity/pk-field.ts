// Which field of an entity is its primary key, for those who know a row by its key alone (a path parameter of another name, a
// local id), and what may be a key. The field is found by asking the class's own `pk` what it reads.
import { fieldOf } from '../../store/fields.ts';
import type { Fields } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { ensure } from '../../support/ensure.ts';
import { nameOf } from '../../support/errors.ts';
import type { EntityHooks } from './entity-hooks.ts';
import type { WriteContext } from '../protocol/protocol.ts';

/** The field that `pk` reads; null when it reads several, or none. Asked once. */
export function pkFieldOf(entity: EntityHooks): string | null {
  return ensure(pkFields, entity, () => findPkField(entity));
}

// keyed by the users' own classes: a memo, not state
const pkFields = new WeakMap<EntityHooks, string | null>();

function findPkField(entity: EntityHooks): string | null {
  const read = new Set<string | symbol>();
  const probe = new Proxy({}, { get: (_target, name) => void read.add(name) });
  try {
    entity.pk(probe, undefined, '', []);
  } catch {
    return null; // it needs more than a field
  }
  const [first] = read;
  return read.size === 1 && typeof first === 'string' ? first : null;
}

/** A key as text. What cannot be one is refused. */
export function textOfPk(pk: unknown, entity: string, at: WriteContext): string {
  if (typeof pk === 'string' && pk !== '') return pk;
  if (typeof pk === 'number' && Number.isInteger(pk) && !Number.isSafeInteger(pk))
    return at.fail('ENTITY_UNSAFE_ID', { entity, found: pk });
  if (typeof pk === 'bigint' || Number.isFinite(pk)) return String(pk);
  return at.fail('ENTITY_WITHOUT_PK', { entity, found: nameOf(pk) });
}

/** A draft's fields with its local id where the key is read. */
export function withLocalId(entity: EntityHooks, fields: Fields, localId: string): Fields {
  const field = pkFieldOf(entity);
  return field === null || fieldOf(fields, field) !== undefined ? fields : { ...fields, [field]: localId };
}

/**
 * Whether a part of a key is missing, because a field that `pk` read is absent: 'A:undefined'. A field may hold the word itself:
 * with an empty text for all that is absent, `pk` then gives the same key.
 */
export function lacksPart(pk: unknown, fields: Fields, call: (fields: Fields) => unknown): boolean {
  if (typeof pk !== 'string' || !/undefined|null/.test(pk)) return false;
  // a copy: a frozen object must give what it holds
  const whole = new Proxy({ ...fields }, { get: (copy, name: string) => copy[name] ?? '' });
  return tryRun(() => call(whole)) !== pk;
}
