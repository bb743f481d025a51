// The types of a parsed response body: for each `content` option, and for JSON.

/** The type of the body for each `content` other than 'json'. */
export interface ContentTypes {
  text: string;
  blob: Blob;
  arrayBuffer: ArrayBuffer;
  stream: ReadableStream<Uint8Array>;
}

/**
 * The type of a value after a round trip through JSON: methods are removed, and an object with `toJSON` has the type that `toJSON`
 * returns.
 *
 * @example type Wire = Json<{ at: Date; save(): void }>; // { at: string }
 */
export type Json<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends { toJSON(...args: never): infer J }
    ? J
    : T extends readonly (infer Item)[]
      ? Json<Item>[]
      : T extends object
        ? { [Name in keyof T as T[Name] extends (...args: never) => unknown ? never : Name]: Json<T[Name]> }
        : unknown;
