// The node of one call: its stored response, or its error. Views are in graph.ts, and the other nodes in nodes.ts.
import type { Effects } from './effects.ts';
import type { Node, SmallSet, View } from './graph.ts';
import { NO_STAMP } from './order.ts';
import type { Stamp } from './order.ts';

const NO_PATTERNS: readonly never[] = [];

/** The stored response, or error, of one call. */
export class Slot implements Node {
  dependents: SmallSet<View> = null;
  readonly key: string;
  /** The key patterns of the REST endpoints whose calls have this key: nearly always a single pattern. */
  keyPatterns: readonly string[] = NO_PATTERNS;
  hasResult = false;
  stored: unknown;
  stamp: Stamp = NO_STAMP;
  /** The last failure. It is removed, for example, by the response to a later request and by an invalidation. */
  error: Error | undefined;
  /**
   * The stamp of the error. A response to a later request removes the error. An error of an earlier request than that of the stored
   * response is not stored.
   */
  errorStamp: Stamp = NO_STAMP;
  /**
   * When the slot was invalidated; 0 when the slot is valid. The response to an earlier request does not make the slot valid again.
   */
  invalidatedAt = 0;
  staleSince = 0;
  /**
   * The stamp of the further page whose tokens `stored` contains; undefined when `stored` has the tokens of the response itself.
   */
  pageStamp: Stamp | undefined;
  /** The original response, if further pages have put their tokens into `stored`. */
  firstPage: unknown;
  /** The effects of the response. They are kept if the server may later confirm that the response is unchanged. */
  effects: Effects | undefined;
  /**
   * The number of failures in a row; a response without a valid value counts as one. The number lengthens the pause before the next
   * try.
   */
  failureCount = 0;

  constructor(key: string) {
    this.key = key;
  }
}
