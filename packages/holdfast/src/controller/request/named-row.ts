// The row that a request is about, found by the request's arguments where it is stored: the answer is judged by what it was.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { lookUpArgs } from '../../endpoint/row-name.ts';
import type { Engine } from '../../normalize/engine.ts';
import { EntityKind } from '../../schema/entity/entity-kind.ts';
import type { Row } from '../../store/nodes.ts';
import { attempt } from '../../support/call-safely.ts';
import { sourceKind } from '../state/core.ts';

/**
 * The row that the arguments name by its primary key or its local id; undefined where there is none, or where a class's
 * own code cannot tell. Makes no row.
 */
export function namedRow(
  engine: Engine,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): Row | undefined {
  const find = (): Row | undefined => {
    const kind = sourceKind(endpoint);
    if (!(kind instanceof EntityKind)) return undefined;
    const pk = kind.entity.queryKey(lookUpArgs(endpoint, args));
    if (pk === undefined) return undefined;
    const { rows, aliases } = engine.tableOf(kind);
    return rows.get(pk) ?? aliases.get(pk);
  };
  return attempt(find);
}
