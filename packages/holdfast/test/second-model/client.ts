// The second model's client: the library behind its public entries, in virtual time, over a network in which every request is
// sent, handled and delivered at three moments. A step is a line of text, so that a schedule can be read, kept and cut down.
import { Controller, createResource, dehydrate, Entity, hydrate, inPages, loadMore } from 'holdfast';
import { orderBy, savedState, schema, totalOf } from 'holdfast';
import { Server } from './server.ts';
import type { Fields, Params, Result } from './server.ts';

export class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
}
export class Item extends Entity {
  static override key = 'Item';
  id = '';
  title = '';
  status = '';
  done = false;
  rank = 0;
  owner: User | undefined = undefined;
  static override schema = { owner: User };
}

/** The controller without its types: lines of text name endpoints and arguments. */
interface Loose {
  fetch(endpoint: unknown, ...args: readonly unknown[]): Promise<unknown>;
  watch(endpoint: unknown, ...args: readonly unknown[]): Reader;
  get(schema: unknown, params: object): Fields | undefined;
  set(schema: unknown, value: unknown): Promise<void>;
  setResponse(endpoint: unknown, ...args: readonly unknown[]): Promise<void>;
  getResponse(endpoint: unknown, ...args: readonly unknown[]): Response;
  getError(endpoint: unknown, ...args: readonly unknown[]): Error | undefined;
  expireAll(endpoint: unknown): void;
  invalidate(endpoint: unknown, ...args: readonly unknown[]): void;
  stop(): void;
}
interface Response {
  readonly data: unknown;
  readonly expiresAt: number;
  readonly expiryStatus: number;
}
interface Reader {
  read(): { readonly data: unknown };
  subscribe(onChange: () => void): () => void;
}

const ORIGIN = 'http://second.test';
const urlPrefix = ORIGIN;

function createApi(optimistic: boolean) {
  const order = orderBy('sort');
  const list = () => new schema.Collection([Item], { order });
  const options = { urlPrefix, searchParams: {} as Params, body: {} as Fields, optimistic };
  const users = createResource({ ...options, path: '/users/:id', schema: User });
  const base = createResource({ ...options, path: '/items/:id', schema: Item });
  const items = base.extend({ getList: { schema: list() } });
  const [counted, byNumber, byCursor, byOffset] = [list(), list(), list(), list()] as const;
  const close = { path: '/items/:id/close', method: 'POST', body: undefined, schema: Item } as const;
  const total = totalOf(byNumber);
  const lists: Record<string, unknown> = {
    items: items.getList,
    counted: base.getList.extend({ path: '/counted', schema: { rows: counted, total: totalOf(counted) } }),
    number: base.getList.extend({
      path: '/number',
      schema: { rows: byNumber, total },
      paginationField: 'page',
      pages: inPages({ by: 'number', total: 'total' }),
    }),
    offset: base.getList.extend({
      path: '/offset',
      schema: { rows: byOffset, total: 0 },
      paginationField: 'offset',
      pages: inPages({ by: 'offset', total: 'total' }),
    }),
    cursor: base.getList.extend({
      path: '/cursor',
      schema: { rows: byCursor, total: totalOf(byCursor), next: '' },
      paginationField: 'cursor',
      pages: inPages({ next: 'next' }),
    }),
    hand: base.getList.extend({ path: '/hand', schema: list(), paginationField: 'cursor' }),
  };
  return { items, users, lists, close: base.get.extend(close) };
}
export type Mode = 'plain' | 'optimistic';
const apis = { plain: createApi(false), optimistic: createApi(true) };

/** A request on its way: sent; handled when it has a result; gone when it is delivered. */
export interface Sent {
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly params: Params;
  readonly body: Fields;
  readonly nth: number;
  result?: Result;
  readonly settle: (result: Result) => void;
}

/** What is asked for and read under one address, and what the network has brought for it. */
export interface View {
  readonly url: string;
  readonly family: string;
  readonly id: string;
  readonly params: Params;
  readonly endpoint: unknown;
  readonly args: readonly unknown[];
  reader?: { readonly reader: Reader; told: unknown; readonly stop: () => void };
  /** When pages by hand were first read: their first page says nothing of the others. */
  base?: { readonly nth: number; readonly rev: number };
  /** The last read of all its pages: undefined when a part of it failed, or two reads were under way together. */
  read?:
    | { readonly nth: number; readonly rev: number; readonly ids: readonly string[]; readonly next: string }
    | undefined;
}

const PAGE_PARAMS = ['page', 'offset', 'cursor'];
const nothing = (): void => {};

export class Play {
  readonly server = new Server();
  readonly sent: Sent[] = [];
  readonly log: { readonly at: number; readonly label: string }[] = [];
  readonly views = new Map<string, View>();
  /** The own writes that have not ended, by row; '' for a creation. */
  readonly pending: { readonly id: string; readonly fields: Fields }[] = [];
  /** The revision of the last own write of a row that has ended, in whatever way. */
  readonly floors = new Map<string, number>();
  /** The last change of a row by others that this client was not told of. */
  readonly untold = new Map<
    string,
    { readonly first: number; readonly rev: number; readonly method: string }
  >();
  /** The newest form of a row that was delivered, and when an own write of it ended or a message came. */
  readonly heard = new Map<string, number>();
  readonly touched = new Map<string, number>();
  /** The changes by others that messages told of. */
  readonly late: { readonly rev: number; readonly nth: number }[] = [];
  readonly states = new Map<string, string>();
  readonly #parts: string[] = [];
  readonly #timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  readonly #isShared: boolean;
  readonly api: ReturnType<typeof createApi>;
  readonly controller: Loose;
  readonly options: object;
  now = 1_800_000_000_000;
  count = 0;

  constructor(mode: Mode, isShared: boolean) {
    this.api = apis[mode];
    this.#isShared = isShared;
    let seed = 7;
    this.options = {
      clock: { now: () => this.now },
      timers: {
        set: (run: () => void, ms: number) => {
          this.#timers.set((this.count += 1), { at: this.now + ms, run });
          return this.count;
        },
        clear: (id: number) => this.#timers.delete(id),
      },
      random: () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647,
      timeout: 1e9,
    };
    const source = { at: (nth: number) => this.#parts[nth], ended: new Promise(nothing) };
    const initialState = savedState(source);
    const controller = new Controller({ ...this.options, initialState, fetch: this.#fetch as never }); // cast: enough of it
    controller.start();
    this.controller = controller as unknown as Loose; // cast: see Loose
  }

  #fetch = (input: string, init: RequestInit = {}): Promise<globalThis.Response> =>
    new Promise((resolve, reject) => {
      const { pathname: path, search, searchParams } = new URL(input);
      const method = init.method ?? 'GET';
      const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Fields) : {}; // cast: ours
      const text = `${method} ${path}${decodeURIComponent(search)}`;
      let label = text;
      for (let nth = 2; this.sent.some((one) => one.label === label); nth += 1) label = `${text}~${nth}`;
      const settle = (result: Result): void => {
        this.#drop(one);
        if (result.status === 0) reject(new TypeError('fetch failed'));
        else resolve(toResponse(result));
      };
      const params = Object.fromEntries(searchParams);
      const one: Sent = { label, method, path, params, body, settle, nth: (this.count += 1) };
      const isAlone = !this.sent.some((other) => viewUrl(other) === viewUrl(one));
      if (!isAlone) this.#forgetRead(one);
      this.log.push({ at: this.now, label: text });
      this.sent.push(one);
      init.signal?.addEventListener('abort', () => {
        this.#drop(one);
        this.#forgetRead(one);
        reject(new DOMException('aborted', 'AbortError'));
      });
    });

  #drop(one: Sent): void {
    if (this.sent.includes(one)) this.sent.splice(this.sent.indexOf(one), 1);
  }

  #forgetRead(one: Sent): void {
    const view = this.views.get(viewUrl(one));
    if (view) view.read = undefined;
  }

  view(url: string): View {
    const known = this.views.get(url);
    if (known) return known;
    const { pathname, searchParams } = new URL(url, ORIGIN);
    const [, family = '', id = ''] = pathname.split('/');
    const params = Object.fromEntries(searchParams);
    const resource = family === 'users' ? this.api.users : this.api.items;
    const endpoint = id ? resource.get : this.api.lists[family];
    const view = { url, family, id, params, endpoint, args: [id ? { id } : params] };
    this.views.set(url, view);
    return view;
  }

  /** Plays one step. False when there is nothing that it could be about. */
  async step(line: string): Promise<boolean> {
    const [verb = '', target = '', ...rest] = line.split(' ');
    this.isAtRest = false;
    const isPlayed = await this.#act(verb, target, rest.join(' '));
    await flush();
    return isPlayed;
  }

  async #act(verb: string, target: string, rest: string): Promise<boolean> {
    const { controller, server } = this;
    if (/^[A-Z]/.test(verb)) return this.#write(verb, target, rest ? (JSON.parse(rest) as Fields) : {}); // cast: ours
    const find = (label: string): Sent | undefined => this.sent.find((one) => one.label === label);
    if (verb === 'handle' || verb === 'deliver') {
      const [path = '', end = 'full'] = rest.split(' ');
      const one = find(`${target} ${path}`);
      if (!one || (verb === 'handle' && one.result)) return false;
      this.#handle(one, end);
      if (verb === 'deliver') await this.#deliver(one);
      return true;
    }
    if (verb === 'wait') return this.wait(Number(target));
    if (verb === 'idle') return this.#idle();
    if (verb === 'rest') return this.#rest();
    if (verb === 'foreign') {
      const [path = '', body = '{}'] = rest.split(' ');
      const before = new Map(server.past);
      server.handle(target, path, {}, JSON.parse(body) as Fields, 'full'); // cast: ours
      const id = [...server.past.keys()].find((one) => server.past.get(one) !== before.get(one));
      if (id === undefined) return false;
      const { first = server.rev } = this.untold.get(id) ?? {};
      this.untold.set(id, { first, rev: server.rev, method: target });
      return true;
    }
    if (verb === 'tell') return this.#tell(target, Number(rest || Infinity));
    const view = this.view(target);
    const { endpoint, args, reader, url } = view;
    if (verb === 'mount' && !reader) {
      const made = controller.watch(endpoint, ...args);
      const stop = made.subscribe(() => (mounted.told = made.read().data));
      const mounted = (view.reader = { reader: made, told: made.read().data, stop });
      return true;
    }
    if (verb === 'leave' && reader) {
      reader.stop();
      delete view.reader;
      return true;
    }
    if (verb === 'fetch') controller.fetch(endpoint, ...args).catch(nothing);
    else if (verb === 'expire') controller.expireAll(endpoint);
    else if (verb === 'invalidate') controller.invalidate(endpoint, ...args);
    else if (verb === 'more') return this.#more(view);
    else if (verb === 'render') this.states.set(url, await this.#render(view));
    else if (verb === 'hydrate' && this.states.has(url)) hydrate(controller as never, this.states.get(url));
    else if (verb === 'part' && this.states.has(url)) this.#parts.push(this.states.get(url) ?? '');
    else return false;
    return true;
  }

  #write(method: string, path: string, body: Fields): boolean {
    const { items, users, close } = this.api;
    const [, family, id = '', action] = path.split('/');
    const resource = family === 'users' ? users : items;
    const name = { PATCH: 'partialUpdate', PUT: 'update', DELETE: 'delete' }[method];
    const args = [...(id ? [{ id }] : []), ...(method === 'DELETE' || action ? [] : [body])];
    const endpoint = action ? close : name ? resource[name as 'update'] : items.getList.push;
    const one = { id: id || String(body['id'] ?? ''), fields: action ? { status: 'shut' } : body };
    this.pending.push(one);
    const end = (): void => void this.pending.splice(this.pending.indexOf(one), 1);
    this.controller.fetch(endpoint, ...args).then(end, end);
    return true;
  }

  /** Beside a second client reads are handled in the order of their sends: nobody can know that the later of two is older. */
  #handle(one: Sent, end: string): void {
    const isInOrder = this.#isShared && one.method === 'GET';
    const before = this.sent.filter(({ method, nth }) => isInOrder && method === 'GET' && nth < one.nth);
    for (const each of [...before, one])
      each.result ??= this.server.handle(
        each.method,
        each.path,
        each.params,
        each.body,
        each === one ? end : 'full',
      );
  }

  async #deliver(one: Sent): Promise<void> {
    const { result, method } = one;
    if (!result) return;
    if (method === 'GET') this.#noteRead(one, result);
    one.settle(result);
    await flush();
    if (result.wrote === undefined) return;
    const { wrote, rev } = result;
    this.floors.set(wrote, Math.max(rev, this.floors.get(wrote) ?? 0));
    this.heard.set(wrote, Math.max(rev, this.heard.get(wrote) ?? 0));
    this.touched.set(wrote, (this.count += 1));
  }

  #noteRead(one: Sent, { status, rev, ids, next }: Result): void {
    const view = this.view(viewUrl(one));
    const isFirst = !PAGE_PARAMS.some((name) => name in one.params);
    const isAlone = !this.sent.some((other) => other !== one && viewUrl(other) === view.url);
    if (status !== 200 || !isAlone) view.read = undefined;
    else if (isFirst) view.read = { nth: one.nth, rev, ids, next };
    else if (view.read) view.read = { ...view.read, ids: [...view.read.ids, ...ids], next };
    if (status !== 200) return;
    if (isFirst && view.family === 'hand') view.base ??= { nth: one.nth, rev };
    const owners = ids.flatMap((id) =>
      String(this.server.past.get(id)?.findLast((at) => at.rev <= rev)?.row?.['owner']),
    );
    for (const id of [...ids, ...owners]) {
      const isUnsure = this.pending.some((write) => write.id === id) || (this.touched.get(id) ?? 0) > one.nth;
      const untold = this.untold.get(id);
      if (untold && !isUnsure && /PATCH|PUT/.test(untold.method) && untold.rev <= rev) this.untold.delete(id);
      this.heard.set(id, Math.max(this.heard.get(id) ?? 0, this.#formAt(id, rev)?.rev ?? 0));
    }
  }

  #formAt(id: string, rev: number) {
    return this.server.past.get(id)?.findLast((one) => one.rev <= rev);
  }

  /** A message about a row: as it is now, or as it was, where nothing newer has been delivered. */
  #tell(id: string, at: number): boolean {
    const { server, controller, api } = this;
    const untold = this.untold.get(id);
    if (!untold) return false;
    const then = this.#formAt(id, at);
    const isLate = !then?.row || then.rev < Math.max(untold.first, this.heard.get(id) ?? 0);
    const { rev, row } = (isLate ? this.#formAt(id, Infinity) : then) ?? { rev: 0, row: null };
    const whole = server.whole(id, row);
    const said = !whole
      ? controller.setResponse(api.items.delete, { id }, { id })
      : untold.method !== 'POST'
        ? controller.set(id.startsWith('u') ? User : Item, whole)
        : controller.setResponse(api.items.getList.push, {}, whole);
    said.catch(nothing);
    this.heard.set(id, Math.max(rev, this.heard.get(id) ?? 0));
    this.touched.set(id, (this.count += 1));
    this.late.push({ rev: untold.first, nth: this.count });
    if (rev >= untold.rev) this.untold.delete(id);
    return true;
  }

  #more({ endpoint, args, family, read, params }: View): boolean {
    const { controller } = this;
    if (!read) return false;
    if (family !== 'hand')
      loadMore(controller as never, endpoint as never, ...(args as never[])).catch(nothing);
    else if (read.next) {
      const { getPage } = endpoint as { getPage: unknown }; // cast: made with a paginationField
      controller.fetch(getPage, { ...params, cursor: read.next }).catch(nothing);
    }
    return true;
  }

  /** The state of another controller that reads the same now. */
  async #render({ endpoint, args }: View): Promise<string> {
    const fetch = async (input: string): Promise<globalThis.Response> => {
      const { pathname, searchParams } = new URL(input);
      return toResponse(this.server.handle('GET', pathname, Object.fromEntries(searchParams), {}, 'full'));
    };
    const other = new Controller({ ...this.options, fetch });
    await (other as unknown as Loose).fetch(endpoint, ...args).catch(nothing); // cast: see Loose
    return JSON.stringify(dehydrate(other));
  }

  // ── time ─────────────────────────────────────────────────────────────────────────────────────────

  async wait(ms: number): Promise<boolean> {
    const end = this.now + ms;
    for (;;) {
      const [due] = [...this.#timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
      if (!due) break;
      this.#timers.delete(due[0]);
      this.now = Math.max(this.now, due[1].at);
      due[1].run();
      await flush();
    }
    this.now = end;
    return true;
  }

  /** Nobody acts for three seconds: reads are answered, writes are not. */
  async #idle(): Promise<boolean> {
    const from = this.now;
    for (let round = 0; round < 60; round += 1) {
      for (const one of this.sent.filter(({ method }) => method === 'GET')) {
        this.#handle(one, 'full');
        await this.#deliver(one);
      }
      await this.wait(50);
    }
    this.idleFrom = from;
    return true;
  }
  idleFrom = Infinity;

  /** Everything that is under way ends, and readers have the time to ask again. */
  async #rest(): Promise<boolean> {
    for (let round = 0; round < 16; round += 1) {
      for (const one of [...this.sent]) {
        this.#handle(one, 'full');
        await this.#deliver(one);
      }
      await this.wait(250);
    }
    this.isAtRest = true;
    return true;
  }
  isAtRest = false;
}

export async function flush(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** The address of the list or the row that a read is about, without what asks for a page. */
function viewUrl({ method, path, params }: Sent): string {
  const named = Object.entries(params).filter(([name]) => !PAGE_PARAMS.includes(name));
  return `${method === 'GET' ? '' : method}${path}${named.length ? `?${new URLSearchParams(named)}` : ''}`;
}

function toResponse({ status, body }: Result): globalThis.Response {
  const headers = { 'content-type': 'application/json' };
  return new Response(status === 204 ? null : JSON.stringify(body), { status, headers });
}
