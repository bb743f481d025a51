// A pending mutation, as the store keeps it: a class that only holds, like those of nodes.ts. Laid over server truth by overlay.ts.
import type { Node } from './graph.ts';
import type { Layer } from './layers.ts';
import type { List, Row } from './nodes.ts';

/** One pending mutation: identity, what it does to the store, and what its function read. */
export class Intent {
  /** Its place in the order of calls. */
  readonly sent: number;
  /** Makes the guess; called with the store showing base and the earlier intents. */
  readonly run: () => void;
  /** The local ids that its arguments name: when the server names one of them, the guess is made with the new name. */
  readonly localIds: ReadonlySet<string>;
  /** What the guess changes; opaque here, applied by overlay.ts. Null when the guess was called off. */
  effects: unknown;
  /** What was guessed last; undefined when the guess was called off. */
  value: unknown;
  /** What the function read, and what it saw there. */
  reads: Map<Node, unknown> = new Map();
  /** What the layers depend on, as it was below them: what was read, and rows that are judged or merged by their fields. */
  readonly dependencies = new Map<Node, unknown>();
  /** Its layers, and what they lie on. */
  readonly applied = new Map<Layer<unknown>, Row | List>();
  /** The fields of each row that a later call has told of: the guess says nothing of them any more. */
  readonly covered = new Map<Row, Set<string>>();
  /** Rows it created, by the order in which the guess names them; the same ones at every replay. */
  readonly drafts: Row[] = [];

  /** Whether it changes rows that are there: it creates none. */
  readonly isPartial: boolean;

  constructor(sent: number, run: () => void, localIds: ReadonlySet<string> = new Set(), isPartial = false) {
    this.sent = sent;
    this.isPartial = isPartial;
    this.run = run;
    this.localIds = localIds;
  }
}
