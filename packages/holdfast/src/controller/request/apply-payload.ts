// Applies a normalized payload to base, and calls the extension before and after. Optimistic updates do not use this file, because
// they do not change base.
import { checkArguments, checkRows, inDevelopment } from '#env';
import type { Flight } from '../../dispatch/flights.ts';
import type { Effects } from '../../store/effects.ts';
import type { Fields, List, Table } from '../../store/nodes.ts';
import type { Stamp } from '../../store/order.ts';
import { rowOf } from '../../store/stored-form.ts';
import { tryRun } from '../../support/call-safely.ts';
import { ensure } from '../../support/ensure.ts';
import type { CheckedClass } from '../../support/check-rows.ts';
import { HoldfastError } from '../../support/errors.ts';
import type { Core } from '../state/core.ts';

/** Applies a payload. Call this inside a batch. `flight` is the request to which the payload responds. */
export function applyPayload(core: Core, effects: Effects, origin: Stamp, flight?: Flight): void {
  // Checks the rows of each table that belongs to one class.
  inDevelopment(() => {
    const byTable = new Map<Table, Fields[]>();
    for (const [at, { table }] of effects.rows.entries())
      ensure(byTable, table, () => []).push(effects.fields[at]!); // the arrays grow together
    for (const [table, rows] of byTable) {
      const owners = [...core.engine.tablesByOwner].filter(([, other]) => other === table);
      const [only, more] = new Set(owners.map(([{ owner }]) => owner));
      if (only && !more) tryRun(() => checkRows(only as CheckedClass, rows, HoldfastError)); // cast: the owner of a table of rows is a class
    }
  });
  const end = core.extension.beforeStore?.(effects, origin, flight);
  // The lists that these rows may make stale. Each list has its `staleSince` from before the payload.
  let before: Map<List, number>;
  inDevelopment(() => {
    before = new Map();
    const tables = new Set(
      [...effects.rows, ...effects.removed].flatMap(({ table }) => [table, ...table.unions]),
    );
    for (const { lists } of tables) for (const list of lists.values()) before.set(list, list.staleSince);
  });
  core.engine.apply(effects, origin);
  inDevelopment(() => {
    for (const [list, since] of before) {
      if (!list.staleSince || list.staleSince === since || list.identity.declaresServerMembership) continue;
      const rows = list.base.flatMap((member): readonly Fields[] => [rowOf(member)?.base ?? {}]);
      const owner = [...core.engine.tablesByOwner].find(([, table]) => table === list.table)?.[0];
      const fields = tryRun(() => owner?.fieldNames()) ?? [];
      checkArguments(list, { entity: list.table.key, fields, rows }, HoldfastError);
    }
  });
  end?.();
}
