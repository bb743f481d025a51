// What the recorder remembers, as the files beside it read it: implemented by recorder.ts.
import type { Doubter } from './windows.ts';
import type { Core } from '../../controller/state/core.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { Node } from '../../store/graph.ts';
import type { InspectedEvent } from './inspected.types.ts';
import type { KnownRequest } from './known-request.ts';
import type { ComponentNames } from './name-readers.ts';

/** The last change of a node that views are built from. */
export interface NodeChange {
  readonly count: number;
  readonly isOptimistic: boolean;
  readonly by: KnownRequest | undefined;
}

export interface RecorderMemory {
  readonly core: Core;
  readonly requests: ReadonlyMap<number, KnownRequest>;
  readonly components: ComponentNames;
  readonly lastChanges: WeakMap<Node, NodeChange>;
  /** The last time that an answer has stated a list, the same members or others. */
  readonly lastStated: WeakMap<Node, NodeChange>;
  /** How much has changed: orders changes and wake-ups. */
  readonly count: number;
  now(): number;
  notify(what: InspectedEvent['what'], request: KnownRequest | undefined, about?: string): void;
  requestOf(flight: Flight): KnownRequest | undefined;
  /** Whose doing it was that something came into doubt at this stamp; `isByHand` where it was expired. */
  doubtedBy(stamp: number): Doubter;
}
