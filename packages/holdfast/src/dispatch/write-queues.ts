// The queues of mutations. A row is a queue: calls that name it are sent in the order of calls, one at a time (flights.ts).
import type { EndpointInterface } from '../endpoint/endpoint-interface.ts';
import { envelopeOf, unwrapEnvelope } from '../endpoint/row-name.ts';
import type { Engine } from '../normalize/engine.ts';
import type { Kind } from '../schema/protocol/protocol.ts';
import { Row } from '../store/nodes.ts';
import { tryRun } from '../support/call-safely.ts';
import { HoldfastError, nameOf } from '../support/errors.ts';
import type { EndpointCall } from './call.ts';

/** What is named: a row, or where it would be if it were stored. */
type Target = Pick<Row, 'table' | 'pk'>;

/** A row's queue, by table and key: the local id until the server has named the row. */
export function queueOf({ table, pk }: Target): string {
  return `${table.key} ${pk}`;
}

/**
 * What arguments name by primary key or local id; nothing where a class's own code cannot tell. A union's arguments may name a
 * row of each of its types. Takes the arguments of several rows.
 */
export function targetsOf(
  engine: Engine,
  kind: Kind,
  requested: readonly (readonly unknown[])[],
): readonly Target[] {
  const targets: Target[] = [];
  for (const owner of tryRun(() => kind.owners?.()) ?? [])
    for (const args of requested)
      tryRun(() => {
        const pk = owner.pkOf?.(args);
        if (pk === undefined) return;
        const table = engine.tableOf(owner);
        const row = table.rows.get(pk) ?? table.aliases.get(pk);
        targets.push(row?.forward ?? row ?? { table, pk });
      });
  return targets;
}

/** What a request names: by its parameters, through unions and envelopes, by the rows of a bulk body, by a creation's own key. */
export function namedBy(
  engine: Engine,
  { endpoint, kind, sourceKind, args, lookUpArgs }: EndpointCall,
): readonly Target[] {
  const { body } = endpoint.splitArgs(args);
  const isCreation = kind.isPlacement && endpoint.method === 'POST';
  const sent = Array.isArray(body) ? body : unwrapEnvelope(tryRun(() => envelopeOf(sourceKind)) ?? [], body);
  const items = Array.isArray(sent) || isCreation ? [sent].flat().map((item) => [item]) : [];
  return targetsOf(engine, sourceKind, isCreation ? items : [lookUpArgs, ...items]);
}

/** Those of them that are stored. */
export function rowsAmong(targets: Iterable<unknown>): Row[] {
  return [...targets].filter((one) => one instanceof Row);
}

/** The queues that a call stands in: the endpoint's own, else those of its rows, else its address. */
export function queuesOf({ endpoint, args }: EndpointCall, named: readonly string[]): readonly string[] {
  const { queue, method = 'POST' } = endpoint;
  if (queue !== undefined) return declaredQueue(endpoint, args);
  return named.length || method === 'POST' ? named : addressOf(endpoint, args);
}

function declaredQueue(
  { name: endpoint, queue }: EndpointInterface,
  args: readonly unknown[],
): readonly string[] {
  let name: unknown;
  let cause: unknown;
  try {
    name = queue && (queue as (...given: readonly unknown[]) => unknown)(...args); // cast: users say what they take
  } catch (thrown) {
    cause = thrown;
  }
  if (name === null) return [];
  if (typeof name === 'string') return [`:${name}`]; // no table is called so
  throw new HoldfastError('QUEUE_INVALID', { endpoint, found: nameOf(name) }, { cause });
}

/** The address without the query; none where the endpoint has no address. */
function addressOf(endpoint: EndpointInterface, args: readonly unknown[]): readonly string[] {
  const rest = endpoint as { url?: (params: unknown) => string }; // cast: REST endpoints have one
  return rest.url?.(endpoint.splitArgs(args).params).split('?', 1) ?? [];
}
