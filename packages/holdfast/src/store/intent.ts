// A pending mutation, as the store keeps it: data without behaviour, like the classes of nodes.ts. overlay.ts applies it over
// base.
import type { Effects } from './effects.ts';
import type { Node } from './graph.ts';
import type { Layer } from './layers.ts';
import type { List, Row } from './nodes.ts';

/** One pending mutation: its optimistic update, and what the update depends on. */
export class Intent {
  /** When the mutation was called, as a time on the store's timeline. */
  readonly sent: number;
  /** Computes the optimistic update; called while the store shows base and the earlier intents. */
  readonly computeUpdate: () => void;
  /**
   * The local ids in the mutation's arguments: when the server names the row of one of them, the update is computed again with the
   * new id.
   */
  readonly localIds: ReadonlySet<string>;
  /** The effects of the optimistic update; null when the update was cancelled or its function threw. */
  effects: Effects | null = null;
  /** The value of the last optimistic update; undefined when the update was cancelled or its function threw. */
  updateValue: unknown;
  /** The nodes that the update's function has read, with the content that it read. */
  seenContents: Map<Node, unknown> = new Map();
  /**
   * The nodes that the layers depend on, with what the intent saw there. They are the nodes that the function has read, and rows
   * whose state decides what the update does, as in a creation, a placement or a merge.
   */
  readonly dependencies = new Map<Node, unknown>();
  /** The layers of this intent, each with its row or list. */
  readonly appliedLayers = new Map<Layer<unknown>, Row | List>();
  /** For each row, the fields that a later call has written: the update no longer changes them. */
  readonly supersededFields = new Map<Row, Set<string>>();
  /** The rows that the update has created, in order; every replay uses the same rows. */
  readonly drafts: Row[] = [];

  /** True for a PATCH: the update only changes existing rows and creates none. */
  readonly isPartial: boolean;

  constructor(sent: number, run: () => void, localIds: ReadonlySet<string> = new Set(), isPartial = false) {
    this.sent = sent;
    this.isPartial = isPartial;
    this.computeUpdate = run;
    this.localIds = localIds;
  }
}
