// Whether an answer is still what the store holds: nothing that it covers was written, guessed, doubted or forgotten since, and
// what it stored can be read. Only then may the next answer with the same tag stay unread. Linear in the answer, changes nothing.
import type { Core } from '../../controller/state/core.ts';
import type { Ask } from '../../dispatch/ask.ts';
import { Quarantine } from '../../schema/checked/quarantine.ts';
import { isThere } from '../../schema/protocol/protocol.ts';
import type { Effects, ListWrite } from '../../store/effects.ts';
import { isEqual, mergeFields } from '../../store/fields.ts';
import type { Row, Slot } from '../../store/nodes.ts';
import { attempt } from '../../support/call-safely.ts';

/** What an answer did to the store, and when it was asked for. */
export interface StoredAnswer {
  readonly effects: Effects;
  readonly sent: number;
}

export function isUntouched(core: Core, ask: Ask, slot: Slot, { effects, sent }: StoredAnswer): boolean {
  const { engine, own } = core;
  const { rows, fields, lists, removed, placements, namings, finishes, stored } = effects;
  const isLatest = slot.effects === effects && slot.stamp.fetchedAt === sent;
  if (!slot.hasResult || !isLatest || !isEqual(slot.stored, stored)) return false;
  // what it did beside its rows and lists; one of those that finish it has noted its tag
  if (removed.length + placements.length + namings.length > 0 || finishes.length > 1) return false;
  // another reading of the body would report the refused rows again, or call them mended
  if (!Quarantine.of(engine).isEmpty) return false;
  const ownRows = new Set(own.map(({ row }) => row));
  const isKept = (row: Row, at: number): boolean => {
    const { base, layers, staleSince, stamp, table, pk } = row;
    const isStill = table.rows.get(pk) === row && !!base && !layers && staleSince === 0;
    // a row that other reads have brought since may be newer: then its fields tell
    return isStill && !ownRows.has(row) && stamp.writeSent <= sent && mergeFields(base, fields[at]!) === base; // grow together
  };
  if (!rows.every(isKept) || !lists.every((write) => isListKept(write, sent))) return false;
  return isThere(attempt(() => engine.read(engine.answerView(slot, ask.kind, ask.args)))) || !ask.hasSchema;
}

function isListKept({ list, members, cursor }: ListWrite, sent: number): boolean {
  const { table, identity, layers, staleSince, segments } = list;
  const [page, ...further] = segments;
  const isStill = table.lists.get(identity.id) === list && !layers && staleSince === 0;
  if (!isStill || !page || further.length > 0 || cursor !== undefined) return false;
  return page.stamp.writeSent <= sent && isEqual(page.members, members);
}
