// Takes a saved state in. It counts as read before anything this engine sent: it fills what is not there, and replaces
// only what an older state brought. A state of another version is left alone as a whole; of a damaged one the parts that are
// as they were written are taken, and what misses one of the others is stale. Members of a state are written as texts: the
// build shortens members of these names, and no text.
import { isEqual, mergeFields } from '../store/fields.ts';
import type { Fields, ListIdentity, List, Row, Segment } from '../store/nodes.ts';
import { rowOf } from '../store/stored-form.ts';
import { withItem, withoutItem } from '../store/graph.ts';
import type { Stamp } from '../store/stamp.ts';
import { NEVER } from '../store/stamp.ts';
import { joinSegments, placeOf } from '../store/list-members.ts';
import type { DehydratedList, DehydratedRow, DehydratedSlot } from './dehydrate.ts';
import { STATE_VERSION } from './dehydrate.ts';
import type { Engine } from './engine.ts';
import { readSound } from './state-sums.ts';
import type { SoundParts } from './state-sums.ts';
import { decode } from './stored-json.ts';
import type { References } from './stored-json.ts';
import { isRecord, leavesIn } from '../support/plain.ts';

/**
 * Takes a state in, an object or its JSON text; nothing and a warning when it cannot be read. Failures in it stand until
 * `errorsUntil`, if that is later than they say.
 */
export function hydrateEngine(engine: Engine, given: unknown, errorsUntil: number = 0): void {
  const state = typeof given === 'string' ? parse(given) : given;
  if (!isRecord(state)) return drop(engine, 'it is no state');
  if (state['version'] !== STATE_VERSION)
    return drop(engine, `it is of another version than ${STATE_VERSION}`);
  const parts = readSound(state);
  const { length } = parts.lost;
  if (length > 0) {
    const names = [...new Set(parts.lost)].join(', ');
    engine.warn('STATE_DAMAGED', names, { count: length, what: names });
  }
  engine.store.batch(() => new Hydration(engine, parts, errorsUntil).run(state['last']));
}

function drop(engine: Engine, reason: string): void {
  engine.warn('STATE_UNREADABLE', reason, { reason });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown; // cast: that is what JSON is
  } catch {
    return undefined;
  }
}

/** Parts in their own form. Cast: their sums say that they are what was written. */
const asRow = (part: unknown): DehydratedRow => part as DehydratedRow;
const asList = (part: unknown): DehydratedList => part as DehydratedList;
const asSlot = (part: unknown): DehydratedSlot => part as DehydratedSlot;

class Hydration {
  readonly #engine: Engine;
  readonly #parts: SoundParts;
  readonly #stamps: Stamp[] = [];
  readonly #identities = new Map<string, ListIdentity>();
  readonly #references: References;
  readonly #errorsUntil: number;
  /** What this state says of rows. */
  readonly #rows = new Map<Row, { readonly saved: DehydratedRow; readonly fields: Fields | null }>();
  /** Whether something that was written is not here. */
  #isTorn: boolean;
  /** Whether the form that was decoded last refers to a list that is nowhere. */
  #lacksList = false;

  constructor(engine: Engine, parts: SoundParts, errorsUntil: number) {
    this.#engine = engine;
    this.#parts = parts;
    this.#errorsUntil = errorsUntil;
    this.#isTorn = parts.lost.length > 0;
    const { store } = engine;
    this.#references = {
      row: (table, pk) => store.row(store.table(String(table)), String(pk)),
      list: (name, id) => {
        const table = store.table(String(name));
        const identity = this.#identities.get(`${table.key} ${String(id)}`);
        // an earlier state may have brought it
        const list = identity ? store.list(table, identity) : table.lists.get(String(id));
        this.#lacksList ||= !list;
        return list;
      },
    };
  }

  run(last: unknown): void {
    const { store } = this.#engine;
    const { tables, slots } = this.#parts;
    store.timeline.tick(this.#isTorn ? this.#latest() : Number(last));
    for (const table of tables) {
      for (const { 'identity': saved } of table['lists'].map(asList)) {
        this.#identities.set(`${table.key} ${saved.id}`, {
          id: saved.id,
          key: saved.key && new Map(saved.key),
          filterNames: saved['filterNames'],
          followsFields: saved['followsFields'],
          isServers: saved['isServers'],
          isKeyed: saved['isKeyed'],
        });
      }
    }
    for (const table of tables) {
      for (const saved of table['rows'].map(asRow)) {
        const fields = this.#decode(saved['fields']) as Fields | null; // cast: that is what was written
        if (this.#lacksList) this.#isTorn = true;
        else this.#rows.set(store.row(store.table(table.key), saved.pk), { saved, fields });
      }
    }
    for (const [row, { saved, fields }] of this.#rows) this.#fillRow(row, saved, fields);
    for (const table of tables) {
      for (const list of table['lists'].map(asList))
        this.#fillList(this.#references.list(table.key, list['identity'].id)!, list); // its identity is known
    }
    for (const slot of slots) this.#fillSlot(asSlot(slot));
  }

  /** The latest time that a part names: what the state itself says may be damaged. */
  #latest(): number {
    const { tables, slots } = this.#parts;
    const segments = tables.flatMap((table) => table['lists'].flatMap((list) => asList(list)['segments']));
    const parts = [...tables.flatMap((table) => table['rows'].map(asRow)), ...segments, ...slots.map(asSlot)];
    return parts.reduce((latest, part) => Math.max(latest, this.#stamp(part['stamp']).date), 0);
  }

  #decode(saved: unknown): unknown {
    this.#lacksList = false;
    return decode(saved, this.#references);
  }

  /** Whether a row that a stored form refers to is lost: without it the form is stale. */
  #misses(stored: unknown): boolean {
    return (
      this.#isTorn &&
      leavesIn(stored).some((leaf) => {
        const row = rowOf(leaf);
        return row !== undefined && row.base === undefined && !this.#rows.has(row);
      })
    );
  }

  #stamp(at: number): Stamp {
    const saved = this.#parts.stamps[at];
    return saved === undefined ? NEVER : (this.#stamps[at] ??= readStamp(decode(saved, this.#references)));
  }

  #fillRow(row: Row, saved: DehydratedRow, fields: Fields | null): void {
    const stamp = this.#stamp(saved['stamp']);
    if (row.base === null && !isLater(stamp, row.stamp)) return; // deleted here: that is newer
    const { base } = row;
    if (base && !(row.fieldStamps === null && isLater(stamp, row.stamp))) {
      // what is here came later; fields it left out are filled
      const hasMore = fields !== null && Object.keys(fields).some((name) => !Object.hasOwn(base, name));
      if (hasMore) this.#show(row, mergeFields(fields, base));
      return;
    }
    // deleted and created again since: nothing of what is here is left
    const deletedAt = saved['deletedAt'] ?? 0;
    const localId = saved['localId'];
    const wasDeleted = deletedAt > row.stamp.date;
    row.stamp = stamp;
    if (deletedAt !== row.deletedAt) row.deletedAt = deletedAt;
    if (localId !== undefined && localId !== row.pk) {
      row.localId = localId;
      row.table.aliases.set(localId, row);
    }
    if (saved['isStale'] === true || this.#misses(fields)) this.#doubt(row);
    this.#show(row, base && fields && !wasDeleted ? mergeFields(base, fields) : fields);
  }

  /** It was in doubt when it was saved, and no answer has come since. */
  #doubt(node: Row | List): void {
    const { store } = this.#engine;
    node.staleSince = store.timeline.tick();
    store.doubted.add(node);
  }

  #show(row: Row, fields: Row['base']): void {
    if (row.base === fields) return;
    row.base = fields;
    this.#engine.store.show(row);
    this.#engine.store.layOver(row);
  }

  #fillList(list: List, saved: DehydratedList): void {
    const { store } = this.#engine;
    const segments = saved['segments'].map((segment, at) => ({
      cursor: segment['cursor'],
      place: placeOf(segment['cursor'], at),
      stamp: this.#stamp(segment['stamp']),
      members: this.#decode(segment['members']) as readonly unknown[], // cast: that is what was written
    }));
    const base = joinSegments(segments);
    if (list.exists && (isEqual(base, list.base) || !isLaterList(segments, list.segments))) return;
    for (const row of rowsIn(list)) row.holders = withoutItem(row.holders, list);
    list.segments = segments;
    list.base = base;
    for (const row of rowsIn(list)) row.holders = withItem(row.holders, list);
    // what a lost answer said beside its list is not found by arguments
    const isStale = this.#parts.lacksAnswers || saved['isStale'] === true || this.#misses(base);
    if (isStale) this.#doubt(list);
    list.isByServer = saved['isByServer'] === true;
    list.unloaded = saved['unloaded'] ?? '';
    list.restCount = typeof saved['restCount'] === 'number' ? saved['restCount'] : undefined;
    list.isUnread = list.restCount !== undefined;
    store.show(list);
    store.layOver(list);
    store.establish(list);
  }

  #fillSlot(saved: DehydratedSlot): void {
    const { store } = this.#engine;
    const slot = store.slot(saved.key);
    if (slot.keyPatterns.length === 0) slot.keyPatterns = saved['keyPatterns'] ?? [];
    const stamp = this.#stamp(saved['stamp']);
    const errorStamp = this.#stamp(saved['errorStamp'] ?? -1);
    const present = slot.error === undefined ? slot.stamp : slot.errorStamp;
    const incoming = saved.error === undefined ? stamp : errorStamp;
    if ((slot.hasResult || slot.error !== undefined) && !isLater(incoming, present)) return;
    const stored = this.#decode(saved['stored']);
    if (Object.hasOwn(saved, 'stored') && !this.#lacksList) {
      slot.hasResult = true;
      slot.stored = stored;
      slot.stamp = stamp;
    }
    const error = decode(saved.error, this.#references);
    slot.error = error instanceof Error ? error : undefined;
    if (slot.error) {
      const expiresAt = Math.max(errorStamp.expiresAt, this.#errorsUntil);
      slot.errorStamp = { ...errorStamp, expiresAt };
    }
    if (saved['isInvalidated'] === true) slot.invalidatedAt = store.timeline.tick();
    if (saved['isStale'] === true || this.#misses(stored)) slot.staleSince = store.timeline.tick();
    store.mark(slot);
  }
}

/** Whether what is here came with a state, and with an older one. */
function isLater(incoming: Stamp, present: Stamp): boolean {
  return present.fence === 0 && present.writeSent === 0 && incoming.date > present.date;
}

function isLaterList(incoming: readonly Segment[], present: readonly Segment[]): boolean {
  const newest = incoming.reduce(
    (stamp, segment) => (segment.stamp.date > stamp.date ? segment.stamp : stamp),
    NEVER,
  );
  return present.every(
    ({ stamp }) => stamp.fence === 0 && stamp.writeSent === 0 && newest.date >= stamp.date,
  );
}

function rowsIn(list: List): Row[] {
  return list.base.flatMap((member) => rowOf(member) ?? []);
}

/** Times for expiry; nothing to order by: any answer to this engine's own requests is newer. */
function readStamp(saved: unknown): Stamp {
  const time = (name: string): number => Number((isRecord(saved) && saved[name]) || 0);
  return {
    fence: 0,
    writeSent: 0,
    fetchedAt: time('fetchedAt'),
    date: time('date'),
    expiresAt: time('expiresAt'),
    storedAt: 0,
  };
}
