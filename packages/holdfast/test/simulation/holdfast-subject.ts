// Drives the shipped library through its public entries, with the clock, timers, network and random numbers of the simulator.
import {
  Collection,
  Controller,
  createResource,
  dehydrate,
  Entity,
  getPending,
  getDefaultManagers,
  hydrate,
  Invalidate,
  orderBy,
  RestEndpoint,
  RetryManager,
  savedState,
  Union,
  Values,
  versionBy,
} from 'holdfast';
import type { AnyReadEndpoint, Manager, Snapshot } from 'holdfast';
import type { Filter } from './model-server.ts';
import type { JobList, ServerJob } from './jobs-server.ts';
import type { SaidNote } from './notes-server.ts';
import { manyBody } from './subject.ts';
import type {
  AnswerNow,
  Call,
  CreateSubject,
  Fields,
  PlainRead,
  ReadCall,
  Subject,
  SubjectEnvironment,
  ViewRow,
  Watch,
} from './subject.ts';

class User extends Entity {
  id = '';
  kind = 'user';
  name = '';

  static override key = 'User';
}

class Item extends Entity {
  id = '';
  kind = 'item';
  title = '';
  status = '';
  group = '';
  body = '';
  votes = 0;
  owner: User | undefined = undefined;

  static override key = 'Item';
  static override schema = { owner: User };
}

/** A row whose versions the server counts. */
class Note extends Entity {
  id = '';
  version = 0;
  title = '';
  mood = '';
  text = '';

  static override key = 'Note';
  static override version = versionBy('version');
}

class Job extends Entity {
  id = '';
  kind = 'job';
  title = '';
  state = '';
  owner: Owner | undefined = undefined;

  static override key = 'Job';
  static override schema: Record<string, unknown> = {};
}

/** A row that contains a list of jobs. */
class Owner extends Entity {
  id = '';
  kind = 'person';
  name = '';
  jobs: Job[] = [];

  static override key = 'Owner';
  static override schema = {
    jobs: new Collection([Job], { nestKey: ({ id }: { id: string }) => ({ owner: id }) }),
  };
}
Job.schema = { owner: Owner };

function createJobs(optimistic: boolean) {
  const shared = { urlPrefix: 'http://model.test', searchParams: {} as Filter };
  const body = {} as Partial<ServerJob>; // cast: gives the type
  const list = new Collection([Job], { order: orderBy('sort') });
  const jobs = createResource({ ...shared, path: '/jobs/:id', schema: Job, body, optimistic }).extend({
    getList: { schema: list },
  });
  const envelope = { results: new Collection([Job]), total: 0 };
  const union = new Union({ job: Job, person: Owner }, 'kind');
  const lists: Readonly<Record<string, AnyReadEndpoint>> = {
    '/jobs': jobs.getList,
    '/job-box': new RestEndpoint({ ...shared, path: '/job-box', schema: envelope }),
    '/job-map': new RestEndpoint({ ...shared, path: '/job-map', schema: new Collection(new Values(Job)) }),
    '/job-things': new RestEndpoint({ ...shared, path: '/job-things', schema: new Collection([union]) }),
  };
  const person = new RestEndpoint({ urlPrefix: shared.urlPrefix, path: '/people/:id', schema: Owner });
  return { ...jobs, lists, person };
}

const Thing = new Union({ item: Item, user: User }, 'kind');

/** A row that contains a list and a plain array of rows. */
class Board extends Entity {
  id = '';
  lead: User | undefined = undefined;
  members: User[] = [];
  items: Item[] = [];

  static override key = 'Board';
  static override schema = {
    lead: User,
    members: [User],
    items: new Collection([Item], {
      nestKey: ({ id }: { id: string }) => ({ orderNest: '1', status: id }),
    }),
  };
}

function createShapes(getList: ReturnType<typeof createItems>['getList'], isOptimistic: boolean) {
  const urlPrefix = 'http://model.test';
  const many = new RestEndpoint({ urlPrefix, path: '/items', method: 'POST', body: [] as Fields[] });
  // the optimistic update is the body
  const guess = isOptimistic && {
    getOptimisticResponse: (_snapshot: Snapshot, body: readonly Fields[]) => body,
  };
  const ofThings = {
    urlPrefix,
    path: '/things/:id',
    schema: Thing,
    searchParams: {} as Filter,
    body: {} as Fields,
  } as const;
  return {
    box: getList.extend({ schema: { data: new Collection([Item]), total: 0 } }),
    board: new RestEndpoint({ urlPrefix, path: '/boards/:id', schema: Board }),
    things: createResource({ ...ofThings, optimistic: isOptimistic }),
    // lists of one type do not get a creation through a list of several types before its response
    createThing: createResource(ofThings).getList.push,
    patchMany: many.extend({ method: 'PATCH', schema: [Item], ...guess }),
    removeMany: many.extend({ method: 'DELETE', schema: [new Invalidate(Item)], ...guess }),
  };
}

function createItems(isOptimistic: boolean) {
  return createResource({
    urlPrefix: 'http://model.test',
    optimistic: isOptimistic,
    path: '/items/:id',
    schema: Item,
    searchParams: {} as Filter,
    body: {} as Fields,
  });
}

function createResources(isOptimistic: boolean) {
  const shared = { urlPrefix: 'http://model.test', optimistic: isOptimistic };
  const items = createItems(isOptimistic);
  const count = items.get.extend({ path: '/items/:id/vote', method: 'POST', body: undefined });
  // its value depends on the present row, including earlier votes that wait for their response
  const vote = isOptimistic
    ? count.extend({
        getOptimisticResponse(snapshot: Snapshot, { id }: { id: string }) {
          const item = snapshot.get(Item, { id });
          if (!item) throw snapshot.abort;
          return { id, votes: item.votes + 1 };
        },
      })
    : count;
  const users = createResource({ ...shared, path: '/users/:id', schema: User, body: {} as Fields });
  const pollFrequency = 4_000;
  const polled = {
    list: items.getList.extend({ pollFrequency }),
    get: items.get.extend({ pollFrequency }),
    user: users.get.extend({ pollFrequency }),
  };
  const shapes = createShapes(items.getList, isOptimistic);
  const notes = createResource({ ...shared, path: '/notes/:id', schema: Note, body: {} as Partial<Note> });
  return {
    items,
    users,
    notes,
    jobs: createJobs(isOptimistic),
    vote,
    close: items.get.extend({ path: '/items/:id/close', method: 'POST', body: undefined }),
    polled,
    shapes,
    getPage: items.getList.paginated('cursor'),
  };
}

// Endpoints have no state of a controller, so all runs may share them.
const optimistic = createResources(true);
const plain = createResources(false);

/** Repeats writes only: how often a read may be sent is checked request by request. */
function createRetries(): Manager {
  const retries = new RetryManager({ count: 1, delayMs: 400 });
  return {
    request: (request, next) => (request.isRead ? next(request) : retries.request(request, next)),
  };
}

const NEVER_MS = 365 * 86_400_000;
const VALID = 3;

export class HoldfastSubject implements Subject {
  #controller: Controller;
  #resources: ReturnType<typeof createResources>;
  #isOptimistic: boolean;
  #clock: SubjectEnvironment['clock'];
  #environment: SubjectEnvironment;
  /** The items in the list of several types; the same array as long as the items are the same. */
  #items: readonly Item[] | undefined;

  /** Further managers, created for each controller. */
  readonly #others: () => readonly Manager[];

  constructor(environment: SubjectEnvironment, others: () => readonly Manager[] = () => []) {
    this.#others = others;
    const { clock, isOptimistic } = environment;
    this.#resources = isOptimistic ? optimistic : plain;
    this.#isOptimistic = isOptimistic;
    this.#clock = clock;
    this.#environment = environment;
    this.#controller = this.#createController();
  }

  #createController(saved?: string): Controller {
    const environment = this.#environment;
    const { fetch, clock, timers, random, surroundings } = environment;
    const controller = new Controller({
      fetch,
      managers: [
        ...this.#others(),
        ...(environment.hasRetries ? [createRetries()] : []),
        ...getDefaultManagers(),
      ],
      clock,
      timers,
      random,
      dataExpiryLength: environment.lifeMs ?? NEVER_MS,
      errorExpiryLength: environment.errorMs ?? NEVER_MS,
      retentionMs: environment.keepMs ?? Infinity,
      timeoutMs: 30_000,
      online: { isOnline: () => surroundings.online.isOn, subscribe: surroundings.online.subscribe },
      visibility: { isVisible: () => surroundings.visible.isOn, subscribe: surroundings.visible.subscribe },
      idle: surroundings.idle,
      ...(saved !== undefined && { initialState: savedState(saved) }),
    });
    controller.start();
    return controller;
  }

  readonly hasShapes: boolean = true;

  /** Like a page that is closed and opened again. */
  reopen(): void {
    const saved = JSON.stringify(dehydrate(this.#controller));
    this.#controller.stop();
    this.#controller = this.#createController(saved);
  }

  /** Like a server that renders a part of the page. */
  async saveElsewhere(calls: readonly ReadCall[], answer: AnswerNow): Promise<string> {
    const { clock, timers, random, lifeMs } = this.#environment;
    const controller = new Controller({
      fetch: async (address) => answer(String(address)),
      clock,
      timers,
      random,
      timeoutMs: Infinity,
      dataExpiryLength: lifeMs ?? NEVER_MS,
    });
    for (const call of calls) {
      const { endpoint, args } = this.reading(call);
      await controller.fetch(endpoint, ...args);
    }
    return JSON.stringify(dehydrate(controller));
  }

  bring(saved: string): void {
    hydrate(this.#controller, JSON.parse(saved));
  }

  peek(call: ReadCall): unknown {
    const { endpoint, args } = this.reading(call);
    return this.#controller.watch(endpoint, ...args).read().data;
  }

  fetch(call: Call): Promise<unknown> {
    const controller = this.#controller;
    const { items, users, notes, jobs, vote, close, shapes, getPage } = this.#resources;
    switch (call.kind) {
      case 'get':
        return controller.fetch(items.get, { id: call.id });
      case 'list': {
        const { cursor } = call.filter;
        if (cursor !== undefined) return controller.fetch(getPage, { ...call.filter, cursor });
        const { endpoint, args } = this.#listing(call.filter);
        return controller.fetch(endpoint, args);
      }
      case 'user':
        return controller.fetch(users.get, { id: call.id });
      case 'create':
        return controller.fetch(items.getList.push, call.body);
      case 'patch':
        return controller.fetch(items.partialUpdate, { id: call.id }, call.body);
      case 'put':
        return controller.fetch(items.update, { id: call.id }, call.body);
      case 'remove':
        return controller.fetch(items.delete, { id: call.id });
      case 'vote':
        return controller.fetch(vote, { id: call.id });
      case 'close':
        return controller.fetch(close, { id: call.id });
      case 'rename':
        return controller.fetch(users.partialUpdate, { id: call.id }, call.body);
      case 'move':
        return controller.fetch(items.getList.move, { id: call.id }, call.body);
      case 'patchMany':
        return controller.fetch(shapes.patchMany, manyBody(call));
      case 'removeMany':
        return controller.fetch(shapes.removeMany, manyBody(call));
      case 'createThing':
        return controller.fetch(shapes.createThing, call.body);
      case 'patchThing':
        return controller.fetch(shapes.things.partialUpdate, { id: call.id }, call.body);
      case 'removeThing':
        return controller.fetch(shapes.things.delete, { id: call.id });
      case 'jobs': {
        const { endpoint, args } = this.reading(call);
        return controller.fetch(endpoint, ...args);
      }
      case 'createJob':
        return controller.fetch(jobs.getList.push, call.body);
      case 'patchJob':
        return controller.fetch(jobs.partialUpdate, { id: call.id }, call.body);
      case 'removeJob':
        return controller.fetch(jobs.delete, { id: call.id });
      case 'note':
        return controller.fetch(notes.get, { id: call.id });
      case 'notes':
        return controller.fetch(notes.getList);
      case 'patchNote':
        return controller.fetch(notes.partialUpdate, { id: call.id }, call.body);
      case 'removeNote':
        return controller.fetch(notes.delete, { id: call.id });
    }
  }

  /** The endpoint that serves a list, and its arguments. */
  #listing(filter: Filter): { endpoint: AnyReadEndpoint; args: object } {
    const { items, shapes } = this.#resources;
    if ('orderBox' in filter) return { endpoint: shapes.box, args: filter };
    if ('orderNest' in filter) return { endpoint: shapes.board, args: { id: filter['status'] } };
    return { endpoint: 'things' in filter ? shapes.things.getList : items.getList, args: filter };
  }

  set(id: string, fields: Fields): void {
    void this.#controller.set(Item, { id }, { id, ...fields });
  }

  push(id: string, row: unknown): void {
    void this.#controller.setResponse(this.#resources.items.get, { id }, row);
  }

  tellNote(said: SaidNote, isAnswer: boolean): void {
    const { id } = said;
    if (isAnswer) void this.#controller.setResponse(this.#resources.notes.get, { id }, said);
    else void this.#controller.set(Note, { id }, said);
  }

  readNote(id: string): Note | undefined {
    return this.#controller.get(Note, { id });
  }

  readJobs(list: JobList): readonly string[] | undefined {
    const { endpoint, args } = this.reading({ kind: 'jobs', list });
    const { data } = this.#controller.getResponse(endpoint, ...args);
    if (data === undefined || data === null) return undefined;
    const shape = data as { results?: Job[]; jobs?: Job[] }; // cast: as the endpoint says
    const isInside = list.path === '/job-box' || list.path.startsWith('/people');
    const rows: readonly unknown[] | undefined = isInside
      ? (shape.results ?? shape.jobs)
      : Object.values(data);
    // a response of a wrong shape is stored unchanged where the schema allows any type
    if (!rows?.every((row) => row instanceof Entity)) return undefined;
    return rows.filter((row) => row instanceof Job).map(({ id }) => id);
  }

  tellJob(id: string, said: object, isAnswer: boolean): void {
    if (isAnswer) void this.#controller.setResponse(this.#resources.jobs.get, { id }, said);
    else void this.#controller.set(Job, { id }, said);
  }

  hasJob(id: string): boolean {
    return this.#controller.get(Job, { id }) !== undefined;
  }

  readNoteIds(): readonly string[] {
    return this.#controller.get(this.#resources.notes.getList.schema)?.map((note) => note.id) ?? [];
  }

  invalidate(call: ReadCall): void {
    const { endpoint, args } = this.reading(call);
    this.#controller.invalidate(endpoint, ...args);
  }

  invalidateLists(): void {
    this.#controller.invalidateAll(this.#resources.items.getList);
  }

  expireLists(): void {
    this.#controller.expireAll(this.#resources.items.getList);
  }

  reset(): void {
    this.#controller.resetEntireStore();
  }

  readRow(id: string): ViewRow | undefined {
    return this.#controller.get(Item, { id }) as ViewRow | undefined; // cast: an Item has these fields
  }

  readList(filter: Filter): readonly ViewRow[] | undefined {
    return this.#readList(filter) as readonly ViewRow[] | undefined; // cast: Items have these fields
  }

  #readList(filter: Filter): readonly unknown[] | undefined {
    const { items, shapes } = this.#resources;
    if ('orderBox' in filter) return this.#controller.get(shapes.box.schema.data, filter);
    if ('orderNest' in filter) return this.#controller.get(Board, { id: filter['status']! })?.items;
    if (!('things' in filter)) return this.#controller.get(items.getList.schema, filter);
    const things = this.#controller.get(shapes.things.getList.schema, filter);
    const found = things?.filter((one) => one instanceof Item);
    const isSame =
      found?.length === this.#items?.length && found?.every((item, index) => item === this.#items?.[index]);
    if (!isSame) this.#items = found;
    return this.#items;
  }

  readThingUsers(): readonly User[] | undefined {
    const things = this.#controller.get(this.#resources.shapes.things.getList.schema, { things: '1' });
    return things?.filter((one) => one instanceof User);
  }

  readUserName(id: string): string | undefined {
    return this.#controller.get(User, { id })?.name;
  }

  isFresh(call: ReadCall): boolean {
    const { endpoint, args } = this.reading(call);
    const found = this.#controller.getResponse(endpoint, ...args);
    return found.data != null && found.expiryStatus === VALID && found.expiresAt > this.#clock.now();
  }

  countPending(id: string): number | undefined {
    return this.#isOptimistic ? getPending(this.#controller, Item, { id }).length : undefined;
  }

  poll(call: PlainRead): void {
    if (call.kind === 'list') this.#controller.subscribe(this.#resources.polled.list, call.filter);
    else this.#controller.subscribe(this.#resources.polled[call.kind], { id: call.id });
  }

  unpoll(call: PlainRead): void {
    if (call.kind === 'list') this.#controller.unsubscribe(this.#resources.polled.list, call.filter);
    else this.#controller.unsubscribe(this.#resources.polled[call.kind], { id: call.id });
  }

  countKept(): number {
    return this.#controller.size;
  }

  stop(): void {
    this.#controller.stop();
  }

  /** For bindings: the controller that they read with. */
  get controller(): Controller {
    return this.#controller;
  }

  /** The endpoint and arguments of a read, and the schema that it stores. */
  reading(call: ReadCall): { endpoint: AnyReadEndpoint; args: readonly object[] } {
    const { items, users, notes, jobs } = this.#resources;
    if (call.kind === 'notes') return { endpoint: notes.getList, args: [] };
    if (call.kind === 'jobs') {
      const { path, query } = call.list;
      const endpoint = jobs.lists[path];
      return endpoint
        ? { endpoint, args: [query] }
        : { endpoint: jobs.person, args: [{ id: path.slice(-2) }] };
    }
    if (call.kind === 'list') {
      const { endpoint, args } = this.#listing(call.filter);
      return { endpoint, args: [args] };
    }
    const { get } = { get: items, user: users, note: notes }[call.kind];
    return { endpoint: get, args: [{ id: call.id }] };
  }

  watch(call: ReadCall, onChange: () => void): Watch {
    const { endpoint, args } = this.reading(call);
    const observer = this.#controller.watch(endpoint, ...args);
    const stop = observer.subscribe(onChange);
    const read = () => {
      const { data, error, expiryStatus, isFetching, isBlocked } = observer.read();
      // not its promise: reading that starts the request
      return { value: data, error, status: expiryStatus, isFetching, isBlocked, shown: observer.readShown() };
    };
    return { read, stop };
  }
}

export const createHoldfast: CreateSubject = (environment) => new HoldfastSubject(environment);
