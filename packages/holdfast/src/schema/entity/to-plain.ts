// A copy of a value that readers get, for code that writes into its own data: form libraries, editors. Stands above the
// flow: nothing inside the library calls it, and an application that does not import it does not ship it.
import { KIND } from '../protocol/protocol.ts';
import { isObject, mapPlain } from '../../support/plain.ts';

type Method = (...args: never) => unknown;
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type MethodName<T> = { [K in keyof T]-?: NonNullable<T[K]> extends Method ? K : never }[keyof T];
/** Getters too: to the compiler a member that only has a getter is readonly. */
type ReadonlyName<T> = {
  [K in keyof T]-?: IsSame<Pick<T, K>, { -readonly [P in K]: T[P] }> extends true ? never : K;
}[keyof T];
type EntityRecord<T, Left> = { -readonly [K in keyof T as K extends Left ? never : K]: PlainOf<T[K]> };

/**
 * The type of a copy that `toPlain` makes: entities are objects of their fields, values of other classes are what they were.
 * A readonly member may be absent: it may be a getter, which is no field.
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
  // the prototype's: a field of the payload may be called constructor
  const prototype = Object.getPrototypeOf(value) as { constructor?: unknown } | null; // cast: any object
  return typeof prototype?.constructor === 'function' && KIND in prototype.constructor;
}

/**
 * A deep copy that nobody else holds: entities become plain objects of their fields, arrays and objects are copied, dates too.
 * Values of other classes are kept. What was one object stays one, so circles stay circles. For code that changes its own
 * data in place, as form libraries do: what readers get from the store is shared and must not be changed.
 *
 * @example
 * const todo = await controller.fetch(TodoResource.get, { id: '5' });
 * const values = toPlain(todo);
 * values.title = 'milk'; // the store has the old title
 */
export function toPlain<T>(value: T): PlainOf<T> {
  // by what they are copies of, and by themselves: a copy is not copied again
  const copies = new Map<unknown, object>();
  const copy = (leaf: unknown): unknown => {
    const known = copies.get(leaf);
    if (known) return known;
    const made = leaf instanceof Date ? new Date(leaf) : isEntity(leaf) ? { ...leaf } : null;
    if (!made) return leaf;
    copies.set(leaf, made).set(made, made);
    return made;
  };
  return mapPlain(value, copy) as PlainOf<T>; // cast: the type says what the walk does
}
