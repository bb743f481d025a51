// Drives the shipped library through its public surface, with the simulator's clock, timers, network and chance.
import { Controller, createResource, Entity, getDefaultManagers } from 'holdfast';
import type { Snapshot } from 'holdfast';
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
} from './subject.ts';

class User extends Entity {
  id = '';
  name = '';

  static override key = 'User';
}

class Item extends Entity {
  id = '';
  title = '';
  status = '';
  group = '';
  body = '';
  votes = 0;
  owner: User | undefined = undefined;

  static override key = 'Item';
  static override schema = { owner: User };
}

function createResources(isOptimistic: boolean) {
  const shared = { urlPrefix: 'http://model.test', optimistic: isOptimistic };
  const items = createResource({
    ...shared,
    path: '/items/:id',
    schema: Item,
    searchParams: {} as Filter,
    body: {} as Fields,
  });
  const count = items.get.extend({ path: '/items/:id/vote', method: 'POST', body: undefined });
  // what it shows depends on what is there, earlier votes that wait for their answer included
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
  return { items, users, vote, polled, getPage: items.getList.paginated('cursor') };
}

// Endpoints hold no state of a controller, so all runs may share them.
const optimistic = createResources(true);
const plain = createResources(false);

const NEVER_MS = 365 * 86_400_000;
const VALID = 3;

export class HoldfastSubject implements Subject {
  #controller: Controller;
  #resources: ReturnType<typeof createResources>;
  #isOptimistic: boolean;
  #clock: SubjectEnvironment['clock'];

  constructor(environment: SubjectEnvironment) {
    const { fetch, clock, timers, random, isOptimistic, surroundings } = environment;
    this.#resources = isOptimistic ? optimistic : plain;
    this.#isOptimistic = isOptimistic;
    this.#clock = clock;
    this.#controller = new Controller({
      fetch,
      managers: getDefaultManagers(),
      clock,
      timers,
      random,
      dataExpiryLength: environment.lifeMs ?? NEVER_MS,
      errorExpiryLength: environment.errorMs ?? NEVER_MS,
      retentionLength: environment.keepMs ?? Infinity,
      timeout: 30_000,
      online: { isOnline: () => surroundings.online.isOn, subscribe: surroundings.online.subscribe },
      visibility: { isVisible: () => surroundings.visible.isOn, subscribe: surroundings.visible.subscribe },
      idle: surroundings.idle,
    });
    this.#controller.start();
  }

  fetch(call: Call): Promise<unknown> {
    const controller = this.#controller;
    const { items, users, vote, getPage } = this.#resources;
    switch (call.kind) {
      case 'get':
        return controller.fetch(items.get, { id: call.id });
      case 'list':
        return controller.fetch('cursor' in call.filter ? getPage : items.getList, call.filter);
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
      case 'rename':
        return controller.fetch(users.partialUpdate, { id: call.id }, call.body);
    }
  }

  set(id: string, fields: Fields): void {
    void this.#controller.set(Item, { id }, { id, ...fields });
  }

  push(id: string, row: unknown): void {
    void this.#controller.setResponse(this.#resources.items.get, { id }, row);
  }

  invalidate(call: ReadCall): void {
    const { items, users } = this.#resources;
    if (call.kind === 'list') this.#controller.invalidate(items.getList, call.filter);
    else this.#controller.invalidate(call.kind === 'get' ? items.get : users.get, { id: call.id });
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
    return this.#controller.get(this.#resources.items.getList.schema, filter) as
      | readonly ViewRow[]
      | undefined; // cast: Items
  }

  readUserName(id: string): string | undefined {
    return this.#controller.get(User, { id })?.name;
  }

  isFresh(call: ReadCall): boolean {
    const { items, users } = this.#resources;
    const found =
      call.kind === 'list'
        ? this.#controller.getResponse(items.getList, call.filter)
        : this.#controller.getResponse(call.kind === 'get' ? items.get : users.get, { id: call.id });
    return found.data != null && found.expiryStatus === VALID && found.expiresAt > this.#clock.now();
  }

  countPending(id: string): number | undefined {
    return this.#isOptimistic ? this.#controller.getPending(Item, { id }).length : undefined;
  }

  poll(call: ReadCall): void {
    if (call.kind === 'list') this.#controller.subscribe(this.#resources.polled.list, call.filter);
    else this.#controller.subscribe(this.#resources.polled[call.kind], { id: call.id });
  }

  unpoll(call: ReadCall): void {
    if (call.kind === 'list') this.#controller.unsubscribe(this.#resources.polled.list, call.filter);
    else this.#controller.unsubscribe(this.#resources.polled[call.kind], { id: call.id });
  }

  countKept(): number {
    return this.#controller.size;
  }

  stop(): void {
    this.#controller.stop();
  }

  /** For bindings: what they read with. */
  get controller(): Controller {
    return this.#controller;
  }

  /** The endpoint and arguments of a read, and the schema that it stores. */
  reading(call: ReadCall) {
    const { items, users } = this.#resources;
    if (call.kind === 'list') return { endpoint: items.getList, args: call.filter };
    return { endpoint: call.kind === 'get' ? items.get : users.get, args: { id: call.id } };
  }

  watch(call: ReadCall, onChange: () => void): Watch {
    const { items, users } = this.#resources;
    const observer =
      call.kind === 'list'
        ? this.#controller.watch(items.getList, call.filter)
        : this.#controller.watch(call.kind === 'get' ? items.get : users.get, { id: call.id });
    const stop = observer.subscribe(onChange);
    const read = () => {
      const { data, error, expiryStatus, isFetching, isBlocked } = observer.read();
      // not its promise: asking for that starts the request
      return { value: data, error, status: expiryStatus, isFetching, isBlocked, shown: observer.look() };
    };
    return { read, stop };
  }
}

export const createHoldfast: CreateSubject = (environment) => new HoldfastSubject(environment);
