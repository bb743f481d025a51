// The row that an ask is about, found by its arguments where it is stored: what readers of one entity show, and what the
// answer to a mutation is judged by.
import type { Ask } from '../../dispatch/ask.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { Row } from '../../store/nodes.ts';
import { attempt } from '../../support/call-safely.ts';

/**
 * The row that the arguments name by its primary key or its local id; undefined where there is none, or where a class's
 * own code cannot tell. Makes no row.
 */
export function namedRow(engine: Engine, ask: Ask): Row | undefined {
  const find = (): Row | undefined => {
    const kind = ask.sourceKind;
    const pk = kind.pkOf?.(ask.lookUpArgs);
    const [owner] = kind.owners?.() ?? [];
    if (pk === undefined || owner === undefined) return undefined;
    const { rows, aliases } = engine.tableOf(owner);
    return rows.get(pk) ?? aliases.get(pk);
  };
  return attempt(find);
}
