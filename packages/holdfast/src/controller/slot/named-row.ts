// The row that an ask is about, found by its arguments where it is stored: what readers of one entity show, and what the
// answer to a mutation is judged by.
import type { Ask } from '../../dispatch/ask.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { TableOwner } from '../../schema/protocol/protocol.ts';
import type { Row } from '../../store/nodes.ts';
import { attempt } from '../../support/call-safely.ts';

/**
 * The row that the arguments name by its primary key or its local id; undefined where there is none, or where a class's
 * own code cannot tell. Makes no row.
 */
export function namedRow(engine: Engine, ask: Ask): Row | undefined {
  return ask.sourceKind.pkOf && namedRows(engine, ask)[0];
}

/** The same for a union, whose arguments may name a row of each of its types. */
export function namedRows(engine: Engine, { sourceKind, lookUpArgs }: Ask): readonly Row[] {
  const find = (owner: TableOwner): readonly Row[] => {
    const pk = owner.pkOf?.(lookUpArgs);
    if (pk === undefined) return [];
    const { rows, aliases } = engine.tableOf(owner);
    return [rows.get(pk) ?? aliases.get(pk) ?? []].flat();
  };
  const isOfRow = sourceKind.identify !== undefined;
  return (isOfRow && attempt(() => sourceKind.owners?.().flatMap(find))) || [];
}
