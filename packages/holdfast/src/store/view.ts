// What is read and what reads it: nodes, and the views over them with their memoized values. The kinds of nodes that hold
// data are in nodes.ts; graph.ts keeps the edges.
import type { SmallSet } from './small-set.ts';

/** Anything a view can read. No base class: a constructor that must call another one is not compiled into its caller. */
export interface Node {
  dependents: SmallSet<View>;
}

/** A child that changed since the view over it was built, with the value it had then. */
export interface Change {
  readonly child: View;
  readonly before: unknown;
  /** What was noted before it. A chain: nearly all are one long, and an array would be several times their size. */
  readonly earlier: Change | null;
  /** Its place in the chain, from 1 on. */
  readonly count: number;
}

/** Whoever hears of a view's change: an object, because a page has thousands of them and each would need a function. */
export interface Subscriber {
  wake(): void;
}

export const NO_ARGS: readonly unknown[] = [];

/** The memoized value of one node as one schema reads it. */
export class View implements Node {
  dependents: SmallSet<View> = null;
  isClean = false;
  /** Under construction, until it is clean or marked again. */
  isBuilding = false;
  /** What a user's own code threw when the view was built last; readers get it thrown until something changes. */
  failure: { readonly error: unknown } | null = null;
  subscribers: SmallSet<Subscriber> = null;
  /** The children that changed since the value was built, the last first; undefined where it cannot be made anew from them. */
  changes: Change | null | undefined = undefined;
  /** What is viewed: a row, a list, a result, or nothing for a query. */
  readonly subject: Node | null;
  /** The schema kind that reads it; opaque to the store. */
  readonly reader: unknown;
  value: unknown = undefined;
  /** What the value was built from, opaque to the store: members, sorted items. */
  builtFrom: unknown = undefined;
  /** The nodes this view read when it was built. */
  children: Node[] | null = null;

  /** The arguments that the kind reads with. */
  readonly args: readonly unknown[];
  /** For a look-up: the stored form that the arguments named. */
  stored: unknown = undefined;
  /** The value subscribers last heard of. */
  told: unknown = undefined;

  constructor(subject: Node | null, reader: unknown, args: readonly unknown[]) {
    this.subject = subject;
    this.reader = reader;
    this.args = args;
  }
}
