// Finds why a reader was notified. Compares the slot with a copy from the reader's last notification, and looks up in the recorder
// which of the shown rows and lists have changed since. Called by recorder.ts.
import { EndpointObserver } from '../../controller/observe/observer.ts';
import type { ViewObserver } from '../../controller/observe/view-observer.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { Node } from '../../store/graph.ts';
import { IndexEntry, isNode, Row, Table } from '../../store/nodes.ts';
import type { Slot } from '../../store/nodes.ts';
import { storedParts } from '../../controller/slot/read-slot.ts';
import type { InspectedWake, WakeReason } from './inspected.types.ts';
import type { RecorderMemory } from './memory.ts';
import { namesOf } from './name-readers.ts';
import { Ring } from './ring.ts';
import { nameOfNode, nodesBelow } from './stale.ts';

/** How many changed rows and lists are reported at most. */
const MOST_REASONS = 8;

type SlotState = Pick<
  Slot,
  'stored' | 'stamp' | 'error' | 'errorStamp' | 'invalidatedAt' | 'staleSince' | 'flights' | 'hasResult'
>;

/** The state at a reader's last notification, or when the reader was mounted. */
interface LastSeen {
  readonly engine: Engine;
  readonly slot: SlotState | undefined;
  readonly count: number;
  readonly at: number;
  readonly times: number;
  /** The latest `staleSince` of the nodes that the reader shows; 0 if none is stale, and before the first notification. */
  readonly staleAt: number;
}

export class Wakes {
  readonly #memory: RecorderMemory;
  readonly #last: Ring<InspectedWake>;
  readonly #lastSeen = new WeakMap<object, LastSeen>();

  constructor(memory: RecorderMemory, keep: number) {
    this.#memory = memory;
    this.#last = new Ring(keep);
  }

  /** Called when a reader is mounted. Notes the state that the reader has read itself. Returns whether the reader is new. */
  start(observer: object): boolean {
    const isNew = !this.#lastSeen.has(observer);
    if (isNew) this.#lastSeen.set(observer, this.#look(observer, 0));
    return isNew;
  }

  /** How often the reader was notified since it was first mounted. */
  timesOf(observer: object): number {
    return this.#lastSeen.get(observer)?.times ?? 0;
  }

  toArray(): InspectedWake[] {
    return this.#last.toArray();
  }

  note(observer: object): void {
    const before = this.#lastSeen.get(observer);
    const now = this.#look(observer, (before?.times ?? 0) + 1);
    this.#lastSeen.set(observer, now);
    const key = observer instanceof EndpointObserver ? observer.call.key : '';
    const reasons = before ? this.#compare(observer as ViewObserver, before, now) : []; // cast: only observers notify
    const components = namesOf(this.#memory.components, observer);
    this.#last.push({ key, at: now.at, reasons, components });
    this.#memory.notify('wake-up', undefined, key);
  }

  #look(observer: object, times: number): LastSeen {
    const { core, count } = this.#memory;
    const slot =
      observer instanceof EndpointObserver ? core.engine.store.slots.get(observer.call.slotKey) : undefined;
    return {
      engine: core.engine,
      slot: slot && { ...(slot as SlotState) }, // cast: a copy has no methods
      count,
      at: this.#memory.now(),
      times,
      staleAt: times > 0 ? this.#lastStaleSince(observer as ViewObserver) : 0, // cast: only observers notify
    };
  }

  #lastStaleSince(observer: ViewObserver): number {
    if (this.#memory.core.engine.store.staleNodes.size === 0) return 0;
    const stamps = [...nodesBelow([observer.view()])].map((node) => (isNode(node) ? node.staleSince : 0));
    return Math.max(0, ...stamps);
  }

  #compare(observer: ViewObserver, before: LastSeen, now: LastSeen): WakeReason[] {
    if (before.engine !== now.engine) return [{ rule: 'store-was-reset', by: undefined }];
    const reasons = [...this.#ofSlot(before.slot, now.slot), ...this.#ofNodes(observer, before)];
    if (reasons.length > 0) return reasons;
    // no recorded change, but the stale nodes that the view is built from differ from those before
    if (now.staleAt !== before.staleAt)
      return [{ rule: 'aged', by: this.#memory.markedStaleBy(now.staleAt || before.staleAt).request?.id }];
    // a response that repeats a list may sort it again, or rebuild rows that refer to each other in a circle
    for (const node of nodesBelow([observer.view()])) {
      const stated = this.#memory.lastStated.get(node);
      if (stated && stated.count > before.count) return [{ rule: 'answer', by: stated.by?.id }];
    }
    if (hasPassed(now.slot, before.at, now.at)) return [{ rule: 'time-passed', by: undefined }];
    // retention removes rows without an event for each row
    const isLost = [...nodesBelow([observer.view()])].some(
      (node) => node instanceof Row && node.base === undefined,
    );
    return isLost ? [{ rule: 'forgotten', what: '', by: undefined }] : [];
  }

  *#ofSlot(before: SlotState | undefined, now: SlotState | undefined): Iterable<WakeReason> {
    if (!now || !before) return;
    const { requests } = this.#memory;
    if (now.hasResult && (now.stamp !== before.stamp || now.stored !== before.stored))
      yield { rule: 'answer', by: requests.get(now.stamp.fetchedAt)?.id };
    if (now.error && now.error !== before.error) yield { rule: 'failure', by: undefined };
    // when the clock is set back, the expiry of an error is changed
    else if (now.errorStamp !== before.errorStamp) yield { rule: 'time-passed', by: undefined };
    if (now.invalidatedAt > before.invalidatedAt) yield { rule: 'invalidated', by: undefined };
    if (now.staleSince > before.staleSince)
      yield { rule: 'aged', by: this.#memory.markedStaleBy(now.staleSince).request?.id };
    if (now.flights !== before.flights || (before.error && !now.error)) {
      const flight = now.flights.at(-1) as Flight | undefined; // cast: the store does not know the type of flights
      yield { rule: 'request', by: flight && this.#memory.requestOf(flight)?.id };
    }
  }

  *#ofNodes(observer: ViewObserver, { count }: LastSeen): Iterable<WakeReason> {
    let named = 0;
    for (const node of nodesBelow([observer.view()])) {
      const subject = node instanceof IndexEntry ? this.#tableOf(node) : node;
      const change = subject && this.#memory.lastChanges.get(subject);
      if (!change || change.count <= count) continue;
      named += 1;
      if (named > MOST_REASONS) return;
      const what = isNode(subject)
        ? nameOfNode(subject)
        : subject instanceof Table
          ? `rows of ${subject.key}`
          : '';
      yield { rule: change.isOptimistic ? 'guess-changed' : 'changed', what, by: change.by?.id };
    }
  }

  #tableOf(entry: IndexEntry): Node | undefined {
    for (const table of this.#memory.core.engine.store.tables.values())
      for (const byValue of table.indexes.values())
        for (const other of byValue.values()) if (other === entry) return table;
    return undefined;
  }
}

/** Whether the response, the error or a row in the response expired between the two times. */
function hasPassed(slot: SlotState | undefined, from: number, until: number): boolean {
  if (!slot) return false;
  const parts = storedParts(slot.stored).flatMap((part) => (part instanceof Row ? part.stamp.expiresAt : []));
  return [slot.stamp.expiresAt, slot.errorStamp.expiresAt, ...parts].some(
    (moment) => from <= moment && moment <= until,
  );
}
