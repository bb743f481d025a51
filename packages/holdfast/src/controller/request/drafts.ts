// Rows that exist here before the server has named them. A request whose parameters or body hold a live local id waits
// for that creation and goes out with the server's id; when the creation fails, the request fails with it.
import type { Flight } from '../../dispatch/flights.ts';
import type { Row } from '../../store/nodes.ts';
import { HoldfastError } from '../../support/errors.ts';
import { changePlain } from '../../support/map-plain.ts';
import { AbortError } from '../../support/network-errors.ts';
import type { Core, Draft } from '../state/core.ts';

/** Remembers what a creation's guess made, until the server has answered. */
export function keepDrafts({ drafts }: Core, rows: readonly Row[], answered: Promise<unknown>): void {
  for (const row of rows) {
    const { localId } = row;
    if (localId === null || drafts.has(localId)) continue;
    const end = (cause?: unknown): void => {
      drafts.delete(localId);
      if (cause || isUnnamed(row)) throw new HoldfastError('DRAFT_NOT_CREATED', { localId }, { cause });
    };
    const named = answered.then(() => end(), end);
    named.catch(() => undefined); // the requests that wait for it meet the failure
    drafts.set(localId, { row, named, waiting: new Set() });
  }
}

/** The drafts that these arguments must wait for. */
export function draftsIn({ drafts }: Core, args: readonly unknown[]): readonly Draft[] {
  const found = new Set<Draft>();
  if (drafts.size > 0)
    changePlain(args, (leaf) => {
      const draft = drafts.get(leaf as string); // cast: anything but a local id finds nothing
      if (draft) found.add(draft);
      return leaf;
    });
  return [...found];
}

/** Whether the row goes by its local id: without an answer's body it has no other name. */
export function isUnnamed({ localId, pk, forward }: Row): boolean {
  return pk === localId && forward === null;
}

/** Waits until the server has named the rows; given up when the request is aborted. */
export async function whenNamed(waiting: readonly Draft[], { ask, aborter, isRead }: Flight): Promise<void> {
  const { name: url, method = isRead ? 'GET' : 'POST' } = ask.endpoint;
  // a delete calls off the other mutations that wait for the same row
  if (!isRead)
    for (const draft of waiting) {
      if (method === 'DELETE') for (const other of draft.waiting) other.abort();
      draft.waiting.add(aborter);
    }
  const abandoned = new Promise<never>((_resolve, reject) => {
    aborter.signal.addEventListener('abort', () => reject(new AbortError({ method, url })));
  });
  await Promise.race([Promise.all(waiting.map(({ named }) => named)), abandoned]);
}

/** The arguments with every local id replaced by the server's. */
export function withServerIds({ engine }: Core, args: readonly unknown[]): readonly unknown[] {
  const tables = [...engine.store.tables.values()].filter(({ aliases }) => aliases.size > 0);
  if (tables.length === 0) return args;
  const nameOf = (leaf: unknown): unknown => {
    for (const { aliases } of tables) {
      const row = aliases.get(leaf as string); // cast: as above
      if (row) return (row.forward ?? row).pk;
    }
    return leaf;
  };
  return changePlain(args, nameOf) as readonly unknown[]; // cast: an array stays one
}
