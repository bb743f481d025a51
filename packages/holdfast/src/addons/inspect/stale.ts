// Finds why the stored data of a call is stale or absent. It uses the same facts as controller/slot/decide.ts, which decides
// whether to fetch. It reads the slot and the existing views, and creates no view and no node.
import { stampsOf, storedParts } from '../../controller/slot/read-slot.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import { ownersOf } from '../../schema/protocol/protocol.ts';
import { itemsOf, View } from '../../store/graph.ts';
import type { Node } from '../../store/graph.ts';
import { isRowOrList, Row } from '../../store/nodes.ts';
import type { Fields, List } from '../../store/nodes.ts';
import type { Slot } from '../../store/slot.ts';
import { isAfter, isStale } from '../../store/order.ts';
import { rowOf } from '../../store/stored-form.ts';
import { tryRun } from '../../support/call-safely.ts';
import type { StaleReason } from './explanation.types.ts';
import type { InspectedRequest } from './inspected.types.ts';
import type { RecorderMemory } from './memory.ts';

/** How many nodes `nodesReadBy` collects before it stops. */
export const MOST_READ_NODES = 1_000;

/** How many stale rows and lists are reported at most. */
const MOST_STALE_NODES = 8;

/** A row or a list as a readable string. */
export function nameOfNode(node: Row | List): string {
  if (node instanceof Row) return `${node.table.key} ${node.pk}`;
  const key = [...(node.identity.key ?? [])].map(([name, value]) => `${name}=${value}`).join(' ');
  return `list of ${node.table.key}${key && ` where ${key}`}`;
}

/** The given views, and all nodes from which they are built. The search stops after MOST_READ_NODES nodes. */
export function nodesReadBy(views: Iterable<Node>): ReadonlySet<Node> {
  const nodes = new Set<Node>(views);
  for (const node of nodes) {
    if (nodes.size > MOST_READ_NODES) break;
    if (!(node instanceof View)) continue;
    if (node.subject) nodes.add(node.subject);
    for (const child of node.readNodes ?? []) nodes.add(child);
  }
  return nodes;
}

export function staleReasonsOf(
  memory: RecorderMemory,
  call: EndpointCall,
  slot: Slot | undefined,
): StaleReason[] {
  const now = memory.now();
  if (!slot) return [{ rule: 'never-fetched' }];
  const reasons: StaleReason[] = [];
  const { hasResult } = slot;
  // A further page ignores marks that are older than its own request.
  const since = (call.isPage && slot.pageStamp?.fence) || 0;
  const stamp = (since && slot.pageStamp) || slot.stamp;
  const found = hasResult ? slot.stored : dataOfOtherCalls(slot);
  const parts = storedParts(found);
  if (slot.failureCount > 0 || slot.error)
    reasons.push({ rule: 'failed', error: slot.error?.name ?? '', times: slot.failureCount });
  if (isAfter(slot.invalidatedAt, since)) reasons.push({ rule: 'invalidated' });
  reasons.push(...staleNodeReasons(memory, slot, parts, since));
  const absent = parts.filter((part) => part.shown === null);
  // If a row is stored but not shown, the optimistic update of a pending mutation removes it.
  if (absent.length > 0) reasons.push({ rule: absent.some(({ base }) => !base) ? 'gone' : 'being-deleted' });
  if (!hasResult && found === undefined) return [...reasons, { rule: 'never-fetched' }];
  const ages = parts.flatMap((part) => part.table.coverage?.stampsOf(part, call.kind) ?? stampsOf(part));
  // If the rows of a list lack fields of this reader, the list has no age for this reader.
  const isPartial = ages[0]?.fence === Infinity;
  const [row] = isPartial ? (parts[0] as List).shown.map(rowOf) : hasResult ? [] : parts; // cast: no row is partial
  const shown = row?.shown;
  if (shown && (isPartial || tryRun(() => call.kind.covers?.(shown as Fields)) === false)) {
    const names = ownersOf(call.kind)[0]?.fieldNames() ?? [];
    reasons.push({ rule: 'summary-only', absent: names.filter((name) => !Object.hasOwn(shown, name)) });
  }
  const expiresAt = hasResult ? stamp.expiresAt : Math.min(...ages.map((age) => age.expiresAt));
  // The expiry time of a deleted row is 0, and gives no reason.
  if (now > expiresAt && expiresAt) reasons.push({ rule: 'lifetime-over', since: expiresAt });
  // The response, or a row or list of the response, was stored before the clock was set back.
  else if (!isPartial && [stamp, ...ages].some(({ storedAt }) => now < storedAt))
    reasons.push({ rule: 'clock-was-set-back' });
  return reasons;
}

/** The data of other calls that the arguments of this call identify. It is found only if a reader of this call has looked it up. */
function dataOfOtherCalls(slot: Slot): unknown {
  for (const view of itemsOf(slot.dependents)) {
    const [source] = view.readNodes ?? [];
    if (!(source instanceof View)) continue;
    const found = source.subject instanceof Row ? source.subject : source.stored;
    // A look-up creates an empty row to wait for data. An empty row is not data.
    if (found instanceof Row && found.shown === undefined) continue;
    if (storedParts(found).length > 0) return found;
  }
  return undefined;
}

function staleNodeReasons(
  memory: RecorderMemory,
  slot: Slot,
  parts: readonly (Row | List)[],
  pageSince: number,
): StaleReason[] {
  const { staleNodes } = memory.core.engine.store;
  const since = pageSince || (slot.hasResult ? slot.stamp.fence : 0);
  const nodes = new Set<Row | List>(parts.filter((part) => isStale(part, pageSince)));
  if (staleNodes.size > 0)
    for (const node of nodesReadBy(itemsOf(slot.dependents)))
      if (isRowOrList(node) && isStale(node, since)) nodes.add(node);
  const reasons = [...nodes]
    .slice(0, MOST_STALE_NODES)
    .map((node) => staleReasonOf(memory, nameOfNode(node), node.staleSince));
  const isExplained = [...nodes].some(({ staleSince }) => staleSince === slot.staleSince);
  if (isStale(slot, pageSince) && !isExplained)
    reasons.push(staleReasonOf(memory, 'the answer', slot.staleSince));
  return reasons;
}

/** Explains a stale mark that was made at this time on the store's timeline. `what` is the name of the marked data. */
export function staleReasonOf(memory: RecorderMemory, what: string, stamp: number): StaleReason {
  const { request, isByHand } = memory.markedStaleBy(stamp);
  if (isByHand) return { rule: 'expired-by-hand', what, by: undefined };
  if (!request) return { rule: 'in-doubt', what, by: undefined };
  const isUnknown = request.kind === 'mutation' && request.status === 'failed';
  return { rule: isUnknown ? 'write-ended-unknown' : 'left-open-by-an-answer', what, by: request.id };
}

type InspectedCause = InspectedRequest['cause'];

const CAUSE_BY_RULE: Readonly<Record<StaleReason['rule'], InspectedCause>> = {
  'never-fetched': 'absence',
  gone: 'absence',
  'being-deleted': 'absence',
  'summary-only': 'absence',
  'lifetime-over': 'expiry',
  'clock-was-set-back': 'expiry',
  invalidated: 'invalid',
  failed: 'retry',
  'write-ended-unknown': 'doubt',
  'left-open-by-an-answer': 'doubt',
  'expired-by-hand': 'doubt',
  'in-doubt': 'doubt',
};

/** The cause of a reader's request for stale or absent data: it follows from the first reason. */
export function causeOfReasons([first]: readonly StaleReason[]): InspectedCause {
  return first ? CAUSE_BY_RULE[first.rule] : 'unknown';
}
