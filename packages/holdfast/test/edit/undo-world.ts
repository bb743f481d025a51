// The world of the laws of transactions and undo: a server with rows whose requests are sent, handled and delivered at three
// separate moments, and a client with a history and a list on screen.
import { Controller, createResource, Entity } from 'holdfast';
import { history } from 'holdfast/edit';
import fc from 'fast-check';
import { CORE } from '../../src/controller/state/core.ts';
import { VirtualTime } from '../simulation/virtual-time.ts';
import { calm, Moments } from '../support/moments.ts';
import type { Reply, Sent } from '../support/moments.ts';

export const FIELDS = ['title', 'status'] as const;
export type Field = (typeof FIELDS)[number];
type Fields = Record<string, unknown>;

export class Item extends Entity {
  static override key = 'Item';
  id = '';
  title = '';
  status = '';
}
const options = {
  urlPrefix: 'http://api.test',
  path: '/items/:id',
  schema: Item,
  body: {} as Partial<Item>,
} as const;
/** Its mutations have no optimistic update. */
export const UnshownResource = createResource(options);
const Shown = createResource({ ...options, optimistic: true });
export const ItemResource = {
  ...Shown,
  // like a creation: the response puts the row into the list again
  restore: UnshownResource.getList.push.extend({ path: '/items/:id/restore', body: undefined }),
};

/** How the server ends a mutation. Done: whether it changes the row. */
export const ENDS = {
  whole: { isDone: true, reply: (row) => ({ body: row }) },
  empty: { isDone: true, reply: () => ({ status: 204 }) },
  refused: { isDone: false, reply: () => ({ status: 422 }) },
  broken: { isDone: true, reply: () => ({ status: 503 }) },
  lost: { isDone: true, reply: () => 'lost' },
} as const satisfies Record<string, { isDone: boolean; reply: (row: unknown) => Reply }>;
export type End = keyof typeof ENDS;

export class World {
  readonly rows = new Map<string, Fields>(
    ['1', '2', '3'].map((id) => [id, { id, title: `t${id}`, status: `s${id}` }]),
  );
  readonly #deleted = new Map<string, Fields>();
  readonly time = new VirtualTime();
  /** The end of the next mutation for which `mayFail` is true. */
  nextEnd: End = 'whole';
  mayFail: (request: Sent) => boolean = () => true;
  onSent: (method: string, path: string, body: Fields | undefined) => void = () => undefined;
  onHandled: (request: Sent, before: Fields | undefined) => void = () => undefined;
  onShown: (rows: readonly Item[]) => void = () => undefined;
  /** The ids of created rows whose creation is not acknowledged: no client can know that a read has brought its own row. */
  readonly unacknowledged = new Set<string>();
  #lastId = 3;
  readonly network = new Moments((request) => this.#handle(request));
  readonly controller = new Controller({
    fetch: (input, init = {}) => {
      const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Fields) : undefined; // cast: what the client sends
      this.onSent(init.method ?? 'GET', new URL(input).pathname, body);
      return this.network.fetch(input, init);
    },
    clock: this.time.clock,
    timers: this.time.timers,
    random: () => 0.5,
    managers: [
      {
        handlesFailures: true,
        request: async (request, next) => {
          const outcome = await next(request);
          if (!request.isRead) this.unacknowledged.delete(String((outcome.value as Fields | null)?.['id'])); // cast: what the server sends
          return outcome;
        },
      },
    ],
  });
  /** What a reader of the list was notified of, and what it shows now. */
  readonly shown: (readonly Item[])[] = [];
  past: history.History | undefined;
  /** The ids of the rows whose deletion was called. */
  readonly removed: string[] = [];
  /** Whether a transaction that has failed could not undo everything. */
  hasLeft = false;

  #handle(request: Sent): Reply {
    const { method, path, body } = request;
    const [, , id = '', action] = path.split('/');
    if (method === 'GET') {
      if (!id) return { body: [...this.rows.values()] };
      return this.rows.has(id) ? { body: this.rows.get(id) } : { status: 404 };
    }
    let end: { readonly isDone: boolean; readonly reply: (row: unknown) => Reply } = ENDS.whole;
    if (this.mayFail(request)) {
      end = ENDS[this.nextEnd];
      this.nextEnd = 'whole';
    }
    const before = this.rows.get(id);
    const isCreation = method === 'POST' && !action;
    if (!isCreation && !action && !before) return { status: 404 };
    if (!end.isDone) return end.reply(before);
    this.onHandled(request, before);
    if (method === 'DELETE') {
      this.#deleted.set(id, before!);
      this.rows.delete(id);
      return end.reply({});
    }
    const key = isCreation ? String((this.#lastId += 1)) : id;
    if (isCreation) this.unacknowledged.add(key);
    this.rows.set(key, {
      id: key,
      title: '',
      status: '',
      ...(action ? this.#deleted.get(id) : before),
      ...(body as object),
    }); // cast: what the client sends
    // a creation without a body in its response has no id: that is a law of its own
    return isCreation && end === ENDS.empty ? { body: this.rows.get(key) } : end.reply(this.rows.get(key));
  }

  async open(options: Partial<history.Options> | false = {}): Promise<this> {
    const { controller, network } = this;
    network.isQuick = true;
    await controller.fetch(ItemResource.getList, {});
    network.isQuick = false;
    if (options) this.past = history(controller, { resources: [ItemResource], ...options });
    const list = controller.watch(ItemResource.getList, {});
    const look = (): void => {
      const { data } = list.readShown();
      if (!data) return;
      this.shown.push(data);
      this.onShown(data);
    };
    list.subscribe(look);
    look();
    return this;
  }

  /** The rows as the server has them, without the order. */
  get state(): Fields {
    return Object.fromEntries([...this.rows].map(([id, row]) => [id, { ...row }]));
  }

  /** The rows on screen, without the order. */
  get screen(): Fields {
    return Object.fromEntries(
      (this.shown.at(-1) ?? []).map(({ id, title, status }) => [id, { id, title, status }]),
    );
  }

  /** The fields of a row as responses have brought them to the client. */
  known(id: string): Fields {
    return this.controller[CORE].engine.store.tables.get('Item')?.rows.get(id)?.base ?? {};
  }

  get openWrites(): number {
    return this.controller[CORE].flights.size;
  }

  /** The values of mutations that the server may have handled although they have failed. */
  readonly unknownEnds = new Set<unknown>();

  send(promise: Promise<unknown>, body?: unknown): void {
    promise.catch(({ code, status }: { code?: string; status?: number }) => {
      const isUnknown = code === 'CONNECTION_FAILED' || (status ?? 0) >= 500;
      if (isUnknown) for (const value of Object.values(Object(body) as object)) this.unknownEnds.add(value); // cast: an object
    });
  }

  async rest(): Promise<void> {
    this.nextEnd = 'whole';
    for (let round = 0; round < 3; round += 1) {
      await this.network.rest();
      await calm();
      this.time.advance(1_000);
      await calm();
    }
    await this.network.rest();
  }

  async move(step: Move): Promise<void> {
    const request = this.network.inFlight[step.at % (this.network.inFlight.length || 1)];
    if (step.do === 'handle') request?.handle();
    else await request?.deliver();
  }
}

export interface Move {
  readonly do: 'handle' | 'deliver';
  readonly at: number;
}

export const moves: fc.Arbitrary<Move> = fc.record({
  do: fc.constantFrom('handle', 'deliver', 'deliver'),
  at: fc.nat(7),
});

/** One mutation of the client, by the number of a row. */
export interface Write {
  readonly do: 'change' | 'create' | 'remove';
  readonly row: number;
  readonly field: Field;
  /** Whether the mutation has an optimistic update. */
  readonly isShown: boolean;
}

export const writes: fc.Arbitrary<Write> = fc.record({
  do: fc.constantFrom('change', 'change', 'change', 'create', 'remove'),
  row: fc.nat(5),
  field: fc.constantFrom(...FIELDS),
  isShown: fc.constantFrom(true, true, true, false),
});
