// The naive client: it keeps every response unchanged, one sequence of stamps and a list of layers, and computes everything from
// scratch on every request. It is slow and simple on purpose, and shares no code with the library.
import { applyLayer } from './oracle-layers.ts';
import type { Layer, OracleView } from './oracle-layers.ts';
import { assertMembership } from './oracle-lists.ts';
import type { Assertion, ListState, Values } from './oracle-lists.ts';
import { FEED } from './reads.ts';
import type { Fields } from './subject.ts';

export interface EntityFact {
  table: 'items' | 'users';
  id: string;
  fields: Values;
}

/** One response that arrived. `send` and `at` are the stamps of its sending and of its arrival. */
export type Fact =
  | ReadFact
  | { kind: 'write'; send: number; at: number; entities: EntityFact[]; main: string; created?: Fields }
  | { kind: 'gone'; send: number; at: number; id: string }
  | ({ kind: 'forgotten' } & Forgotten);

interface ReadFact {
  kind: 'read';
  send: number;
  at: number;
  entities: EntityFact[];
  list?: { key: string; ids: string[] };
  /** Part of a saved state. */
  isSaved?: boolean;
}

/** Removed by a collection: as if it had never arrived. */
export interface Forgotten {
  items: readonly string[];
  users: readonly string[];
  lists: readonly string[];
}

/** The newest payload about one thing: its stamp, and when it arrived. */
export interface Arrival {
  table: 'items' | 'users' | 'lists';
  id: string;
  stamp: number;
  atMs: number;
}

interface Slot {
  value: unknown;
  readSend: number;
  writeSend: number;
  writeAck: number;
  /** The value came with a saved state. */
  isSaved: boolean;
  /** Anything but a saved state has contained the field too: a client may show that value instead of the saved one. */
  isReceived: boolean;
}

interface Row {
  slots: Map<string, Slot>;
  /** Arrival of the last acknowledged delete; responses that were sent before it are ignored. */
  goneAt: number;
  isPresent: boolean;
}

export class Oracle {
  #facts: Fact[] = [];
  #layers: Layer[] = [];
  /** Computed from the first fact on, again after each new one. */
  #base: OracleView | undefined;
  #arrivals = new Map<string, Arrival & { writeSend: number }>();
  /** Items whose last call ended unknown, and when: no later-sent response has contained them. */
  readonly doubted = new Map<string, number>();
  #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  record(fact: Fact): void {
    this.#facts.push(fact);
    this.#base = undefined;
    this.#settleDoubts(fact);
    if (fact.kind !== 'read' && fact.kind !== 'write') return;
    // data of a state need not be kept for earlier requests
    if (isOfState(fact)) return;
    for (const { table, id } of fact.entities)
      this.#arrive(table, id, fact, fact.kind === 'read' || isBeside(table, fact));
    if (fact.kind === 'read' && fact.list) this.#arrive('lists', fact.list.key, fact);
  }

  #settleDoubts(fact: Fact): void {
    if (fact.kind === 'gone') this.doubted.delete(fact.id);
    else if (fact.kind === 'forgotten') for (const id of fact.items) this.doubted.delete(id);
    else
      for (const { id } of fact.entities)
        if (fact.send > (this.doubted.get(id) ?? Infinity)) this.doubted.delete(id);
  }

  #arrive(
    table: Arrival['table'],
    id: string,
    fact: Fact & { kind: 'read' | 'write' },
    isRead = fact.kind === 'read',
  ): void {
    const known = this.#arrivals.get(`${table} ${id}`);
    const arrival = known ?? { table, id, stamp: 0, atMs: 0, writeSend: 0 };
    this.#arrivals.set(`${table} ${id}`, arrival);
    const stamp = isRead ? fact.send : fact.at;
    // a response that arrives too late is not the newest
    if (stamp > arrival.stamp && (isRead || fact.send > arrival.writeSend)) arrival.atMs = this.#nowMs();
    arrival.stamp = Math.max(stamp, arrival.stamp);
    if (!isRead) arrival.writeSend = Math.max(fact.send, arrival.writeSend);
  }

  /** When the newest payload about each thing arrived. */
  arrivals(): Iterable<Arrival> {
    return this.#arrivals.values();
  }

  forget(gone: Forgotten): void {
    for (const table of ['items', 'users', 'lists'] as const)
      for (const id of gone[table]) this.#arrivals.delete(`${table} ${id}`);
    this.record({ kind: 'forgotten', ...gone });
  }

  addLayer(layer: Layer): void {
    this.#layers.push(layer);
  }

  removeLayer(layer: Layer): void {
    this.#layers = this.#layers.filter((other) => other !== layer);
  }

  reset(): void {
    this.#facts = [];
    this.#layers = [];
    this.#base = undefined;
    this.#arrivals.clear();
    this.doubted.clear();
  }

  /** No read that was sent before this may report the row as deleted. */
  fenceOf(id: string): number {
    let fence = 0;
    for (const fact of this.#facts) {
      if (
        fact.kind === 'gone' ||
        fact.kind === 'forgotten' ||
        !fact.entities.some((entity) => entity.table === 'items' && entity.id === id)
      )
        continue;
      fence = Math.max(fence, fact.kind === 'read' ? fact.send : fact.at);
    }
    return fence;
  }

  /** True when a later-sent request has written the row. */
  isWrittenSince(id: string, send: number): boolean {
    return this.#facts.some(
      (fact) => fact.kind === 'write' && fact.send > send && fact.entities.some((entity) => entity.id === id),
    );
  }

  get layers(): readonly Layer[] {
    return this.#layers;
  }

  /** The data that the client should show now. */
  view(withLayers: boolean): OracleView {
    const base = (this.#base ??= computeBase(this.#facts));
    if (!withLayers || this.#layers.length === 0) return base;
    const { items, users, lists, anchored, optional, sends, pages } = base;
    const view = {
      items: new Map(items),
      users: new Map(users),
      lists: new Map(lists),
      anchored: new Map(anchored),
      optional: new Map(optional),
      sends,
      pages,
    };
    for (const layer of this.#layers) applyLayer(view, layer);
    return view;
  }
}

function computeBase(facts: readonly Fact[]): OracleView {
  const rows = { items: new Map<string, Row>(), users: new Map<string, Row>() };
  const lists = new Map<string, ListState>();
  let assertions: Assertion[] = [];

  for (const fact of facts) {
    if (fact.kind === 'forgotten') {
      for (const id of fact.users) rows.users.delete(id);
      for (const id of fact.items) forgetRow(rows.items, id);
      for (const key of fact.lists) lists.delete(key);
      if (fact.lists.includes(FEED)) for (const key of [...lists.keys()].filter(isPage)) lists.delete(key);
      assertions = assertions.filter(({ id }) => !fact.items.includes(id));
      continue;
    }
    if (fact.kind === 'gone') {
      const row = ensureRow(rows.items, fact.id);
      row.isPresent = false;
      row.slots.clear();
      row.goneAt = fact.at;
      for (const list of lists.values()) list.ids = list.ids.filter((id) => id !== fact.id);
      continue;
    }
    for (const entity of fact.entities) {
      const assertion = applyEntity(rows[entity.table], entity, fact);
      if (!assertion) continue;
      assertions.push(assertion);
      for (const [key, list] of lists) assertMembership(key, list, assertion);
    }
    if (fact.kind !== 'read' || !fact.list) continue;
    const { key, ids } = fact.list;
    const known = lists.get(key);
    if (known && known.send > fact.send) continue;
    const alive = ids.filter((id) => (rows.items.get(id)?.goneAt ?? 0) < fact.send);
    const { send, at } = fact;
    const list: ListState = { send, at, ids: alive, anchored: alive, optional: new Set() };
    for (const assertion of assertions) {
      if (rows.items.get(assertion.id)?.isPresent) assertMembership(key, list, assertion);
    }
    if (isPage(key) && !lists.has(key)) dropBehind(key, lists);
    lists.set(key, list);
  }

  const optional = new Map([...lists].map(([key, list]) => [key, new Set(list.optional)]));
  const view: OracleView = {
    items: presentRows(rows.items),
    users: presentRows(rows.users),
    lists: new Map(),
    anchored: new Map(),
    optional,
    sends: new Map(),
    pages: [...lists.keys()].filter(isPage),
  };
  // pages are in the order of their cursors behind the first, and show each row once
  for (const [key, list] of [...lists].sort(comparePages)) {
    // the content of a list whose first page never arrived is the choice of the client
    if (isPage(key) && !lists.has(FEED)) continue;
    const whole = isPage(key) ? FEED : key;
    if (list.isOutdated) for (const id of list.ids) optional.get(FEED)?.add(id);
    view.sends.set(whole, Math.min(list.send, view.sends.get(whole) ?? Infinity));
    view.lists.set(whole, [...new Set([...(view.lists.get(whole) ?? []), ...list.ids])]);
    view.anchored.set(whole, [...new Set([...(view.anchored.get(whole) ?? []), ...list.anchored])]);
  }
  return view;
}

/** Pages behind a new page may leave the list, if they were requested before the present first page arrived. */
function dropBehind(key: string, lists: ReadonlyMap<string, ListState>): void {
  const { at = 0 } = lists.get(FEED) ?? {};
  for (const [other, list] of lists)
    if (isPage(other) && other > key && list.send < at) list.isOutdated = true;
}

const isPage = (key: string): boolean => key.startsWith('{"cursor"');

function comparePages([one]: [string, ListState], [two]: [string, ListState]): number {
  if (!isPage(one) || !isPage(two)) return Number(isPage(one)) - Number(isPage(two));
  return one < two ? -1 : 1;
}

/** Rows in a response beside the row of the mutation count as read by it. */
function isBeside(table: EntityFact['table'], { entities }: { entities: readonly EntityFact[] }): boolean {
  return table === 'users' && entities.some((other) => other.table === 'items');
}

function isOfState(fact: Fact): boolean {
  return fact.kind === 'read' && fact.isSaved === true;
}

function applyEntity(
  table: Map<string, Row>,
  entity: EntityFact,
  fact: Fact & { kind: 'read' | 'write' },
): Assertion | undefined {
  const row = ensureRow(table, entity.id);
  // an acknowledged delete holds for every response to an earlier-sent request
  if (fact.send < row.goneAt) return undefined;
  const before = row.isPresent && entity.table === 'items' ? readValues(row) : undefined;
  const touched = new Set<string>();
  const openBefore = new Set<string>();
  for (const name in entity.fields) {
    let slot = row.slots.get(name);
    if (!slot) {
      slot = { value: undefined, readSend: 0, writeSend: 0, writeAck: 0, isSaved: false, isReceived: false };
      row.slots.set(name, slot);
    }
    const isOpen = slot.isSaved && slot.isReceived;
    slot.isReceived ||= !isOfState(fact);
    if (fact.kind === 'write' && !isBeside(entity.table, fact)) {
      // even a write that arrives too late to be shown blocks reads that were sent before its response
      slot.writeAck = fact.at;
      if (fact.send < slot.writeSend) continue;
      slot.writeSend = fact.send;
    } else {
      if (fact.send < slot.writeAck || fact.send < slot.readSend) continue;
      slot.readSend = fact.send;
    }
    if (isOpen) openBefore.add(name);
    slot.isSaved = isOfState(fact);
    slot.value = entity.fields[name];
    touched.add(name);
  }
  row.isPresent = true;
  if (entity.table === 'users') return undefined;
  return {
    id: entity.id,
    before,
    after: readValues(row),
    touched,
    openBefore,
    stampOf: readStamps(row),
    created: fact.kind === 'write' ? fact.created : undefined,
    isWrite: fact.kind === 'write',
    at: fact.at,
  };
}

/** Everything but the mark of a delete, which has its own rules. */
function forgetRow(table: Map<string, Row>, id: string): void {
  const row = table.get(id);
  row?.slots.clear();
  if (row) row.isPresent = false;
}

function ensureRow(table: Map<string, Row>, id: string): Row {
  let row = table.get(id);
  if (!row) table.set(id, (row = { slots: new Map(), goneAt: 0, isPresent: false }));
  return row;
}

function readValues(row: Row): Values {
  const values: Record<string, unknown> = {};
  for (const [name, slot] of row.slots) values[name] = slot.value;
  return values;
}

function readStamps(row: Row): Readonly<Record<string, number>> {
  const stamps: Record<string, number> = {};
  for (const [name, slot] of row.slots) stamps[name] = Math.max(slot.readSend, slot.writeAck);
  return stamps;
}

function presentRows(table: ReadonlyMap<string, Row>): Map<string, Values> {
  return new Map([...table].filter(([, row]) => row.isPresent).map(([id, row]) => [id, readValues(row)]));
}
