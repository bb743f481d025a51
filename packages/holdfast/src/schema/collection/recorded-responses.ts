// Records the responses of a list in a declared order: the members of each response, and rows whose stored fields a response
// confirmed. Shipped only with `orderBy`; arranged.ts reads the records.
import type { Effects } from '../../store/effects.ts';
import { isEqual, mergeFields } from '../../store/fields.ts';
import { subjectOf } from '../../store/list-members.ts';
import { Row } from '../../store/nodes.ts';
import type { Fields, List, Place } from '../../store/nodes.ts';
import { isAfter, cameWith, isStale } from '../../store/order.ts';
import type { Stamp } from '../../store/order.ts';
import { rowOf } from '../../store/stored-form.ts';
import { HoldfastError } from '../../support/errors.ts';

/** A comparison of two items, and the fields that it reads. */
export interface Comparison {
  /** The fields that a row must have to be compared. */
  readonly names: readonly string[];
  /** All compared fields as one string; a blank when a function compares, so that any field may count. */
  readonly fields: string;
  readonly compare: (left: unknown, right: unknown) => number;
}

/** `subject` is a member's row, or the member itself when it has no row; `item` is the value that readers get for it. */
export interface PlacedItem {
  readonly subject: unknown;
  readonly item: unknown;
}

interface RecordedResponse {
  readonly members: readonly unknown[];
  /** The rows that another response wrote, but whose fields this response had too; with the stamps that the rows had then. */
  readonly confirmed: ReadonlyMap<Row, Stamp>;
  /** The rows that this response had twice. Its pages were requested one after another, and the row moved between two of them. */
  readonly repeated: ReadonlySet<Row>;
}

export class RecordedResponses {
  readonly #comparison: Comparison;
  /** The responses to the loaded pages, by the time at which each arrived. */
  readonly #byArrival = new Map<number, RecordedResponse>();

  constructor(by: Comparison) {
    this.#comparison = by;
  }

  /** Records a response that was just written. */
  recordResponse({ segments }: List, members: readonly unknown[], effects: Effects, origin: Stamp): void {
    const { settled } = origin;
    const dates = new Set([settled, ...segments.map(({ stamp }) => stamp.settled)]);
    const confirmed = new Map<Row, Stamp>();
    const met = new Set<Row>();
    const repeated = new Set<Row>();
    for (const row of members.map(rowOf)) {
      if (!row) continue;
      if (met.has(row)) repeated.add(row);
      met.add(row);
      const { base, stamp } = row;
      const incoming = effects.incomingOf(row);
      if (!cameWith(stamp, origin) && base && incoming && this.#haveSameOrder(base, incoming))
        confirmed.set(row, stamp);
    }
    this.#byArrival.set(settled, { members, confirmed, repeated });
    for (const date of this.#byArrival.keys()) if (!dates.has(date)) this.#byArrival.delete(date);
  }

  /** Whether the stored fields and the incoming ones are the same for the order. */
  #haveSameOrder(base: Fields, incoming: Fields): boolean {
    const { names, fields } = this.#comparison;
    if (fields === ' ') return mergeFields(base, incoming) === base;
    return names.every((name) => isEqual(base[name], incoming[name]));
  }

  /**
   * Whether the position that the response with this stamp gave the row may be outdated: the row was written or became stale after
   * the request was sent, or the response had the row twice. A write does not count when a response that arrived at one of `dates`
   * made it, or when this response had the same fields.
   */
  mayHaveMoved(subject: unknown, { sent, settled }: Stamp, dates: ReadonlySet<number>): boolean {
    if (!(subject instanceof Row)) return false;
    const { stamp } = subject;
    const { confirmed, repeated } = this.#byArrival.get(settled) ?? {};
    const isByAnother = !dates.has(stamp.settled) && confirmed?.get(subject) !== stamp;
    // A restored row has no fence; `settled` is compared instead.
    const isWritten = isByAnother && isAfter(stamp.fence || stamp.settled, sent);
    return !!repeated?.has(subject) || isStale(subject, sent) || isWritten;
  }

  /**
   * The first or the last of the rows that are still shown, in the response that arrived at `settled`. A restored list has no
   * recorded response: there the rows in `surelyPlaced` are searched. Undefined when the response was empty, null when none of its rows is
   * left.
   */
  findEnd(
    place: Place,
    { settled }: Stamp,
    surelyPlaced: readonly PlacedItem[],
    shown: ReadonlyMap<unknown, unknown>,
  ): PlacedItem | null | undefined {
    const response = this.#byArrival.get(settled)?.members;
    const served = response?.map(subjectOf) ?? surelyPlaced.map(({ subject }) => subject);
    if (place === 'end') served.reverse();
    const subject = served.find((candidate) => shown.get(candidate) !== undefined);
    if (subject !== undefined) return { subject, item: shown.get(subject) };
    return response?.length === 0 ? undefined : null;
  }

  /** The first two neighbours that contradict the order; null when there are none. */
  findInversion(placed: readonly PlacedItem[]): readonly [first: unknown, second: unknown] | null {
    for (const [at, { subject, item }] of placed.entries()) {
      const before = placed[at - 1];
      if (before && this.#comparison.compare(before.item, item) > 0) return [before.subject, subject];
    }
    return null;
  }

  /** Throws when the row lacks a field that the order compares: the item has only a default there. */
  requireOrderFields({ subject, item }: PlacedItem): void {
    if (!(subject instanceof Row)) return;
    const { shown } = subject.replacedBy ?? subject;
    const isDefault = (name: string): boolean =>
      !!shown && !Object.hasOwn(shown, name) && Object.hasOwn(Object(item), name);
    const name = this.#comparison.names.find(isDefault);
    if (name !== undefined) throw new HoldfastError('ORDER_UNKNOWN', { name });
  }
}
