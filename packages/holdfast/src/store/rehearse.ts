// Runs the users' own merges and filters of a payload before anything of it is written: one that throws leaves the store
// as it was. Merges of lists remember what they gave, so none is run twice. Called by apply-effects.ts.
import type { Effects } from './effects.ts';
import { pageOf, withoutRepeats } from './list-members.ts';
import { mergeIntoBase } from './merge-row.ts';
import { Row } from './nodes.ts';
import { placeMembers } from './place-rows.ts';
import type { Lists } from './place-rows.ts';
import { itemsOf } from './small-set.ts';
import type { Origin } from './stamp.ts';
import type { Store } from './store.ts';

/** Asks everything and changes nothing. */
const rehearsal: Lists = {
  ask: (hook) => hook(),
  of: (row) => itemsOf(row.holders),
  has: () => true,
  merge: (list, merge) => void merge(list.base),
  add() {},
  remove() {},
  doubt() {},
};

/**
 * What the rows become whose class has a merge of its own, by their places in the payload: a row may stand there twice. Throws
 * what a hook throws.
 */
export function rehearse(store: Store, effects: Effects, origin: Origin): Map<number, Row> | null {
  for (const { list, cursor, merge, members } of effects.lists) {
    const page = merge && pageOf(list, cursor ?? null);
    if (page) merge(page.members, withoutRepeats(members), page.stamp, origin);
  }
  for (const placement of effects.placements) if (placement.hasHooks) placeMembers(rehearsal, placement);
  return effects.policies && mergeRows(store, effects, effects.policies, origin);
}

/** Merges on copies of the rows, in the order of the payload. */
function mergeRows(
  store: Store,
  { rows, fields }: Effects,
  policies: NonNullable<Effects['policies']>,
  origin: Origin,
): Map<number, Row> {
  const merged = new Map<number, Row>();
  const latest = new Map<Row, Row>();
  for (const at of policies.keys()) latest.set(rows[at]!, rows[at]!); // made with the row
  for (const [at, row] of rows.entries()) {
    const before = latest.get(row);
    if (before === undefined || origin.sent < row.deletedAt) continue;
    const copy = Object.assign(new Row(row.table, row.pk), before);
    copy.base = mergeIntoBase(
      copy,
      fields[at]!, // grows with the rows
      origin,
      policies.get(at) ?? null,
      store.timeline.oldestOpen(),
    );
    latest.set(row, copy);
    merged.set(at, copy);
  }
  return merged;
}
