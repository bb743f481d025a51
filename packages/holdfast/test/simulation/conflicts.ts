// The laws of conflicts, over two clients of one server that read and change one document, with every response early or late:
// C3 no change that was acknowledged to one client is replaced by the other, unless a rule said so; C4 each edit is saved, gives way
// to a rule, or is in the error of its call; C5 a mutation is repeated at most `rounds` times; C6 a client alone meets no conflict, not
// even where a lost response hides that a mutation was saved or a platform sends it twice, and otherwise no refusal; C8 a row that has
// moved ends the same, whether the server refuses or the client notices. C9 is in conflict-typing.ts.
import { Controller, Entity, RestEndpoint } from 'holdfast';
import type { Manager } from 'holdfast';
import { ConflictError, count, HttpSemantics, set } from 'holdfast/http';
import type { Conflict } from 'holdfast/http';
import { ConflictServer, FIELDS } from './conflict-server.ts';
import type { Doc, Field, ServerKind } from './conflict-server.ts';
import { checkTyping } from './conflict-typing.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { settle } from './simulate.ts';
import { VirtualTime } from './virtual-time.ts';

class Paper extends Entity {
  static override key = 'Paper';
  id = '';
  title = '';
  text = '';
  votes = 0;
  tags: readonly string[] = [];
  version = 0;
}

const ROUNDS = 3;

/** One mutation of a client, and how it ended. */
interface Call {
  readonly client: number;
  readonly fields: Partial<Doc>;
  /** What the client had shown of each text, and what it had seen of the server. */
  readonly seen: Readonly<Record<Field, ReadonlySet<string>>>;
  readonly votes: number;
  end?: 'saved' | 'failed' | ConflictError;
}

interface Rules {
  /** Whether each client signs its requests as one of two users, by turns. */
  readonly hasUsers: boolean;
  readonly preconditions: 'known' | 'required' | false;
  readonly resolve: 'fail' | 'mine' | 'theirs';
  /** Whether there are rules for conflicts. Without them, a mutation that the server refuses fails. */
  readonly hasRules: boolean;
  /** Whether another manager holds some requests, as one that renews a session. */
  readonly isSlow: boolean;
}

class World {
  readonly server: ConflictServer;
  readonly calls: Call[] = [];
  readonly kind: ServerKind;
  readonly time = new VirtualTime();
  /** Values that a resolver has let replace others: `theirs > mine`. */
  readonly allowed = new Set<string>();
  /** Values that gave way to others. */
  readonly yielded = new Set<unknown>();
  readonly conflicts: Conflict[] = [];
  readonly isOptimistic: boolean;
  readonly #clients: readonly Controller[];
  readonly #endpoints: readonly Record<'update' | 'replace' | 'get', RestEndpoint>[];
  readonly #random: Random;
  readonly #isCounted: boolean;
  #lastValue = 0;
  /** What each client has shown so far. */
  readonly #seen = [0, 1].map(() => ({ title: new Set<string>(), text: new Set<string>() }));

  constructor(random: Random, kind: ServerKind, rules: Rules) {
    this.kind = kind;
    this.isOptimistic = random.chance(0.7);
    this.server = new ConflictServer(kind, createRandom(0));
    const hasVersions = kind.conflict409 !== 'never';
    this.#random = random;
    this.#isCounted = rules.hasRules;
    this.#endpoints = (rules.hasUsers ? ['a', 'b'] : ['a']).map((Authorization) => {
      const options = {
        urlPrefix: 'https://api.test',
        path: '/papers/:id',
        schema: Paper,
        body: {} as Partial<Doc>,
        idempotencyKey: true,
        optimistic: this.isOptimistic,
        requestInit: { headers: { Authorization } },
      };
      return {
        update: new RestEndpoint({ ...options, method: 'PATCH' }),
        replace: new RestEndpoint({ ...options, method: 'PUT' }),
        get: new RestEndpoint({ ...options, method: 'GET', body: undefined }),
      } as unknown as Record<'update' | 'replace' | 'get', RestEndpoint>; // cast: one type for all
    });
    const merge = {
      votes: count,
      tags: set,
      ...(hasVersions && { version: (_base: unknown, _mine: unknown, theirs: unknown) => theirs }),
    };
    const note = (conflicts: readonly Conflict[]): Rules['resolve'] => {
      this.conflicts.push(...conflicts);
      for (const { mine, theirs } of conflicts) {
        if (rules.resolve === 'mine') this.allowed.add(`${String(theirs)} > ${String(mine)}`);
        else this.yielded.add(mine);
      }
      return rules.resolve;
    };
    const http = (): HttpSemantics =>
      new HttpSemantics({
        validators: false,
        preconditions: rules.preconditions,
        ...(rules.hasRules && {
          conflicts: {
            rounds: ROUNDS,
            merge: [[Paper, merge]],
            resolve: note,
            ...(kind.conflict409 === 'row' && { current: ({ problem }) => problem?.['current'] }),
          },
        }),
      });
    const slow: Manager = {
      request: async (request, next) => {
        if (rules.isSlow && !request.isRead && random.chance(0.5)) await this.server.pass();
        return next(request);
      },
    };
    this.#clients = [0, 1].map(
      (client) =>
        new Controller({
          clock: this.time.clock,
          timers: this.time.timers,
          random: createRandom(client).next,
          fetch: this.server.connect(client),
          managers: [http(), slow],
          timeoutMs: Infinity,
        }),
    );
  }

  shown(client: number): Paper | undefined {
    return this.#clients[client]!.get(Paper, { id: '1' });
  }

  look(): void {
    for (const [client, seen] of this.#seen.entries())
      for (const field of FIELDS) seen[field].add(this.shown(client)?.[field] ?? '');
  }

  read(client: number): Promise<unknown> {
    return this.#clients
      [client]!.fetch(this.#random.pick(this.#endpoints).get, { id: '1' })
      .catch(() => undefined);
  }

  /** Changes some fields of what the client shows. */
  change(random: Random, client: number): void {
    const shown = this.shown(client);
    if (!shown) return;
    const fields: Record<string, unknown> = {};
    let votes = 0;
    for (const field of FIELDS)
      if (random.chance(0.4)) fields[field] = `${field} ${client} ${(this.#lastValue += 1)}`;
    // two clients often count to the same number; without a rule equal values are one change, so there they never do
    const factor = this.#isCounted ? 1 : [1, 100][client]!;
    if (random.chance(0.4)) fields['votes'] = shown.votes + (votes = (1 + random.below(2)) * factor);
    if (random.chance(0.3))
      fields['tags'] = [...shown.tags.slice(random.below(2)), `t${(this.#lastValue += 1)}`];
    if (Object.keys(fields).length === 0) fields['title'] = `title ${client} ${(this.#lastValue += 1)}`;
    if (this.kind.conflict409 !== 'never') fields['version'] = shown.version;
    const isPut = random.chance(0.3);
    const { version: _version, ...whole } = { ...shown };
    const body = isPut ? { ...whole, ...fields } : fields;
    this.look();
    const { title, text } = this.#seen[client]!;
    const seen = { title: new Set(title), text: new Set(text) };
    const call: Call = { client, fields: body, seen, votes };
    this.calls.push(call);
    const { replace, update } = random.pick(this.#endpoints);
    const endpoint = isPut ? replace : update;
    this.#clients[client]!.fetch(endpoint, { id: '1' }, body).then(
      () => (call.end = 'saved'),
      (error: unknown) => (call.end = error instanceof ConflictError ? error : 'failed'),
    );
  }

  /** Delivers everything, until nothing is in flight. */
  async rest(): Promise<void> {
    for (let round = 0; this.server.inFlight.length > 0; round += 1) {
      if (round > 500) throw new Error('the clients do not come to rest');
      this.server.inFlight[0]!.deliver(false);
      await settle();
    }
  }
}

function kindOf(random: Random): ServerKind {
  const conflict409 = random.chance(0.3) ? random.pick(['bare', 'row'] as const) : 'never';
  return {
    tags:
      conflict409 === 'never'
        ? random.pick(['strong', 'strong', 'strong', 'weak', 'none', 'wrong'] as const)
        : 'none',
    isWriteTagged: random.chance(0.7),
    isWriteEmpty: random.chance(0.2),
    conflict409,
    isStrict: conflict409 === 'never' && random.chance(0.1),
  };
}

/** The values that the mutations of this client have given to a field. */
function ownValues(calls: readonly Call[], client: number, field: Field): Set<unknown> {
  return new Set(calls.filter((call) => call.client === client).map(({ fields }) => fields[field]));
}

function checkWrites({ server, calls, allowed, kind }: World): string | undefined {
  for (const { client, before, after, method } of server.writes)
    for (const field of FIELDS) {
      const [old, value] = [before[field], after[field]];
      if (old === value) continue;
      const call = calls.find(
        (each) =>
          each.fields[field] === value &&
          each.client === client &&
          each.seen[field].size > 0 &&
          !each.seen[field].has(value),
      );
      const isOwn = ownValues(calls, client, field).has(old);
      if (isOwn || call?.seen[field].has(old) || allowed.has(`${old} > ${value}`)) continue;
      return `C3: ${method} of client ${client} replaces "${old}", which it has not seen, by "${value}"; ${JSON.stringify(kind)}`;
    }
  return undefined;
}

function checkEnds(world: World): string | undefined {
  const { server, calls, yielded } = world;
  const saved = (field: Field, value: unknown): boolean =>
    server.writes.some(({ after }) => after[field] === value);
  for (const call of calls) {
    const { end, fields, seen } = call;
    if (end === undefined) return `C4: a call of client ${call.client} never ends: ${JSON.stringify(fields)}`;
    for (const field of FIELDS) {
      const mine = fields[field];
      if (mine === undefined || seen[field].has(mine)) continue;
      if (end === 'saved' && !saved(field, mine) && !yielded.has(mine))
        return `C4: "${mine}" was saved, says the call, but the server has never had it`;
    }
    if (end instanceof ConflictError) {
      const isHeld = ({ field, mine }: Conflict): boolean => {
        const edit = fields[field as Field]; // cast: the others are not looked at
        const isEdit =
          FIELDS.includes(field as Field) && edit !== undefined && !seen[field as Field].has(edit);
        return !isEdit || mine === edit || yielded.has(edit);
      };
      if (end.conflicts.length === 0 || !end.conflicts.every(isHeld))
        return `C4: the error does not hold the edit: ${JSON.stringify(end.conflicts)}`;
    }
  }
  return undefined;
}

/** Two clients, or one; some responses are lost. */
async function checkSchedule(seed: number): Promise<string | undefined> {
  const random = createRandom(seed);
  const kind = kindOf(random);
  const isAlone = random.chance(0.3);
  const mayLose = random.chance(0.2);
  const isJudged = kind.conflict409 !== 'never';
  const preconditions = isJudged ? false : random.pick(['known', 'required', 'known'] as const);
  const hasUsers = random.chance(0.2);
  const rules: Rules = {
    hasUsers,
    preconditions,
    resolve: random.pick(['fail', 'mine', 'theirs'] as const),
    hasRules: preconditions === false || random.chance(0.8),
    isSlow: random.chance(0.3),
  };
  const world = new World(random, kind, rules);
  const { server } = world;
  void world.read(0);
  if (!isAlone) void world.read(1);
  await settle();
  await world.rest();
  for (let step = 0; step < 30; step += 1) {
    const client = isAlone ? 0 : random.below(2);
    const chance = random.next();
    const request = server.inFlight[random.below(server.inFlight.length || 1)];
    if (chance < 0.28) world.change(random, client);
    else if (chance < 0.45) void world.read(client);
    else if (chance < 0.6) request?.handle();
    else if (mayLose && random.chance(0.1)) request?.repeat();
    else request?.deliver(mayLose && random.chance(0.1));
    await settle();
    world.look();
  }
  await world.rest();
  await settle();
  const about = JSON.stringify({ kind, rules, isAlone, mayLose });
  const [forbidden] = server.forbidden;
  if (forbidden) return `${forbidden} was sent; ${about}`;
  const isSafe =
    (kind.tags === 'strong' && (rules.preconditions === 'required' || (kind.isWriteTagged && !hasUsers))) ||
    isJudged;
  const broken = (isSafe && !mayLose ? checkWrites(world) : undefined) ?? checkEnds(world);
  if (broken) return `${broken}; ${about}`;
  const sent = server.sent[0]! + server.sent[1]!;
  if (sent > world.calls.length * (2 + ROUNDS))
    return `C5: ${sent} mutations for ${world.calls.length} calls; ${about}`;
  const isExempt = kind.tags === 'wrong' || isJudged;
  const refusals = mayLose ? 0 : server.refusals;
  const errors = world.calls.filter(({ end }) => end instanceof ConflictError).length;
  if (isAlone && !isExempt && refusals + world.conflicts.length + errors > 0)
    return `C6: a client alone met ${server.refusals} refusals, ${world.conflicts.length} conflicts and ${errors} errors; ${about}`;
  const { votes } = server.doc;
  const added = world.calls.reduce((sum, call) => sum + (call.end === 'saved' ? call.votes : 0), 0);
  // without optimistic updates a client votes over votes of its own that it does not see
  if (isSafe && !mayLose && world.isOptimistic && votes < added)
    return `C3: ${votes} votes instead of ${added}; ${about}`;
  const tried = world.calls.reduce((sum, call) => sum + call.votes, 0);
  // Nobody can tell a vote that a platform has sent twice from the equal vote of another client, nor a vote without a response from
  // a part of what another client has counted since.
  const isCertain = !mayLose || (isAlone && server.repeated === 0);
  if (isSafe && isCertain && world.isOptimistic && votes > tried)
    return `C3: ${votes} votes, and only ${tried} were given; ${about}`;
  return undefined;
}

/** C8: another client has changed the row, and this one knows, because the server refuses or because it has read the row. */
async function checkMoved(seed: number): Promise<string | undefined> {
  const ends: string[] = [];
  for (const tags of ['strong', 'none'] as const) {
    const random = createRandom(seed);
    const resolve = random.pick(['fail', 'mine', 'theirs'] as const);
    const kind: ServerKind = {
      tags,
      isWriteTagged: false,
      isWriteEmpty: true,
      conflict409: 'never',
      isStrict: false,
    };
    const world = new World(random, kind, {
      hasUsers: false,
      preconditions: 'required',
      resolve,
      hasRules: true,
      isSlow: false,
    });
    const { server } = world;
    void world.read(0);
    void world.read(1);
    await settle();
    await world.rest();
    // the second mutation of client 0 waits for the first one, which changes other fields than client 1
    world.change({ ...random, chance: () => false }, 0);
    await settle();
    while (server.writes.length === 0) {
      for (const request of server.inFlight) request.handle();
      if (server.writes.length === 0) server.inFlight[0]!.deliver(false);
      await settle();
    }
    world.change(random, 0);
    server.doc = { ...server.doc, text: 'theirs', votes: 5, version: server.doc.version + 1 };
    if (tags === 'none') {
      void world.read(0);
      await settle();
      server.inFlight.at(-1)!.deliver(false);
      await settle();
    }
    await world.rest();
    const { version: _version, ...doc } = server.doc;
    ends.push(
      JSON.stringify([
        doc,
        world.calls.map(({ end }) => (end instanceof ConflictError ? end.conflicts : end)),
      ]),
    );
  }
  return ends[0] === ends[1] ? undefined : `C8: ${ends.join(' and ')}`;
}

/** The violation of one seed. */
export async function checkConflicts(seed: number): Promise<string | undefined> {
  const broken = (await checkSchedule(seed)) ?? (await checkMoved(seed)) ?? (await checkTyping(seed));
  return broken && `seed ${seed}: ${broken}`;
}

/** Looks for a violation in this many seeds. */
export async function judgeConflicts(
  count: number,
): Promise<{ readonly message: string | undefined; readonly schedules: number }> {
  for (let seed = 0; seed < count; seed += 1) {
    const message = await checkConflicts(seed).catch((error: unknown) => String(error));
    if (message) return { message, schedules: seed + 1 };
  }
  return { message: undefined, schedules: count };
}
