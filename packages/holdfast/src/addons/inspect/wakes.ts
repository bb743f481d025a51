// Finds why a reader was notified. It compares the slot with a copy from the reader's last notification, and looks up in the
// recorder which of the shown rows and lists have changed since.
import { EndpointObserver } from '../../controller/observe/observer.ts';
import type { ExtensionReader } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { Node } from '../../store/graph.ts';
import { IndexEntry, isRowOrList, Row, Table } from '../../store/nodes.ts';
import type { Slot } from '../../store/slot.ts';
import { isAfter, isStale } from '../../store/order.ts';
import { storedParts } from '../../controller/slot/read-slot.ts';
import type { InspectedWake, WakeReason } from './inspected.types.ts';
import type { RecorderMemory } from './memory.ts';
import { componentNamesOf } from './name-readers.ts';
import { Ring } from './ring.ts';
import { nameOfNode, nodesReadBy } from './stale.ts';

/** How many changed rows and lists are reported at most. */
const MOST_REASONS = 8;

type SlotState = Pick<
  Slot,
  'stored' | 'stamp' | 'error' | 'errorStamp' | 'invalidatedAt' | 'staleSince' | 'hasResult'
>;

interface SlotCopy extends SlotState {
  readonly flights: readonly Flight[];
}

/** The state at a reader's last notification, or when the reader was mounted. */
interface ReaderState {
  readonly engine: Engine;
  readonly slot: SlotCopy | undefined;
  readonly changeCount: number;
  readonly notifiedAt: number;
  readonly wakeCount: number;
  /** The latest `staleSince` of the nodes that the reader shows; 0 if none is stale, and before the first notification. */
  readonly staleAt: number;
}

export class Wakes {
  readonly #memory: RecorderMemory;
  readonly #wakes: Ring<InspectedWake>;
  #count = 0;
  readonly #lastStates = new WeakMap<object, ReaderState>();

  constructor(memory: RecorderMemory, keep: number) {
    this.#memory = memory;
    this.#wakes = new Ring(keep);
  }

  /**
   * Called when a reader is mounted. If the reader is new, notes the present state, which the reader has read without a
   * notification.
   */
  addReader(observer: ExtensionReader): void {
    if (!this.#lastStates.has(observer)) this.#lastStates.set(observer, this.#readState(observer, 0));
  }

  /** How often the reader was notified since it was first mounted. */
  wakeCountOf(observer: object): number {
    return this.#lastStates.get(observer)?.wakeCount ?? 0;
  }

  toArray(): InspectedWake[] {
    return this.#wakes.toArray();
  }

  noteWake(observer: ExtensionReader): void {
    const before = this.#lastStates.get(observer);
    const now = this.#readState(observer, (before?.wakeCount ?? 0) + 1);
    this.#lastStates.set(observer, now);
    const call = observer instanceof EndpointObserver ? observer.call : undefined;
    const key = call?.key ?? '';
    const reasons = before ? this.#reasonsOf(observer, before, now) : [];
    const components = componentNamesOf(this.#memory.components, observer);
    this.#wakes.push({
      id: ++this.#count,
      key,
      endpoint: call?.endpoint.name ?? '',
      args: call?.args ?? [],
      at: now.notifiedAt,
      reasons,
      components,
    });
    this.#memory.addEvent('wake-up', undefined, key);
  }

  #readState(observer: ExtensionReader, times: number): ReaderState {
    const { core, changeCount: count } = this.#memory;
    const slot =
      observer instanceof EndpointObserver ? core.engine.store.slots.get(observer.call.slotKey) : undefined;
    return {
      engine: core.engine,
      slot: slot && { ...(slot as SlotState), flights: core.flights.readsOf(slot.key) }, // cast: a copy has no methods
      changeCount: count,
      notifiedAt: this.#memory.now(),
      wakeCount: times,
      staleAt: times > 0 ? this.#lastStaleSince(observer) : 0,
    };
  }

  #lastStaleSince(observer: ExtensionReader): number {
    if (this.#memory.core.engine.store.staleNodes.size === 0) return 0;
    const stamps = [...nodesReadBy([observer.view()])].map((node) =>
      isRowOrList(node) ? node.staleSince : 0,
    );
    return Math.max(0, ...stamps);
  }

  #reasonsOf(observer: ExtensionReader, before: ReaderState, now: ReaderState): WakeReason[] {
    if (before.engine !== now.engine) return [{ rule: 'store-was-reset', by: undefined }];
    const reasons = [
      ...this.#reasonsOfSlot(before.slot, now.slot),
      ...this.#reasonsOfNodes(observer, before),
    ];
    if (reasons.length > 0) return reasons;
    // No change was recorded, but the latest stale mark on the nodes from which the view is built has changed.
    if (now.staleAt !== before.staleAt)
      return [{ rule: 'aged', by: this.#memory.markedStaleBy(now.staleAt || before.staleAt).request?.id }];
    // A response for which no change was recorded may notify the reader too: the response may cause a list to be sorted again, or
    // rows that refer to each other in a circle to be built again.
    for (const node of nodesReadBy([observer.view()])) {
      const payload = this.#memory.lastPayloads.get(node);
      if (payload && payload.changeNumber > before.changeCount)
        return [{ rule: 'answer', by: payload.by?.id }];
    }
    if (hasExpiredBetween(now.slot, before.notifiedAt, now.notifiedAt))
      return [{ rule: 'time-passed', by: undefined }];
    // Retention removes rows without an event for each row.
    const isLost = [...nodesReadBy([observer.view()])].some(
      (node) => node instanceof Row && node.base === undefined,
    );
    return isLost ? [{ rule: 'forgotten', what: '', fields: [], by: undefined }] : [];
  }

  *#reasonsOfSlot(before: SlotCopy | undefined, now: SlotCopy | undefined): Iterable<WakeReason> {
    if (!now || !before) return;
    const { requests } = this.#memory;
    if (now.hasResult && (now.stamp !== before.stamp || now.stored !== before.stored))
      yield { rule: 'answer', by: requests.get(now.stamp.sent)?.id };
    if (now.error && now.error !== before.error) yield { rule: 'failure', by: undefined };
    // When the clock is set back, the expiry of an error changes.
    else if (now.errorStamp !== before.errorStamp) yield { rule: 'time-passed', by: undefined };
    if (isAfter(now.invalidatedAt, before.invalidatedAt)) yield { rule: 'invalidated', by: undefined };
    if (isStale(now, before.staleSince))
      yield { rule: 'aged', by: this.#memory.markedStaleBy(now.staleSince).request?.id };
    if (now.flights !== before.flights || (before.error && !now.error)) {
      const flight = now.flights.at(-1);
      yield { rule: 'request', by: flight && this.#memory.requestOf(flight)?.id };
    }
  }

  *#reasonsOfNodes(observer: ExtensionReader, { changeCount: count }: ReaderState): Iterable<WakeReason> {
    let named = 0;
    for (const node of nodesReadBy([observer.view()])) {
      const subject = node instanceof IndexEntry ? this.#tableOf(node) : node;
      const change = subject && this.#memory.lastChanges.get(subject);
      if (!change || change.changeNumber <= count) continue;
      named += 1;
      if (named > MOST_REASONS) return;
      const what = isRowOrList(subject)
        ? nameOfNode(subject)
        : subject instanceof Table
          ? `rows of ${subject.key}`
          : '';
      const fields = subject instanceof Row ? [...change.fields] : [];
      const { isOptimistic, by, how } = change;
      yield { rule: isOptimistic ? 'guess-changed' : 'changed', what, fields, by: by?.id, how };
    }
  }

  #tableOf(entry: IndexEntry): Node | undefined {
    for (const table of this.#memory.core.engine.store.tables.values())
      for (const byValue of table.indexes.values())
        for (const other of byValue.values()) if (other === entry) return table;
    return undefined;
  }
}

/** Whether the response, the error, or a row in the response has expired between the two times. */
function hasExpiredBetween(slot: SlotCopy | undefined, from: number, until: number): boolean {
  if (!slot) return false;
  const parts = storedParts(slot.stored).flatMap((part) => (part instanceof Row ? part.stamp.expiresAt : []));
  return [slot.stamp.expiresAt, slot.errorStamp.expiresAt, ...parts].some(
    (moment) => from <= moment && moment <= until,
  );
}
