// Takes a saved state in. It counts as read before anything this engine sent: it fills what is not there, and replaces
// only what an older state brought. A state of another version, or a damaged one, is left alone as a whole. Members of a state
// are written as texts: the build shortens members of these names, and no text.
import { isEqual, mergeFields } from '../store/fields.ts';
import type { ListIdentity, List, Row, Segment } from '../store/nodes.ts';
import { rowOf } from '../store/stored-form.ts';
import { withItem, withoutItem } from '../store/graph.ts';
import type { Stamp } from '../store/stamp.ts';
import { NEVER } from '../store/stamp.ts';
import { joinSegments, placeOf } from '../store/list-members.ts';
import type { DehydratedList, DehydratedParts, DehydratedRow, DehydratedSlot } from './dehydrate.ts';
import { STATE_VERSION } from './dehydrate.ts';
import type { Engine } from './engine.ts';
import { decode, decodeMembers } from './stored-json.ts';
import type { References } from './stored-json.ts';
import { isObject } from '../support/plain.ts';

/**
 * Takes a state in, an object or its JSON text; nothing and a warning when it cannot be read. Failures in it stand until
 * `errorsUntil`, if that is later than they say.
 */
export function hydrateEngine(engine: Engine, given: unknown, errorsUntil: number = 0): void {
  const state = typeof given === 'string' ? parse(given) : given;
  const reason = faultIn(state);
  if (reason !== undefined) engine.warn('STATE_UNREADABLE', reason, { reason });
  else engine.store.batch(() => new Hydration(engine, state as DehydratedParts, errorsUntil).run()); // cast: checked member by member
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown; // cast: that is what JSON is
  } catch {
    return undefined;
  }
}

function faultIn(state: unknown): string | undefined {
  if (!isRecord(state)) return 'it is no state';
  const { version } = state;
  if (version !== STATE_VERSION) return `it is of another version than ${STATE_VERSION}`;
  return isWhole(state) ? undefined : 'it is damaged';
}

class Hydration {
  readonly #engine: Engine;
  readonly #state: DehydratedParts;
  readonly #stamps: readonly Stamp[];
  readonly #identities = new Map<string, ListIdentity>();
  readonly #references: References;
  readonly #errorsUntil: number;

  constructor(engine: Engine, state: DehydratedParts, errorsUntil: number) {
    this.#engine = engine;
    this.#state = state;
    this.#errorsUntil = errorsUntil;
    const { store } = engine;
    this.#references = {
      row: (table, pk) => (isText(table) && isText(pk) ? store.row(store.table(table), pk) : undefined),
      list: (table, id) => {
        const identity = this.#identities.get(`${String(table)} ${String(id)}`);
        return identity && store.list(store.table(String(table)), identity);
      },
    };
    this.#stamps = state.stamps.map((stamp) => readStamp(decodeMembers(stamp, this.#references)));
  }

  run(): void {
    const { store } = this.#engine;
    store.timeline.tick(this.#state.last);
    for (const table of this.#state.tables) {
      for (const list of table['lists']) {
        const { id, key, ...identity } = list['identity'];
        this.#identities.set(`${table.key} ${id}`, {
          id,
          key: key && new Map(key),
          filterNames: identity['filterNames'],
          followsFields: identity['followsFields'],
          isServers: identity['isServers'],
          isKeyed: identity['isKeyed'],
        });
      }
    }
    for (const table of this.#state.tables) {
      const { key } = table;
      for (const row of table['rows']) this.#fillRow(store.row(store.table(key), row.pk), row);
      for (const list of table['lists'])
        this.#fillList(this.#references.list(key, list['identity'].id), list);
    }
    for (const slot of this.#state.slots) this.#fillSlot(slot);
  }

  #stamp(at: number): Stamp {
    return this.#stamps[at] ?? NEVER;
  }

  #fillRow(row: Row, saved: DehydratedRow): void {
    const stamp = this.#stamp(saved['stamp']);
    if (row.base === null && !isLater(stamp, row.stamp)) return; // deleted here: that is newer
    const fields = saved['fields'] === null ? null : decodeMembers(saved['fields'], this.#references);
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
    if (saved['isStale'] === true) this.#doubt(row);
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

  #fillList(list: List | undefined, saved: DehydratedList): void {
    if (!list) return;
    const { store } = this.#engine;
    const segments = saved['segments'].map((segment, at) => {
      const decoded = decode(segment['members'], this.#references);
      return {
        cursor: segment['cursor'],
        place: placeOf(segment['cursor'], at),
        stamp: this.#stamp(segment['stamp']),
        members: Array.isArray(decoded) ? decoded : [],
      };
    });
    const base = joinSegments(segments);
    if (list.exists && (isEqual(base, list.base) || !isLaterList(segments, list.segments))) return;
    for (const row of rowsIn(list)) row.holders = withoutItem(row.holders, list);
    list.segments = segments;
    list.base = base;
    for (const row of rowsIn(list)) row.holders = withItem(row.holders, list);
    if (saved['isStale'] === true) this.#doubt(list);
    list.isByServer = saved['isByServer'] === true;
    list.unloaded = saved['unloaded'] ?? '';
    list.restCount = typeof saved['restCount'] === 'number' ? saved['restCount'] : undefined;
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
    if (Object.hasOwn(saved, 'stored')) {
      slot.hasResult = true;
      slot.stored = decode(saved['stored'], this.#references);
      slot.stamp = stamp;
    }
    const error = decode(saved.error, this.#references);
    slot.error = error instanceof Error ? error : undefined;
    if (slot.error) {
      const expiresAt = Math.max(errorStamp.expiresAt, this.#errorsUntil);
      slot.errorStamp = { ...errorStamp, expiresAt };
    }
    if (saved['isInvalidated'] === true) slot.invalidatedAt = store.timeline.tick();
    if (saved['isStale'] === true) slot.staleSince = store.timeline.tick();
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
function readStamp(saved: Record<string, unknown>): Stamp {
  const time = (name: string): number => (typeof saved[name] === 'number' ? saved[name] : 0);
  return {
    fence: 0,
    writeSent: 0,
    fetchedAt: time('fetchedAt'),
    date: time('date'),
    expiresAt: time('expiresAt'),
  };
}

// ── checks ───────────────────────────────────────────────────────────────────────────────────────

function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOf(value: unknown, isItem: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isRecord(item) && isItem(item));
}

function isWhole(state: Record<string, unknown>): boolean {
  return (
    typeof state['last'] === 'number' &&
    isListOf(state['stamps'], () => true) &&
    isListOf(state['tables'], isTable) &&
    isListOf(state['slots'], isSlot)
  );
}

function isSlot(slot: Record<string, unknown>): boolean {
  const patterns = slot['keyPatterns'];
  const hasPatterns = patterns === undefined || (Array.isArray(patterns) && patterns.every(isText));
  return isText(slot['key']) && hasPatterns && isStamped(slot);
}

function isStamped(part: Record<string, unknown>): boolean {
  return typeof part['stamp'] === 'number';
}

function isTable(table: Record<string, unknown>): boolean {
  const isRow = (row: Record<string, unknown>): boolean =>
    isText(row['pk']) && (row['fields'] === null || isRecord(row['fields'])) && isStamped(row);
  return isText(table['key']) && isListOf(table['rows'], isRow) && isListOf(table['lists'], isList);
}

function isList(list: Record<string, unknown>): boolean {
  const identity = list['identity'];
  if (!isRecord(identity) || !isText(identity['id']) || !Array.isArray(identity['filterNames'])) return false;
  const { key } = identity;
  const isPair = (pair: unknown): boolean => Array.isArray(pair) && pair.length === 2 && pair.every(isText);
  const isKey = key === null || (Array.isArray(key) && key.every(isPair));
  const isSegment = (segment: Record<string, unknown>): boolean =>
    (segment['cursor'] === null || isText(segment['cursor'])) &&
    isStamped(segment) &&
    Array.isArray(segment['members']);
  return isKey && identity['filterNames'].every(isText) && isListOf(list['segments'], isSegment);
}
