// Rows that exist here before the server has named them. A request whose parameters or body hold a live local id waits
// for that creation and goes out with the server's id; when the creation fails, the request fails with it. A creation that
// is answered without a body names nothing: its rows stay on screen for a while.
import type { Flight } from '../../dispatch/flights.ts';
import { slotsOver } from '../../store/slots-over.ts';
import { List } from '../../store/nodes.ts';
import type { Intent } from '../../store/intent.ts';
import type { Row } from '../../store/nodes.ts';
import { removeIntent } from '../../store/overlay.ts';
import { HoldfastError } from '../../support/errors.ts';
import { changePlain, leavesIn } from '../../support/plain.ts';
import { AbortError } from '../../support/network-errors.ts';
import type { Core } from '../state/core.ts';

/** Remembers what a creation's guess made, until the server has answered. */
export function keepDrafts({ drafts }: Core, rows: readonly Row[], responded: Promise<unknown>): void {
  for (const row of rows) {
    const { localId } = row;
    // a move has it among its drafts too, also when the server named it long ago
    if (!localId || drafts.has(localId) || !isUnnamed(row)) continue;
    const end = (cause?: unknown): void => {
      drafts.delete(localId);
      if (cause || isUnnamed(row))
        throw new HoldfastError('DRAFT_NOT_CREATED', { 'localId': localId }, { cause });
    };
    const named = responded.then(() => end(), end);
    named.catch(() => undefined); // the requests that wait for it meet the failure
    drafts.set(localId, { named, waiting: new Set() });
  }
}

/** The local ids in these arguments that the server has not named yet. */
export function draftsIn({ drafts }: Core, args: readonly unknown[]): ReadonlySet<string> {
  const isDraft = (leaf: unknown): leaf is string => drafts.has(leaf as string); // cast: anything but a local id is not there
  // no body is walked while no row waits for its name
  return new Set(drafts.size ? leavesIn(args).filter(isDraft) : []);
}

/** Whether the row goes by its local id: without an answer's body it has no other name. */
export function isUnnamed({ localId, pk, forward }: Row): boolean {
  return pk === localId && !forward;
}

/** Waits until the server has named the rows. */
export async function whenNamed(core: Core, ids: ReadonlySet<string>, flight: Flight): Promise<void> {
  const { call, aborter, isRead } = flight;
  const drafts = [...ids].flatMap((id) => core.drafts.get(id) ?? []);
  // a delete calls off the other mutations that wait for the same row
  if (!isRead)
    for (const { waiting } of drafts) {
      if (call.endpoint.method === 'DELETE') for (const other of waiting) other.abort();
      waiting.add(aborter);
    }
  await waitUnlessAborted(flight, Promise.all(drafts.map(({ named }) => named)));
}

/** Waits before the request is sent; given up when it is aborted. */
export async function waitUnlessAborted(
  { call, aborter, isRead }: Flight,
  event: Promise<unknown>,
): Promise<void> {
  const { name: url, method = isRead ? 'GET' : 'POST' } = call.endpoint;
  const { signal } = aborter;
  const abandoned = new Promise<never>((_resolve, reject) => {
    const giveUp = (): void => reject(new AbortError({ method, url }));
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
  });
  await Promise.race([event, abandoned]);
}

/** What `createDraft` of the engine draws. */
const LOCAL_ID = /^local:\d+-[0-9a-z]+$/;

/** The arguments with every local id replaced by the server's. Those of an unnamed row stay, or are refused when `isSent`. */
export function withServerIds(
  { engine }: Core,
  args: readonly unknown[],
  isSent = false,
): readonly unknown[] {
  const nameOf = (leaf: unknown): unknown => {
    if (typeof leaf !== 'string' || !LOCAL_ID.test(leaf)) return leaf;
    for (const { aliases } of engine.store.tables.values()) {
      const row = aliases.get(leaf);
      if (row) return (row.forward ?? row).pk;
    }
    if (isSent) throw new HoldfastError('DRAFT_NOT_CREATED', { 'localId': leaf });
    return leaf;
  };
  return changePlain(args, nameOf) as readonly unknown[]; // cast: an array stays one
}

/**
 * Takes away the guesses of creations that were answered without a name, where they have had their time: in each list when it
 * has been asked for again, and at once where no list is being asked for. Called when an answer is in.
 */
export function rollBackUnnamed({ engine: { store } }: Core): void {
  if (store.unnamed.size === 0) return;
  store.batch(() => {
    store.reapply(0);
    store.settle(); // an intent is no longer over a list that was asked for again
    for (const intent of store.unnamed.keys()) if (isForgotten(intent)) removeIntent(store, intent);
  });
}

/** Whether no list that it is over is being asked for. */
function isForgotten({ applied }: Intent): boolean {
  const lists = [...applied.values()].filter((node) => node instanceof List);
  return lists.flatMap(slotsOver).every(({ flights }) => flights.length === 0);
}
