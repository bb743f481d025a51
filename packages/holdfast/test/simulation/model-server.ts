// The server: a plain Map per resource. Ids are never reused, a list is in insertion order, every handler is atomic. The server
// filters lists by the fields that patches change, so that rows move between lists.

import { JobServer } from './jobs-server.ts';
import { NoteServer } from './notes-server.ts';

export interface ServerItem {
  id: string;
  /** Every row contains its type, because some lists contain several. */
  kind: 'item';
  title: string;
  status: string;
  group: string;
  /** Only in responses with a single item: a list contains summaries. */
  body: string;
  owner: string;
  /** Incremented by its own request: the optimistic value of two pending votes depends on both. */
  votes: number;
}

export interface ServerUser {
  id: string;
  kind: 'user';
  name: string;
}

export type Filter = Readonly<Record<string, string>>;

export interface ServerReply {
  status: number;
  /** undefined: no body at all. */
  value?: unknown;
}

export interface ServerRequest {
  method: string;
  path: string;
  query: Filter;
  body: unknown;
}

/** The properties of a list key that filter by a field of the same name. */
const FILTER_FIELDS: ReadonlySet<string> = new Set(['status', 'group']);

/** The membership rule of the server; `q` searches text that is in no field. */
export function serverMatches(item: ServerItem, filter: Filter): boolean {
  for (const [name, wanted] of Object.entries(filter)) {
    if (name.startsWith('order')) continue;
    if (name === 'q') {
      if (!item.title.includes(wanted)) return false;
    } else if (FILTER_FIELDS.has(name) && item[name as 'status' | 'group'] !== wanted) return false;
  }
  return true;
}

const PAGE_SIZE = 2;

/** The response to a creation with such a title is the id alone. */
export const BRIEF = 'brief';
export const isBrief = ({ title }: { title?: string }): boolean => title?.startsWith(BRIEF) === true;

export class ModelServer {
  readonly items = new Map<string, ServerItem>();
  readonly users = new Map<string, ServerUser>();
  readonly notes = new NoteServer();
  readonly jobs = new JobServer();
  #lastId = 0;

  constructor(itemCount: number) {
    this.users.set('u1', { id: 'u1', kind: 'user', name: 'Ann' });
    this.users.set('u2', { id: 'u2', kind: 'user', name: 'Bob' });
    for (let index = 0; index < itemCount; index++) {
      this.create({
        kind: 'item',
        title: `seed ${index}`,
        status: index % 2 ? 'done' : 'open',
        group: index % 3 ? 'a' : 'b',
        body: `text ${index}`,
        owner: index % 2 ? 'u1' : 'u2',
        votes: 0,
      });
    }
  }

  create(fields: Omit<ServerItem, 'id'>): ServerItem {
    const item = { ...fields, id: String(++this.#lastId) };
    this.items.set(item.id, item);
    return item;
  }

  list(filter: Filter): ServerItem[] {
    const found = [...this.items.values()].filter((item) => serverMatches(item, filter));
    if ('feed' in filter) {
      const start = Number(filter['cursor'] ?? 0);
      return found.slice(start, start + PAGE_SIZE);
    }
    if (filter['orderBy'] === 'title') found.sort((one, two) => (one.title < two.title ? -1 : 1));
    return found;
  }

  /** Handles one request atomically. */
  answer(request: ServerRequest): ServerReply {
    const [, resource, id, verb] = request.path.split('/');
    if (resource === 'items' && id === undefined) {
      if (request.method === 'GET') {
        const rows = this.list(request.query).map((item) => this.#summary(item));
        return {
          status: 200,
          value: 'orderBox' in request.query ? { data: rows, total: rows.length } : rows,
        };
      }
      if (Array.isArray(request.body)) return this.#answerMany(request.method, request.body);
      return this.#answerCreation(request.body);
    }
    if (verb === 'vote') return this.#answerVote(id!);
    if (verb === 'close')
      return this.#answerItem({ ...request, method: 'PATCH', body: { status: 'done' } }, id!);
    if (resource === 'items') return this.#answerItem(request, id!);
    if (resource === 'users') return this.#answerUser(request, id!);
    if (resource === 'boards') return { status: 200, value: this.#board(id!) };
    if (resource === 'things') return this.#answerThing(request, id);
    if (resource === 'notes') return this.notes.answer(request, id);
    return this.jobs.answer(request);
  }

  #answerCreation(body: unknown): ServerReply {
    const item = this.create(readBody(body, DEFAULT_ITEM));
    return { status: 201, value: isBrief(item) ? { id: item.id } : this.#detail(item) };
  }

  #answerItem(request: ServerRequest, id: string): ServerReply {
    const item = this.items.get(id);
    if (!item) return { status: 404, value: { error: 'no such item' } };
    if (request.method === 'DELETE') {
      this.items.delete(id);
      return { status: 204 };
    }
    if (request.method === 'PATCH' || request.method === 'PUT') {
      // a body may contain only the fields that it changes
      this.items.set(id, { ...readBody(request.body, item), id });
    }
    return { status: 200, value: this.#detail(this.items.get(id)!) };
  }

  /** One request about many rows; the response omits deleted rows. */
  #answerMany(method: string, rows: readonly (Partial<ServerItem> & { id: string })[]): ServerReply {
    const value: object[] = [];
    for (const row of rows) {
      const reply = this.#answerItem({ method, path: '', query: {}, body: row }, row.id);
      if (reply.status < 400) value.push(method === 'DELETE' ? { id: row.id } : (reply.value as object)); // cast: a row
    }
    return { status: 200, value };
  }

  /** Items and users in one list, each with the name of its type. */
  #answerThing(request: ServerRequest, id: string | undefined): ServerReply {
    if (id === undefined && request.method === 'GET') {
      const users = [...this.users.values()].map((user) => ({ ...user }));
      const items = this.list({}).map((item) => this.#summary(item));
      return { status: 200, value: [users[0], ...items, ...users.slice(1)] };
    }
    if (id === undefined) return this.#answerCreation(request.body);
    return this.#answerItem(request, id);
  }

  #board(status: string): object {
    return {
      id: status,
      lead: { ...this.users.get('u1')! },
      members: [...this.users.values()].map((user) => ({ ...user })),
      items: this.list({ status }).map((item) => this.#summary(item)),
    };
  }

  #answerVote(id: string): ServerReply {
    const item = this.items.get(id);
    if (!item) return { status: 404, value: { error: 'no such item' } };
    this.items.set(id, { ...item, votes: item.votes + 1 });
    return { status: 200, value: this.#detail(this.items.get(id)!) };
  }

  #answerUser(request: ServerRequest, id: string): ServerReply {
    const user = this.users.get(id);
    if (!user) return { status: 404, value: { error: 'no such user' } };
    if (request.method === 'PATCH') {
      const name = (request.body as { name?: string }).name ?? user.name; // cast: bodies are made by the simulator
      this.users.set(id, { ...user, name });
    }
    return { status: 200, value: { ...this.users.get(id)! } };
  }

  #summary(item: ServerItem): object {
    const { body: _body, ...rest } = item;
    return { ...rest, owner: { ...this.users.get(item.owner)! } };
  }

  #detail(item: ServerItem): object {
    return { ...item, owner: { ...this.users.get(item.owner)! } };
  }
}

const DEFAULT_ITEM: Omit<ServerItem, 'id'> = {
  kind: 'item',
  title: '',
  status: 'open',
  group: 'a',
  body: '',
  owner: 'u1',
  votes: 0,
};

function readBody<T extends Omit<ServerItem, 'id'>>(body: unknown, base: T): T {
  const given = body as Partial<ServerItem>; // cast: bodies are made by the simulator
  return {
    ...base,
    title: given.title ?? base.title,
    status: given.status ?? base.status,
    group: given.group ?? base.group,
    body: given.body ?? base.body,
  };
}
