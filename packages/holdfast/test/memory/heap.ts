// Run by heap.test.ts in a separate process, with forced collections: the memory that is still used after many ids, after a reset
// and after a long run. Prints one line of JSON. The caller chooses the built library or the sources.
import { pathToFileURL } from 'node:url';
import type * as Holdfast from 'holdfast';
import { heapBytes } from './heap-bytes.ts';

const entry = process.argv[2] ?? '';
const idCount = Number(process.argv[3] ?? 20_000);
const operationCount = Number(process.argv[4] ?? 2_000);
// cast: the entry is the library, whichever build it is
const library = (await import(pathToFileURL(entry).href)) as typeof Holdfast;
const { Controller, createResource, Entity, watchQuery } = library;

const RETENTION_MS = 300_000;
const DAY_MS = 86_400_000;

class User extends Entity {
  static override key = 'User';
  id = 0;
  name = '';
}

class Todo extends Entity {
  static override key = 'Todo';
  id: number | string = 0;
  title = '';
  status = '';
  owner: User | undefined = undefined;
  static override schema = { owner: User };
}

const TodoResource = createResource({
  urlPrefix: 'http://model.test',
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { status?: string; q?: number } | undefined,
  body: {} as Partial<Todo>,
  optimistic: true,
});

/** Like the simulator's time, with a book that takes a hundred thousand timers. */
class QuickTime {
  #now = 1_700_000_000_000;
  readonly #alarms = new Map<number, { readonly due: number; readonly run: () => void }>();
  #lastId = 0;

  readonly clock = { now: (): number => this.#now };
  readonly timers = {
    set: (run: () => void, delayMs: number): number => {
      this.#alarms.set((this.#lastId += 1), { due: this.#now + delayMs, run });
      return this.#lastId;
    },
    clear: (id: unknown): void => {
      this.#alarms.delete(id as number); // cast: made by `set`
    },
  };

  get pendingTimers(): number {
    return this.#alarms.size;
  }

  advance(byMs: number): void {
    const until = this.#now + byMs;
    for (;;) {
      const due = [...this.#alarms]
        .filter(([, alarm]) => alarm.due <= until)
        .toSorted(([, a], [, b]) => a.due - b.due);
      if (due.length === 0) break;
      for (const [id, alarm] of due) {
        if (!this.#alarms.delete(id)) continue;
        this.#now = Math.max(this.#now, alarm.due);
        alarm.run();
      }
    }
    this.#now = until;
  }
}

const time = new QuickTime();
let created = 1_000_000_000;
let failEvery = 0;
let requests = 0;
const row = (id: number) => ({
  id,
  title: `title ${id}`,
  status: id % 2 ? 'open' : 'done',
  owner: { id: id % 50, name: 'someone' },
});

function createController() {
  return new Controller({
    clock: time.clock,
    timers: time.timers,
    random: () => 0.5,
    online: { isOnline: () => true, subscribe: () => () => undefined },
    visibility: { isVisible: () => true, subscribe: () => () => undefined },
    idle: {
      request: (run: (timeLeftMs: () => number) => void) => time.timers.set(() => run(() => 8), 1),
      cancel: time.timers.clear,
    },
    fetch: async (url: string, init?: RequestInit) => {
      requests += 1;
      if (failEvery > 0 && requests % failEvery === 0) throw new TypeError('fetch failed');
      const { pathname, searchParams } = new URL(url);
      const id = Number(pathname.split('/')[2]);
      if (init?.method === 'DELETE' || init?.method === 'PUT') return new Response(null, { status: 204 });
      if (init?.method === 'POST') return Response.json(row((created += 1)), { status: 201 });
      if (Number.isNaN(id)) {
        const from = Number(searchParams.get('q') ?? 0);
        return Response.json(Array.from({ length: 10 }, (_, at) => row(from + at)));
      }
      return Response.json(row(id));
    },
  });
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Advances virtual time in steps, so that every timer set on the way runs and requests get their responses. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= RETENTION_MS) {
    time.advance(Math.min(left, RETENTION_MS));
    await settle();
  }
}

/**
 * Writes of a row that the store does not hold, whose responses name no row, while a read of the row is in flight: the order of
 * the write is remembered for the key.
 */
async function writeUnseen(controller: InstanceType<typeof Controller>, id: number): Promise<void> {
  const read = controller.fetch(TodoResource.get, { id });
  const write =
    id % 20 === 5
      ? controller.fetch(TodoResource.update, { id }, { title: 'x' })
      : controller.fetch(TodoResource.delete, { id });
  await Promise.allSettled([read, write]);
}

async function see(controller: InstanceType<typeof Controller>, id: number): Promise<void> {
  const observer = controller.watch(TodoResource.get, { id });
  const stop = observer.subscribe(() => undefined);
  if (id % 10 === 0) {
    await controller.fetch(TodoResource.get, { id });
    controller.get(Todo, { id });
    observer.read();
  } else void controller.setResponse(TodoResource.get, { id }, row(id));
  stop();
}

/** Distinct ids that are seen or written, and then released. */
async function seeIds(
  controller: InstanceType<typeof Controller>,
  from: number,
  count: number,
): Promise<void> {
  for (let id = from; id < from + count; id += 1) {
    if (id % 10 === 5) await writeUnseen(controller, id);
    else await see(controller, id);
    if (id % 2_000 === 0) await pass(RETENTION_MS);
  }
  await pass(4 * RETENTION_MS);
}

async function measureIds(): Promise<{ growthBytes: number; size: number }> {
  const controller = createController();
  controller.start();
  await seeIds(controller, 0, Math.min(5_000, idCount));
  const before = await heapBytes();
  await seeIds(controller, 1_000_000, idCount);
  const after = await heapBytes();
  const { size } = controller;
  controller.stop();
  return { growthBytes: after - before, size };
}

let collected = 0;
// outside: a registry that is itself collected calls nobody
const registry = new FinalizationRegistry(() => (collected += 1));

async function measureReset(): Promise<{ growthBytes: number; collected: number; watched: number }> {
  const controller = createController();
  await controller.fetch(TodoResource.getList, { q: 0 });
  controller.resetEntireStore();
  const before = await heapBytes();
  const watched = 1_000;
  for (let id = 0; id < 5_000; id += 1) {
    await controller.setResponse(TodoResource.get, { id }, row(id));
    const todo = controller.get(Todo, { id });
    if (id < watched && todo) registry.register(todo, id);
  }
  controller.resetEntireStore();
  const after = await heapBytes();
  await heapBytes();
  return { growthBytes: after - before, collected, watched };
}

/** A day of an application: readers mount and unmount, rows are created, changed and deleted, requests fail. */
async function runDay(operations: number): Promise<{ size: number; timers: number }> {
  const controller = createController();
  controller.start();
  let seed = 42;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  failEvery = 17;
  const stops: (() => void)[] = [];
  const ignore = (): undefined => undefined;
  for (let operation = 0; operation < operations; operation += 1) {
    const id = random(5_000);
    const choice = random(10);
    if (choice < 3) {
      const observer =
        choice === 0
          ? controller.watch(TodoResource.getList, { q: id })
          : controller.watch(TodoResource.get, { id });
      stops.push(observer.subscribe(ignore));
    } else if (choice === 3)
      controller.fetch(TodoResource.getList.push, { title: 'new', status: 'open' }).catch(ignore);
    else if (choice === 4)
      controller.fetch(TodoResource.partialUpdate, { id }, { title: 'x', status: 'done' }).catch(ignore);
    else if (choice === 5) controller.fetch(TodoResource.delete, { id }).catch(ignore);
    else if (choice === 6) controller.fetch(TodoResource.getList, { status: 'open', q: id }).catch(ignore);
    else if (choice === 7) controller.invalidate(TodoResource.get, { id });
    else if (choice === 8) stops.push(watchQuery(controller, Todo, { id }).subscribe(ignore));
    else controller.get(Todo, { id });
    if (stops.length > 30) stops.splice(random(stops.length), 1)[0]?.();
    if (operation % 20 === 0) await settle();
    time.advance(DAY_MS / operations);
  }
  for (const stop of stops) stop();
  failEvery = 0;
  await pass(8 * RETENTION_MS);
  const { size } = controller;
  const timers = time.pendingTimers;
  controller.stop();
  return { size, timers };
}

async function measureSoak(): Promise<Record<string, number>> {
  await runDay(Math.min(operationCount, 2_000)); // compiled code and caches of the platform are no growth
  const before = await heapBytes();
  const end = await runDay(operationCount);
  return { ...end, operations: operationCount, growthBytes: (await heapBytes()) - before };
}

const ids = await measureIds();
const reset = await measureReset();
console.log(JSON.stringify({ ids, reset, soak: await measureSoak() }));
