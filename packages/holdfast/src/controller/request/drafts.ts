// Drafts: rows that were created here and have no id of the server yet. A request whose arguments contain the local id of a
// draft waits for the creation and is sent with the server's id; when the creation fails, the request fails too. If the
// response of a creation contains no id, the optimistic rows stay on screen while their lists are being read again.
import type { Flight, Flights } from '../../dispatch/flights.ts';
import { unlessAborted } from '../../endpoint/run-request.ts';
import { slotsOver } from '../../store/slots-over.ts';
import { List } from '../../store/nodes.ts';
import type { Intent } from '../../store/intent.ts';
import type { Row } from '../../store/nodes.ts';
import { removeIntent } from '../../store/overlay.ts';
import { HoldfastError } from '../../support/errors.ts';
import { changePlain, someLeaf } from '../../support/plain.ts';
import { AbortError } from '../../support/network-errors.ts';
import type { Core } from '../state/core.ts';

/** Registers the drafts of a creation's optimistic update until the creation has ended. */
export function registerDrafts({ drafts }: Core, rows: readonly Row[], responded: Promise<unknown>): void {
  for (const row of rows) {
    const { localId } = row;
    // The drafts of a move may be registered already, by their creation, or may have got their server ids long ago.
    if (!localId || drafts.has(localId) || !lacksServerId(row)) continue;
    const settleDraft = (cause?: unknown): void => {
      drafts.delete(localId);
      if (cause || lacksServerId(row))
        throw new HoldfastError('DRAFT_NOT_CREATED', { 'localId': localId }, { cause });
    };
    const idArrival = responded.then(() => settleDraft(), settleDraft);
    idArrival.catch(() => undefined); // requests that wait for the draft get the error from `waitForServerIds`
    drafts.set(localId, { idArrival, waitingAborters: new Set() });
  }
}

/** Returns the local ids in these arguments that belong to registered drafts. */
export function draftIdsIn({ drafts }: Core, args: readonly unknown[]): ReadonlySet<string> {
  const found = new Set<string>();
  // While there are no drafts, the arguments are not searched.
  if (drafts.size > 0)
    someLeaf(args, (leaf) => {
      if (drafts.has(leaf as string)) found.add(leaf as string); // casts: other values are no keys of the map
      return false;
    });
  return found;
}

/** Whether the row has no server id: its primary key is still its local id. */
export function lacksServerId({ localId, pk, replacedBy }: Row): boolean {
  return pk === localId && !replacedBy;
}

/** Waits until the rows of these local ids have got their server ids. */
export async function waitForServerIds(core: Core, ids: ReadonlySet<string>, flight: Flight): Promise<void> {
  const { call, aborter, isRead } = flight;
  const drafts = [...ids].flatMap((id) => core.drafts.get(id) ?? []);
  // A DELETE aborts the mutations that wait for the same draft already. Every mutation is noted, so that a later DELETE aborts it.
  if (!isRead)
    for (const { waitingAborters } of drafts) {
      if (call.endpoint.method === 'DELETE') for (const other of waitingAborters) other.abort();
      waitingAborters.add(aborter);
    }
  await waitUnlessAborted(flight, () => Promise.all(drafts.map(({ idArrival }) => idArrival)));
}

/** Waits for the promise before a request is sent; rejects with an AbortError when the request is aborted first. */
export async function waitUnlessAborted(
  { call, aborter, isRead }: Flight,
  run: () => Promise<unknown>,
): Promise<void> {
  const { name: url, method = isRead ? 'GET' : 'POST' } = call.endpoint;
  try {
    await unlessAborted(aborter.signal, run);
  } catch (error) {
    throw aborter.signal.aborted ? new AbortError({ method, url }) : error;
  }
}

/** The form of the local ids that the engine's `createDraft` generates. */
const LOCAL_ID = /^local:\d+-[0-9a-z]+$/;

/**
 * Replaces every local id in the arguments by the server's id. A local id whose row has no server id is not replaced; with
 * `isSent`, it causes an error.
 */
export function withServerIds(
  { engine }: Core,
  args: readonly unknown[],
  isSent = false,
): readonly unknown[] {
  const serverIdOf = (leaf: unknown): unknown => {
    if (typeof leaf !== 'string' || !LOCAL_ID.test(leaf)) return leaf;
    for (const { rowsByLocalId } of engine.store.tables.values()) {
      const row = rowsByLocalId.get(leaf);
      if (row) return String(row); // a row gives its primary key
    }
    if (isSent) throw new HoldfastError('DRAFT_NOT_CREATED', { 'localId': leaf });
    return leaf;
  };
  return changePlain(args, serverIdOf) as readonly unknown[]; // cast: `changePlain` returns an array for an array
}

/**
 * Rolls back the optimistic updates of creations whose response contained no id. In a list, the new row is removed when the list
 * has been read again; the whole update is rolled back when none of its lists is being read. Called after every read
 * and after every successful mutation.
 */
export function rollBackUnidentified({ engine: { store }, flights }: Core): void {
  if (store.unidentifiedCreations.size === 0) return;
  store.batch(() => {
    store.reapply(0);
    store.settle(); // removes the intents from lists that were read again
    for (const intent of store.unidentifiedCreations.keys())
      if (hasNoListRead(flights, intent)) removeIntent(store, intent);
  });
}

/** Whether no read is in flight for the lists that the intent changes. */
function hasNoListRead(flights: Flights, { appliedLayers }: Intent): boolean {
  const lists = [...appliedLayers.values()].filter((node) => node instanceof List);
  return lists.flatMap(slotsOver).every(({ key }) => flights.readsOf(key).length === 0);
}
