// The option `sparse` of an endpoint: the search parameter by which a server sends only some fields of a row. The missing fields
// are requested by an endpoint of their own: its response is stored like that of a picked class, and says nothing about other fields.
import type { EndpointCall } from '../../dispatch/call.ts';
import type { AnyReadEndpoint, ReadEndpoint } from '../../endpoint/endpoint-interface.ts';
import type { EntityHooks } from '../../schema/entity/entity-hooks.ts';
import { ensure } from '../../support/ensure.ts';
import { rowKindOf } from './covered-row.ts';
import { createPicked, fieldsOfKey, wholeOf } from './pick.ts';

type ExtendableRead = ReadEndpoint & { extend(options: object): AnyReadEndpoint };

// By the endpoint, then by the names: the endpoint that requests these fields alone. A memo, not state.
const partEndpoints = new WeakMap<object, Map<string, AnyReadEndpoint>>();

/** The call that requests these fields alone; undefined for an endpoint without the option. */
export function sparseCall(
  call: EndpointCall,
  names: readonly string[],
): readonly [endpoint: ReadEndpoint, params: null] | undefined {
  const { endpoint, args } = call;
  const { sparse } = endpoint;
  if (!sparse) return undefined;
  const entity = wholeOf(rowKindOf(call).entity);
  const parts = ensure(partEndpoints, endpoint, () => new Map<string, AnyReadEndpoint>());
  const part = ensure(parts, names.join(), () => {
    // This class ignores no field: the store keeps the other fields of such a response too.
    const picked = createPicked(entity, [...fieldsOfKey(entity), ...names], new Set());
    return (endpoint as ExtendableRead).extend({ schema: picked, sparse: undefined }); // cast: only endpoints with an address have the option
  });
  const [params, ...rest] = args;
  const wire = Object.keys(toWire(entity, names)).join(',');
  // cast: the types of arguments are checked where the whole row is requested
  return [
    part as ReadEndpoint,
    ...([{ ...(params as object), [sparse]: wire }, ...rest] as unknown as [null]),
  ];
}

/** An object with the server's names of these fields. */
function toWire(entity: EntityHooks, names: readonly string[]): object {
  const fields = Object.fromEntries(names.map((name) => [name, 0]));
  return (entity.wireNames?.toWire(fields, entity) ?? fields) as object; // cast: an object stays one
}
