// The rows that checks have refused, as a controller knows them. Part of `holdfast/validate`.
import type { Controller } from '../../controller/controller.ts';
import { CORE } from '../../controller/state/core.ts';
import { Quarantine } from './quarantine.ts';
import type { RefusedField, RefusedRow } from './refused-rows.ts';

/**
 * Watches the rows that checks have refused. Its functions need no `this`.
 *
 * @example
 * const observer: watchRefused.Observer = watchRefused(new Controller());
 * const stop = observer.subscribe(() => console.log(observer.read().length));
 */
export interface RefusedObserver {
  /** The same array as long as nothing in it changed. */
  readonly read: () => readonly RefusedRow[];
  readonly subscribe: (onChange: () => void) => () => void;
}

/**
 * The rows that checks have refused and that have not come as they should since: one report for each, oldest first.
 *
 * @example
 * const lines = getRefused(controller).map(({ entity, pk, fields }) => `${entity} ${pk}: ${fields[0]?.message}`);
 */
export function getRefused(controller: Controller): readonly RefusedRow[] {
  const { engine } = controller[CORE];
  return Quarantine.of(engine).read(engine);
}

/**
 * Watches the rows that checks have refused: to show how many are missing, or to tell a monitor.
 *
 * @example
 * const refused = watchRefused(controller);
 * const stop = refused.subscribe(() => console.warn(refused.read().at(-1)));
 */
export function watchRefused(controller: Controller): RefusedObserver {
  return {
    read: () => getRefused(controller),
    subscribe: (onChange) => {
      const { listeners } = Quarantine.of(controller[CORE].engine);
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
