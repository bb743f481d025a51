// The interface of schema objects that contain other schemas. Code that searches schemas, or changes parts of them, uses it.

/**
 * The property of a schema object that has the schemas inside it, and a function that returns the schema object with other schemas
 * in their place.
 */
export const INSIDE: unique symbol = Symbol();

export interface Walkable {
  readonly [INSIDE]: {
    /** Distinguishes two schemas with equal `schemas`. It is a string, because minifiers change class names. */
    readonly kind: string;
    readonly schemas: readonly unknown[];
    with(change: (schema: unknown) => unknown): unknown;
  };
}

export function isWalkable(schema: unknown): schema is Walkable {
  return INSIDE in Object(schema);
}
