// Two controllers run the same random steps; only one of them removes unused data. Readers of either see the same.
import { Controller, createResource, Entity, schema, watchQuery } from 'holdfast';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualTime } from '../simulation/virtual-time.ts';

class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
}

class Item extends Entity {
  static override key = 'Item';
  static override indexes = ['title'] as const;
  id = '';
  title = '';
  status = '';
  owner: User | undefined = undefined;
  parent: Item | undefined = undefined;
}
Item.schema = { owner: User, parent: Item };

const Items = createResource({
  urlPrefix: 'http://model.test',
  path: '/items/:id',
  schema: Item,
  searchParams: {} as { status?: string } | undefined,
  body: {} as Record<string, unknown>,
  optimistic: true,
});
// nothing is nested in them: whole lists of them enter in one go
class Label extends Entity {
  static override key = 'Label';
  id = '';
  name = '';
}
const Labels = createResource({ urlPrefix: 'http://model.test', path: '/labels/:id', schema: Label });
const open = new schema.Query(new schema.All(Item), (items: readonly Item[]) =>
  items
    .filter((item) => item.status === 'open')
    .map((item) => item.id)
    .sort(),
);

const RETENTION_MS = 10_000;
const settle = () => new Promise((resolve) => setImmediate(resolve));

class Twin {
  readonly time = new VirtualTime();
  readonly rows = new Map<string, Record<string, unknown>>();
  readonly controller: Controller;
  readonly readers = new Map<number, { read: () => unknown; stop: () => void }>();
  readonly slices: (() => void)[] = [];
  #next = 100;

  constructor(retentionMs: number) {
    for (let id = 0; id < 8; id += 1) this.rows.set(String(id), this.#row(String(id)));
    this.controller = new Controller({
      clock: this.time.clock,
      timers: this.time.timers,
      random: () => 0.5,
      retentionMs,
      dataExpiryLength: 5_000,
      idle: { request: (run) => this.slices.push(() => run(() => 0)), cancel: () => undefined },
      fetch: async (url, init) => this.#answer(new URL(url), init),
    });
    this.controller.start();
  }

  #row(id: string): Record<string, unknown> {
    const owner = { id: `u${Number(id) % 3}`, name: `user ${Number(id) % 3}` };
    const parent = Number(id) > 0 && Number(id) < 8 ? String(Number(id) - 1) : undefined;
    return { id, title: `t${id}`, status: Number(id) % 2 ? 'open' : 'done', owner, parent };
  }

  #answer(url: URL, init: RequestInit | undefined): Response {
    // none at first, then one more with every row that is created
    if (url.pathname === '/labels')
      return Response.json(
        Array.from({ length: this.#next - 100 }, (_, at) => ({ id: `l${at}`, name: `${at}` })),
      );
    const id = url.pathname.split('/')[2];
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as object) : {};
    if (init?.method === 'POST') {
      const row = { ...this.#row(String((this.#next += 1))), ...body };
      this.rows.set(row['id'] as string, row);
      return Response.json(row);
    }
    if (id === undefined) {
      const status = url.searchParams.get('status');
      return Response.json(
        [...this.rows.values()].filter((row) => status === null || row['status'] === status),
      );
    }
    const row = this.rows.get(id);
    if (!row) return new Response(null, { status: 404 });
    if (init?.method === 'DELETE') this.rows.delete(id);
    if (init?.method === 'PATCH') this.rows.set(id, { ...row, ...body });
    return init?.method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(this.rows.get(id));
  }

  run({ kind, id, at }: Step): void {
    const { controller } = this;
    const ignore = () => undefined;
    const watch = (observer: {
      read: () => { data: unknown };
      subscribe: (run: () => void) => () => void;
    }) => {
      this.readers.get(at)?.stop();
      this.readers.set(at, { read: () => observer.read().data, stop: observer.subscribe(ignore) });
    };
    if (kind === 'row') watch(controller.watch(Items.get, { id }));
    if (kind === 'list') watch(controller.watch(Items.getList, { status: at % 2 ? 'open' : 'done' }));
    if (kind === 'labels') watch(controller.watch(Labels.getList));
    if (kind === 'query') watch(watchQuery(controller, open));
    if (kind === 'title') watch(watchQuery(controller, Item, { title: `t${id}` } as never));
    if (kind === 'leave') {
      this.readers.get(at)?.stop();
      this.readers.delete(at);
    }
    if (kind === 'patch')
      controller.fetch(Items.partialUpdate, { id }, { status: at % 2 ? 'open' : 'done' }).catch(ignore);
    if (kind === 'create') controller.fetch(Items.getList.push, { status: 'open' }).catch(ignore);
    if (kind === 'delete') controller.fetch(Items.delete, { id }).catch(ignore);
    if (kind === 'invalidate') controller.invalidate(Items.get, { id });
    if (kind === 'get') controller.get(Item, { id });
    if (kind === 'wait') this.time.advance(at * 3_000);
    if (kind === 'slice') for (let count = 0; count <= at; count += 1) this.slices.shift()?.();
  }
}

interface Step {
  readonly kind: string;
  readonly id: string;
  readonly at: number;
}

const kinds = [
  'row',
  'list',
  'labels',
  'query',
  'title',
  'leave',
  'leave',
  'patch',
  'create',
  'delete',
  'invalidate',
  'get',
  'wait',
  'wait',
  'slice',
  'slice',
];
const steps = fc.array(
  fc.record({ kind: fc.constantFrom(...kinds), id: fc.nat(7).map(String), at: fc.nat(5) }),
  { minLength: 20, maxLength: 60 },
);

/** Values as data: entities by their fields, rows that name each other only once on the way down. */
function plain(value: unknown): string {
  const seen = new Set<unknown>();
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    if (seen.has(member)) return '…';
    seen.add(member);
    return member;
  });
}

test('the shown data is the same with and without retention, and in the end everything is removed', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (life) => {
      const twins = [new Twin(RETENTION_MS), new Twin(Infinity)] as const;
      for (const step of life) {
        for (const twin of twins) twin.run(step);
        for (let turn = 0; turn < 4; turn += 1) await settle();
        const [forgetful, other] = twins;
        for (const [at, reader] of forgetful.readers) {
          const shown = reader.read();
          // a look-up among the stored rows finds fewer where more were removed: only its own rows are compared
          if (step.kind === 'title' || step.kind === 'query' || shown === undefined) continue;
          if (!Array.isArray(shown) || shown[0] instanceof Item || shown[0] instanceof Label)
            expect(plain(shown)).toBe(plain(other.readers.get(at)?.read()));
        }
      }
      const [forgetful] = twins;
      for (const reader of forgetful.readers.values()) reader.stop();
      for (let turn = 0; turn < 6; turn += 1) {
        forgetful.time.advance(RETENTION_MS);
        while (forgetful.slices.length > 0) forgetful.slices.shift()?.();
        await settle();
      }
      expect(forgetful.controller.size).toBe(0);
      for (const twin of twins) twin.controller.stop();
    }),
    { numRuns: Number(process.env['RUNS'] ?? 40), seed: Number(process.env['PROPERTY_SEED'] ?? 7) },
  );
}, 3_600_000);
