// The lists that a row belongs to, as the oracle computes it: from the fields in the key of a list, and from how old their values
// are.
import type { Filter } from './model-server.ts';
import type { Fields } from './subject.ts';

export type Values = Readonly<Record<string, unknown>>;

export interface ListState {
  send: number;
  /** When the response arrived. */
  at: number;
  ids: string[];
  /** Members that are where the response had them: their order is that of the server. */
  anchored: string[];
  /** Rows that may be in the list or not. */
  optional: Set<string>;
  /** Set for a further page that may have left the list. */
  isOutdated?: boolean;
}

/** The lists that a row belongs to, as one response implies. */
export interface Assertion {
  id: string;
  before: Values | undefined;
  after: Values;
  touched: ReadonlySet<string>;
  /** Those of `touched` whose value in `before` came with a saved state that a client need not have preferred to a response. */
  openBefore: ReadonlySet<string>;
  stampOf: Readonly<Record<string, number>>;
  created: Fields | undefined;
  isWrite: boolean;
  at: number;
}

/** A list is decidable when each property of its key, except `order…`, is a field of the row. */
export function membership(key: string, row: Values): boolean | undefined {
  for (const [name, wanted] of filterEntries(key)) {
    if (!Object.hasOwn(row, name)) return undefined;
    if (row[name] !== wanted) return false;
  }
  return true;
}

const parsed = new Map<string, [string, string][]>();

function filterEntries(key: string): [string, string][] {
  let entries = parsed.get(key);
  if (!entries) {
    const filter: Filter = JSON.parse(key);
    entries = Object.entries(filter).filter(([name]) => !name.startsWith('order'));
    parsed.set(key, entries);
  }
  return entries;
}

export function assertMembership(key: string, list: ListState, assertion: Assertion): void {
  const { id, before, after, created } = assertion;
  const isMember = membership(key, after);
  const isHeld = list.ids.includes(id);
  const isOfThings = created !== undefined && 'things' in created;
  const isAddition = created && membership(key, created) && isOfThings === key.includes('things');
  if (isAddition && assertion.at >= list.send && isMember !== false) {
    if (!isHeld) list.ids = [...list.ids, id];
    list.optional.delete(id);
    return;
  }
  if (isMember === undefined) return;
  // a list that contains a created row although its fields do not match, or the reverse: the list is stale
  if (created && isHeld !== isMember && assertion.at >= list.send) {
    list.optional.add(id);
    return;
  }
  const names = filterEntries(key).map(([name]) => name);
  if (!names.some((name) => assertion.touched.has(name))) return;
  // as old as the newest of the fields that decide
  const stamp = Math.max(...names.map((name) => assertion.stampOf[name] ?? 0));
  const wasMember = before && membership(key, before);
  if (isHeld === isMember) return;
  // A read that brings a row for the first time moves it nowhere; of a write a client may believe that it did.
  if (isMember && !before) {
    if (assertion.isWrite) list.optional.add(id);
    return;
  }
  // With the value of the response the row may have matched before too, and then a read moves it nowhere.
  const mayHaveMatched =
    isMember && !assertion.isWrite && names.some((name) => assertion.openBefore.has(name));
  if (wasMember === isMember || !before || stamp < list.send || mayHaveMatched) {
    // the row did not move, the list only disagrees with it: until a new payload about either arrives, a client may follow
    // either; the comparison with the server decides whether it is right in the end
    list.optional.add(id);
    return;
  }
  list.optional.delete(id);
  if (isMember) list.ids = [...list.ids, id];
  else {
    list.ids = list.ids.filter((other) => other !== id);
    list.anchored = list.anchored.filter((other) => other !== id);
  }
}
