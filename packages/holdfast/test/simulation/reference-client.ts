// The smallest client that keeps every invariant: it proves that they can be kept and that the simulator judges fairly. `defect`
// breaks one rule on purpose, to prove that the simulator finds it.
import type { Defect } from './reference-defects.ts';
import { isBrief } from './model-server.ts';
import type { Filter } from './model-server.ts';
import { LISTS } from './reads.ts';
import { listName, ReferenceStore } from './reference-store.ts';
import type { Layer } from './reference-store.ts';
import type {
  Call,
  CreateSubject,
  Fields,
  PlainRead,
  Subject,
  SubjectEnvironment,
  ViewRow,
  Watch,
  Watched,
  RowWrite,
} from './subject.ts';

const TIMEOUT_MS = 30_000;
const PAUSE_MS = 400;

interface Reply {
  status: number;
  value: unknown;
}

export const createReference =
  (defect?: Defect): CreateSubject =>
  (environment) =>
    new ReferenceClient(environment, defect);

class ReferenceClient implements Subject {
  #environment: SubjectEnvironment;
  #defect: Defect | undefined;
  #store: ReferenceStore;
  #stamp = 0;
  #epoch = 0;
  #underWay = new Map<string, { send: number; promise: Promise<unknown> }>();
  #freshSince = 0;
  #allStaleSince = 0;
  /** Sending of the last write that ended unknown: responses to earlier writes no longer tell the whole state of the row. */
  #unknownSend = 0;
  #staleSince = new Map<string, number>();
  #answered = new Map<string, number>();
  #aborts = new Set<(reason: Error) => void>();
  #aliases = new Map<string, string>();
  #creating = new Map<string, Promise<string>>();
  #dropped = new Set<Layer>();
  /** The last call of each row: the next one waits for it. */
  #lanes = new Map<string, Promise<unknown>>();
  readonly #own = new OwnFields();
  #watches = new Set<{ call: PlainRead; onChange: () => void; seen: unknown }>();

  constructor(environment: SubjectEnvironment, defect: Defect | undefined) {
    this.#environment = environment;
    this.#defect = defect;
    this.#store = new ReferenceStore(defect);
  }

  #has(defect: Defect): boolean {
    return this.#defect === defect;
  }

  #tick(): number {
    if (this.#has('order by the wall clock')) return this.#environment.clock.now();
    return ++this.#stamp;
  }

  fetch(call: Call): Promise<unknown> {
    if (call.kind !== 'get' && call.kind !== 'list' && call.kind !== 'user')
      return this.#mutate(call as RowWrite); // cast: it has no other shapes
    const key = keyOf(call);
    const joined = this.#underWay.get(key);
    const since = Math.max(this.#freshSince, this.#staleSince.get(key) ?? 0);
    if (joined && (joined.send > since || this.#has('a fetch joins any request in flight')))
      return joined.promise;
    const send = this.#tick();
    const epoch = this.#epoch;
    const promise = this.#request('GET', pathOf(call)).then(({ status, value }) => {
      if (epoch !== this.#epoch && !this.#has('no epochs')) throw new Error('reset');
      if (status === 404 && call.kind === 'get' && !this.#has('a 404 is only an error'))
        this.#store.remove(call.id, this.#tick());
      else if (status < 400 && value !== null) this.#applyRead(call, key, value, send);
      this.#refresh();
      if (status >= 400) throw new Error(`status ${status}`);
      return call.kind === 'get' && value !== null ? this.readRow(call.id) : value;
    });
    const entry = { send, promise };
    this.#underWay.set(key, entry);
    const forget = (): void => {
      if (this.#underWay.get(key) === entry) this.#underWay.delete(key);
    };
    promise.then(forget, forget);
    return promise;
  }

  #applyRead(call: PlainRead, key: string, value: unknown, send: number): void {
    this.#answered.set(key, Math.max(send, this.#answered.get(key) ?? 0));
    if (this.#has('an older response ends an invalidation')) this.#staleSince.delete(key);
    const objects = Array.isArray(value) ? value : [value];
    for (const object of objects)
      this.#own.read(object as Record<string, unknown>, call.kind === 'user', send); // cast: own server
    for (const object of objects)
      this.#store.write(object as Record<string, unknown>, call.kind === 'user', send, undefined); // cast: own server
    if (call.kind !== 'list') return;
    const ids = objects.map((object: { id: string }) => object.id);
    this.#store.applyList(listName(call.filter), send, ids);
  }

  async #mutate(call: RowWrite): Promise<unknown> {
    const id =
      'id' in call
        ? (this.#aliases.get(call.id) ?? call.id)
        : `local:${this.#tick()}-${this.#store.layers.length}`;
    const isDraft = this.#creating.has(id);
    const layer: Layer = { call, id };
    const epoch = this.#epoch;
    if (call.kind === 'remove' && isDraft) {
      for (const other of this.#store.layers)
        if (other.id === layer.id && other.call.kind !== 'create') this.#drop(other);
    }
    if (this.#environment.isOptimistic) this.#store.layers.push(layer);
    let send = 0;
    const laneOf = (): string => `${call.kind === 'rename' ? 'user' : 'item'} ${layer.id}`;
    const ahead = this.#lanes.get(laneOf());
    const run = async (): Promise<unknown> => {
      if (isDraft && !this.#has('edits of a draft are sent with its local id')) {
        const local = ahead?.catch(() => {});
        layer.id = await this.#creating.get(layer.id)!;
        if (this.#dropped.has(layer)) return undefined;
        const named = this.#lanes.get(laneOf());
        this.#lanes.set(laneOf(), Promise.allSettled([named, promise]));
        await Promise.allSettled([local, named]);
      } else if (ahead && !this.#has('calls of one row leave together')) await ahead.catch(() => {});
      if (epoch !== this.#epoch) throw new Error('reset');
      send = this.#tick();
      const path =
        call.kind === 'create'
          ? '/items'
          : call.kind === 'rename'
            ? `/users/${layer.id}`
            : `/items/${layer.id}${call.kind === 'vote' ? '/vote' : ''}`;
      const body = 'body' in call ? call.body : undefined;
      const { status, value } = await this.#repeat(METHODS[call.kind], () =>
        this.#request(METHODS[call.kind], path, body),
      );
      if (epoch !== this.#epoch && !this.#has('no epochs')) throw new Error('reset');
      if (status === 404 && call.kind === 'remove') {
        this.#freshSince = this.#allStaleSince = this.#tick();
        this.#store.remove(layer.id, this.#freshSince);
      }
      // "not found" means that the shown row is wrong: read it again, as after a lost response
      if (status === 404) throw new Error('status 404');
      // an error of the server leaves it unknown, too
      if (status === 500) throw new Error('status 500');
      if (status >= 400) throw new Refused(`status ${status}`);
      this.#applyWrite(layer, value, send);
      if (call.kind === 'create') this.#creating.delete(id);
      return value;
    };
    const promise: Promise<unknown> = run();
    this.#own.begin(layer);
    const over = (): void => this.#own.end(layer);
    promise.then(over, over);
    if (call.kind !== 'create') this.#lanes.set(laneOf(), promise);
    if (call.kind === 'create') {
      const created = promise.then((value) => (value as { id: string }).id); // cast: own server
      created.catch(() => {});
      this.#creating.set(id, created);
    }
    const settled = promise.then(
      (value) => {
        this.#refresh();
        return call.kind === 'rename' || call.kind === 'remove' || value === null
          ? value
          : this.readRow(layer.id);
      },
      (error: unknown) => {
        if (this.#has('a failure removes every layer')) this.#store.layers = [];
        this.#store.layers = this.#store.layers.filter((other) => other !== layer);
        if (
          send > 0 &&
          !(error instanceof Refused) &&
          epoch === this.#epoch &&
          !this.#has('unknown ends stay fresh')
        ) {
          this.#freshSince = this.#tick();
          this.#allStaleSince = this.#freshSince;
          this.#unknownSend = Math.max(send, this.#unknownSend);
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
    this.#store.layers = this.#store.layers.filter((other) => other !== layer);
  }

  #applyWrite(layer: Layer, value: unknown, send: number): void {
    const { call } = layer;
    const at = this.#tick();
    this.#freshSince = at;
    if (send < this.#unknownSend) this.#allStaleSince = at;
    if (!this.#has('a draft stays beside its row') || call.kind !== 'create') {
      this.#store.layers = this.#has('a response removes every layer')
        ? []
        : this.#store.layers.filter((other) => other !== layer);
    }
    // the membership in a search cannot be decided here
    this.#staleSince.set('{"q":"1"}', at);
    if (call.kind === 'remove') return this.#store.remove(layer.id, at);
    const isUser = call.kind === 'rename';
    if (value === null) {
      const isKnown = this.#store.knows(layer.id, isUser) || call.kind === 'put';
      // the sent values are kept, and the row is read again
      if (isKnown || !this.#has('a write of a row that was never read leaves no mark'))
        this.#allStaleSince = at;
      if (!isKnown || !('body' in call) || this.#has('an empty response rolls the intent back')) return;
      this.#own.acknowledge(layer, at, this.#environment.clock.now());
      this.#store.write({ id: layer.id, ...call.body }, isUser, send, at);
      return;
    }
    let object = value as Record<string, unknown>; // cast: own server
    // the former lists of a row that was never read are unknown
    if (call.kind !== 'create' && !this.#store.knows(layer.id, isUser)) this.#allStaleSince = at;
    if (call.kind === 'create' && isBrief(call.body)) {
      // the sent values are kept, and the row is read again
      object = { ...call.body, ...object };
      if (!this.#has('an id alone counts as the whole row')) this.#allStaleSince = at;
    }
    this.#store.write(
      object,
      call.kind === 'rename',
      send,
      at,
      call.kind === 'create' ? call.body : undefined,
    );
    this.#own.acknowledge(
      { call, id: call.kind === 'create' ? String(object['id']) : layer.id },
      at,
      this.#environment.clock.now(),
    );
    if (call.kind === 'create') {
      this.#aliases.set(layer.id, String(object['id']));
      for (const other of this.#store.layers)
        if (other.id === layer.id && other !== layer) other.id = String(object['id']);
    }
  }

  /** Repeats the call once, after a pause, where that is harmless and the failure may be temporary. */
  async #repeat(method: string, request: () => Promise<Reply>): Promise<Reply> {
    const { hasRetries, timers } = this.#environment;
    if (!hasRetries || (method !== 'PUT' && method !== 'DELETE')) return request();
    const epoch = this.#epoch;
    let first: Reply | undefined;
    let isLost = false;
    try {
      first = await request();
    } catch (error) {
      isLost =
        error instanceof TypeError || error instanceof DOMException || String(error).includes('timeout');
      if (!isLost || epoch !== this.#epoch) throw error;
    }
    if (first && first.status !== 429 && first.status !== 500) return first;
    await new Promise<void>((resolve, reject) => {
      const timer = timers.set(() => {
        this.#aborts.delete(stop);
        resolve();
      }, PAUSE_MS);
      const stop = (reason: Error): void => {
        timers.clear(timer);
        reject(reason);
      };
      this.#aborts.add(stop);
    });
    const second = await request();
    // refused though the first try may have arrived: its effect is unknown
    if (isLost && second.status >= 400 && second.status !== 404) throw new Error(`status ${second.status}`);
    return second;
  }

  async #request(method: string, path: string, body?: Fields): Promise<Reply> {
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
      if (response.ok && text.includes('"error":')) {
        // a response without a key is about the row of the call
        if (method === 'PATCH' || method === 'PUT') return { status: response.status, value: null };
        throw new Error('wrong shape');
      }
      return { status: response.status, value };
    } finally {
      timers.clear(timer);
    }
  }

  set(id: string, fields: Fields): void {
    const at = this.#tick();
    this.#freshSince = at;
    this.#hear({ id, ...fields }, at);
  }

  push(_id: string, row: unknown): void {
    const at = this.#tick();
    this.#freshSince = at;
    this.#hear(row as Record<string, unknown>, at); // cast: own server
  }

  /** A message does not change fields that this client has sent and not read since. */
  #hear(row: Record<string, unknown>, at: number): void {
    const owner = row['owner'] as Record<string, unknown> | undefined; // cast: own server
    const now = this.#environment.clock.now();
    const heard = this.#own.without('items', row, now);
    const heardOwner = owner && typeof owner === 'object' ? this.#own.without('users', owner, now) : owner;
    const isLess = Object.keys(heard).length < Object.keys(row).length || heardOwner !== owner;
    if (isLess && !this.#has('unknown ends stay fresh')) this.#allStaleSince = at;
    this.#store.write(owner === undefined ? heard : { ...heard, owner: heardOwner }, false, at, at);
    this.#refresh();
  }

  invalidate(call: PlainRead): void {
    this.#staleSince.set(keyOf(call), this.#tick());
    this.#refresh();
  }

  invalidateLists(): void {
    const at = this.#tick();
    for (const filter of LISTS) this.#staleSince.set(listName(filter), at);
  }

  expireLists(): void {
    this.invalidateLists();
  }

  reset(): void {
    this.#epoch++;
    this.#store.clear();
    this.#own.clear();
    this.#lanes.clear();
    for (const book of [this.#underWay, this.#staleSince, this.#answered, this.#creating, this.#aliases])
      book.clear();
    this.#freshSince = this.#tick();
    if (!this.#has('reset leaves promises waiting') && !this.#has('no epochs'))
      for (const stop of this.#aborts) stop(new Error('reset'));
    this.#aborts.clear();
    this.#refresh();
  }

  readRow(id: string): ViewRow | undefined {
    return this.#store.shownRows.get(this.#aliases.get(id) ?? id);
  }

  readList(filter: Filter): readonly ViewRow[] | undefined {
    const list = this.#store.shownLists.get(listName(filter));
    return list && this.#has('lists hold new arrays') ? [...list] : list;
  }

  readUserName(id: string): string | undefined {
    return this.#store.userNames.get(id);
  }

  isFresh(call: PlainRead): boolean {
    const staleSince = Math.max(this.#allStaleSince, this.#staleSince.get(keyOf(call)) ?? 0);
    // one page says nothing about the others
    const isOfPages =
      call.kind === 'list' && 'feed' in call.filter && !this.#has('one fresh page makes all pages fresh');
    const pages = [...this.#answered.keys()].filter((key) => isOfPages && key.includes('"feed"'));
    return [keyOf(call), ...pages].every((key) => (this.#answered.get(key) ?? 0) > staleSince);
  }

  countPending(id: string): number | undefined {
    if (!this.#environment.isOptimistic) return undefined;
    return this.#store.layers.filter((layer) => layer.id === id && layer.call.kind !== 'rename').length;
  }

  watch(call: PlainRead, onChange: () => void): Watch {
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

  #value(call: PlainRead): unknown {
    if (call.kind === 'list') return this.#store.shownLists.get(listName(call.filter));
    return call.kind === 'user' ? this.#store.userNames.get(call.id) : this.#store.shownRows.get(call.id);
  }

  /** Computes the screen again, keeps unchanged values, and notifies the watchers of changes. */
  #refresh(): void {
    this.#store.refresh();
    for (const watch of this.#watches) {
      const value = this.#value(watch.call);
      if (value === watch.seen && !this.#has('watchers are notified of every change')) continue;
      if (value === undefined && this.#has('watchers miss removals')) continue;
      watch.seen = value;
      watch.onChange();
    }
  }
}

class Refused extends Error {}

/** How long an acknowledged write is protected from messages that may be older. */
const OWN_MS = 10_000;

/** The fields that mutations of this client have sent: in flight, or acknowledged lately and not read since. */
class OwnFields {
  readonly #underWay = new Set<Layer>();
  readonly #acknowledged = new Map<string, Map<string, { at: number; ms: number }>>();

  begin(layer: Layer): void {
    this.#underWay.add(layer);
  }

  end(layer: Layer): void {
    this.#underWay.delete(layer);
  }

  acknowledge({ call, id }: Layer, at: number, ms: number): void {
    const key = `${call.kind === 'rename' ? 'users' : 'items'} ${id}`;
    const names = this.#acknowledged.get(key) ?? new Map<string, { at: number; ms: number }>();
    for (const name of Object.keys('body' in call ? call.body : {})) names.set(name, { at, ms });
    this.#acknowledged.set(key, names);
  }

  read(row: Record<string, unknown>, isUser: boolean, send: number): void {
    const names = this.#acknowledged.get(`${isUser ? 'users' : 'items'} ${String(row['id'])}`);
    for (const name of Object.keys(row)) if ((names?.get(name)?.at ?? Infinity) < send) names?.delete(name);
    const { owner } = row;
    if (typeof owner === 'object' && owner !== null) this.read(owner as Record<string, unknown>, true, send); // cast: own server
  }

  without(table: 'items' | 'users', row: Record<string, unknown>, now: number): Record<string, unknown> {
    const id = String(row['id']);
    const flying = [...this.#underWay]
      .filter((layer) => layer.id === id && (layer.call.kind === 'rename') === (table === 'users'))
      .flatMap(({ call }) => Object.keys('body' in call ? call.body : {}));
    const isOwn = (name: string): boolean => {
      const own = this.#acknowledged.get(`${table} ${id}`)?.get(name);
      return flying.includes(name) || (own !== undefined && own.ms <= now && now - own.ms <= OWN_MS);
    };
    return Object.fromEntries(Object.entries(row).filter(([name]) => name === 'id' || !isOwn(name)));
  }

  clear(): void {
    this.#underWay.clear();
    this.#acknowledged.clear();
  }
}

const METHODS = {
  create: 'POST',
  patch: 'PATCH',
  put: 'PUT',
  remove: 'DELETE',
  rename: 'PATCH',
  vote: 'POST',
};

const keyOf = (call: PlainRead): string =>
  call.kind === 'list' ? listName(call.filter) : `${call.kind} ${call.id}`;

function pathOf(call: PlainRead): string {
  if (call.kind === 'list') return `/items?${new URLSearchParams(call.filter).toString()}`;
  return `/${call.kind === 'get' ? 'items' : 'users'}/${call.id}`;
}
