// What an instance shows: the key under which its row stands on screen, and whether the server has named the row. The reader
// tells it of rows that were created here; all others go by their primary key.
import type { Row } from '../../store/nodes.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';

// keyed by the instances that readers hand out: gone with them
const created = new WeakMap<object, Row>();

/** Remembers that this instance shows a row that was created here. */
export function keepCreated(instance: unknown, row: Row): void {
  if (isObject(instance)) created.set(instance, row);
}

/**
 * Whether a row was created here and the server has not named it yet.
 *
 * @example
 * const todos = useSuspense(TodoResource.getList);
 * const rows = todos.map((todo) => <li key={viewKey(todo)}>{isDraft(todo) ? 'new' : `#${todo.id}`}</li>);
 */
export function isDraft(entity: { pk(): string | number | undefined }): boolean {
  const row = created.get(entity);
  return row !== undefined && row.pk === row.localId && row.forward === null;
}

/**
 * A key that stays the same from an optimistic creation on, when the server's id takes the place of the local one: a
 * row on screen is not mounted again.
 *
 * @example
 * const todos = useSuspense(TodoResource.getList);
 * const rows = todos.map((todo) => <li key={viewKey(todo)}>{todo.title}</li>);
 */
export function viewKey(entity: { pk(): string | number | undefined }): string {
  // the class's own: a field of the payload may be called pk
  const { pk } = Object.getPrototypeOf(entity) as typeof entity; // cast: an instance of an entity class
  const key = created.get(entity)?.localId ?? pk.call(entity);
  if (key === undefined)
    throw new HoldfastError('ENTITY_WITHOUT_PK', { entity: entity.constructor.name, found: 'undefined' });
  return String(key);
}
