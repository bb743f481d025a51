// What a normalized payload does to the store, as data: made by normalize, then either applied to server truth
// (apply-effects.ts) or laid over it as a pending intent (overlay.ts). Nothing is written before it is complete, so a
// payload that turns out bad leaves the store as it was.
import type { ListPolicy } from './list-identity.ts';
import type { Fields, List, Place, Row, RowPolicy, Table } from './nodes.ts';

/** A list whose members the payload states. */
export interface ListWrite {
  readonly list: List;
  readonly members: readonly unknown[];
  /** The cursor of the page that was asked for; undefined when the payload is the list itself. */
  readonly cursor: string | null | undefined;
  readonly policy: ListPolicy | null;
  /** What the payload shows of the list's filters, see membership.ts. */
  readonly isByServer?: boolean | undefined;
}

/** New, removed or moved members for every list that matches. */
export interface Creation {
  readonly table: Table;
  readonly members: readonly unknown[];
  readonly op: Place | 'remove' | 'move' | 'merge';
  /** A user's own merge, for `op: 'merge'`, over stored members. */
  readonly merge: ((members: readonly unknown[], added: readonly unknown[]) => readonly unknown[]) | null;
  /** The lists to add to; found through the index where the filter is the default one. */
  readonly select: () => readonly List[];
  readonly matches: (list: List) => boolean;
  /** For a move: the lists to leave, judged by the row as it was. */
  readonly leaves: ((list: List, row: Row) => boolean) | null;
  /** Whether a user's own merge or filter is asked. */
  readonly hasHooks: boolean;
}

/** A draft that the server has named: its local id keeps meaning that row. */
export interface Naming {
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
  readonly creations: Creation[] = [];
  readonly namings: Naming[] = [];
  /** The stored form of the payload itself. */
  stored: unknown = undefined;

  /** What the payload has said of the row last. */
  saidOf(row: Row): Fields | undefined {
    const { place } = row;
    return place < this.rows.length && this.rows[place] === row ? this.fields[place] : undefined;
  }

  upsert(row: Row, fields: Fields, policy: RowPolicy | null): void {
    const place = this.rows.length;
    row.place = place;
    if (policy !== null) (this.policies ??= new Map<number, RowPolicy>()).set(place, policy);
    // not pushed: what is empty at first is thought to hold numbers, and each push would ask again
    this.rows[place] = row;
    this.fields[place] = fields;
  }
}
