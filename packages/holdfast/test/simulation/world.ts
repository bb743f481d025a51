// Joins server, network, time, oracle and the client under test. It sees every request leave and every answer arrive,
// and tells the oracle what the answer means. What is right or wrong is in checks.ts; who acts when is in simulate.ts.
import { isWrite, ModelNetwork, exchangeKey, sorted } from './model-network.ts';
import type { Exchange } from './model-network.ts';
import { ModelServer } from './model-server.ts';
import type { Filter } from './model-server.ts';
import { Oracle } from './oracle.ts';
import type { Fact, Layer } from './oracle.ts';
import { createRandom, TraceHash } from './random.ts';
import type { Random } from './random.ts';
import type { Schedule } from './schedule.ts';
import type { Call, CreateSubject, ReadCall, Subject, WriteCall } from './subject.ts';
import { VirtualTime } from './virtual-time.ts';

/** A row that the user created and the server has not confirmed. */
export interface Draft {
  name: string;
  title: string;
  /** The id that the client gave it, once seen on screen. */
  localId?: string;
  realId?: string;
  isOver: boolean;
}

interface Mutation {
  call: WriteCall;
  /** The draft it creates, or the one it is aimed at. */
  draft?: Draft;
  layer?: Layer;
  exchange?: Exchange;
  isOver: boolean;
}

interface Handed {
  call: Call;
  epoch: number;
  state: 'pending' | 'fulfilled' | 'rejected';
  value?: unknown;
}

export class Violation extends Error {
  readonly invariant: string;

  constructor(invariant: string, message: string) {
    super(`${invariant}: ${message}`);
    this.invariant = invariant;
  }
}

export const LISTS: readonly Filter[] = [
  {},
  { status: 'open' },
  { status: 'done' },
  { group: 'a', status: 'open' },
  { orderBy: 'title', status: 'open' },
  { q: '1' },
];

const listKeys = new Map<Filter, string>(LISTS.map((filter) => [filter, JSON.stringify(sorted(filter))]));

export const listKey = (filter: Filter): string => listKeys.get(filter) ?? JSON.stringify(sorted(filter));

export class World {
  readonly schedule: Schedule;
  readonly isOptimistic: boolean;
  readonly random: Random;
  readonly time = new VirtualTime();
  readonly server = new ModelServer(3);
  readonly oracle = new Oracle();
  readonly network: ModelNetwork;
  readonly subject: Subject;
  readonly hash = new TraceHash();
  trace: string[] | undefined;

  readonly drafts: Draft[] = [];
  readonly handed: Handed[] = [];
  mutations: Mutation[] = [];
  /** Everything the client ever heard of, or was asked for, since the last reset. */
  readonly knownItems = new Set<string>();
  readonly gets = new Set<string>();
  readonly users = new Set<string>();
  readonly deletedForGood = new Set<string>();
  readonly createdAcknowledged = new Set<string>();
  /** Rows that changed in a way no client can know of: exempt from "fresh equals server". */
  readonly tainted = new Set<string>();
  /** Rows about which the rules leave a choice (a 404 to a write). */
  readonly ambiguous = new Set<string>();
  /** Stamp of the last invalidation per read, until a later-sent read is answered. */
  readonly invalidatedAt = new Map<string, number>();
  /** The same, kept: an older request stays too old to join. */
  readonly lastInvalidatedAt = new Map<string, number>();
  /** Since when a fetch must not join an older request. */
  freshSince = 0;
  /** Since when it need not: a refused write or a local one may count as news. */
  mayBeFreshSince = 0;
  /** What was pending when the store was reset, and has to be rejected by it. */
  orphans: Handed[] = [];
  /** Requests given up in this step: with two, a value may change and change back. */
  endedInStep = 0;
  /** A write that no user asked for; reported at the end of the step. */
  unexpected: string | undefined;
  epoch = 0;
  stamp = 0;

  constructor(schedule: Schedule, createSubject: CreateSubject, isOptimistic: boolean) {
    this.schedule = schedule;
    this.isOptimistic = isOptimistic;
    this.random = createRandom(schedule.seed ^ 0x9e3779b9);
    this.network = new ModelNetwork({
      server: this.server,
      stampSend: () => ({ send: ++this.stamp, epoch: this.epoch }),
      onSend: (exchange) => this.#onSend(exchange),
      onEnd: (exchange) => this.#onEnd(exchange),
      chance: () => this.random.chance(0.5),
    });
    this.network.isDeaf = schedule.isDeaf;
    const subjectRandom = createRandom(schedule.seed ^ 0x51ed270b);
    this.subject = createSubject({
      fetch: this.network.fetch,
      clock: this.time.clock,
      timers: this.time.timers,
      random: () => subjectRandom.next(),
      isOptimistic,
    });
  }

  note(text: string): void {
    this.hash.add(text);
    this.trace?.push(text);
  }

  /** A fetch by the user. Its promise is watched to the end. */
  issue(call: Call, draft?: Draft): void {
    this.note(`call ${JSON.stringify(call)}`);
    if (call.kind !== 'get' && call.kind !== 'list' && call.kind !== 'user') this.#begin(call, draft);
    if (call.kind === 'get') {
      this.gets.add(call.id);
      this.knownItems.add(call.id);
    }
    if (call.kind === 'user') this.users.add(call.id);
    const handed: Handed = { call, epoch: this.epoch, state: 'pending' };
    this.handed.push(handed);
    const promise = this.subject.fetch(call);
    promise.then(
      (value) => this.#settle(handed, 'fulfilled', value),
      (error: unknown) => this.#settle(handed, 'rejected', error),
    );
  }

  setRow(id: string, fields: Readonly<Record<string, string>>): void {
    this.note(`set ${id} ${JSON.stringify(fields)}`);
    const at = ++this.stamp;
    this.mayBeFreshSince = at;
    this.tainted.add(id);
    this.oracle.record({ kind: 'write', send: at, at, entities: [{ table: 'items', id, fields }], main: id });
    this.subject.set(id, fields);
  }

  reset(): void {
    this.note('reset');
    this.epoch++;
    this.stamp++;
    this.oracle.reset();
    for (const draft of this.drafts) draft.isOver = true;
    for (const mutation of this.mutations) mutation.isOver = true;
    this.mutations = [];
    for (const book of [this.knownItems, this.gets, this.users, this.ambiguous, this.createdAcknowledged])
      book.clear();
    this.invalidatedAt.clear();
    this.freshSince = this.stamp;
    this.orphans = this.handed.filter((handed) => handed.state === 'pending');
    this.subject.reset();
  }

  /** Marks a read as invalid now; every request for it that is under way is too old to cure that. */
  markInvalid(call: ReadCall): void {
    this.invalidatedAt.set(readKey(call), ++this.stamp);
    this.lastInvalidatedAt.set(readKey(call), this.stamp);
  }

  deliver(exchange: Exchange): void {
    this.note(`deliver ${exchange.number} ${exchange.fault ?? ''}`);
    if (!exchange.ended && exchange.epoch === this.epoch) this.#arrive(exchange);
    this.network.deliver(exchange);
  }

  #begin(call: WriteCall, draft: Draft | undefined): void {
    const mutation: Mutation = { call, draft, isOver: false };
    if (call.kind === 'create') {
      mutation.draft = { name: `draft ${this.drafts.length + 1}`, title: call.body['title']!, isOver: false };
      this.drafts.push(mutation.draft);
    } else if (call.kind === 'remove' && draft && !draft.isOver) {
      // an edit of a draft that is deleted before it went out is never sent
      for (const other of this.mutations) {
        if (other.draft === draft && other.call.kind !== 'create' && !other.exchange) this.#finish(other);
      }
    }
    this.mutations.push(mutation);
    const target = mutation.draft;
    const id = (): string => target?.realId ?? target?.name ?? (call.kind === 'create' ? '' : call.id);
    if (!this.isOptimistic) return;
    if (call.kind === 'remove') mutation.layer = { kind: 'remove', id };
    else mutation.layer = { kind: call.kind === 'put' ? 'patch' : call.kind, id, fields: call.body };
    this.oracle.addLayer(mutation.layer);
  }

  #finish(mutation: Mutation): void {
    mutation.isOver = true;
    if (mutation.layer) this.oracle.removeLayer(mutation.layer);
    this.mutations = this.mutations.filter((other) => other !== mutation);
  }

  #settle(handed: Handed, state: 'fulfilled' | 'rejected', value: unknown): void {
    const text = state === 'fulfilled' ? 'ok' : String((value as Error | undefined)?.name);
    this.note(`settled ${handed.call.kind} ${text}`);
    if (handed.state !== 'pending') throw new Violation('I12', 'a promise settled twice');
    handed.state = state;
    handed.value = value;
  }

  #onSend(exchange: Exchange): void {
    this.note(`send ${exchange.number} ${exchangeKey(exchange)} ${JSON.stringify(exchange.body)}`);
    if (!isWrite(exchange)) return;
    const id = exchange.path.split('/')[2];
    const mutation = this.mutations.find((other) => {
      if (other.exchange || METHODS[other.call.kind] !== exchange.method) return false;
      if (other.call.kind === 'create')
        return other.call.body['title'] === (exchange.body as Filter)['title']; // cast: own bodies
      if ((other.draft?.realId ?? other.call.id) !== id) return false;
      return (
        other.call.kind === 'remove' || JSON.stringify(other.call.body) === JSON.stringify(exchange.body)
      );
    });
    if (mutation) mutation.exchange = exchange;
    else this.unexpected = `${exchange.method} ${exchange.path} ${JSON.stringify(exchange.body)}`;
  }

  /** The client gave up on a request: by its time limit, or because of a reset. */
  #onEnd(exchange: Exchange): void {
    this.note(`gave up ${exchange.number}`);
    this.endedInStep++;
    if (exchange.epoch === this.epoch && isWrite(exchange)) this.#fail(exchange, true);
  }

  /** A write that came to nothing, or (`isUnknown`) to nobody knows what. */
  #fail(exchange: Exchange, isUnknown: boolean): void {
    const mutation = this.mutations.find((other) => other.exchange === exchange);
    this.mayBeFreshSince = ++this.stamp;
    if (isUnknown) this.freshSince = this.stamp;
    if (!mutation) return;
    this.#finish(mutation);
    if (mutation.call.kind !== 'create') return;
    const draft = mutation.draft!;
    draft.isOver = true;
    for (const other of this.mutations) if (other.draft === draft) this.#finish(other);
  }

  #arrive(exchange: Exchange): void {
    const delivery = exchange.delivery!;
    const at = ++this.stamp;
    const id = exchange.path.split('/')[2];
    const isItem = exchange.path.startsWith('/items');
    if (isWrite(exchange)) {
      this.#arriveWrite(exchange, at, id);
      return;
    }
    if ('failure' in delivery) return;
    if (delivery.response.status === 404 && isItem && id !== undefined) {
      this.oracle.record({ kind: 'gone', send: exchange.send, at, id });
      this.deletedForGood.add(id);
      this.ambiguous.delete(id);
    }
    if (delivery.response.status >= 400 || isSpoiled(exchange)) return;
    const invalidated = this.invalidatedAt.get(exchangeKey(exchange));
    if (invalidated !== undefined && exchange.send > invalidated)
      this.invalidatedAt.delete(exchangeKey(exchange));
    this.#record({ kind: 'read', send: exchange.send, at, entities: [] }, exchange, id);
  }

  #arriveWrite(exchange: Exchange, at: number, id: string | undefined): void {
    const delivery = exchange.delivery!;
    const mutation = this.mutations.find((other) => other.exchange === exchange);
    if (!('failure' in delivery) && delivery.response.status >= 400) {
      if (delivery.response.status === 404 && id) this.ambiguous.add(id);
      this.#fail(exchange, false);
      return;
    }
    const isEmptied = exchange.fault === 'empty' && delivery && 'text' in delivery && delivery.text === '';
    const isKept = isEmptied && exchange.method !== 'DELETE' && mutation?.layer?.kind !== undefined;
    if (
      'failure' in delivery ||
      (isSpoiled(exchange) && exchange.method !== 'DELETE' && !isKept) ||
      exchange.fault === 'html'
    ) {
      this.#fail(exchange, true);
      return;
    }
    this.freshSince = at;
    if (mutation) this.#finish(mutation);
    if (exchange.method === 'DELETE') {
      this.oracle.record({ kind: 'gone', send: exchange.send, at, id: id! });
      this.deletedForGood.add(id!);
      this.ambiguous.delete(id!);
      return;
    }
    const fact: Fact = { kind: 'write', send: exchange.send, at, entities: [], main: id ?? '' };
    if (isKept) {
      // an answer without a body: what was intended is what happened
      const table = exchange.path.startsWith('/users') ? 'users' : 'items';
      const { fields } = mutation!.layer as Layer & { kind: 'patch' }; // cast: only patches are emptied
      this.oracle.record({ ...fact, entities: [{ table, id: id!, fields }] });
      return;
    }
    if (mutation?.call.kind === 'create') fact.created = mutation.call.body;
    this.#record(fact, exchange, id);
    if (mutation?.call.kind === 'create') {
      mutation.draft!.realId = fact.main;
      mutation.draft!.isOver = true;
      this.createdAcknowledged.add(fact.main);
    }
  }

  /** Takes an answer apart into entities and membership, from the text that the client got. */
  #record(fact: Fact & { kind: 'read' | 'write' }, exchange: Exchange, id: string | undefined): void {
    const delivery = exchange.delivery!;
    if ('failure' in delivery || delivery.text === '') return;
    const value: unknown = JSON.parse(delivery.text);
    const isItem = exchange.path.startsWith('/items');
    const objects = (Array.isArray(value) ? value : [value]) as Record<string, unknown>[]; // cast: own server
    const ids: string[] = [];
    for (const object of objects) {
      const { id: key, owner, ...fields } = object as { id: string; owner?: { id: string; name: string } }; // cast: own server
      ids.push(key);
      if (isItem) this.knownItems.add(key);
      else this.users.add(key);
      if (!owner) fact.entities.push({ table: 'users', id: key, fields });
      else {
        this.users.add(owner.id);
        fact.entities.push({ table: 'users', id: owner.id, fields: { name: owner.name } });
        fact.entities.push({ table: 'items', id: key, fields: { ...fields, owner: owner.id } });
      }
    }
    if (fact.kind === 'write') fact.main = ids[0]!;
    else if (isItem && id === undefined) fact.list = { key: listKey(exchange.query), ids };
    this.oracle.record(fact);
  }
}

const METHODS = { create: 'POST', patch: 'PATCH', put: 'PUT', remove: 'DELETE', rename: 'PATCH' };

const SPOILS: ReadonlySet<string> = new Set(['html', 'truncated', 'malformed', 'wrongShape', 'empty']);

function isSpoiled(exchange: Exchange): boolean {
  return exchange.fault !== undefined && SPOILS.has(exchange.fault);
}

/** The same text as the key of the exchange that serves the read. */
export function readKey(call: ReadCall): string {
  if (call.kind === 'list') return `GET /items ${listKey(call.filter)}`;
  return `GET /${call.kind === 'get' ? 'items' : 'users'}/${call.id} {}`;
}
