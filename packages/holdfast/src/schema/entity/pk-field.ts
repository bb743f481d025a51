// Finds the field that is an entity's primary key, for callers that have only the key itself (a path parameter of another name, a
// local id), and checks values of keys. To find the field, `pk` is called on a proxy that records the fields that `pk` reads.
import { fieldOf } from '../../store/fields.ts';
import type { Fields } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { ensure } from '../../support/ensure.ts';
import { describeType } from '../../support/errors.ts';
import type { EntityConstructor } from './entity-constructor.ts';
import type { WriteContext } from '../protocol/protocol.ts';

/** The field that `pk` reads; null when `pk` reads several fields or none, or throws. The result is memoized per class. */
export function pkFieldOf(entity: EntityConstructor): string | null {
  return ensure(pkFields, entity, findPkField);
}

// The keys are the users' classes: this map is a memo, not state.
const pkFields = new WeakMap<EntityConstructor, string | null>();

function findPkField(entity: EntityConstructor): string | null {
  const read = new Set<string | symbol>();
  const probe = new Proxy({}, { get: (_target, name) => void read.add(name) });
  try {
    entity.pk(probe, undefined, '', []);
  } catch {
    return null; // pk() does more than read one field
  }
  const [first] = read;
  return read.size === 1 && typeof first === 'string' ? first : null;
}

/** Converts a primary key to a string. Fails for a value that cannot be a key. */
export function textOfPk(pk: unknown, entity: string, at: WriteContext): string {
  if (typeof pk === 'string' && pk !== '') return pk;
  if (Number.isInteger(pk) && !Number.isSafeInteger(pk))
    return at.fail('ENTITY_UNSAFE_ID', { entity, found: pk });
  if (typeof pk === 'bigint' || Number.isFinite(pk)) return String(pk);
  return at.fail('ENTITY_WITHOUT_PK', { entity, found: describeType(pk) });
}

/**
 * The fields of a draft, with the local id in the field of the primary key, if the key is one field and this field is absent or
 * undefined.
 */
export function withLocalId(entity: EntityConstructor, fields: Fields, localId: string): Fields {
  const field = pkFieldOf(entity);
  return field === null || fieldOf(fields, field) !== undefined ? fields : { ...fields, [field]: localId };
}

/**
 * Whether an absent or null field is part of the primary key, as in the key 'A:undefined'. A field may really contain the word
 * "undefined". So `pk` is called again with '' for all absent and null fields: if the key stays the same, no such field is in the
 * key.
 */
export function lacksPart(pk: unknown, fields: Fields, call: (fields: Fields) => unknown): boolean {
  if (typeof pk !== 'string' || !/undefined|null/.test(pk)) return false;
  // A copy is proxied, because a proxy of a frozen object may not return other values than the object has.
  const whole = new Proxy({ ...fields }, { get: (copy, name: string) => copy[name] ?? '' });
  return tryRun(() => call(whole)) !== pk;
}
