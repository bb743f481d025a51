// Undoes the mutations of one step of a history, or of a transaction that has failed. A mutation that is not sent yet is discarded.
// The inverses of all other mutations are opened at once, in one batch, which shows their optimistic updates. Each inverse is sent
// when the mutation that it undoes has been acknowledged. If only the response of a mutation in flight tells its changes, as for a
// creation without an optimistic update, the mutation has no inverse until the response has come.
//
//   held, waiting              ─▶ discarded
//   in flight                  ─▶ inverse shown ─▶ acknowledged ─▶ inverse sent
//                                               └▶ failed ─▶ inverse discarded
//   in flight, changes unknown ─▶ acknowledged ─▶ inverse shown ─▶ inverse sent
//   acknowledged               ─▶ inverse shown ─▶ inverse sent
import { amendWrite, discardWrite } from '../../controller/request/amend-write.ts';
import { changesOf } from '../../controller/request/ancestor.ts';
import { startRead } from '../../controller/request/fetch-read.ts';
import type { Core } from '../../controller/state/core.ts';
import { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { isRemoval } from '../../schema/protocol/protocol.ts';
import { isEqual } from '../../store/fields.ts';
import type { Row, RowState, Table } from '../../store/nodes.ts';
import { toError } from '../../support/errors.ts';
import { changePlain } from '../../support/plain.ts';
import { isGone } from '../../support/network-errors.ts';
import type { HttpError } from '../../support/network-errors.ts';
import { holdWrite } from './held-write.ts';
import type { HeldWrite } from './held-write.ts';
import { findInverses, leftOf, presentRow } from './inverse.ts';
import type { InverseCall, InverseEndpoints, LeftField } from './inverse.ts';
import { runInGroup } from './write-groups.ts';

/**
 * The result of an undo or a redo.
 *
 * @example
 * const textOf = ({ undone, left }: history.Result) => (left.length ? `${undone} undone, ${left.length} left` : 'Undone');
 */
export interface UndoResult {
  /** How many mutations were undone. */
  readonly undone: number;
  /** The fields that were not restored. */
  readonly left: readonly LeftField[];
}

/** A mutation that can be undone. A discarded mutation was not sent: its undo sends it. */
export interface Undoable {
  readonly flight: Flight;
  readonly isDiscarded?: boolean;
}

interface Undone extends UndoResult {
  /** The mutations whose undo is the redo, in the order in which they were opened. */
  readonly inverse: Undoable[];
  /** The mutations that another attempt may undo, because their inverses have failed and were not finally refused. */
  readonly failed: Undoable[];
  readonly error: Error | undefined;
}

/** The deletions in flight without an optimistic update that are undone when they have ended. */
const deletions = new WeakSet<Flight>();

export type EndpointsOf = (table: Table) => InverseEndpoints | undefined;

/**
 * For each row, the inverse that was opened last and has not ended, because the inverses of one row are sent in sequence. `end`
 * resolves when the inverse has ended: acknowledged, failed or discarded. `leaves` is the whole row as the inverse leaves it; null
 * if the inverse deletes the row.
 */
export type LastInverses = Map<Row, { readonly end: Promise<void>; readonly leaves: RowState }>;

/**
 * Undoes the mutations, beginning with the last mutation. The inverses that need no further response are open when the function
 * returns; the promise waits for the server.
 */
export function undo(
  core: Core,
  all: readonly Undoable[],
  endpointsOf: EndpointsOf,
  last: LastInverses = new Map(),
): Promise<Undone> {
  const { engine } = core;
  const left: LeftField[] = [];
  /**
   * The mutations that a redo undoes, in the order in which the inverses were opened; undefined for an inverse that is not
   * acknowledged.
   */
  const inverse: (Undoable | undefined)[] = [];
  const failed = new Set<Undoable>();
  let firstError: Error | undefined;
  const sending: Promise<void>[] = [];
  /** The new local ids of creations that are sent again. */
  const localIds = new Map<unknown, string>();
  const undone = new Set<Undoable>();

  const send = (
    undoable: Undoable,
    held: HeldWrite,
    target: Pick<InverseCall, 'row' | 'leaves'> | undefined,
    prepare: () => Promise<boolean>,
  ): void => {
    const { flight } = held;
    const row = target?.row;
    const before = row && last.get(row)?.end;
    const at = inverse.push(undefined) - 1;
    const run = async (): Promise<void> => {
      try {
        await before;
        const isNeeded = await prepare();
        if (!isNeeded && core.engine === engine) return held.discard();
        await held.send();
        undone.add(undoable);
        inverse[at] = { flight };
      } catch (thrown) {
        const error = toError(thrown);
        const status = String((error as Partial<HttpError>).status); // cast: undefined for any other error
        const why = isGone(error)
          ? 'gone'
          : /^4(09|12)/.test(status)
            ? 'changed'
            : /^4(?!01|08|25|29)/.test(status) && 'refused'; // after 401, 408, 425 and 429 another attempt may succeed
        if (why === 'gone' && flight.call.endpoint.method === 'DELETE') undone.add(undoable);
        else if (why && row) left.push(leftOf(row, '', why));
        else {
          firstError ??= error;
          if (!why) failed.add(undoable);
        }
      }
    };
    const end = run();
    if (target) {
      const own = { end, leaves: target.leaves };
      last.set(target.row, own);
      void end.then(() => {
        if (last.get(target.row) === own) last.delete(target.row);
      });
    }
    sending.push(end);
  };

  const undoOne = (undoable: Undoable): void => {
    const { flight, isDiscarded } = undoable;
    if (isDiscarded) {
      const { endpoint, args } = flight.call;
      const renamed = changePlain(args, (leaf) => localIds.get(leaf) ?? leaf) as readonly unknown[]; // cast: of an array
      const again = holdWrite(core, new EndpointCall(endpoint, renamed));
      for (const [at, { localId }] of flight.intent?.drafts.entries() ?? [])
        if (localId) localIds.set(localId, again.flight.intent?.drafts[at]?.localId ?? localId);
      return send(undoable, again, undefined, async () => true);
    }
    if (flight.isSettled && changesOf(flight).size === 0) return; // it has failed, its end is unknown, or it has changed no row
    if (!flight.isSettled && flight.status !== 'sent') {
      discardWrite(core, flight);
      undone.add(undoable);
      inverse.push({ flight, isDiscarded: true });
      return;
    }
    const undoAfter = (other: Flight): void => {
      if (isRemoval(other.call.kind)) deletions.add(other);
      const undoNow = (): void => void (core.engine === engine && undoAll([undoable]));
      sending.push(whenSettled(core, other).then(undoNow));
    };
    // A later deletion in flight, which is undone too, may still delete the row. This undo waits until that deletion has ended, so
    // that the undo of the deletion restores the row first.
    for (const other of core.flights)
      if (deletions.has(other) && other.rowQueues.some((queue) => flight.rowQueues.includes(queue)))
        return undoAfter(other);
    const found = findInverses(core, flight, endpointsOf, (row) => last.get(row)?.leaves);
    left.push(...found.left);
    if (found.inverses.length + found.left.length === 0) {
      if (flight.isSettled) undone.add(undoable); // nothing has to be restored
      else undoAfter(flight);
    }
    for (const each of found.inverses) {
      const held = holdWrite(core, new EndpointCall(each.endpoint, each.args));
      send(undoable, held, each, () => prepareInverse(core, engine, flight, each, held.flight, left));
    }
  };

  const undoAll = (those: readonly Undoable[]): void =>
    engine.store.batch(() =>
      runInGroup(core, { isUndo: true }, () => {
        for (const each of [...those].reverse()) undoOne(each);
      }),
    );

  const finish = async (): Promise<Undone> => {
    for (const each of sending) await each; // the array may grow meanwhile
    return {
      undone: undone.size,
      left,
      inverse: inverse.filter((each) => !!each),
      failed: all.filter((each) => failed.has(each)),
      error: firstError,
    };
  };

  undoAll(all);
  return finish();
}

async function whenSettled({ flights }: Core, flight: Flight): Promise<void> {
  while (!flight.isSettled) await flights.whenNextWriteEnds();
}

/**
 * Prepares the sending of an inverse: waits for the end of the mutation that the inverse undoes, and of all mutations that are sent
 * before the inverse. Then reads the row if it is stale, its fields must be compared and there is an endpoint `get`. The row may have
 * changed: a field that does not have the written value any more is left out of the inverse, and the inverse of a whole row is then
 * not sent. Returns whether the inverse is to be sent. After a reset it is not sent, and nothing is read.
 */
async function prepareInverse(
  core: Core,
  engine: Core['engine'],
  undone: Flight,
  inverse: InverseCall,
  opened: Flight,
  left: LeftField[],
): Promise<boolean> {
  const { flights } = core;
  const { row, read, written, isWhole, argsOf } = inverse;
  while (!undone.isSettled || flights.findAhead(opened)) await flights.whenNextWriteEnds();
  if (changesOf(undone).size === 0) return false; // it has failed, or nobody knows how it ended
  const names = Object.keys(written);
  if (core.engine === engine && names.length && presentRow(row).staleSince && read) {
    const flight = startRead(core, read);
    flight.readers.add(flight);
    await flight.promise.catch(() => undefined); // then the stored row decides
  }
  if (core.engine !== engine) return false;
  const now = presentRow(row);
  const acknowledged = changesOf(undone).get(row.replacedBy ?? row) ?? written;
  const unchanged = names.filter((name) => isEqual(now.base?.[name], acknowledged[name]));
  if (unchanged.length === names.length || (isWhole && !now.base)) return true;
  const why = now.base ? 'changed' : 'gone';
  const fields = isWhole ? [''] : names.filter((name) => !unchanged.includes(name));
  for (const field of fields) left.push(leftOf(now, field, why));
  if (isWhole || unchanged.length === 0) return false;
  if (!opened.isSettled) amendWrite(core, opened, argsOf(unchanged)); // it may be discarded meanwhile
  return true;
}
