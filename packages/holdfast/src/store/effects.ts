// What a normalized payload does to the store: collected by normalize, then either applied to server truth
// (apply-effects.ts) or laid over it as a pending intent (overlay.ts). Nothing is written before the payload is
// read to its end, so a payload that turns out bad leaves the store as it was.
import { rowOf } from './stored-form.ts';
import type { Fields, List, MergePage, Placement, Row, RowPolicy } from './nodes.ts';

/** A list whose members the payload states. */
export interface ListWrite {
  readonly list: List;
  readonly members: readonly unknown[];
  /** The cursor of the page that was asked for; null when the payload is the list itself. */
  readonly cursor: string | null;
  /** Of a Collection that overrides its lifecycle. */
  readonly merge: MergePage | null;
  /** What the payload shows of the list's filters, see membership.ts. */
  readonly isByServer: boolean | undefined;
}

/** What is done when all else is written. */
export interface Finish {
  (effects: Effects, lists: never): void;
  /** Whether it only takes note, and changes nothing that is stored. */
  isNote?: true;
}

/** A draft that the server has named: its local id keeps meaning that row. */
export interface DraftNaming {
  readonly draft: Row;
  readonly row: Row;
  readonly pk: string;
}

export class Effects {
  /** Parallel arrays: the i-th row gets the i-th fields. One object per row less on a hot path. */
  readonly rows: Row[] = [];
  readonly fields: Fields[] = [];
  /** The policies of rows whose class has one, by their place in `rows`. */
  policies: Map<number, RowPolicy> | null = null;
  readonly removed: Row[] = [];
  readonly lists: ListWrite[] = [];
  readonly placements: Placement[] = [];
  readonly namings: DraftNaming[] = [];
  /** Called when all else is written. */
  readonly finishes: Finish[] = [];
  /**
   * The rows inside other rows of a mutation's answer or a message, which is not about them: they are judged as a read that was
   * sent with it. Null for a read.
   */
  nested: Set<Row> | null = null;
  /** The stored form of the payload itself. */
  stored: unknown;

  /** What the payload has said of the row last. */
  incomingOf(row: Row): Fields | undefined {
    const { place } = row;
    return place < this.rows.length && this.rows[place] === row ? this.fields[place] : undefined;
  }

  /** Tells the rows that the payload stands for, itself, its items or the members of an envelope, from those inside them. */
  noteNested(): void {
    const { stored, rows } = this;
    const main = rowOf(stored);
    // fast: O1 and B1. Nearly always the payload is one row, and there are no others
    const isAlone = rows.every((row) => row === main);
    const about = isAlone ? rows : [stored, Object.values(stored ?? {})].flat(2).map(rowOf);
    this.nested = new Set(rows);
    for (const row of about) if (row) this.nested.delete(row);
  }

  upsert(row: Row, fields: Fields, policy: RowPolicy | null): void {
    const place = this.rows.length;
    row.place = place;
    if (policy) (this.policies ??= new Map<number, RowPolicy>()).set(place, policy);
    // assigned by index: V8 types an empty array as small integers and checks again on every push()
    this.rows[place] = row;
    this.fields[place] = fields;
  }
}
