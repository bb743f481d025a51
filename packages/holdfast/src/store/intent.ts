// A pending mutation as the store keeps it: data without behaviour, as in nodes.ts. overlay.ts applies the intent over base.
import type { Effects } from './effects.ts';
import type { Node } from './graph.ts';
import type { Layer } from './layers.ts';
import type { List, Row } from './nodes.ts';

/** One pending mutation: its optimistic update, and the nodes on which the update depends. */
export class Intent {
  /** When the mutation was called, as a time on the store's timeline. */
  readonly calledAt: number;
  /** Computes the optimistic update from base and the earlier intents. */
  readonly computeUpdate: () => void;
  /**
   * The local ids in the mutation's arguments: when the server names one of these rows, the update is computed again with the new
   * id.
   */
  readonly localIds: ReadonlySet<string>;
  /** The effects of the optimistic update; null when the update was cancelled or has failed. */
  effects: Effects | null = null;
  /** The value of the last optimistic update; undefined when the update was cancelled or has failed. */
  updateValue: unknown;
  /**
   * The nodes that the update's function has read, with the content that it read. An entry with a content that no node has makes
   * the function run again.
   */
  seenContents: Map<Node, unknown> = new Map();
  /**
   * The nodes on which the layers depend, with the content that the intent saw: the nodes that the update's function has read, and
   * the rows whose state decides the update's effect, as in a creation, a placement or a merge.
   */
  readonly dependencies = new Map<Node, unknown>();
  /** The layers of this intent, each with its row or list. */
  readonly appliedLayers = new Map<Layer<unknown>, Row | List>();
  /** For each row, the fields that a later call has written. The update no longer changes these fields. */
  readonly supersededFields = new Map<Row, Set<string>>();
  /** The rows that the update has created, in order; every replay uses the same drafts. */
  readonly drafts: Row[] = [];

  /** True for a PATCH: the update only changes existing rows, and creates no row. */
  readonly isPartial: boolean;

  constructor(
    calledAt: number,
    run: () => void,
    localIds: ReadonlySet<string> = new Set(),
    isPartial = false,
  ) {
    this.calledAt = calledAt;
    this.isPartial = isPartial;
    this.computeUpdate = run;
    this.localIds = localIds;
  }
}
