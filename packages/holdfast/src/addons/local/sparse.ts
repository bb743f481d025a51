// The option `sparse` of an endpoint: the search parameter by which a server sends only some fields of a row. The missing fields
// are requested by a separate endpoint. The response of that endpoint is stored like the response of a picked class, which declares
// no other fields.
import type { EndpointCall } from '../../dispatch/call.ts';
import type { AnyReadEndpoint, ReadEndpoint } from '../../endpoint/endpoint-interface.ts';
import type { EntityConstructor } from '../../schema/entity/entity-constructor.ts';
import { ensure } from '../../support/ensure.ts';
import { rowKindOf } from './covered-row.ts';
import { createPicked, fieldsOfKey, wholeOf } from './pick.ts';

type ExtendableRead = ReadEndpoint & { extend(options: object): AnyReadEndpoint };

// The endpoint that requests only these fields, by the original endpoint and then by the names. This map is a memo, not state.
const partEndpoints = new WeakMap<object, Map<string, AnyReadEndpoint>>();

/** The call that requests only these fields; undefined for an endpoint without the option. */
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
    // This class ignores no field, so the other fields of such a response are stored too.
    const picked = createPicked(entity, [...fieldsOfKey(entity), ...names], new Set());
    return (endpoint as ExtendableRead).extend({ schema: picked, sparse: undefined }); // cast: only endpoints with an address have the option
  });
  const [params, ...rest] = args;
  const wire = Object.keys(withWireNames(entity, names)).join(',');
  // cast: the types of arguments are checked where the whole row is requested
  return [
    part as ReadEndpoint,
    ...([{ ...(params as object), [sparse]: wire }, ...rest] as unknown as [null]),
  ];
}

/** An object with the server's names of these fields. */
function withWireNames(entity: EntityConstructor, names: readonly string[]): object {
  const fields = Object.fromEntries(names.map((name) => [name, 0]));
  return (entity.wireNames?.toWire(fields, entity) ?? fields) as object; // cast: an object stays one
}
