// Runs the users' own merges and filters of a payload before anything of it is written: one that throws leaves the store
// as it was. Only payloads with such hooks come here; apply-effects.ts then takes the results.
import type { Creation, Effects, ListWrite } from './effects.ts';
import { withoutRepeats } from './list-members.ts';
import { mergeIntoBase } from './merge-row.ts';
import { Row } from './nodes.ts';
import type { Fields, List } from './nodes.ts';
import { rowOf } from './reference.ts';
import { itemsOf } from './small-set.ts';
import type { Origin, Stamp } from './stamp.ts';
import type { Store } from './store.ts';

/** What a row becomes by its own merge. */
interface MergedRow {
  readonly fields: Fields;
  readonly stamp: Stamp;
  readonly fieldStamps: Map<string, Stamp> | null;
}

/** What a list's own merge made of its members. Good as long as the members are those. */
interface MergedMembers {
  readonly from: readonly unknown[];
  readonly members: readonly unknown[];
}

interface PreparedCreation {
  readonly lists: readonly List[];
  readonly merged: ReadonlyMap<List, MergedMembers>;
}

export interface Prepared {
  /** By their place in the payload: a row may stand there twice. */
  readonly rows: ReadonlyMap<number, MergedRow>;
  readonly lists: ReadonlyMap<ListWrite, MergedMembers>;
  readonly creations: ReadonlyMap<Creation, PreparedCreation>;
}

/** Null when no hook is to be asked. Throws what a hook throws. */
export function prepareEffects(store: Store, effects: Effects, origin: Origin): Prepared | null {
  const { policies, lists, creations } = effects;
  const hasHooks =
    policies !== null ||
    lists.some((write) => write.policy !== null) ||
    creations.some((creation) => creation.hasHooks);
  if (!hasHooks) return null;
  const asked = creations.filter((creation) => creation.hasHooks);
  return {
    rows: mergeRows(store, effects, origin),
    lists: new Map(lists.flatMap((write) => mergeList(write, origin))),
    creations: new Map(asked.map((creation) => [creation, prepareCreation(creation)])),
  };
}

/** Merges on copies of the rows, in the order of the payload. */
function mergeRows(
  store: Store,
  { rows, fields, policies }: Effects,
  origin: Origin,
): Map<number, MergedRow> {
  const merged = new Map<number, MergedRow>();
  const copies = new Map<Row, Row>();
  for (const at of policies?.keys() ?? []) copies.set(rows[at]!, copyRow(rows[at]!)); // made with the row
  if (copies.size === 0) return merged;
  const oldestOpen = store.timeline.oldestOpen();
  for (const [at, row] of rows.entries()) {
    const copy = copies.get(row);
    if (copy === undefined || origin.sent < row.deletedAt) continue;
    copy.base = mergeIntoBase(copy, fields[at]!, origin, policies?.get(at) ?? null, oldestOpen); // the arrays grow together
    const { base, stamp, fieldStamps } = copy;
    merged.set(at, { fields: base, stamp, fieldStamps: fieldStamps && new Map(fieldStamps) });
  }
  return merged;
}

function copyRow(row: Row): Row {
  const copy = new Row(row.table, row.pk);
  copy.base = row.base;
  copy.stamp = row.stamp;
  copy.fieldStamps = row.fieldStamps && new Map(row.fieldStamps);
  return copy;
}

function mergeList(write: ListWrite, origin: Origin): [ListWrite, MergedMembers][] {
  const cursor = write.cursor ?? null;
  const present = write.list.segments.find((segment) => segment.cursor === cursor);
  if (!present || !write.policy) return [];
  const { members: from, stamp } = present;
  return [[write, { from, members: write.policy.merge(from, withoutRepeats(write.members), stamp, origin) }]];
}

function prepareCreation({ op, leaves, members, merge, select }: Creation): PreparedCreation {
  const lists = op === 'remove' ? [] : select();
  for (const row of members.map(rowOf)) {
    if (row && leaves) for (const list of itemsOf(row.holders)) leaves(list, row);
  }
  const merged = new Map<List, MergedMembers>();
  for (const list of merge ? lists : [])
    merged.set(list, { from: list.base, members: merge!(list.base, members) }); // asked above
  return { lists, merged };
}

/** In the middle of a write nothing may throw: a hook that was well before and is not now is passed over. */
export function orElse<T>(run: () => T, otherwise: () => T): T {
  try {
    return run();
  } catch {
    return otherwise();
  }
}
