// Which field of an entity is its primary key, for those who know a row by its key alone: a path parameter of another
// name, a local id. Found by asking the class's own `pk` what it looks at.
import { ownValue } from '../../store/fields.ts';
import type { Fields } from '../../store/nodes.ts';
import { nameOf } from '../../support/errors.ts';
import type { EntityHooks } from './entity-hooks.ts';
import type { WriteContext } from '../protocol/protocol.ts';

// keyed by the users' own classes: a memo, not state
const found = new WeakMap<object, string | null>();

/** The field that `pk` reads; null when it reads several, or none. */
export function pkFieldOf(entity: EntityHooks): string | null {
  let field = found.get(entity);
  if (field === undefined) found.set(entity, (field = findPkField(entity)));
  return field;
}

/** A key as text. What cannot be one is refused. */
export function textOfPk(pk: unknown, entity: string, at: WriteContext): string {
  if (typeof pk === 'string' && pk !== '') return pk;
  if (typeof pk === 'bigint') return String(pk);
  if (typeof pk === 'number' && Number.isFinite(pk)) {
    if (!Number.isInteger(pk) || Number.isSafeInteger(pk)) return String(pk);
    return at.fail('ENTITY_UNSAFE_ID', { entity, found: pk });
  }
  return at.fail('ENTITY_WITHOUT_PK', { entity, found: nameOf(pk) });
}

/** A draft's fields with its local id where the key is read. */
export function withLocalId(entity: EntityHooks, fields: Fields, localId: string): Fields {
  const field = pkFieldOf(entity);
  return field === null || ownValue(fields, field) !== undefined ? fields : { ...fields, [field]: localId };
}

/** Whether a class's own `pk` may look at what is around the object. */
export function asksAround(entity: EntityHooks, base: EntityHooks): boolean {
  return entity.pk !== base.pk || entity.prototype.pk.length > 0;
}

function findPkField(entity: EntityHooks): string | null {
  const read = new Set<string>();
  const probe = new Proxy(
    {},
    {
      get(_target, name): undefined {
        if (typeof name === 'string') read.add(name);
      },
    },
  );
  try {
    entity.pk(probe, undefined, '', []);
  } catch {
    return null; // it needs more than a field
  }
  const [field, another] = read;
  return field === undefined || another !== undefined ? null : field;
}

/** Whether it is a key of several parts of which the server is to give one: 'A:undefined'. A slug may hold the word itself. */
export function lacksPart(pk: string, fields: Fields): boolean {
  const hasWord = (text: unknown): boolean => typeof text === 'string' && text.includes('undefined');
  return (
    hasWord(pk) && !Object.values(fields).some((value) => hasWord(value) && pk.includes(value as string))
  ); // cast: asked before
}
