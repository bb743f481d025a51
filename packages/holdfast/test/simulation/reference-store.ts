// The memory of the reference client: rows with stamps per field, lists, tombstones, layers, and the screen that follows from
// them. It is incremental, unlike the oracle, and shares no code with it.
import { sorted } from './model-network.ts';
import type { Filter } from './model-server.ts';
import type { Defect } from './reference-defects.ts';
import type { Fields, ViewRow, RowWrite } from './subject.ts';

interface Slot {
  value: unknown;
  read: number;
  sent: number;
  acknowledged: number;
  /** The stamp of the value. */
  asOf: number;
  /** When the value last changed for lists. */
  news: number;
}

interface Row {
  slots: Map<string, Slot>;
  created?: { at: number; body: Fields };
}

export interface Layer {
  call: RowWrite;
  id: string;
}

export class ReferenceStore {
  layers: Layer[] = [];
  shownRows = new Map<string, ViewRow>();
  shownLists = new Map<string, readonly ViewRow[]>();
  userNames = new Map<string, string>();
  #defect: Defect | undefined;
  #tables = { items: new Map<string, Row>(), users: new Map<string, Row>() };
  #gone = new Map<string, number>();
  #lists = new Map<string, { send: number; ids: string[] }>();

  constructor(defect: Defect | undefined) {
    this.#defect = defect;
  }

  #has(defect: Defect): boolean {
    return this.#defect === defect;
  }

  write(
    object: Record<string, unknown>,
    isUser: boolean,
    send: number,
    at: number | undefined,
    created?: Fields,
  ): void {
    const { id, owner, ...rest } = object as { id: string; owner?: { id: string } }; // cast: own server
    const fields: Record<string, unknown> = { ...rest };
    if (owner) {
      // no mutation of an item is about its owner: the owner in its response counts as read
      this.write(owner, true, send, undefined);
      fields['owner'] = owner.id;
    }
    if (!isUser && send < (this.#gone.get(id) ?? 0)) return;
    const table = isUser ? this.#tables.users : this.#tables.items;
    const known = table.get(id);
    const row: Row = known ?? { slots: new Map() };
    table.set(id, row);
    for (const [name, value] of Object.entries(fields)) {
      const slot = row.slots.get(name) ?? {
        value: undefined,
        read: 0,
        sent: 0,
        acknowledged: 0,
        asOf: 0,
        news: 0,
      };
      if (at === undefined) {
        const isLate =
          send < slot.read || (send < slot.acknowledged && !this.#has('a late read replaces a write'));
        if (isLate) continue;
        slot.read = send;
        if (known && slot.value !== value) slot.news = send;
      } else {
        slot.acknowledged = at;
        if (send < slot.sent) continue;
        slot.sent = send;
        if (known && (send < at || slot.value !== value)) slot.news = at;
      }
      slot.asOf = at ?? send;
      slot.value = value;
      row.slots.set(name, slot);
    }
    if (created) row.created = { at: at!, body: created };
    if (!isUser) for (const list of this.#lists.keys()) this.#place(id, list);
  }

  /** Puts a row into a list, or removes it, if the row is newer than the list. */
  #place(id: string, name: string): void {
    const list = this.#lists.get(name)!;
    const row = this.#tables.items.get(id)!;
    const values = (field: string): unknown => row.slots.get(field)?.value;
    const isMember = matches(name, values);
    const isHeld = list.ids.includes(id);
    if (row.created && row.created.at >= list.send && !isHeld) {
      const { body } = row.created;
      if (isMember && matches(name, (field) => body[field])) list.ids = [...list.ids, id];
    }
    if (isOpaqueName(name)) return;
    const fields = entriesOf(name).map(([field]) => row.slots.get(field)!);
    const known = Math.max(...fields.map((slot) => slot.asOf));
    const news = Math.max(...fields.map((slot) => slot.news));
    if (!isMember && known >= list.send && !this.#has('moved rows stay'))
      list.ids = list.ids.filter((other) => other !== id);
    if (isMember && news >= list.send && !list.ids.includes(id) && !this.#has('moved rows do not arrive'))
      list.ids = [...list.ids, id];
  }

  knows(id: string, isUser: boolean): boolean {
    return (isUser ? this.#tables.users : this.#tables.items).has(id);
  }

  remove(id: string, at: number): void {
    if (!this.#has('no tombstones')) this.#gone.set(id, at);
    this.#tables.items.delete(id);
    for (const list of this.#lists.values()) list.ids = list.ids.filter((other) => other !== id);
  }

  /** A list read replaces the members, without the deleted rows, and with the newer ones. */
  applyList(name: string, send: number, ids: readonly string[]): void {
    const known = this.#lists.get(name);
    if (known && known.send > send && !this.#has('an older list replaces a newer one')) return;
    this.#lists.set(name, { send, ids: ids.filter((id) => this.#tables.items.has(id)) });
    if (this.#has('a list read forgets creations')) return;
    for (const id of this.#tables.items.keys()) this.#place(id, name);
  }

  clear(): void {
    for (const book of [this.#tables.items, this.#tables.users, this.#lists, this.#gone]) book.clear();
    this.layers = [];
  }

  /** Computes the screen again and keeps unchanged values. */
  refresh(): void {
    const rows = new Map<string, Record<string, unknown>>();
    const lists = new Map<string, string[]>();
    const pagesLast = [...this.#lists].sort(([one], [two]) => pageNumber(one) - pageNumber(two));
    for (const [name, list] of pagesLast) {
      const whole = pageNumber(name) > 0 ? '{"feed":"1"}' : name;
      lists.set(whole, [...new Set([...(lists.get(whole) ?? []), ...list.ids])]);
    }
    const names = new Map(
      [...this.#tables.users].map(([id, row]) => [id, row.slots.get('name')!.value as string]),
    ); // cast: own server
    for (const [id, row] of this.#tables.items) {
      rows.set(id, Object.fromEntries([...row.slots].map(([name, slot]) => [name, slot.value])));
    }
    for (const { call, id } of this.layers) {
      if (call.kind === 'rename') {
        if (names.has(id)) names.set(id, call.body['name']!);
        continue;
      }
      const row = rows.get(id);
      if (call.kind !== 'create' && !row) continue;
      const change =
        call.kind === 'vote'
          ? { votes: Number(row?.['votes'] ?? 0) + 1 }
          : call.kind === 'remove'
            ? {}
            : call.body;
      const changed: Record<string, unknown> | undefined =
        call.kind === 'remove' ? undefined : { ...row, ...change };
      if (changed) rows.set(id, changed);
      else rows.delete(id);
      for (const [name, ids] of lists) {
        const isMember = changed !== undefined && matches(name, (field) => changed[field]);
        const wasMember = row !== undefined && matches(name, (field) => row[field]);
        if (ids.includes(id) && (!changed || (!isMember && !isOpaqueName(name))))
          lists.set(
            name,
            ids.filter((other) => other !== id),
          );
        else if (!ids.includes(id) && isMember && !wasMember) lists.set(name, [...ids, id]);
      }
    }
    this.userNames = names;
    this.#show(rows, lists);
  }

  #show(rows: ReadonlyMap<string, Record<string, unknown>>, lists: ReadonlyMap<string, string[]>): void {
    const shown = new Map<string, ViewRow>();
    for (const [id, row] of rows) {
      const owner = row['owner'] as string | undefined; // cast: own server
      const name = owner && this.userNames.get(owner);
      const next = { ...DEFAULTS, ...row, id, owner: name ? { id: owner, name } : undefined };
      const past = this.shownRows.get(id);
      if (past && this.#has('rows change in place')) Object.assign(past, next);
      shown.set(id, past && JSON.stringify(past) === JSON.stringify(next) ? past : next);
    }
    this.shownRows = shown;
    const shownLists = new Map<string, readonly ViewRow[]>();
    for (const [name, ids] of lists) {
      const next = ids.map((id) => shown.get(id)!);
      const past = this.shownLists.get(name);
      const isSame = past?.length === next.length && next.every((row, index) => row === past[index]);
      shownLists.set(name, isSame ? past : next);
    }
    this.shownLists = shownLists;
  }
}

const DEFAULTS = { title: '', status: '', group: '', body: '', votes: 0 };

const listNames = new WeakMap<Filter, string>();

export function listName(filter: Filter): string {
  let name = listNames.get(filter);
  if (!name) listNames.set(filter, (name = JSON.stringify(sorted(filter))));
  return name;
}

const isOpaqueName = (name: string): boolean => name.includes('"q"') || name.includes('"feed"');

/** 0 for the first page, and for lists without pages. */
const pageNumber = (name: string): number => Number(/"cursor":"(\d+)"/.exec(name)?.[1] ?? 0);

const entries = new Map<string, [string, string][]>();

function entriesOf(name: string): [string, string][] {
  let known = entries.get(name);
  if (!known)
    entries.set(
      name,
      (known = Object.entries(JSON.parse(name) as Fields).filter(([field]) => !field.startsWith('order'))),
    ); // cast: made by listName
  return known;
}

/** A search (`q`) matches nothing here: only the server knows its rule. */
function matches(name: string, value: (field: string) => unknown): boolean {
  return entriesOf(name).every(([field, wanted]) => value(field) === wanted);
}
