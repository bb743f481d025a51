// Which endpoints undo the mutations of a table: those of the resources that a history or a transaction was given.
import type { Core } from '../../controller/state/core.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import { entityKindOf } from '../../endpoint/row-name.ts';
import { ensure } from '../../support/ensure.ts';
import { HoldfastError } from '../../support/errors.ts';
import type { InverseEndpoint, InverseEndpoints } from './inverse.ts';
import type { EndpointsOf } from './undo.ts';

/**
 * The endpoints that undo: those of a resource. `restore` brings a deleted row back.
 *
 * @example
 * const Todos = TodoResource.extend('restore', { path: '/todos/:id/restore', method: 'POST', body: undefined });
 * const undoable: history.Resource = Todos;
 */
export interface UndoResource {
  readonly get: AnyEndpoint;
  readonly partialUpdate?: AnyEndpoint;
  readonly delete?: AnyEndpoint;
  readonly restore?: AnyEndpoint;
}

type EndpointsByTable = Map<string, InverseEndpoints>;

// Weak: an entry is collected together with its controller.
const endpointsByCore = new WeakMap<Core, EndpointsByTable>();

/** The endpoints of these resources by the keys of their tables. */
function readResources(resources: readonly UndoResource[]): [string, InverseEndpoints][] {
  return resources.map((resource) => {
    const kind = entityKindOf(resource.get as InverseEndpoint); // cast: endpoints have a schema
    if (!kind)
      throw new HoldfastError('HISTORY_OPTION_INVALID', {
        name: 'resources',
        found: 'a resource without an entity',
      });
    return [kind.key, resource as InverseEndpoints]; // cast: both classes have `extend`
  });
}

/** Makes these resources known to the controller's histories and transactions. Returns the keys of their tables. */
export function registerResources(core: Core, resources: readonly UndoResource[]): string[] {
  const known = ensure(endpointsByCore, core, () => new Map() as EndpointsByTable); // cast: an empty map
  return readResources(resources).map(([key, endpoints]) => {
    known.set(key, endpoints);
    return key;
  });
}

/** The endpoints for the rows of a table, from these resources or else from those of the controller's histories. */
export function endpointsFor(core: Core, resources: readonly UndoResource[] = []): EndpointsOf {
  const own = new Map(readResources(resources));
  return ({ key }) => own.get(key) ?? endpointsByCore.get(core)?.get(key);
}
