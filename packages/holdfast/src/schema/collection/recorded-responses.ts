// Records the responses of a list with a declared order: the members of each response, and the rows whose stored fields a response
// confirmed. arranged.ts reads the records. This file is shipped only with `orderBy`.
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
  /** All compared fields as one string; a blank when a function compares, because a function may read any field. */
  readonly fields: string;
  readonly compare: (left: unknown, right: unknown) => number;
}

/**
 * `subject` is a member's row, or the member itself when it has no row. `item` is the value that readers get for the member, or
 * would get without optimistic updates; or undefined.
 */
export interface PlacedItem {
  readonly subject: unknown;
  readonly item: unknown;
}

interface RecordedResponse {
  readonly members: readonly unknown[];
  /**
   * Rows whose stored fields came with another payload, but agree with this response in the fields of the order. Each has the stamp
   * that the row had when the response was written.
   */
  readonly confirmed: ReadonlyMap<Row, Stamp>;
  /**
   * The rows that this response contains more than once, for example because a row moved from one page to another while the pages
   * were read.
   */
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
    const arrivals = new Set([settled, ...segments.map(({ stamp }) => stamp.settled)]);
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
    for (const arrival of this.#byArrival.keys()) if (!arrivals.has(arrival)) this.#byArrival.delete(arrival);
  }

  /** Whether the stored fields and the incoming fields agree in all fields of the order. */
  #haveSameOrder(base: Fields, incoming: Fields): boolean {
    const { names, fields } = this.#comparison;
    if (fields === ' ') return mergeFields(base, incoming) === base;
    return names.every((name) => isEqual(base[name], incoming[name]));
  }

  /**
   * Whether the position that the response with this stamp gave to the row may be outdated. This is so if the response contains the
   * row twice, if the row became stale after the request was sent, or if a write or a later read has brought the row since. A write
   * or a read does not count if its payload arrived at one of `arrivals`, or if this response has confirmed the fields of that
   * payload.
   */
  mayHaveMoved(subject: unknown, { sent, settled }: Stamp, arrivals: ReadonlySet<number>): boolean {
    if (!(subject instanceof Row)) return false;
    const { stamp } = subject;
    const { confirmed, repeated } = this.#byArrival.get(settled) ?? {};
    const isByAnother = !arrivals.has(stamp.settled) && confirmed?.get(subject) !== stamp;
    // A restored row has no fence, so `settled` is compared instead.
    const isWritten = isByAnother && isAfter(stamp.fence || stamp.settled, sent);
    return !!repeated?.has(subject) || isStale(subject, sent) || isWritten;
  }

  /**
   * The first or the last member of the response that arrived at `settled`, among the members that are still shown. A restored list
   * has no recorded response, so `surelyPlaced` is searched instead. Undefined if the response was empty; null if none of its
   * members is still shown.
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

  /** The first two neighbours that contradict the order; null if no neighbours contradict it. */
  findInversion(placed: readonly PlacedItem[]): readonly [first: unknown, second: unknown] | null {
    for (const [at, { subject, item }] of placed.entries()) {
      const before = placed[at - 1];
      if (before && this.#comparison.compare(before.item, item) > 0) return [before.subject, subject];
    }
    return null;
  }

  /** Throws when the row lacks a field that the order compares, so that the item has only the default of that field. */
  requireOrderFields({ subject, item }: PlacedItem): void {
    if (!(subject instanceof Row)) return;
    const { shown } = subject.replacedBy ?? subject;
    const isDefault = (name: string): boolean =>
      !!shown && !Object.hasOwn(shown, name) && Object.hasOwn(Object(item), name);
    const name = this.#comparison.names.find(isDefault);
    if (name !== undefined) throw new HoldfastError('ORDER_UNKNOWN', { name });
  }
}
