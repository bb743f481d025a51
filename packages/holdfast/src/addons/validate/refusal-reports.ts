// The reports of refused rows. Each row has one report, until a valid payload contains the row, the row is deleted, the store is
// reset or too many newer reports exist. checked-kind.ts adds and clears reports.
import type { Store } from '../../store/store.ts';
import { isEqual } from '../../store/fields.ts';
import { callSafely } from '../../support/call-safely.ts';
import { ensure } from '../../support/ensure.ts';
import type { Host } from '../../schema/protocol/protocol.ts';
import { reportsByTimeline, REFUSED_ROWS_KEPT } from './refused-rows.ts';
import type { RefusedRow, RefusedRows } from './refused-rows.ts';

const NO_REPORTS: readonly RefusedRow[] = [];

/** The refused rows of one controller, as its checks have reported them. */
export class RefusalReports implements RefusedRows {
  readonly listeners = new Set<() => void>();
  readonly refusedAt = new Map<string, number>();
  readonly #reports = new Map<string, RefusedRow>();
  /**
   * Contains the store of the reported rows, which is held weakly. After a reset the controller has another store, and the reports
   * are ignored.
   */
  #stores = new WeakSet<object>();
  #snapshot: readonly RefusedRow[] | null = NO_REPORTS;

  static of({ store: { timeline } }: Host): RefusalReports {
    return ensure(reportsByTimeline, timeline, () => new RefusalReports()) as RefusalReports; // cast: only this function adds to the map
  }

  /** Whether there is no report of a row of this store. */
  isEmpty({ store }: Host): boolean {
    return !this.#stores.has(store) || this.#reports.size === 0;
  }

  /** All reports, the oldest first; the same array until a report changes. */
  read({ store }: Host): readonly RefusedRow[] {
    if (!this.#stores.has(store)) return NO_REPORTS;
    // The reports of deleted rows are removed.
    for (const [name, { entity, pk }] of this.#reports)
      if (pk !== undefined && store.tables.get(entity)?.rows.get(pk)?.base === null) {
        this.#reports.delete(name);
        this.#snapshot = null;
      }
    return (this.#snapshot ??= [...this.#reports.values()]);
  }

  add({ store }: Host, report: RefusedRow): void {
    if (!this.#stores.has(store)) {
      this.#reports.clear();
      this.#stores = new WeakSet([store]);
    }
    if (report.outcome !== 'passed') this.noteRefusal(store, report.entity);
    const name = reportName(report.entity, report.pk ?? report.path);
    // An optimistic update may be computed several times, with the same report each time.
    if (isEqual(this.#reports.get(name), report)) return;
    this.#reports.delete(name);
    this.#reports.set(name, report);
    for (const oldest of this.#reports.keys()) {
      if (this.#reports.size <= REFUSED_ROWS_KEPT) break;
      this.#reports.delete(oldest);
    }
    this.#notify();
  }

  /** Records that a row of the entity may be missing, or may have other values than on the server, because a check refused it. */
  noteRefusal({ timeline }: Store, entity: string): void {
    this.refusedAt.set(entity, timeline.last);
  }

  /** Removes the report of a row that a valid payload contained. */
  clear(entity: string, pk: string | undefined): void {
    if (pk !== undefined && this.#reports.delete(reportName(entity, pk))) this.#notify();
  }

  /** Schedules one notification of the listeners, even if a payload has several refused rows. */
  #notify(): void {
    const isFirst = this.#snapshot !== null;
    this.#snapshot = null;
    if (isFirst)
      queueMicrotask(() => {
        this.#snapshot ??= [...this.#reports.values()];
        for (const listener of this.listeners) callSafely(listener);
      });
  }
}

function reportName(entity: string, pk: string): string {
  return JSON.stringify([entity, pk]);
}
