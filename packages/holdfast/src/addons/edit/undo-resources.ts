// Keeps the data that the undo of a mutation needs: the ancestor of the mutation, and the endpoints of the resources that the
// histories got. A transaction may have resources of its own, which only its own undo uses.
import { keepAncestors } from '../../controller/request/ancestor.ts';
import type { Core } from '../../controller/state/core.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import { entityKindOf } from '../../endpoint/row-name.ts';
import { ensure } from '../../support/ensure.ts';
import { HoldfastError } from '../../support/errors.ts';
import type { InverseEndpoint, InverseEndpoints } from './inverse.ts';
import type { EndpointsOf } from './undo.ts';

/**
 * The endpoints that undo mutations, usually the endpoints of a resource. `restore` brings a deleted row back.
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

// The keys are weak: an entry is collected together with its controller.
const endpointsByCore = new WeakMap<Core, EndpointsByTable>();

/** The endpoints of the controller's histories. From the first transaction or history on, the ancestors of mutations are kept. */
function ensureHistoryEndpoints(core: Core): EndpointsByTable {
  return ensure(endpointsByCore, core, () => {
    core.extension = keepAncestors(core, core.extension);
    return new Map() as EndpointsByTable; // cast: an empty map
  });
}

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
  const known = ensureHistoryEndpoints(core);
  return readResources(resources).map(([key, endpoints]) => {
    known.set(key, endpoints);
    return key;
  });
}

/**
 * The endpoints for the rows of a table. They come from these resources, or else from the resources of the controller's histories.
 */
export function endpointsFor(core: Core, resources: readonly UndoResource[] = []): EndpointsOf {
  const own = new Map(readResources(resources));
  const shared = ensureHistoryEndpoints(core);
  return ({ key }) => own.get(key) ?? shared.get(key);
}
