// The part of the recorder that stale.ts and wakes.ts use. recorder.ts implements it.
import type { StaleMarker } from './stamp-ranges.ts';
import type { ExtensionHost } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { Node } from '../../store/graph.ts';
import type { InspectedEvent } from './inspected.types.ts';
import type { LayerChange } from './layer-watch.ts';
import type { KnownRequest } from './known-request.ts';
import type { ComponentNames } from './name-readers.ts';

/** The last change of a row or a list; for a table, the last change of one of its rows. */
export interface NodeChange {
  /** The number of this change in the order of all changes. */
  readonly changeNumber: number;
  readonly isOptimistic: boolean;
  /** The fields of the row that have changed; empty for a list. */
  readonly fields: Iterable<string>;
  readonly by: KnownRequest | undefined;
  /** How the optimistic updates have changed; set only for a change of optimistic updates. */
  readonly how?: LayerChange | undefined;
}

export interface RecorderMemory {
  readonly core: ExtensionHost;
  readonly requests: ReadonlyMap<number, KnownRequest>;
  readonly components: ComponentNames;
  readonly lastChanges: WeakMap<Node, NodeChange>;
  /** For each list, the last payload that contained the list, even if the members of the list did not change. */
  readonly lastPayloads: WeakMap<Node, NodeChange>;
  /** The number of changes so far. A reader that is notified knows of the changes up to this number. */
  readonly changeCount: number;
  now(): number;
  addEvent(what: InspectedEvent['what'], request: KnownRequest | undefined, about?: string): void;
  requestOf(flight: Flight): KnownRequest | undefined;
  /**
   * Finds the request that marked data stale at this time on the store's timeline; `isByHand` is true if the application has marked
   * the data.
   */
  markedStaleBy(stamp: number): StaleMarker;
}
