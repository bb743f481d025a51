// The public function `toPlain`: copies a value from the store for code that modifies its data, such as form libraries. The library
// itself does not call it, so an application that does not import it does not ship it.
import { KIND } from '../protocol/protocol.ts';
import { isObject, mapPlain } from '../../support/plain.ts';

type Method = (...args: never) => unknown;
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type MethodName<T> = { [K in keyof T]-?: NonNullable<T[K]> extends Method ? K : never }[keyof T];
/**
 * The names of the readonly properties. Properties that have only a getter are among them, because these are readonly to the
 * compiler.
 */
type ReadonlyName<T> = {
  [K in keyof T]-?: IsSame<Pick<T, K>, { -readonly [P in K]: T[P] }> extends true ? never : K;
}[keyof T];
type EntityRecord<T, Left> = { -readonly [K in keyof T as K extends Left ? never : K]: PlainOf<T[K]> };

/**
 * The type of a copy that `toPlain` makes: entities become plain objects with their fields; values of other classes keep
 * their type. A readonly property of an entity is optional, because it may be a getter, which is not copied.
 *
 * `PlainOf<Todo>` is `{ id: string; title: string; dueAt: Date; author: { id: string; name: string } }`.
 *
 * @example
 * const values: PlainOf<Todo> = toPlain(Todo.fromJS({ title: 'milk' }));
 * values.title = 'tea';
 */
export type PlainOf<T> = T extends readonly unknown[]
  ? { -readonly [K in keyof T]: PlainOf<T[K]> }
  : T extends { pk: Method }
    ? [ReadonlyName<T>] extends [never]
      ? EntityRecord<T, MethodName<T>>
      : EntityRecord<T, MethodName<T> | ReadonlyName<T>> &
          Partial<EntityRecord<Pick<T, ReadonlyName<T>>, MethodName<T>>>
    : T extends object
      ? [MethodName<T>] extends [never]
        ? EntityRecord<T, never>
        : T
      : T;

function isEntity(value: unknown): value is object {
  if (!isObject(value)) return false;
  // The class is read from the prototype, because the payload may have a field named constructor.
  const prototype = Object.getPrototypeOf(value) as { constructor?: unknown } | null; // cast: a prototype may have a constructor
  return typeof prototype?.constructor === 'function' && KIND in prototype.constructor;
}

/**
 * Makes a deep copy: entities become plain objects with their fields; arrays, objects and dates are copied; values of other classes
 * are not. An object that occurs several times has one copy, so cycles are preserved. Use it for code that modifies data in place,
 * as form libraries do: values from the store are shared and must not be modified.
 *
 * @example
 * const todo = await controller.fetch(TodoResource.get, { id: '5' });
 * const values = toPlain(todo);
 * values.title = 'milk'; // the store has the old title
 */
export function toPlain<T>(value: T): PlainOf<T> {
  // The keys are the originals and their copies, because `mapPlain` passes a copied Date to `copy` once more.
  const copies = new Map<unknown, object>();
  const copy = (leaf: unknown): unknown => {
    const known = copies.get(leaf);
    if (known) return known;
    const made = leaf instanceof Date ? new Date(leaf) : isEntity(leaf) ? { ...leaf } : null;
    if (!made) return leaf;
    copies.set(leaf, made).set(made, made);
    return made;
  };
  return mapPlain(value, copy) as PlainOf<T>; // cast: PlainOf describes this copy
}
