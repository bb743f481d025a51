// The interface of schema objects that contain other schemas: for code that searches schemas or changes parts of them.

/** The property with the schemas inside a schema, and with a function that copies the schema with other schemas inside. */
export const INSIDE: unique symbol = Symbol();

export interface Walkable {
  readonly [INSIDE]: {
    /** Distinguishes two schemas with equal `schemas`. A string, as minifiers change class names. */
    readonly kind: string;
    readonly schemas: readonly unknown[];
    with(change: (schema: unknown) => unknown): unknown;
  };
}

export function isWalkable(schema: unknown): schema is Walkable {
  return INSIDE in Object(schema);
}
