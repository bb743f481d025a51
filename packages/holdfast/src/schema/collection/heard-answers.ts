// What the answers of a list in a declared order said of its rows: which of them they brought, and of which nothing else is known.
// Shipped with the order alone; arranged.ts judges by it.
import type { Effects } from '../../store/effects.ts';
import { isEqual, mergeFields } from '../../store/fields.ts';
import { itemOf } from '../../store/list-members.ts';
import { Row } from '../../store/nodes.ts';
import type { Fields, List, Place } from '../../store/nodes.ts';
import type { Origin, Stamp } from '../../store/stamp.ts';
import { rowOf } from '../../store/stored-form.ts';
import { HoldfastError } from '../../support/errors.ts';

/** How two items compare. */
export interface Comparison {
  /** The fields that a row must have. */
  readonly names: readonly string[];
  /** All fields that it looks at, as one text; a blank where nobody can tell. */
  readonly fields: string;
  readonly compare: (left: unknown, right: unknown) => number;
}

/** A member's row, or the member where it is none, and its item. */
export interface Placed {
  readonly subject: unknown;
  readonly item: unknown;
}

export class HeardAnswers {
  readonly #by: Comparison;
  /** The members as the answers of these dates had them. */
  readonly #served = new Map<number, readonly unknown[]>();
  /** The stamps of rows that another answer wrote, and that were stored as this one had them. */
  readonly #confirmed = new WeakMap<Row, Stamp>();

  constructor(by: Comparison) {
    this.#by = by;
  }

  /** Takes note of an answer that has just been written. */
  hear({ segments }: List, members: readonly unknown[], effects: Effects, { settled }: Origin): void {
    const dates = new Set([settled, ...segments.map(({ stamp }) => stamp.date)]);
    this.#served.set(settled, members);
    for (const date of this.#served.keys()) if (!dates.has(date)) this.#served.delete(date);
    for (const row of members.map(rowOf)) {
      if (!row || row.stamp.date === settled) continue;
      const { base, stamp } = row;
      const incoming = effects.incomingOf(row);
      if (base && incoming && this.#isSame(base, incoming)) this.#confirmed.set(row, stamp);
      else this.#confirmed.delete(row);
    }
  }

  /** Whether the order makes no difference between a row's fields and what an answer said of it. */
  #isSame(base: Fields, incoming: Fields): boolean {
    const { names, fields } = this.#by;
    if (fields === ' ') return mergeFields(base, incoming) === base;
    return names.every((name) => isEqual(base[name], incoming[name]));
  }

  /** Whether more is known of the row than an answer with this stamp, one of those of these dates, could tell. */
  isNewer(subject: unknown, { fetchedAt }: Stamp, dates: ReadonlySet<number>): boolean {
    if (!(subject instanceof Row)) return false;
    const { stamp, staleSince } = subject;
    const isToldSince = !dates.has(stamp.date) && this.#confirmed.get(subject) !== stamp;
    // what was restored has no place on the line, but times
    return staleSince > fetchedAt || (isToldSince && (stamp.fence || stamp.date) > fetchedAt);
  }

  /**
   * The outermost row of an answer that is still shown; of a restored one that of those that are sure. Undefined where the answer
   * was empty, null where none of its rows is left.
   */
  endOf(
    place: Place,
    { date }: Stamp,
    sure: readonly Placed[],
    shown: ReadonlyMap<unknown, unknown>,
  ): Placed | null | undefined {
    const served = this.#served.get(date)?.map(itemOf) ?? sure.map(({ subject }) => subject);
    if (place === 'end') served.reverse();
    const subject = served.find((one) => shown.get(one) !== undefined);
    if (subject !== undefined) return { subject, item: shown.get(subject) };
    return this.#served.get(date)?.length === 0 ? undefined : null;
  }

  /** Two neighbours that stand against the order. */
  inversion(placed: readonly Placed[]): readonly [first: unknown, second: unknown] | null {
    for (const [at, { subject, item }] of placed.entries()) {
      const before = placed[at - 1];
      if (before && this.#by.compare(before.item, item) > 0) return [before.subject, subject];
    }
    return null;
  }

  /** Throws where the row lacks a field that the order names: what the item shows there is a default. */
  check({ subject, item }: Placed): void {
    if (!(subject instanceof Row)) return;
    const { shown } = subject.forward ?? subject;
    const isDefault = (name: string): boolean =>
      !!shown && !Object.hasOwn(shown, name) && Object.hasOwn(Object(item), name);
    const name = this.#by.names.find(isDefault);
    if (name !== undefined) throw new HoldfastError('ORDER_UNKNOWN', { name });
  }
}
