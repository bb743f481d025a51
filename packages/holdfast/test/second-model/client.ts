// The client of the second model: the library behind its public entries, in virtual time, over a network in which every request
// is sent, handled and delivered at three moments. A step is a line of text, so that schedules can be read and shortened.
import * as library from 'holdfast';
import { createServer, isBare } from './server.ts';
import type { Asked, Brought, Fields, Params, Result } from './server.ts';
const { Controller, createResource, dehydrate, Entity, hydrate, inPages, loadMore } = library;
const { orderBy, savedState, schema, totalOf } = library;
export class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
}
export class Item extends Entity {
  static override key = 'Item';
  static override schema = { owner: User };
  id = '';
  title = '';
  status = '';
  done = false;
  rank = 0;
  owner: User | undefined = undefined;
}
const urlPrefix = 'http://second.test';
const FAMILIES = {
  items: {},
  counted: {},
  number: { paginationField: 'page', pages: inPages({ by: 'number', total: 'total' }) },
  offset: { paginationField: 'offset', pages: inPages({ by: 'offset', total: 'total' }) },
  cursor: { paginationField: 'cursor', pages: inPages({ next: 'next' }) },
  hand: { paginationField: 'cursor' },
};
function createApi(optimistic: boolean) {
  const options = { urlPrefix, searchParams: {} as Params, body: {} as Fields, optimistic };
  const users = createResource({ ...options, path: '/users/:id', schema: User });
  const items = createResource({ ...options, path: '/items/:id', schema: Item });
  const close = items.get.extend({ path: '/items/:id/close', method: 'POST', body: undefined, schema: Item });
  const lists = Object.entries(FAMILIES).map(([family, pages]): [string, unknown] => {
    const rows = new schema.Collection([Item], { order: orderBy('sort') });
    const form = isBare(family) ? rows : { rows, total: totalOf(rows), next: '' };
    return [family, items.getList.extend({ path: `/${family}`, schema: form, ...pages })];
  });
  return { items, users, close, lists: new Map(lists) };
}
export type Mode = 'plain' | 'optimistic';
const apis = { plain: createApi(false), optimistic: createApi(true) };
type Moment = Readonly<{ nth: number; rev: number }>;
/** The endpoint and the arguments of one address, with the responses that the network has delivered for it. */
export interface View {
  readonly at: Readonly<{ url: string; family: string; id: string; params: Params }>;
  readonly ask: readonly unknown[];
  reader?: { readonly stop: () => void; told: unknown };
  /** When pages by hand were first read: reading their first page again says nothing about the others. */
  base?: Moment;
  /** The last read of all pages; undefined when a page of it failed, or two reads were in flight together. */
  read?: (Moment & Brought) | undefined;
}
/** A request: sent; handled when it has a result; removed when it is delivered. Alone: no other read of its view is in flight. */
interface Sent extends Asked {
  readonly label: string;
  readonly nth: number;
  readonly view: View | null;
  readonly settle: (result: Result) => void;
  isAlone: boolean;
  result?: Result;
}
/** Endpoints and arguments come from lines of text, so the methods accept anything. */
type Loose<T> = {
  [K in keyof T]: T[K] extends (...args: never) => infer R ? (...args: readonly unknown[]) => R : T[K];
};
const PAGE_PARAMS = ['page', 'offset', 'cursor'];
const nothing = (): void => {};
const flush = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));
const parse = (text: string | undefined): Fields => JSON.parse(text || '{}') as Fields; // cast: ours
const toResponse = ({ status, body }: Result): Response =>
  status === 204 ? new Response(null, { status }) : Response.json(body, { status });
function split(url: string): Pick<Asked, 'path' | 'params'> {
  const { pathname, searchParams } = new URL(url, urlPrefix);
  return { path: pathname, params: Object.fromEntries(searchParams) };
}
function urlOf({ path, params }: Asked, without: readonly string[] = []): string {
  const named = Object.entries(params).filter(([name]) => !without.includes(name));
  return named.length > 0 ? `${path}?${new URLSearchParams(named)}` : path;
}
export type Play = ReturnType<typeof createPlay>;
export function createPlay(mode: Mode) {
  const { items, users, close, lists } = apis[mode];
  const server = createServer();
  const sent = new Set<Sent>();
  const log: Readonly<{ at: number; label: string }>[] = [];
  const views = new Map<string, View>();
  const pending = new Set<Readonly<{ id: string; fields: Fields }>>();
  /** By row: the revision of this client's last write that has ended, in any way; and when it ended or a message arrived. */
  const floors = new Map<string, number>();
  const touched = new Map<string, number>();
  /** By row: changes by others of which this client got no message. */
  const untold = new Map<string, string>();
  const states = new Map<string, string>();
  const parts: string[] = [];
  const timers = new Map<number, Readonly<{ at: number; run: () => void }>>();
  const is = { now: 1_800_000_000_000, atRest: false, idleFrom: Infinity, toldAt: 0 };
  let count = 0;
  const find = (label: string): Sent | undefined => [...sent].find((one) => one.label === label);
  const viewOf = (url: string): View => {
    const { path, params } = split(url);
    const [, family = '', id = ''] = path.split('/');
    const ask = id ? [(family === 'users' ? users : items).get, { id }] : [lists.get(family), params];
    const view = views.get(url) ?? { at: { url, family, id, params }, ask };
    views.set(url, view);
    return view;
  };
  const fetch = (input: string, { method = 'GET', body, signal }: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const asked = { method, body: parse(body as string), ...split(input) }; // cast: the library sends JSON
      const text = `${method} ${urlOf(asked)}`;
      let label = text;
      for (let nth = 2; find(label); nth += 1) label = `${text}~${nth}`;
      const settle = (result: Result): void =>
        result.status ? resolve(toResponse(result)) : reject(new TypeError('fetch failed'));
      const view = method === 'GET' ? viewOf(urlOf(asked, PAGE_PARAMS)) : null;
      const one: Sent = { ...asked, label, settle, view, isAlone: true, nth: (count += 1) };
      for (const other of view ? sent : []) if (other.view === view) other.isAlone = one.isAlone = false;
      log.push({ at: is.now, label: text });
      sent.add(one);
      signal?.addEventListener('abort', () => {
        if (sent.delete(one) && view) view.read = undefined;
        reject(new DOMException('aborted', 'AbortError'));
      });
    });
  const set = (run: () => void, ms: number): number =>
    timers.set((count += 1), { at: is.now + ms, run }) && count;
  const clear = (id: unknown): unknown => timers.delete(id as number); // cast: of `set`
  const options = { clock: { now: () => is.now }, timers: { set, clear }, random: () => 0.5, timeoutMs: 1e9 };
  const initialState = savedState({ at: (nth) => parts[nth], ended: new Promise(nothing) });
  const started = new Controller({ ...options, initialState, fetch });
  started.start();
  const controller = started as unknown as Loose<library.Controller>; // cast: see Loose
  const write = (method: string, path: string, body: Fields): void => {
    const [, family, id, action] = path.split('/');
    const { partialUpdate: PATCH, update: PUT, delete: DELETE } = family === 'users' ? users : items;
    const members: Fields = { PATCH, PUT, DELETE, POST: action ? close : items.getList.push };
    const one = { id: id ?? String(body['id']), fields: action ? { status: 'shut' } : body };
    const end = (): boolean => pending.delete(one);
    const args = [...(id ? [{ id }] : []), ...(method === 'DELETE' || action ? [] : [body])];
    pending.add(one);
    controller.fetch(members[method], ...args).then(end, end);
  };
  const noteRead = ({ nth, params, isAlone }: Sent, view: View, { status, rev, ids, next }: Result): void => {
    const isFirst = !PAGE_PARAMS.some((name) => name in params);
    const before = isFirst ? { nth, rev, ids: [] } : view.read;
    const isKnown = status === 200 && isAlone && before;
    view.read = isKnown ? { ...before, ids: [...before.ids, ...ids], next } : undefined;
    if (status === 200 && isFirst && view.at.family === 'hand') view.base ??= { nth, rev };
  };
  const deliver = async (one: Sent, end?: string): Promise<void> => {
    const result = (one.result ??= server.handle(one, end));
    if (!sent.delete(one)) return;
    if (one.view) noteRead(one, one.view, result);
    one.settle(result);
    await flush();
    const { wrote, rev } = result;
    if (wrote === undefined) return;
    floors.set(wrote, Math.max(rev, floors.get(wrote) ?? 0));
    touched.set(wrote, (count += 1));
  };
  /** A message contains the present row, after a second client has changed it; or, for `all`, the whole list of items. */
  const tell = (id: string): void => {
    const row = server.whole(id);
    const ids = id === 'all' ? server.list({}) : [id];
    if (id === 'all') void controller.setResponse(lists.get('items'), {}, ids.map(server.whole));
    else if (!row) void controller.setResponse(items.delete, { id }, { id });
    else if (untold.get(id) === 'POST') void controller.setResponse(items.getList.push, {}, row);
    else void controller.set(id.startsWith('u') ? User : Item, row);
    for (const one of ids) if (untold.delete(one) || row === null) touched.set(one, (is.toldAt = count += 1));
  };
  const mount = (view: View): void => {
    const observer = controller.watch(...view.ask);
    const look = (): unknown => observer.read().data;
    const reader = (view.reader = { told: look(), stop: observer.subscribe(() => (reader.told = look())) });
  };
  const more = ({ at: { family, params }, ask, read }: View): boolean => {
    if (!read?.next) return false;
    const { getPage } = ask[0] as { getPage: unknown }; // cast: made with a paginationField
    const given = [controller, ...ask] as unknown as Parameters<typeof loadMore>; // cast: see Loose
    if (family !== 'hand') loadMore(...given).catch(nothing);
    else controller.fetch(getPage, { ...params, cursor: read.next }).catch(nothing);
    return true;
  };
  /** The state of another controller that reads the same at this time. */
  const render = async ({ ask }: View): Promise<string> => {
    const answer = (input: string): Result => server.handle({ method: 'GET', body: {}, ...split(input) });
    const other = new Controller({ ...options, fetch: async (input) => toResponse(answer(input)) });
    await (other as unknown as Loose<library.Controller>).fetch(...ask).catch(nothing); // cast: see Loose
    return JSON.stringify(dehydrate(other));
  };
  /** Lets time pass, while the chosen requests get their responses. */
  const pass = async (rounds: number, ms: number, isAnswered: (one: Sent) => boolean): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      for (const one of [...sent].filter(isAnswered)) await deliver(one);
      const end = is.now + ms;
      for (;;) {
        const [due] = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
        if (!due) break;
        timers.delete(due[0]);
        is.now = Math.max(is.now, due[1].at);
        due[1].run();
        await flush();
      }
      is.now = end;
    }
  };
  /** Lets three seconds pass, and again while the library has sent something: it puts off a read that comes too soon after others. */
  const rest = async (most = 9, before = log.length): Promise<void> => {
    await pass(6, 500, () => true);
    if (most > 0 && log.length > before) await rest(most - 1);
  };
  const act = async (verb: string, target = '', path = '', last?: string): Promise<unknown> => {
    const state = states.get(target);
    if (verb === 'rest') return rest();
    if (verb === 'idle') return pass(30, 100, ({ view }) => view !== null);
    if (verb === 'tell') return (target === 'all' || untold.has(target)) && tell(target);
    if (/[A-Z]/.test(verb)) return write(verb, target, parse(path));
    if (verb === 'foreign') {
      const { wrote } = server.handle({ method: target, ...split(path), body: parse(last) });
      return wrote !== undefined && untold.set(wrote, target);
    }
    if (verb === 'hydrate') return state !== undefined && hydrate(started, state);
    if (verb === 'part') return state !== undefined && parts.push(state);
    const one = find(`${target} ${path}`);
    if (verb === 'handle') return !!one && !one.result && (one.result = server.handle(one, last));
    if (verb === 'deliver') return !!one && deliver(one, last);
    const view = viewOf(target);
    if (verb === 'mount') return !view.reader && mount(view);
    if (verb === 'leave') view.reader?.stop();
    if (verb === 'leave') return !!view.reader && delete view.reader;
    if (verb === 'fetch') return void controller.fetch(...view.ask).catch(nothing);
    if (verb === 'invalidate') return controller.invalidate(...view.ask);
    if (verb === 'render') return states.set(target, await render(view));
    return verb === 'more' && more(view);
  };
  /** Plays one step. Returns false when the step has nothing to act on. */
  const step = async (line: string): Promise<boolean> => {
    const [verb = '', ...words] = line.split(' ');
    Object.assign(is, { atRest: verb === 'rest', idleFrom: verb === 'idle' ? is.now : Infinity });
    const isPlayed = (await act(verb, ...words)) !== false;
    await flush();
    return isPlayed;
  };
  return { server, controller, sent, log, views, pending, floors, touched, untold, states, is, step };
}
