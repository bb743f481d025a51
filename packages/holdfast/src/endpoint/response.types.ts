// The types of what a response's body becomes: by its `content`, or as JSON.

/** What `content` makes of a body, where it is no data. */
export interface ContentTypes {
  text: string;
  blob: Blob;
  arrayBuffer: ArrayBuffer;
  stream: ReadableStream<Uint8Array>;
}

/**
 * A value as it stands in JSON: without methods, and what has `toJSON` as that gives it.
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
