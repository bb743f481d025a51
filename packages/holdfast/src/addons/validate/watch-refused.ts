// Gives the reports of refused rows of one controller to the application.
import type { Controller } from '../../controller/controller.ts';
import { CORE } from '../../controller/state/core.ts';
import { RefusalReports } from './refusal-reports.ts';
import type { RefusedField, RefusedRow } from './refused-rows.ts';

/**
 * Reads and watches the rows that checks have refused. Its functions do not use `this`.
 *
 * @example
 * const observer: watchRefused.Observer = watchRefused(new Controller());
 * const stop = observer.subscribe(() => console.log(observer.read().length));
 */
export interface RefusedObserver {
  /** Returns all reports: the same array until a report changes. */
  readonly read: () => readonly RefusedRow[];
  readonly subscribe: (onChange: () => void) => () => void;
}

/**
 * The rows that checks have refused: one report per row, the oldest first. A report is kept until a valid payload contains the row,
 * the row is deleted, the store is reset or `defaults.refused.kept` newer reports exist.
 *
 * @example
 * const lines = getRefused(controller).map(({ entity, pk, fields }) => `${entity} ${pk}: ${fields[0]?.message}`);
 */
export function getRefused(controller: Controller): readonly RefusedRow[] {
  const { engine } = controller[CORE];
  return RefusalReports.of(engine).read(engine);
}

/**
 * Returns an observer of the rows that checks have refused, for example to show how many rows are missing, or to report them to a
 * monitor.
 *
 * @example
 * const refused = watchRefused(controller);
 * const stop = refused.subscribe(() => console.warn(refused.read().at(-1)));
 */
export function watchRefused(controller: Controller): RefusedObserver {
  return {
    read: () => getRefused(controller),
    subscribe: (onChange) => {
      const { listeners } = RefusalReports.of(controller[CORE].engine);
      const listener = (): void => onChange();
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export declare namespace getRefused {
  export type { RefusedField as Field, RefusedRow as Row };
}

export declare namespace watchRefused {
  export type { RefusedObserver as Observer };
}
