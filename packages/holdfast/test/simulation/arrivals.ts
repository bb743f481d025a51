// The meaning of each arrival: gives the oracle the facts of a response, and reports to the world how its mutation ended. Reads
// the text that the client received, not the memory of the server.
import { exchangeKey, isMany, isWrite, namedRows } from './model-network.ts';
import type { Exchange } from './model-network.ts';
import { isBrief } from './model-server.ts';
import { isOfJobs } from './jobs.ts';
import { isOfNotes } from './notes.ts';
import type { Fact } from './oracle.ts';
import { listKey } from './reads.ts';
import type { Fields } from './subject.ts';
import type { World } from './world.ts';

/** The meaning of the response to one request, for a client that keeps the rules. */
export function arrive(world: World, exchange: Exchange): void {
  const delivery = exchange.delivery!;
  const at = ++world.stamp;
  const id = exchange.path.split('/')[2];
  const isItem = exchange.path.startsWith('/items');
  const isNote = isOfNotes(exchange);
  if (isWrite(exchange)) {
    arriveWrite(world, exchange, at, id);
    return;
  }
  const isGood = !('failure' in delivery) && delivery.response.status < 400 && !isSpoiled(exchange);
  world.requests.onAnswer(exchange, isGood);
  if ('failure' in delivery) return;
  if (delivery.response.status === 404 && isItem && id !== undefined) {
    // the row is deleted on the server; but by the order of requests a client may accept the later-sent response that still had
    // it
    if (exchange.send < world.oracle.fenceOf(id)) world.ambiguous.add(id);
    else markGone(world, exchange, at, id);
  }
  if (delivery.response.status === 404 && isNote) world.notes.remove(exchange, id!, at);
  if (!isGood) return;
  for (const written of exchange.beside) world.ambiguous.add(written);
  // responses in one tick: the client's choice of the first one decides the result where a third write was in between
  for (const written of world.writtenInStep)
    if (world.oracle.isWrittenSince(written.id, written.send)) world.ambiguous.add(written.id);
  world.answered.add(exchangeKey(exchange));
  const invalidated = world.invalidatedAt.get(exchangeKey(exchange));
  if (invalidated !== undefined && exchange.send > invalidated)
    world.invalidatedAt.delete(exchangeKey(exchange));
  const fact: Fact & { kind: 'read' } = { kind: 'read', send: exchange.send, at, entities: [] };
  record(world, fact, exchange);
  allowReturn(world, fact);
}

/** A request that was sent after the read that found a row gone may still bring the row: the server handled the request earlier. */
function allowReturn(world: World, fact: Fact & { kind: 'read' | 'write' }): void {
  for (const row of fact.entities) {
    const goneSend = world.goneByRead.get(row.id);
    if (row.table !== 'items' || goneSend === undefined || fact.send < goneSend) continue;
    world.deletedForGood.delete(row.id);
    world.ambiguous.add(row.id);
  }
}

function arriveWrite(world: World, exchange: Exchange, at: number, id: string | undefined): void {
  const delivery = exchange.delivery!;
  const mutation = world.mutations.find((other) => other.exchange === exchange);
  if (world.repeats(exchange, isPassing(exchange))) return;
  if (!('failure' in delivery) && delivery.response.status >= 400) {
    if (delivery.response.status === 404 && id && exchange.method === 'DELETE') {
      markGone(world, exchange, at, id);
      world.fail(exchange, true);
      return; // the repeated call counts as done; that changes nothing here
    }
    // "not found" means that the shown row is wrong: it is read again, as after a lost response
    const isGone = delivery.response.status === 404 && id !== undefined;
    if (isGone) world.ambiguous.add(id);
    world.fail(exchange, isGone || exchange.fault === '500After');
    return;
  }
  // a response that omits the row: the sent values are kept
  const isSilent = exchange.fault === 'empty' || exchange.fault === 'wrongShape';
  const isKept = isSilent && exchange.method !== 'DELETE' && !('failure' in delivery) && id !== undefined;
  if (exchange.method === 'DELETE' && exchange.fault === 'html') {
    // a page in place of a response: some clients count the status as an acknowledgement, some do not
    for (const one of namedRows(exchange)) world.ambiguous.add(one);
    world.fail(exchange, true);
    return;
  }
  // it is open whether the sent values of many rows are kept where the response omits them: the rows are read again
  if (isMany(exchange) && isSilent) for (const one of namedRows(exchange)) world.ambiguous.add(one);
  if (
    'failure' in delivery ||
    // of many rows only those in the response are accepted
    (isSpoiled(exchange) && (exchange.method !== 'DELETE' || isMany(exchange)) && !isKept) ||
    exchange.fault === 'html'
  ) {
    world.fail(exchange, true);
    return;
  }
  world.freshSince = at;
  world.requests.wishAll();
  world.endWrite(exchange, at);
  if (mutation) world.finish(mutation);
  if (exchange.method === 'DELETE') {
    const answered: unknown = isMany(exchange) ? JSON.parse(delivery.text) : [];
    for (const gone of namedRows({ path: exchange.path, body: answered }))
      markGone(world, exchange, at, gone);
    return;
  }
  const fact: Fact & { kind: 'write' } = {
    kind: 'write',
    send: exchange.send,
    at,
    entities: [],
    main: id ?? '',
  };
  if (isKept) {
    const table = exchange.path.startsWith('/users') ? 'users' : 'items';
    const { kind: _kind, ...fields } = (exchange.body ?? {}) as Fields; // cast: bodies are made by the simulator
    const isKnown = world.oracle.view(false)[table].has(id);
    if (isKnown || exchange.method === 'PUT') {
      noteAcknowledged(world, table, id, fields, at);
      world.record({ ...fact, entities: [{ table, id, fields }] }, 'write');
    }
    return;
  }
  const call = mutation?.call;
  if (call?.kind === 'create' || call?.kind === 'createThing') fact.created = call.body;
  if (fact.created && isBrief(fact.created)) recordBrief(world, fact, exchange);
  else record(world, fact, exchange);
  allowReturn(world, fact);
  // the response to a creation is the first to contain the id of its row
  if (fact.created) world.writtenInStep.push({ id: fact.main, send: exchange.send });
  // writes of the row before the response to its creation are newer than that response
  const isTouched = fact.created && world.statements.isTouchedSince('items', fact.main, exchange.send);
  if (fact.created) world.endWrite(exchange, at, fact.main);
  if (isTouched) world.loosen(fact.main, at);
  const sent: readonly Fields[] = exchange.body === undefined ? [] : [exchange.body as Fields].flat(); // cast: as above
  for (const fields of sent)
    noteAcknowledged(
      world,
      exchange.path.startsWith('/users') ? 'users' : 'items',
      fields['id'] ?? id ?? fact.main,
      fields,
      at,
    );
  if (mutation?.call.kind === 'create') {
    mutation.draft!.realId = fact.main;
    mutation.draft!.isOver = true;
  }
  if (fact.created) world.createdAcknowledged.add(fact.main);
}

/** The fields that a mutation has sent: messages do not change them until they are read, or for ten seconds at most. */
function noteAcknowledged(world: World, table: string, id: string, fields: Fields, at: number): void {
  const names = world.acknowledged.get(`${table} ${id}`) ?? new Map<string, { at: number; ms: number }>();
  for (const name of Object.keys(fields)) names.set(name, { at, ms: world.time.clock.now() });
  world.acknowledged.set(`${table} ${id}`, names);
}

function markGone(world: World, exchange: Exchange, at: number, id: string): void {
  if (isOfJobs(exchange)) return;
  if (isOfNotes(exchange)) {
    world.notes.remove(exchange, id, at);
    return;
  }
  world.oracle.record({ kind: 'gone', send: exchange.send, at, id });
  world.deletedForGood.add(id);
  world.ambiguous.delete(id);
  if (isWrite(exchange)) world.goneByRead.delete(id);
  else world.goneByRead.set(id, exchange.send);
}

/** A response with an id alone: the sent values are kept for the other fields. */
function recordBrief(world: World, fact: Fact & { kind: 'write' }, { delivery }: Exchange): void {
  if (!delivery || 'failure' in delivery) return;
  const { id } = JSON.parse(delivery.text) as { id: string }; // cast: own server
  const { kind: _kind, things: _things, ...fields } = fact.created!; // only creations come here
  world.knownItems.add(id);
  fact.main = id;
  world.record({ ...fact, entities: [{ table: 'items', id, fields }] }, 'write');
}

/** Splits a response into entities and membership, from the text that the client received. */
function record(world: World, fact: Fact & { kind: 'read' | 'write' }, exchange: Exchange): void {
  const delivery = exchange.delivery!;
  if ('failure' in delivery || delivery.text === '') return;
  if (isOfJobs(exchange)) return; // checked at rest
  const value: unknown = JSON.parse(delivery.text);
  if (isOfNotes(exchange)) {
    world.notes.record(value, { ...fact, isRead: fact.kind === 'read' });
    return;
  }
  recordValue(world, fact, exchange, value);
}

/** `atMs`: when the server sent it, if that is not now. */
export function recordValue(
  world: World,
  fact: Fact & { kind: 'read' | 'write' },
  { path, query }: Pick<Exchange, 'path' | 'query'>,
  value: unknown,
  atMs?: number,
): void {
  const id = path.split('/')[2];
  const isBoard = path.startsWith('/boards');
  const objects = rowsOf(value, isBoard);
  const ids: string[] = [];
  for (const object of objects) {
    const {
      id: key,
      owner,
      kind: _kind,
      ...fields
    } = object as { id: string; kind?: string; owner?: { id: string; name: string } }; // cast: own server
    const isItem = owner !== undefined;
    // users beside items are no members of the list
    if (isItem || path.startsWith('/users')) ids.push(key);
    if (isItem) world.knownItems.add(key);
    else world.users.add(key);
    if (isItem && 'body' in fields) world.detailed.add(key);
    if (!owner) fact.entities.push({ table: 'users', id: key, fields });
    else {
      world.users.add(owner.id);
      fact.entities.push({ table: 'users', id: owner.id, fields: { name: owner.name } });
      fact.entities.push({ table: 'items', id: key, fields: { ...fields, owner: owner.id } });
    }
  }
  if (fact.kind === 'write') fact.main = ids[0]!;
  else if (isBoard) fact.list = { key: listKey({ orderNest: '1', status: id! }), ids };
  else if (id === undefined) fact.list = { key: listKey(query), ids };
  if (fact.kind === 'read')
    for (const entity of fact.entities) {
      const names = world.acknowledged.get(`${entity.table} ${entity.id}`);
      for (const name of Object.keys(entity.fields))
        if ((names?.get(name)?.at ?? Infinity) < fact.send) names?.delete(name);
    }
  world.record(fact, fact.kind, atMs);
}

/** The rows in a response: one, several, or those in an object around them. */
function rowsOf(value: unknown, isBoard: boolean): readonly object[] {
  if (Array.isArray(value)) return value;
  const object = value as { data?: object[]; items: object[]; members: object[]; lead: object }; // cast: own server
  if (isBoard) return [object.lead, ...object.members, ...object.items];
  return object.data ?? [object];
}

/** A failure that may be temporary: no response, or a status that means it. */
function isPassing({ delivery }: Exchange): boolean {
  if (!delivery || 'failure' in delivery) return true;
  return delivery.response.status === 429 || delivery.response.status === 500;
}

const SPOILS: ReadonlySet<string> = new Set(['html', 'truncated', 'malformed', 'wrongShape', 'empty']);

function isSpoiled(exchange: Exchange): boolean {
  return exchange.fault !== undefined && SPOILS.has(exchange.fault);
}
