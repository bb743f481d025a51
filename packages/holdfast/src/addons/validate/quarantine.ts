// The rows that checks have refused: one report for each, until the row comes as it should. Written while payloads are walked,
// read by watch-refused.ts.
import { isEqual } from '../../store/fields.ts';
import { callSafely } from '../../support/call-safely.ts';
import { ensure } from '../../support/ensure.ts';
import type { Host } from '../../schema/protocol/protocol.ts';
import { quarantines, REFUSED_ROWS_KEPT } from './refused-rows.ts';
import type { RefusedRow, RefusedRows } from './refused-rows.ts';

const NO_REPORTS: readonly RefusedRow[] = [];

/** The reports of one controller. */
export class Quarantine implements RefusedRows {
  readonly listeners = new Set<() => void>();
  readonly #reports = new Map<string, RefusedRow>();
  /** The store that they are about: a reset opens another one. */
  #store: object | null = null;
  #given: readonly RefusedRow[] | null = NO_REPORTS;

  static of({ store: { timeline } }: Host): Quarantine {
    return ensure(quarantines, timeline, () => new Quarantine()) as Quarantine; // cast: nobody else puts any there
  }

  get isEmpty(): boolean {
    return this.#reports.size === 0;
  }

  /** All reports, oldest first; the same array until something changes. */
  read({ store }: Host): readonly RefusedRow[] {
    if (this.#store !== store) return NO_REPORTS;
    // a row that is gone has nothing wrong with it any more
    for (const [name, { entity, pk }] of this.#reports)
      if (pk !== undefined && store.tables.get(entity)?.rows.get(pk)?.base === null) {
        this.#reports.delete(name);
        this.#given = null;
      }
    return (this.#given ??= [...this.#reports.values()]);
  }

  add({ store }: Host, report: RefusedRow): void {
    if (this.#store !== store) this.#reports.clear();
    this.#store = store;
    const name = reportName(report.entity, report.pk ?? report.path);
    // a guess is made again and again, and says the same each time
    if (isEqual(this.#reports.get(name), report)) return;
    this.#reports.delete(name);
    this.#reports.set(name, report);
    for (const oldest of this.#reports.keys()) {
      if (this.#reports.size <= REFUSED_ROWS_KEPT) break;
      this.#reports.delete(oldest);
    }
    this.#notify();
  }

  /** The row has come as it should. */
  clear(entity: string, pk: string | undefined): void {
    if (pk !== undefined && this.#reports.delete(reportName(entity, pk))) this.#notify();
  }

  /** Listeners hear when the walk is over, and of all of it at once. */
  #notify(): void {
    const isFirst = this.#given !== null;
    this.#given = null;
    if (isFirst)
      queueMicrotask(() => {
        this.#given ??= [...this.#reports.values()];
        for (const listener of this.listeners) callSafely(listener);
      });
  }
}

function reportName(entity: string, pk: string): string {
  return JSON.stringify([entity, pk]);
}
