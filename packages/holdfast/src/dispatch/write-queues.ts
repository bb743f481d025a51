// Finds the queues in which a mutation waits. By default each row has a queue: the mutations that identify the row are sent one at
// a time, in the order of their calls. `findAhead` of flights.ts finds the mutation for which another mutation waits.
import type { EndpointInterface } from '../endpoint/endpoint-interface.ts';
import { envelopeOf, unwrapEnvelope } from '../endpoint/row-name.ts';
import type { Engine } from '../normalize/engine.ts';
import { ownersOf } from '../schema/protocol/protocol.ts';
import type { Kind } from '../schema/protocol/protocol.ts';
import { Row } from '../store/nodes.ts';
import { tryRun } from '../support/call-safely.ts';
import { HoldfastError, describeType } from '../support/errors.ts';
import type { EndpointCall } from './call.ts';

/** A stored row, or the table and primary key of a row that is not stored. */
type RowTarget = Pick<Row, 'table' | 'pk'>;

/** The name of a row's queue: the table's key and the primary key, which for a draft is the local id. */
export function queueNameOf({ table, pk }: RowTarget): string {
  return `${table.key} ${pk}`;
}

/**
 * The rows that any of the argument lists identifies by primary key or local id. For a union, one argument list may identify a row
 * of each of its types. An argument list for which an entity class throws identifies no row of that class.
 */
export function targetsOfArgs(
  engine: Engine,
  kind: Kind,
  argLists: readonly (readonly unknown[])[],
): readonly RowTarget[] {
  const targets: RowTarget[] = [];
  for (const owner of tryRun(() => ownersOf(kind)) ?? [])
    for (const args of argLists)
      tryRun(() => {
        const pk = owner.pkOf(args);
        if (pk === undefined) return;
        const table = engine.tableOf(owner);
        const row = table.rows.get(pk) ?? table.rowsByLocalId.get(pk);
        targets.push(row?.replacedBy ?? row ?? { table, pk });
      });
  return targets;
}

/**
 * The rows that a call identifies. A creation identifies rows by the primary keys in its body; any other call by its parameters and,
 * when its body is an array of rows, by their primary keys. The rows in the body may be inside an envelope.
 */
export function targetsOfCall(
  engine: Engine,
  { endpoint, kind, sourceKind, args, argsForLookUp }: EndpointCall,
): readonly RowTarget[] {
  const { body } = endpoint.splitArgs(args);
  // The parameters of a creation identify the parent of the new row, so they are not used. A POST without a body is not a creation:
  // its parameters identify the row, for example a row to restore.
  const isCreation = kind.isPlacement && endpoint.method === 'POST' && body !== undefined;
  const sent = Array.isArray(body) ? body : unwrapEnvelope(tryRun(() => envelopeOf(sourceKind)) ?? [], body);
  const items = Array.isArray(sent) || isCreation ? [sent].flat().map((item) => [item]) : [];
  return targetsOfArgs(engine, sourceKind, isCreation ? items : [argsForLookUp, ...items]);
}

/** The targets that are stored rows. */
export function rowsAmong(targets: Iterable<unknown>): Row[] {
  return [...targets].filter((target) => target instanceof Row);
}

/**
 * The queues of a call: the queues of the endpoint's `queue` option; else `rowQueues`; else the queue of the URL. A POST gets no
 * queue by its URL, because creations need not wait for each other.
 */
export function queuesOf({ endpoint, args }: EndpointCall, rowQueues: readonly string[]): readonly string[] {
  const { queue, method = 'POST' } = endpoint;
  if (queue !== undefined) return declaredQueues(endpoint, args);
  return rowQueues.length || method === 'POST' ? rowQueues : addressQueues(endpoint, args);
}

function declaredQueues(
  { name: endpoint, queue }: EndpointInterface,
  args: readonly unknown[],
): readonly string[] {
  let queueName: unknown;
  let cause: unknown;
  try {
    queueName = queue && (queue as (...given: readonly unknown[]) => unknown)(...args); // cast: users declare the parameters
  } catch (thrown) {
    cause = thrown;
  }
  if (queueName === null) return [];
  if (typeof queueName === 'string') return [`:${queueName}`]; // with the colon, the name differs from that of a row's queue
  throw new HoldfastError('QUEUE_INVALID', { endpoint, found: describeType(queueName) }, { cause });
}

/** One queue, named by the URL without the query; no queue when the endpoint has no `url` method. */
function addressQueues(endpoint: EndpointInterface, args: readonly unknown[]): readonly string[] {
  // cast: only REST endpoints have `url`
  return (
    (endpoint as { url?: (params: unknown) => string })
      .url?.(endpoint.splitArgs(args).params)
      .split('?', 1) ?? []
  );
}
