// The public functions `viewKey` and `isDraft`. normalize/read.ts records every instance of a row that has a local id; other
// instances have their primary key as view key.
import { HoldfastError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';

// The keys are instances, so that an entry is collected together with its instance.
const created = new WeakMap<object, readonly [localId: string, pk: string]>();

/** Records that the instance shows a row that was created here with this local id. */
export function recordLocalId(instance: unknown, localId: string, pk: string): void {
  if (isObject(instance)) created.set(instance, [localId, pk]);
}

/**
 * Whether an instance shows a row that was created here and to which the server had not assigned an id yet.
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
 * Returns a React key for an entity. The key does not change when the server's id replaces the local id of an optimistic creation,
 * so that the component is not mounted again. It does change if another payload has stored the created row before the response.
 * Throws for an entity without a primary key.
 *
 * @example
 * const todos = useSuspense(TodoResource.getList);
 * const rows = todos.map((todo) => <li key={viewKey(todo)}>{todo.title}</li>);
 */
export function viewKey(entity: { pk(): string | number | undefined }): string {
  // The method is read from the prototype, because the payload may have a field named pk.
  const { pk } = Object.getPrototypeOf(entity) as typeof entity; // cast: an instance of an entity class
  const key = created.get(entity)?.[0] ?? pk.call(entity);
  if (key === undefined)
    throw new HoldfastError('ENTITY_WITHOUT_PK', { entity: entity.constructor.name, found: 'undefined' });
  return String(key);
}
