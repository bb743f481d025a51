// Finds why the stored data of a call is stale or absent. Uses the same facts as controller/slot/decide.ts, which decides whether
// to fetch. Reads the slot and the existing views, and creates no view and no node.
import { stampsOf, storedParts } from '../../controller/slot/read-slot.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import { itemsOf, View } from '../../store/graph.ts';
import type { Node } from '../../store/graph.ts';
import { isNode, List, Row } from '../../store/nodes.ts';
import type { Slot } from '../../store/slot.ts';
import { isAfter, isStale } from '../../store/order.ts';
import { tryRun } from '../../support/call-safely.ts';
import type { StaleReason } from './explanation.types.ts';
import type { InspectedRequest } from './inspected.types.ts';
import type { RecorderMemory } from './memory.ts';

/** How many nodes `nodesReadBy` collects before it stops. */
export const MOST_STALE_STEPS = 1_000;

/** How many stale rows and lists are reported at most. */
const MOST_STALE_NODES = 8;

/** A row or a list as a readable string. */
export function nameOfNode(node: Row | List): string {
  if (node instanceof Row) return `${node.table.key} ${node.pk}`;
  const key = [...(node.identity.key ?? [])].map(([name, value]) => `${name}=${value}`).join(' ');
  return `list of ${node.table.key}${key && ` where ${key}`}`;
}

/** The given views and all nodes that they are built from. Stops after MOST_STALE_STEPS nodes. */
export function nodesReadBy(views: Iterable<Node>): ReadonlySet<Node> {
  const nodes = new Set<Node>(views);
  for (const node of nodes) {
    if (nodes.size > MOST_STALE_STEPS) break;
    if (!(node instanceof View)) continue;
    if (node.subject !== null) nodes.add(node.subject);
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
  // a further page ignores marks that are older than its own request
  const since = (call.isPage && slot.page?.fence) || 0;
  const stamp = (since && slot.page) || slot.stamp;
  const found = hasResult ? slot.stored : dataOfOtherCalls(slot);
  const parts = storedParts(found);
  if (slot.failures > 0 || slot.error)
    reasons.push({ rule: 'failed', error: slot.error?.name ?? '', times: slot.failures });
  if (isAfter(slot.invalidatedAt, since)) reasons.push({ rule: 'invalidated' });
  reasons.push(...staleNodeReasons(memory, slot, parts, since));
  const absent = parts.filter((part) => part instanceof Row && part.shown === null);
  // a row that is stored and not shown is removed by the optimistic update of a pending mutation
  if (absent.length > 0) reasons.push({ rule: absent.some(({ base }) => !base) ? 'gone' : 'being-deleted' });
  if (!hasResult && found === undefined) return [...reasons, { rule: 'never-fetched' }];
  if (!hasResult && found instanceof Row && found.shown) {
    const { kind } = call;
    const shown = found.shown;
    if (tryRun(() => kind.covers?.(shown)) === false) {
      const names = kind.owners?.()[0]?.fieldNames?.() ?? [];
      reasons.push({ rule: 'summary-only', absent: names.filter((name) => !Object.hasOwn(shown, name)) });
    }
  }
  const expiresAt = hasResult ? stamp.expiresAt : Math.min(...parts.map(expiresAtOf));
  if (now > expiresAt) reasons.push({ rule: 'lifetime-over', since: expiresAt });
  // the response, or a row or list that was stored after it, is from before the clock was set back
  else if ([stamp, ...parts.flatMap(stampsOf)].some(({ storedAt }) => now < storedAt))
    reasons.push({ rule: 'clock-was-set-back' });
  return reasons;
}

function expiresAtOf(part: Row | List): number {
  if (part instanceof List) return Math.min(...part.segments.map(({ stamp }) => stamp.expiresAt));
  return part.stamp.expiresAt;
}

/** The data of other calls that the arguments of this call identify. Found only if a reader of this call has looked it up. */
function dataOfOtherCalls(slot: Slot): unknown {
  for (const view of itemsOf(slot.dependents)) {
    const [source] = view.readNodes ?? [];
    if (!(source instanceof View)) continue;
    const found = source.subject instanceof Row ? source.subject : source.stored;
    // a look-up creates an empty row to wait for data: this is not data
    if (found instanceof Row && found.shown === undefined) continue;
    if (storedParts(found).length > 0) return found;
  }
  return undefined;
}

function staleNodeReasons(
  memory: RecorderMemory,
  slot: Slot,
  parts: readonly (Row | List)[],
  page: number,
): StaleReason[] {
  const { staleNodes } = memory.core.engine.store;
  const since = page || (slot.hasResult ? slot.stamp.fence : 0);
  const nodes = new Set<Row | List>(parts.filter((part) => isStale(part, page)));
  if (staleNodes.size > 0)
    for (const node of nodesReadBy(itemsOf(slot.dependents)))
      if (isNode(node) && isStale(node, since)) nodes.add(node);
  const named = [...nodes]
    .slice(0, MOST_STALE_NODES)
    .map((node) => describeStale(memory, nameOfNode(node), node.staleSince));
  const isExplained = [...nodes].some(({ staleSince }) => staleSince === slot.staleSince);
  if (isStale(slot, page) && !isExplained) named.push(describeStale(memory, 'the answer', slot.staleSince));
  return named;
}

export function describeStale(memory: RecorderMemory, what: string, stamp: number): StaleReason {
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

/** Why a reader fetched stale or absent data: the cause that belongs to the first reason. */
export function causeOfReasons([first]: readonly StaleReason[]): InspectedCause {
  return first ? CAUSE_BY_RULE[first.rule] : 'unknown';
}
