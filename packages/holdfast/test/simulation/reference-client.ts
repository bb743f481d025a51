// The smallest client that keeps every invariant: it proves that they can be kept and that the simulator judges
// fairly. `defect` breaks one rule on purpose, to prove that the simulator sees it.
import { sorted } from './model-network.ts';
import type { Filter } from './model-server.ts';
import type {
  Call,
  CreateSubject,
  Fields,
  ReadCall,
  Subject,
  SubjectEnvironment,
  ViewRow,
  Watch,
  Watched,
  WriteCall,
} from './subject.ts';

export const DEFECTS = [
  'order by the wall clock',
  'no tombstones',
  'a fetch joins any request under way',
  'a failure removes every layer',
  'an answer removes every layer',
  'a late read replaces a write',
  'a late write replaces a later one',
  'an older list replaces a newer one',
  'a list read forgets creations',
  'no epochs',
  'reset leaves promises waiting',
  'rows change in place',
  'watchers hear of everything',
  'watchers miss removals',
  'moved rows stay',
  'moved rows do not arrive',
  'unknown ends stay fresh',
  'an invalidation is cured by an older answer',
  'no time limit',
  'a draft stays beside its row',
  'edits of a draft go out with its local id',
  'a 404 is only an error',
  'an empty answer reverts the intent',
  'lists hold new arrays',
] as const;

export type Defect = (typeof DEFECTS)[number];

interface Slot {
  value: unknown;
  read: number;
  sent: number;
  acknowledged: number;
  /** When the value last became news for lists. */
  news: number;
}

interface Row {
  slots: Map<string, Slot>;
  created?: { at: number; body: Fields };
}

interface Layer {
  call: WriteCall;
  id: string;
}

const TIMEOUT_MS = 30_000;

export const createReference =
  (defect?: Defect): CreateSubject =>
  (environment) =>
    new ReferenceClient(environment, defect);

class ReferenceClient implements Subject {
  #environment: SubjectEnvironment;
  #defect: Defect | undefined;
  #stamp = 0;
  #epoch = 0;
  #tables = { items: new Map<string, Row>(), users: new Map<string, Row>() };
  #gone = new Map<string, number>();
  #lists = new Map<string, { send: number; ids: string[] }>();
  #layers: Layer[] = [];
  #underWay = new Map<string, { send: number; promise: Promise<unknown> }>();
  #freshSince = 0;
  #allStaleSince = 0;
  #staleSince = new Map<string, number>();
  #answered = new Map<string, number>();
  #aborts = new Set<(reason: Error) => void>();
  #creating = new Map<string, Promise<string>>();
  #dropped = new Set<Layer>();
  #watches = new Set<{ call: ReadCall; onChange: () => void; seen: unknown }>();
  #shownRows = new Map<string, ViewRow>();
  #shownLists = new Map<string, readonly ViewRow[]>();
  #userNames = new Map<string, string>();

  constructor(environment: SubjectEnvironment, defect: Defect | undefined) {
    this.#environment = environment;
    this.#defect = defect;
  }

  #has(defect: Defect): boolean {
    return this.#defect === defect;
  }

  #tick(): number {
    if (this.#has('order by the wall clock')) return this.#environment.clock.now();
    return ++this.#stamp;
  }

  fetch(call: Call): Promise<unknown> {
    if (call.kind !== 'get' && call.kind !== 'list' && call.kind !== 'user') return this.#mutate(call);
    const key = keyOf(call);
    const joined = this.#underWay.get(key);
    const since = Math.max(this.#freshSince, this.#staleSince.get(key) ?? 0);
    if (joined && (joined.send > since || this.#has('a fetch joins any request under way')))
      return joined.promise;
    const send = this.#tick();
    const epoch = this.#epoch;
    const promise = this.#request('GET', pathOf(call)).then(({ status, value }) => {
      if (epoch !== this.#epoch && !this.#has('no epochs')) throw new Error('reset');
      if (status === 404 && call.kind === 'get' && !this.#has('a 404 is only an error'))
        this.#remove(call.id, this.#tick());
      else if (status < 400 && value !== null) this.#applyRead(call, key, value, send);
      this.#refresh();
      if (status >= 400) throw new Error(`status ${status}`);
      return value;
    });
    const entry = { send, promise };
    this.#underWay.set(key, entry);
    const forget = (): void => {
      if (this.#underWay.get(key) === entry) this.#underWay.delete(key);
    };
    promise.then(forget, forget);
    return promise;
  }

  #applyRead(call: ReadCall, key: string, value: unknown, send: number): void {
    this.#answered.set(key, Math.max(send, this.#answered.get(key) ?? 0));
    if (this.#has('an invalidation is cured by an older answer')) this.#staleSince.delete(key);
    const objects = Array.isArray(value) ? value : [value];
    for (const object of objects)
      this.#write(object as Record<string, unknown>, call.kind === 'user', send, undefined); // cast: own server
    if (call.kind !== 'list') return;
    const list = listName(call.filter);
    const known = this.#lists.get(list);
    if (known && known.send > send && !this.#has('an older list replaces a newer one')) return;
    const ids = objects.map((object: { id: string }) => object.id).filter((id) => this.#tables.items.has(id));
    this.#lists.set(list, { send, ids });
    if (!this.#has('a list read forgets creations'))
      for (const id of this.#tables.items.keys()) this.#place(id, list);
  }

  async #mutate(call: WriteCall): Promise<unknown> {
    const isDraft = 'id' in call && this.#creating.has(call.id);
    const layer: Layer = {
      call,
      id: call.kind === 'create' ? `local:${this.#tick()}-${this.#layers.length}` : call.id,
    };
    const epoch = this.#epoch;
    if (call.kind === 'remove' && isDraft) {
      for (const other of this.#layers)
        if (other.id === layer.id && other.call.kind !== 'create') this.#drop(other);
    }
    if (this.#environment.isOptimistic) this.#layers.push(layer);
    let send = 0;
    const run = async (): Promise<unknown> => {
      if (isDraft && !this.#has('edits of a draft go out with its local id')) {
        layer.id = await this.#creating.get(layer.id)!;
        if (this.#dropped.has(layer)) return undefined;
      }
      send = this.#tick();
      const path =
        call.kind === 'create'
          ? '/items'
          : call.kind === 'rename'
            ? `/users/${layer.id}`
            : `/items/${layer.id}`;
      const { status, value } = await this.#request(
        METHODS[call.kind],
        path,
        'body' in call ? call.body : undefined,
      );
      if (epoch !== this.#epoch && !this.#has('no epochs')) throw new Error('reset');
      if (status >= 400) throw new Refused(`status ${status}`);
      this.#applyWrite(layer, value, send);
      return value;
    };
    const promise = run();
    if (call.kind === 'create') {
      const created = promise.then((value) => (value as { id: string }).id); // cast: own server
      created.catch(() => {});
      this.#creating.set(layer.id, created);
    }
    const settled = promise.then(
      (value) => {
        this.#refresh();
        return value;
      },
      (error: unknown) => {
        if (this.#has('a failure removes every layer')) this.#layers = [];
        this.#layers = this.#layers.filter((other) => other !== layer);
        if (
          send > 0 &&
          !(error instanceof Refused) &&
          epoch === this.#epoch &&
          !this.#has('unknown ends stay fresh')
        ) {
          this.#freshSince = this.#tick();
          this.#allStaleSince = this.#freshSince;
        }
        this.#refresh();
        throw error;
      },
    );
    this.#refresh();
    return settled;
  }

  #drop(layer: Layer): void {
    this.#dropped.add(layer);
    this.#layers = this.#layers.filter((other) => other !== layer);
  }

  #applyWrite(layer: Layer, value: unknown, send: number): void {
    const { call } = layer;
    const at = this.#tick();
    this.#freshSince = at;
    if (!this.#has('a draft stays beside its row') || call.kind !== 'create') {
      this.#layers = this.#has('an answer removes every layer')
        ? []
        : this.#layers.filter((other) => other !== layer);
    }
    // searches cannot be decided here
    this.#staleSince.set('{"q":"1"}', at);
    if (call.kind === 'remove') return this.#remove(layer.id, at);
    if (value === null) {
      const isKept = this.#environment.isOptimistic && !this.#has('an empty answer reverts the intent');
      if (isKept) this.#write({ id: layer.id, ...call.body }, call.kind === 'rename', send, at);
      else this.#allStaleSince = at;
      return;
    }
    const object = value as Record<string, unknown>; // cast: own server
    this.#write(object, call.kind === 'rename', send, at, call.kind === 'create' ? call.body : undefined);
    if (call.kind === 'create') {
      for (const other of this.#layers)
        if (other.id === layer.id && other !== layer) other.id = String(object['id']);
    }
  }

  #write(
    object: Record<string, unknown>,
    isUser: boolean,
    send: number,
    at: number | undefined,
    created?: Fields,
  ): void {
    const { id, owner, ...rest } = object as { id: string; owner?: { id: string } }; // cast: own server
    const fields: Record<string, unknown> = { ...rest };
    if (owner) {
      this.#write(owner, true, send, at);
      fields['owner'] = owner.id;
    }
    if (!isUser && send < (this.#gone.get(id) ?? 0)) return;
    const table = isUser ? this.#tables.users : this.#tables.items;
    const known = table.get(id);
    const row: Row = known ?? { slots: new Map() };
    table.set(id, row);
    for (const [name, value] of Object.entries(fields)) {
      const slot = row.slots.get(name) ?? { value: undefined, read: 0, sent: 0, acknowledged: 0, news: 0 };
      if (at === undefined) {
        const isLate =
          send < slot.read || (send < slot.acknowledged && !this.#has('a late read replaces a write'));
        if (isLate) continue;
        slot.read = send;
        if (known && slot.value !== value) slot.news = send;
      } else {
        if (send < slot.sent && !this.#has('a late write replaces a later one')) continue;
        slot.sent = send;
        slot.acknowledged = at;
        if (known) slot.news = at;
      }
      slot.value = value;
      row.slots.set(name, slot);
    }
    if (created) row.created = { at: at!, body: created };
    if (!isUser) for (const list of this.#lists.keys()) this.#place(id, list);
  }

  /** Puts a row into a list, or takes it out, if what is known of it is newer than the list. */
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
    if (name.includes('"q"')) return;
    const fields = entriesOf(name).map(([field]) => row.slots.get(field)!);
    const known = Math.max(...fields.map((slot) => Math.max(slot.read, slot.acknowledged)));
    const news = Math.max(...fields.map((slot) => slot.news));
    if (!isMember && known >= list.send && !this.#has('moved rows stay'))
      list.ids = list.ids.filter((other) => other !== id);
    if (isMember && news >= list.send && !list.ids.includes(id) && !this.#has('moved rows do not arrive'))
      list.ids = [...list.ids, id];
  }

  #remove(id: string, at: number): void {
    if (!this.#has('no tombstones')) this.#gone.set(id, at);
    this.#tables.items.delete(id);
    for (const list of this.#lists.values()) list.ids = list.ids.filter((other) => other !== id);
  }

  async #request(method: string, path: string, body?: Fields): Promise<{ status: number; value: unknown }> {
    const abort = new AbortController();
    const { timers } = this.#environment;
    let timer: unknown;
    const over = new Promise<never>((_resolve, reject) => {
      const stop = (reason: Error): void => {
        reject(reason);
        abort.abort();
      };
      this.#aborts.add(stop);
      if (!this.#has('no time limit')) timer = timers.set(() => stop(new Error('timeout')), TIMEOUT_MS);
      abort.signal.addEventListener('abort', () => this.#aborts.delete(stop));
    });
    over.catch(() => {});
    try {
      const init: RequestInit = { method, signal: abort.signal };
      if (body) init.body = JSON.stringify(body);
      const response = await Promise.race([this.#environment.fetch(path, init), over]);
      const text = await response.text();
      if (response.headers.get('content-type') === 'text/html') throw new Error('HTML');
      const value: unknown = text === '' ? null : JSON.parse(text);
      if (response.ok && value !== null && 'error' in (value as object)) throw new Error('wrong shape');
      return { status: response.status, value };
    } finally {
      timers.clear(timer);
    }
  }

  set(id: string, fields: Fields): void {
    const at = this.#tick();
    this.#freshSince = at;
    this.#write({ id, ...fields }, false, at, at);
    this.#refresh();
  }

  invalidate(call: ReadCall): void {
    this.#staleSince.set(keyOf(call), this.#tick());
    this.#refresh();
  }

  invalidateLists(): void {
    const at = this.#tick();
    for (const key of [...this.#answered.keys(), ...this.#underWay.keys()])
      if (key.startsWith('{')) this.#staleSince.set(key, at);
  }

  expireLists(): void {
    this.invalidateLists();
  }

  reset(): void {
    this.#epoch++;
    const { items, users } = this.#tables;
    for (const book of [
      items,
      users,
      this.#lists,
      this.#underWay,
      this.#staleSince,
      this.#answered,
      this.#creating,
    ])
      book.clear();
    this.#gone.clear();
    this.#layers = [];
    this.#freshSince = this.#tick();
    if (!this.#has('reset leaves promises waiting') && !this.#has('no epochs'))
      for (const stop of this.#aborts) stop(new Error('reset'));
    this.#aborts.clear();
    this.#refresh();
  }

  readRow(id: string): ViewRow | undefined {
    return this.#shownRows.get(id);
  }

  readList(filter: Filter): readonly ViewRow[] | undefined {
    const list = this.#shownLists.get(listName(filter));
    return list && this.#has('lists hold new arrays') ? [...list] : list;
  }

  readUserName(id: string): string | undefined {
    return this.#userNames.get(id);
  }

  isFresh(call: ReadCall): boolean {
    const staleSince = Math.max(this.#allStaleSince, this.#staleSince.get(keyOf(call)) ?? 0);
    return (this.#answered.get(keyOf(call)) ?? 0) > staleSince;
  }

  countPending(id: string): number | undefined {
    if (!this.#environment.isOptimistic) return undefined;
    return this.#layers.filter((layer) => layer.id === id && layer.call.kind !== 'rename').length;
  }

  watch(call: ReadCall, onChange: () => void): Watch {
    const watch = { call, onChange, seen: this.#value(call) };
    this.#watches.add(watch);
    const read = (): Watched => ({
      value: this.#value(call),
      error: undefined,
      status: undefined,
      isFetching: undefined,
    });
    return { read, stop: () => void this.#watches.delete(watch) };
  }

  #value(call: ReadCall): unknown {
    if (call.kind === 'list') return this.#shownLists.get(listName(call.filter));
    return call.kind === 'user' ? this.#userNames.get(call.id) : this.#shownRows.get(call.id);
  }

  /** Works the screen out again, keeps what did not change, and tells the watchers of what did. */
  #refresh(): void {
    const rows = new Map<string, Record<string, unknown>>();
    const lists = new Map([...this.#lists].map(([name, list]) => [name, list.ids]));
    const names = new Map(
      [...this.#tables.users].map(([id, row]) => [id, row.slots.get('name')!.value as string]),
    ); // cast: own server
    for (const [id, row] of this.#tables.items) {
      rows.set(id, Object.fromEntries([...row.slots].map(([name, slot]) => [name, slot.value])));
    }
    for (const { call, id } of this.#layers) {
      if (call.kind === 'rename') {
        if (names.has(id)) names.set(id, call.body['name']!);
        continue;
      }
      const row = rows.get(id);
      if (call.kind !== 'create' && !row) continue;
      const changed = call.kind === 'remove' ? undefined : { ...row, ...call.body };
      if (changed) rows.set(id, changed);
      else rows.delete(id);
      for (const [name, ids] of lists) {
        const isMember = changed !== undefined && matches(name, (field) => changed[field]);
        const wasMember = row !== undefined && matches(name, (field) => row[field]);
        if (ids.includes(id) && (!changed || (!isMember && !name.includes('"q"'))))
          lists.set(
            name,
            ids.filter((other) => other !== id),
          );
        else if (!ids.includes(id) && isMember && !wasMember) lists.set(name, [...ids, id]);
      }
    }
    this.#userNames = names;
    this.#show(rows, lists);
    for (const watch of this.#watches) {
      const value = this.#value(watch.call);
      if (value === watch.seen && !this.#has('watchers hear of everything')) continue;
      if (value === undefined && this.#has('watchers miss removals')) continue;
      watch.seen = value;
      watch.onChange();
    }
  }

  #show(rows: ReadonlyMap<string, Record<string, unknown>>, lists: ReadonlyMap<string, string[]>): void {
    const shown = new Map<string, ViewRow>();
    for (const [id, row] of rows) {
      const owner = row['owner'] as string | undefined; // cast: own server
      const name = owner && this.#userNames.get(owner);
      const next = { ...DEFAULTS, ...row, id, owner: name ? { id: owner, name } : undefined };
      const past = this.#shownRows.get(id);
      if (past && this.#has('rows change in place')) Object.assign(past, next);
      shown.set(id, past && JSON.stringify(past) === JSON.stringify(next) ? past : next);
    }
    this.#shownRows = shown;
    const shownLists = new Map<string, readonly ViewRow[]>();
    for (const [name, ids] of lists) {
      const next = ids.map((id) => shown.get(id)!);
      const past = this.#shownLists.get(name);
      const isSame = past?.length === next.length && next.every((row, index) => row === past[index]);
      shownLists.set(name, isSame ? past : next);
    }
    this.#shownLists = shownLists;
  }
}

class Refused extends Error {}

const DEFAULTS = { title: '', status: '', group: '', body: '' };
const METHODS = { create: 'POST', patch: 'PATCH', put: 'PUT', remove: 'DELETE', rename: 'PATCH' };

const listNames = new WeakMap<Filter, string>();

function listName(filter: Filter): string {
  let name = listNames.get(filter);
  if (!name) listNames.set(filter, (name = JSON.stringify(sorted(filter))));
  return name;
}

const keyOf = (call: ReadCall): string =>
  call.kind === 'list' ? listName(call.filter) : `${call.kind} ${call.id}`;

function pathOf(call: ReadCall): string {
  if (call.kind === 'list') return `/items?${new URLSearchParams(call.filter).toString()}`;
  return `/${call.kind === 'get' ? 'items' : 'users'}/${call.id}`;
}

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

/** A search (`q`) matches nothing here: its rule is the server's. */
function matches(name: string, value: (field: string) => unknown): boolean {
  return entriesOf(name).every(([field, wanted]) => value(field) === wanted);
}
