// Law C1 in the small: few rows, read and written repeatedly, with late responses. The same steps are made with tags in use and
// without; after each step every value, its freshness and the results of calls must be the same.
import { Controller, createResource, Entity, RestEndpoint } from 'holdfast';
import { HttpSemantics } from 'holdfast/http';
import { createRandom, TraceHash } from './random.ts';
import { settle } from './simulate.ts';
import { VirtualTime } from './virtual-time.ts';

class Row extends Entity {
  static override key = 'PairRow';
  id = '';
  name = '';
  group = '';
}

const urlPrefix = 'https://pairs.test';
const Rows = createResource({
  urlPrefix,
  path: '/rows/:id',
  schema: Row,
  body: {} as Partial<Row>,
  optimistic: true,
});
const getPlain = new RestEndpoint({ urlPrefix, path: '/plain' });
const IDS = ['1', '2', '3'];
const STEPS = 30;

/** One client and its server: a request is handled when its response is released. */
class Pair {
  readonly time = new VirtualTime();
  readonly rows = new Map(IDS.map((id) => [id, { id, name: 'n', group: 'a' }]));
  readonly ended: string[] = [];
  readonly #held: (() => void)[] = [];
  #isReleasing = false;
  readonly controller: Controller;

  constructor(options: HttpSemantics.Options) {
    this.controller = new Controller({
      clock: this.time.clock,
      timers: this.time.timers,
      random: () => 0.5,
      timeoutMs: Infinity,
      managers: [new HttpSemantics({ expiry: false, ...options })],
      fetch: (url, init) =>
        new Promise((resolve) => {
          const answer = (): void => resolve(this.#answer(new URL(url).pathname, init));
          // requested again because "not modified" could not be used: part of the same step
          if (this.#isReleasing) answer();
          else this.#held.push(answer);
        }),
    });
  }

  #answer(path: string, init: RequestInit = {}): Response {
    const id = path.split('/')[2] ?? '';
    const row = this.rows.get(id);
    if (init.method === 'DELETE') {
      this.rows.delete(id);
      return new Response(null, { status: 204 });
    }
    if (init.method === 'PATCH' && row) this.rows.set(id, { ...row, ...JSON.parse(String(init.body)) });
    if (path === '/plain') return this.#tagged({ count: this.rows.size }, init);
    if (id === '') return this.#tagged([...this.rows.values()], init);
    return this.rows.has(id) ? this.#tagged(this.rows.get(id), init) : new Response(null, { status: 404 });
  }

  #tagged(value: unknown, { method, headers }: RequestInit): Response {
    const hash = new TraceHash();
    hash.add(JSON.stringify(value));
    const etag = `"${hash.value}"`;
    const isKnown = method === 'GET' && new Headers(headers).get('if-none-match') === etag;
    if (isKnown) return new Response(null, { status: 304, headers: { etag } });
    return Response.json(value, method === 'GET' ? { headers: { etag } } : {});
  }

  call(name: string, promise: Promise<unknown>): void {
    const note = (end: unknown): void => void this.ended.push(`${name}: ${String(end)}`);
    promise.then(
      (value) => note(JSON.stringify(value)),
      (error: { status?: number; code?: string }) => note(error.status ?? error.code),
    );
  }

  async release(at: number): Promise<void> {
    this.#isReleasing = true;
    this.#held.splice(Math.floor(at * this.#held.length), 1)[0]?.();
    await settle();
    this.#isReleasing = false;
  }

  /** Everything that a user could notice. */
  look(): string {
    const now = this.time.clock.now();
    const found = [
      this.controller.getResponse(Rows.getList),
      ...IDS.map((id) => this.controller.getResponse(Rows.get, { id })),
      this.controller.getResponse(getPlain),
    ];
    const seen = found.map(({ data, expiresAt, expiryStatus }) => [data, expiresAt > now, expiryStatus]);
    return JSON.stringify([seen, this.ended]);
  }
}

async function step(pair: Pair, name: string, dice: readonly [number, number], index: number): Promise<void> {
  const { controller, rows } = pair;
  const [at, which] = dice;
  const id = IDS[Math.floor(which * IDS.length)]!;
  switch (name) {
    case 'list':
      return pair.call(`list ${index}`, controller.fetch(Rows.getList));
    case 'get':
      return pair.call(`get ${index}`, controller.fetch(Rows.get, { id }));
    case 'plain':
      return pair.call(`plain ${index}`, controller.fetch(getPlain));
    case 'patch':
      return pair.call(`patch ${index}`, controller.fetch(Rows.partialUpdate, { id }, { name: `p${index}` }));
    case 'delete':
      return pair.call(`delete ${index}`, controller.fetch(Rows.delete, { id }));
    case 'set':
      return controller.set(Row, { id }, { name: `s${index}` });
    case 'setAnswer':
      if (at < 0.5) return controller.setResponse(getPlain, { count: index });
      return controller.setResponse(Rows.getList, [{ id, name: `a${index}`, group: 'b' }]);
    case 'elsewhere':
      return void rows.set(id, { id, name: at < 0.5 ? 'n' : `e${index}`, group: 'a' });
    case 'invalidate':
      return controller.invalidateAll(Rows.getList);
    case 'reset':
      return at < 0.2 ? controller.resetEntireStore() : undefined;
    case 'time':
      return pair.time.advance(Math.floor(at * 40_000));
    default:
      return pair.release(at);
  }
}

const ACTIONS = [
  'list',
  'list',
  'get',
  'get',
  'plain',
  'patch',
  'delete',
  'set',
  'setAnswer',
  'elsewhere',
  'invalidate',
  'reset',
  'time',
];

/** The violation of one seed; undefined where the three runs are the same. */
export async function checkPairs(seed: number): Promise<string | undefined> {
  const random = createRandom(seed);
  const runs = [false, 'unread', 'send'] as const;
  const pairs = runs.map((validators) => new Pair({ validators }));
  for (let index = 0; index < STEPS; index += 1) {
    const name = random.chance(0.5) ? 'release' : random.pick(ACTIONS);
    const dice = [random.next(), random.next()] as const;
    for (const pair of pairs) {
      await step(pair, name, dice, index);
      await settle();
    }
    const [plain, ...others] = pairs.map((pair) => pair.look());
    const at = others.findIndex((other) => other !== plain);
    if (at >= 0) return `C1: after ${name} ${index}, ${runs[at + 1]}: ${others[at]} instead of ${plain}`;
  }
  return undefined;
}
