// The changes that a normalized payload makes to the store: collected by normalize, then either written to base
// (apply-effects.ts) or applied over it as a pending intent (overlay.ts). Nothing is written before the whole payload is
// normalized, so that an invalid payload leaves the store as it was.
import { rowOf } from './stored-form.ts';
import type { BaseLists, Fields, List, MergePage, Placement, Row, RowPolicy } from './nodes.ts';

/** A list whose members the payload contains. */
export interface ListWrite {
  readonly list: List;
  readonly members: readonly unknown[];
  /** The cursor of the requested page; null for the first page, and for a list without pages. */
  readonly cursor: string | null;
  /** The merge of a Collection that overrides its lifecycle; null for all others. */
  readonly merge: MergePage | null;
  /** Whether the payload shows that only the server decides membership; see `hasServerMembership` of List. */
  readonly hasServerMembership: boolean | undefined;
  /** These effects, when the response is known to be the whole list; else false. */
  readonly whole: Effects | false;
}

/** A function that runs after everything else of the payload is written. */
export interface AfterWrite {
  (effects: Effects, lists: BaseLists): void;
  /** True when the function only records something, and changes no stored data. */
  isRecordOnly?: true;
}

/** A draft that the server has named; its local id identifies `row` from then on. */
export interface DraftNaming {
  readonly draft: Row;
  readonly row: Row;
  readonly pk: string;
}

/** A required field of an entity whose row is missing or deleted: the instance would not match its type. */
export interface MissingPart {
  readonly entity: string;
  readonly pk: string;
  readonly field: string;
}

export class Effects {
  /** Parallel arrays: the row at an index gets the fields at that index. This saves one object per row on a hot path. */
  readonly rows: Row[] = [];
  readonly fields: Fields[] = [];
  /** The policies of rows whose class has one, by their index in `rows`. */
  policies: Map<number, RowPolicy> | null = null;
  readonly removed: Row[] = [];
  readonly lists: ListWrite[] = [];
  readonly placements: Placement[] = [];
  readonly namings: DraftNaming[] = [];
  readonly afterWrites: AfterWrite[] = [];
  /**
   * The nested rows in a mutation's response or a message. They are ordered like a read that was sent with the mutation, because
   * the mutation is not about them. Null until `noteNested` is called, so always for a read.
   */
  nested: Set<Row> | null = null;
  /** The stored form of the payload itself. */
  stored: unknown;
  /** The required part that the value of the payload lacks, once `readStored` of the engine has read the value. */
  missing: MissingPart | null = null;

  /** The fields that the payload contains for the row; the last ones when the row occurs twice. */
  incomingOf(row: Row): Fields | undefined {
    const { payloadIndex } = row;
    return payloadIndex < this.rows.length && this.rows[payloadIndex] === row
      ? this.fields[payloadIndex]
      : undefined;
  }

  /**
   * Fills `nested` with all rows except those that the payload is about: the payload itself, its items, or the properties of an
   * envelope.
   */
  noteNested(): void {
    const { stored } = this;
    const main = rowOf(stored);
    this.nested = new Set(this.rows);
    for (const part of main ? [main] : Object.values(stored ?? {}).flat()) {
      const row = rowOf(part);
      if (row) this.nested.delete(row);
    }
  }

  upsert(row: Row, fields: Fields, policy: RowPolicy | null): void {
    const place = this.rows.length;
    row.payloadIndex = place;
    if (policy) (this.policies ??= new Map<number, RowPolicy>()).set(place, policy);
    // Assigned by index: V8 types an empty array as small integers and checks again on every push().
    this.rows[place] = row;
    this.fields[place] = fields;
  }
}
