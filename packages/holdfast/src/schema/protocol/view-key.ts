// What an instance shows: the key under which its row stands on screen, and whether the server has named the row. The reader
// tells it of rows that were created here; all others go by their primary key.
import { HoldfastError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';

// keyed by the instances that readers hand out: gone with them
const created = new WeakMap<object, readonly [localId: string, pk: string]>();

/** Remembers that this instance shows a row that was created here under that id. */
export function keepCreated(instance: unknown, localId: string, pk: string): void {
  if (isObject(instance)) created.set(instance, [localId, pk]);
}

/**
 * Whether an instance shows a row that was created here and that the server had not named.
 *
 * @example
 * const todos = useSuspense(TodoResource.getList);
 * const rows = todos.map((todo) => <li key={viewKey(todo)}>{isDraft(todo) ? 'new' : `#${todo.id}`}</li>);
 */
export function isDraft(entity: { pk(): string | number | undefined }): boolean {
  const [localId, pk] = created.get(entity) ?? [];
  return localId !== undefined && localId === pk;
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
  const key = created.get(entity)?.[0] ?? pk.call(entity);
  if (key === undefined)
    throw new HoldfastError('ENTITY_WITHOUT_PK', { entity: entity.constructor.name, found: 'undefined' });
  return String(key);
}
