// How one looks for something inside a schema: schema objects that hold others implement this.

/** The slot under which a schema gives the schemas it holds, and a copy of itself with them changed. */
export const INSIDE: unique symbol = Symbol();

export interface Walkable {
  readonly [INSIDE]: {
    /** Tells kinds apart that hold the same schemas; a text that minifiers leave alone. */
    readonly kind: string;
    readonly schemas: readonly unknown[];
    with(change: (schema: unknown) => unknown): unknown;
  };
}

export function isWalkable(schema: unknown): schema is Walkable {
  return INSIDE in Object(schema);
}
