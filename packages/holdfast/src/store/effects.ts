// The changes that a normalized payload makes to the store. `normalize` collects them; then they are written to base
// (apply-effects.ts), or applied over base as a pending intent (overlay.ts). Nothing is written before the whole payload is
// normalized, so that an invalid payload leaves the store as it was.
import { rowOf } from './stored-form.ts';
import type { BaseLists, Fields, List, MergePage, Placement, Row, RowPolicy } from './nodes.ts';

/** A list whose members the payload contains. */
export interface ListWrite {
  readonly list: List;
  readonly members: readonly unknown[];
  /** The cursor of the requested page; null for the first page, and for a list without pages. */
  readonly cursor: string | null;
  /** The Collection's own merge, if the Collection overrides a merge hook; else null. */
  readonly merge: MergePage | null;
  /**
   * Whether only the server decides which rows belong to the list (see `hasServerMembership` of List); undefined when the payload
   * does not show it.
   */
  readonly hasServerMembership: boolean | undefined;
  /** The effects that contain this write, if the response is known to be the whole list; else false. */
  readonly whole: Effects | false;
}

/** A function that runs after all other changes of the payload are written. */
export interface AfterWrite {
  (effects: Effects, lists: BaseLists): void;
  /**
   * True if the function changes no stored values: it only records something or marks data stale. When the effects are applied
   * again, it does what the function of an equal payload would do.
   */
  isRepeatable?: true;
}

/** A draft that the server has named; the draft's local id identifies `row` from then on. */
export interface DraftNaming {
  readonly draft: Row;
  readonly row: Row;
  readonly pk: string;
}

/** Why an entity cannot be shown: the row in its required `field` is missing or deleted, or the value of `field` is invalid. */
export interface MissingPart {
  readonly entity: string;
  readonly pk: string;
  readonly field: string;
}

const NO_ROWS: ReadonlySet<Row> = new Set();

export class Effects {
  /** Parallel arrays: the row at an index gets the fields at that index. This saves one object per row on a hot path. */
  rows: Row[] = [];
  fields: Fields[] = [];
  /** The policies of the rows whose class has a policy, by the index of the row in `rows`. */
  policies: Map<number, RowPolicy> | null = null;
  readonly removed: Row[] = [];
  readonly lists: ListWrite[] = [];
  readonly placements: Placement[] = [];
  readonly namings: DraftNaming[] = [];
  readonly afterWrites: AfterWrite[] = [];
  /**
   * The rows of a mutation's response or of a message that count as read and not as written. Nested rows count as read, because the
   * payload is not about them. A row that is not stored yet counts as read if the message contradicts a mutation of the row that is
   * pending or was acknowledged a short time ago. Null for any other payload.
   */
  rowsAsRead: ReadonlySet<Row> | null = null;
  /** The stored form of the payload itself. */
  stored: unknown;
  /** Why the value of the payload cannot be shown; `readStored` of the engine sets it when it reads the value. */
  missing: MissingPart | null = null;

  /**
   * The fields that the payload contains for the row; if the row occurs twice, the fields of its last occurrence. The result may be
   * undefined after a later payload with this row was normalized.
   */
  incomingOf(row: Row): Fields | undefined {
    const { payloadIndex } = row;
    return payloadIndex < this.rows.length && this.rows[payloadIndex] === row
      ? this.fields[payloadIndex]
      : undefined;
  }

  /**
   * Fills `rowsAsRead` with all nested rows. A row is not nested if the stored form of the payload refers to the row, or has the
   * row as an item, as a property, or as an item of a property. The rows in a Collection's list are nested. If the payload is
   * a list and nothing else, the rows that the list holds already are not nested, because they are items of its stored form.
   */
  noteNested(): void {
    const { rows, stored } = this;
    const main = rowOf(stored);
    this.rowsAsRead = NO_ROWS;
    if (rows.every((row) => row === main)) return;
    const nested = new Set<unknown>(rows);
    for (const part of main ? [main] : Object.values(stored ?? {}).flat()) nested.delete(rowOf(part));
    this.rowsAsRead = nested as Set<Row>;
  }

  upsert(row: Row, fields: Fields, policy: RowPolicy | null): void {
    const place = this.rows.length;
    row.payloadIndex = place;
    if (policy) (this.policies ??= new Map<number, RowPolicy>()).set(place, policy);
    // The array is filled by index, because V8 types an empty array as small integers and checks the type again at every push().
    if (place) {
      this.rows[place] = row;
      this.fields[place] = fields;
    } else {
      // V8 makes room for seventeen items when an empty array gets its first item.
      this.rows = [row];
      this.fields = [fields];
    }
  }
}
