// The key under which a row stands on screen. The reader tells it of rows that were created here; all others go by
// their primary key.
import { HoldfastError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';

// keyed by the instances that readers hand out: gone with them
const localIds = new WeakMap<object, string>();

/** Remembers that this instance shows a row that was created here under that id. */
export function keepKey(instance: unknown, localId: string): void {
  if (isObject(instance)) localIds.set(instance, localId);
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
  const key = localIds.get(entity) ?? pk.call(entity);
  if (key === undefined)
    throw new HoldfastError('ENTITY_WITHOUT_PK', { entity: entity.constructor.name, found: 'undefined' });
  return String(key);
}
