// A controller's state as plain data and back: for server rendering, tests and storages. Functions of their own, so that
// an application that does neither ships neither.
import { dehydrateEngine } from '../normalize/dehydrate.ts';
import type { DehydratedState } from '../normalize/dehydrate.ts';
import { hydrateEngine } from '../normalize/hydrate.ts';
import type { Controller } from './controller.ts';
import { CORE } from './state/core.ts';

/**
 * The state of a controller as plain data: it survives JSON, structured clone, and any storage. Pending mutations are
 * not part of it.
 *
 * @example localStorage.setItem('state', JSON.stringify(dehydrate(controller)));
 */
export function dehydrate(controller: Controller): DehydratedState {
  return dehydrateEngine(controller[CORE].engine);
}

/**
 * Takes a saved state in, an object or its JSON text. It counts as read before anything that this controller did: it fills what
 * is not there and replaces only what an older state brought, or what has a lower version. A state of another version is
 * dropped with one warning, and so are the damaged parts of one.
 *
 * @example hydrate(controller, localStorage.getItem('state'));
 */
export function hydrate(controller: Controller, state: unknown): void {
  if (state === null || state === undefined) return;
  const core = controller[CORE];
  hydrateEngine(core.engine, state, core.environment.clock.now());
  core.emit({ type: 'set' });
}
