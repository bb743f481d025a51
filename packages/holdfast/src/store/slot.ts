// The node of one call: its stored response, or its error. The other nodes are in nodes.ts.
import type { Effects } from './effects.ts';
import type { Node, SmallSet, View } from './graph.ts';
import { NO_STAMP } from './order.ts';
import type { Stamp } from './order.ts';

const NO_PATTERNS: readonly never[] = [];

/** The stored response, or error, of one call. */
export class Slot implements Node {
  dependents: SmallSet<View> = null;
  readonly key: string;
  /** The key patterns of the REST endpoints whose calls have this key: nearly always one. */
  keyPatterns: readonly string[] = NO_PATTERNS;
  hasResult = false;
  stored: unknown;
  stamp: Stamp = NO_STAMP;
  /** The last failure; undefined after the response to a later request, and after an invalidation. */
  error: Error | undefined;
  /** The stamp of the error: of an error and a response, the one whose request was sent later counts. */
  errorStamp: Stamp = NO_STAMP;
  /** When the slot was invalidated: the response to an earlier request does not make it valid again; 0 when it is valid. */
  invalidatedAt = 0;
  staleSince = 0;
  /** The stamp of the further page whose tokens `stored` contains; undefined when they are those of the response itself. */
  pageStamp: Stamp | undefined;
  /** The original response, when further pages have put their tokens into `stored`. */
  firstPage: unknown;
  /** The effects of the response, kept when the server may later confirm that it is unchanged. */
  effects: Effects | undefined;
  /** The number of failures in a row; a response without a valid value counts as one. It lengthens the pause before the next try. */
  failures = 0;

  constructor(key: string) {
    this.key = key;
  }
}
