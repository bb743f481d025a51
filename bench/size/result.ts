// What the size run leaves behind for the report. Bytes, minified, React outside.

export interface SizeResult {
  readonly name: string;
  readonly isOurs: boolean;
  readonly minified: number;
  readonly gzip: number;
  readonly brotli: number;
  readonly target: number | undefined;
  /** The library's own files in the bundle, with their minified bytes: what a size is made of. */
  readonly parts: readonly { readonly file: string; readonly bytes: number }[];
}
