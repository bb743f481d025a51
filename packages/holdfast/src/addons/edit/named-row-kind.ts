// The kind of the row that a call identifies, by its primary key or by other fields: `/issues/:number` when the primary key is
// `id`. An edit shows this row (row-edit.ts). Once the row is found it stays the same row, even if the field that identifies it
// changes.
import type { EndpointCall } from '../../dispatch/call.ts';
import { pkByFields } from '../../endpoint/row-name.ts';
import type { EntityKind } from '../../schema/entity/entity-kind.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { HasQuery, Kind } from '../../schema/protocol/protocol.ts';
import { tryRun } from '../../support/call-safely.ts';
import { isObject } from '../../support/plain.ts';

/** Sets `pkParams` of the call to the primary key of its row, unless it is set already or no such row is found. */
export function ensurePk(engine: Engine, call: EndpointCall): void {
  call.pkParams ??= tryRun(() => pkByFields(engine, call.endpoint, call.args)) ?? null;
}

export function createNamedRowKind(entity: EntityKind, call: EndpointCall): Kind & HasQuery {
  return {
    enter: (value, at) => entity.enter(value, at),
    open: (stored, at) => entity.open(stored, at),
    query(_args, at) {
      const engine = at.engine as Engine; // cast: the engine is the only host
      ensurePk(engine, call);
      const args = call.argsForLookUp.slice(0, 1);
      const [params] = args;
      if (!call.pkParams && isObject(params)) {
        // No row was found by other fields than the primary key. That may change when a row gets or loses one of the values.
        const declared = entity.fieldNames();
        for (const [name, value] of Object.entries(params))
          if (declared.includes(name))
            at.depend(engine.store.indexEntry(engine.tableOf(entity), name, value));
      }
      return entity.query(args, at);
    },
  };
}
