// What the memory run leaves behind for the report.

export interface MemoryResult {
  readonly contestant: string;
  readonly shape: 'flat' | 'nested';
  readonly entities: number;
  /** Heap bytes kept per entity, input dropped: after the write, and after the list was read once. */
  readonly stored: number;
  readonly read: number;
}

/** A 50 MB response: 250,000 rows from text to a list that was read. */
export interface LargeResponseResult {
  readonly contestant: string;
  readonly rows: number;
  readonly textBytes: number;
  readonly parseMs: number;
  readonly storeAndReadMs: number;
  /** Heap kept after the input was dropped. */
  readonly keptBytes: number;
}

export interface MemoryContent {
  readonly perEntity: readonly MemoryResult[];
  readonly largeResponse: readonly LargeResponseResult[];
}
