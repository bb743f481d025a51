// The server of a comparison, richer than the one of the oracle. Its responses contain nested rows, rows with lists, lists in
// envelopes, pages with cursors, members of two types, maps, and many rows at once.
import type { Filter, ServerReply, ServerRequest } from '../model-server.ts';

type Row = Record<string, unknown> & { id: string };

const PAGE_SIZE = 2;
const OWN_FILTERS: ReadonlySet<string> = new Set(['status', 'group', 'board', 'type']);
const FIRST_DAY_MS = Date.UTC(2030, 0, 1);

export class Depot {
  readonly tables = {
    users: new Map<string, Row>(),
    items: new Map<string, Row>(),
    cards: new Map<string, Row>(),
    notes: new Map<string, Row>(),
    boards: new Map<string, Row>(),
    labels: new Map<string, Row>(),
  };
  #lastId = 0;

  constructor() {
    const { users, boards, labels } = this.tables;
    for (const name of ['Ann', 'Bob', 'Cid']) users.set(name[0]!, { id: name[0]!, name });
    for (let index = 0; index < 6; index++) this.#create('items', itemAt(index));
    for (let index = 0; index < 4; index++) this.#create('cards', cardAt(index));
    for (const id of ['b1', 'b2']) boards.set(id, { id, name: `board ${id}`, lead: id === 'b1' ? 'A' : 'B' });
    for (let index = 0; index < 2; index++) this.#create('notes', { text: `note ${index}`, board: 'b1' });
    for (const id of ['red', 'blue']) labels.set(id, { id, name: id });
  }

  /** Handles one request atomically. */
  answer(request: ServerRequest): ServerReply {
    const [, resource, id, verb] = request.path.split('/');
    const { method, query, body } = request;
    if (resource === 'box') return { status: 200, value: this.#boxed(query) };
    if (resource === 'scroll') return { status: 200, value: this.#scrolled(query) };
    if (resource === 'mixed') return { status: 200, value: this.#mixed(id!) };
    if (resource === 'labels') return this.#answerLabels(request);
    const table = this.tables[resource as 'items'] as Map<string, Row> | undefined; // cast: or none, for a wrong path
    if (!table) return { status: 404, value: { error: 'no such path' } };
    if (verb === 'notes')
      return { status: 201, value: this.#create('notes', { ...asFields(body), board: id }) };
    if (id === undefined) return this.#answerMany(resource as 'items', request);
    const row = table.get(id);
    if (!row) return { status: 404, value: { error: 'no such row' } };
    if (verb === 'vote') table.set(id, { ...row, votes: Number(row['votes'] ?? 0) + 1 });
    else if (verb === 'close') return this.#close(row);
    else if (method === 'DELETE') {
      table.delete(id);
      // some servers respond with the row, some with nothing
      return Number(id) % 3 === 0 ? { status: 200, value: { id } } : { status: 204 };
    } else if (method !== 'GET') this.#change(table, row, asFields(body));
    return { status: 200, value: this.#whole(resource!, table.get(id)!) };
  }

  /** Somebody else changes something. */
  changeElsewhere(at: number, how: number, text: string): void {
    const { items, cards } = this.tables;
    const table = at < 0.7 ? items : cards;
    const row = [...table.values()][Math.floor(how * table.size)];
    if (how > 0.9 || !row) this.#create('items', { ...itemAt(Math.floor(at * 10)), title: text });
    else if (how < 0.15) table.delete(row.id);
    else this.#change(table, row, how < 0.5 ? { status: how < 0.3 ? 'open' : 'done' } : { title: text });
  }

  #answerMany(name: 'items' | 'cards' | 'boards', { method, query, body }: ServerRequest): ServerReply {
    const table: Map<string, Row> = this.tables[name];
    if (method === 'GET')
      return { status: 200, value: this.#list(name, query).map((row) => this.#part(name, row)) };
    const given = (Array.isArray(body) ? body : [body]) as (Row | string)[]; // cast: bodies are made by the schedule
    const rows: unknown[] = [];
    for (const one of given) {
      const fields = typeof one === 'string' ? { id: one } : one;
      if (method === 'POST') rows.push(this.#whole(name, this.#create(name, { ...query, ...fields })));
      else if (method === 'DELETE') {
        if (table.delete(fields.id)) rows.push({ id: fields.id });
      } else {
        const row = table.get(fields.id);
        if (!row) continue;
        this.#change(table, row, fields);
        rows.push(this.#whole(name, table.get(fields.id)!));
      }
    }
    return { status: method === 'POST' ? 201 : 200, value: Array.isArray(body) ? rows : rows[0] };
  }

  #answerLabels({ method, body }: ServerRequest): ServerReply {
    const { labels } = this.tables;
    if (method === 'GET') return { status: 200, value: Object.fromEntries(labels) };
    const given = body as Record<string, Row>; // cast: bodies are made by the schedule
    for (const [name, row] of Object.entries(given)) labels.set(name, row);
    return { status: 200, value: given };
  }

  #create(name: keyof Depot['tables'], fields: object): Row {
    const base = name === 'items' ? { ...DEFAULT_ITEM } : {};
    const row: Row = { ...base, ...fields, id: String(++this.#lastId) };
    this.tables[name].set(row.id, row);
    return row;
  }

  #change(table: Map<string, Row>, row: Row, fields: object): void {
    table.set(row.id, { ...row, ...fields, id: row.id, version: Number(row['version'] ?? 0) + 1 });
  }

  #close(row: Row): ServerReply {
    const { items } = this.tables;
    this.#change(items, row, { status: 'done' });
    const other = [...items.values()].find((one) => one.id !== row.id && one['status'] === 'done');
    if (other) items.delete(other.id);
    return {
      status: 200,
      value: { item: this.#whole('items', items.get(row.id)!), removed: other ? other.id : null, at: 1 },
    };
  }

  #list(name: 'items' | 'cards' | 'boards', query: Filter): Row[] {
    const found = [...this.tables[name].values()].filter((row) =>
      Object.entries(query).every(([key, wanted]) => {
        if (key === 'q') return String(row['title']).includes(wanted);
        return !OWN_FILTERS.has(key) || row[key] === undefined || row[key] === wanted || wanted === 'all';
      }),
    );
    if (query['orderBy'] === 'title')
      found.sort((one, two) => (String(one['title']) < String(two['title']) ? -1 : 1));
    return found;
  }

  #page(query: Filter): { rows: Row[]; next: string } {
    const found = this.#list('items', query);
    const start = Number(query['cursor'] ?? 0);
    const next = start + PAGE_SIZE < found.length ? String(start + PAGE_SIZE) : '';
    return { rows: found.slice(start, start + PAGE_SIZE), next };
  }

  #boxed(query: Filter): object {
    const rows = this.#list('items', query);
    return { data: rows.map((row) => this.#part('items', row)), total: rows.length };
  }

  #scrolled(query: Filter): object {
    const { rows, next } = this.#page(query);
    return { results: rows.map((row) => this.#part('items', row)), cursor: next };
  }

  #mixed(id: string): object {
    const { items, users, cards } = this.tables;
    return {
      user: users.get('A'),
      item: items.has(id) ? this.#part('items', items.get(id)!) : null,
      cards: [...cards.values()].slice(0, 2),
      count: items.size,
    };
  }

  /** The row as in a list. */
  #part(name: string, row: Row): object {
    if (name === 'boards') return { id: row.id, name: row['name'] };
    if (name !== 'items') return { ...row };
    const { body: _body, watchers: _watchers, ...rest } = row;
    return { ...rest, owner: { ...this.tables.users.get(String(row['owner']))! } };
  }

  /** The row as in a response about one row. */
  #whole(name: string, row: Row): object {
    const { users, items, cards, notes } = this.tables;
    if (name === 'items') {
      const watchers = (row['watchers'] as string[]).map((id) => ({ ...users.get(id)! })); // cast: own rows
      return { ...row, owner: { ...users.get(String(row['owner']))! }, watchers };
    }
    if (name !== 'boards') return { ...row };
    const ofBoard = (table: Map<string, Row>): Row[] =>
      [...table.values()].filter((one) => one['board'] === row.id);
    return {
      ...row,
      lead: { ...users.get(String(row['lead']))! },
      sections: ['open', 'done'].map((status) => ({
        title: status,
        items: [...items.values()]
          .filter((one) => one['status'] === status)
          .map((one) => this.#part('items', one)),
      })),
      cards: ofBoard(cards),
      notes: ofBoard(notes),
    };
  }
}

const DEFAULT_ITEM = {
  title: '',
  status: 'open',
  group: 'a',
  body: '',
  owner: 'A',
  votes: 0,
  version: 1,
  watchers: [] as string[],
  due: new Date(FIRST_DAY_MS).toISOString(),
};

function itemAt(index: number): object {
  return {
    ...DEFAULT_ITEM,
    title: `seed ${index}`,
    status: index % 2 ? 'done' : 'open',
    group: index % 3 ? 'a' : 'b',
    body: `text ${index}`,
    owner: index % 2 ? 'A' : 'B',
    watchers: index % 2 ? ['B', 'C'] : ['A'],
    due: new Date(FIRST_DAY_MS + index * 86_400_000).toISOString(),
  };
}

function cardAt(index: number): object {
  const shared = { title: `card ${index}`, board: index < 2 ? 'b1' : 'b2' };
  return index % 2
    ? { ...shared, type: 'text', text: `t${index}` }
    : { ...shared, type: 'image', url: `/u${index}` };
}

function asFields(body: unknown): object {
  return typeof body === 'object' && body !== null ? body : {};
}
