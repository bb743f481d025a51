// Lists of which only the server knows the rows: how often a change reads them, and what they show when responses cross.
import { byRole, Controller, createResource, Entity, schema } from 'holdfast';
import { describe, expect, onTestFinished, test } from 'vitest';
import { calm, Moments } from '../support/moments.ts';

class Slip extends Entity {
  static override key = 'SearchedSlip';
  id = '';
  title = '';
}

interface Stored {
  readonly id: string;
  readonly title: string;
}

type Args = Readonly<Record<string, string>>;

const SEARCH: Args = { q: 'a' };

/** A server that searches titles, and a client; `without` leaves the row out of the responses to updates. */
function start({ isOptimistic = false, without = false } = {}) {
  const rows = new Map<string, Stored>();
  for (const [id, title] of ['a', 'ab', 'b'].entries()) rows.set(String(id), { id: String(id), title });
  const net = new Moments(({ method, path, query, body }) => {
    const id = path.split('/')[2] ?? '9';
    if (method === 'DELETE') rows.delete(id);
    else if (method !== 'GET') rows.set(id, { ...rows.get(id), id, ...(body as { title: string }) });
    if (method === 'DELETE' || (method === 'PATCH' && without)) return { status: 204 };
    const found = [...rows.values()].filter(({ title }) => title.includes(query['q'] ?? ''));
    return { body: method === 'GET' && path === '/slips' ? found : rows.get(id) };
  });
  net.isQuick = true;
  const resource = createResource({
    urlPrefix: 'http://by.hand',
    path: '/slips/:id',
    schema: Slip,
    searchParams: {} as Args,
    body: {} as Partial<Stored>,
    optimistic: isOptimistic,
    argumentRoles: byRole({ q: 'search' }),
  });
  const controller = new Controller({ fetch: net.fetch });
  onTestFinished(() => controller.stop());
  controller.start();
  const seen = (args: Args = SEARCH) => {
    const { data, expiresAt } = controller.getResponse(resource.getList, args);
    const titles = (data ?? []).map(({ id, title }) => id + title).join(' ');
    return `${titles} ${expiresAt > Date.now() ? 'fresh' : 'stale'}`;
  };
  const show = async (args: Args = SEARCH) => {
    onTestFinished(controller.watch(resource.getList, args).subscribe(() => {}));
    await calm();
    net.sent.length = 0;
  };
  const reads = async () => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return net.sent.filter((line) => line.startsWith('GET')).toSorted();
  };
  return { controller, net, reads, resource, rows, seen, show };
}

type World = ReturnType<typeof start>;

const MUTATIONS: readonly (readonly [
  name: string,
  send: (world: World) => Promise<unknown>,
  echo: (world: World) => unknown,
  reads: number,
])[] = [
  [
    'PATCH',
    ({ controller, resource }) => controller.fetch(resource.partialUpdate, { id: '0' }, { title: 'a new' }),
    ({ controller, rows }) => controller.set(Slip, { id: '0' }, rows.get('0')!),
    1,
  ],
  [
    'POST',
    ({ controller, resource }) => controller.fetch(resource.getList.push, { title: 'a new' }),
    ({ controller, rows }) => controller.set(Slip, { id: '9' }, rows.get('9')!),
    1,
  ],
  [
    'DELETE',
    ({ controller, resource }) => controller.fetch(resource.delete, { id: '0' }),
    ({ controller }) =>
      Reflect.apply(controller.set, controller, [new schema.Invalidate(Slip), { id: '0' }, { id: '0' }]),
    0,
  ],
];

describe.each(MUTATIONS)('the message that repeats an own %s', (_name, send, echo, expected) => {
  test.each([
    ['while the list is read', true],
    ['while the list is read', false],
    ['after the list was read', true],
    ['after the list was read', false],
  ] as const)('%s costs no read of a search; optimistic: %s', async (when, isOptimistic) => {
    const world = start({ isOptimistic });
    const { net, reads, seen, show } = world;
    await show();
    net.isQuick = false;
    const sent = send(world);
    await calm();
    await net.inFlight[0]!.deliver(); // the mutation
    await sent;
    await calm();
    if (when === 'while the list is read') await echo(world);
    net.isQuick = true;
    while (net.inFlight.length > 0) await net.inFlight[0]!.deliver();
    await calm();
    if (when === 'after the list was read') await echo(world);
    expect((await reads()).length).toBe(expected);
    expect(seen()).toMatch(/fresh$/);
  });
});

test('a row that became stale is read once by each list on screen, because it may have left any of them', async () => {
  const { controller, net, reads, resource, seen, show } = start({ without: true });
  await show();
  await show({});
  await show({ title: 'a' });
  await controller.fetch(resource.partialUpdate, { id: '0' }, { title: 'b' });
  expect(await reads()).toEqual(['GET /slips', 'GET /slips?q=a', 'GET /slips?title=a']);
  expect([seen(), seen({})]).toEqual(['1ab fresh', '0b 1ab 2b fresh']);
  expect(net.inFlight.length).toBe(0);
});

describe('a search whose response arrives after a newer response of another list', () => {
  test.each([
    ['lost a row', '0', 'b', true],
    ['lost a row', '0', 'b', false],
    // a row that no response had contained before may have been as it is when the server handled the search
    ['got a row', '2', 'ab', true],
  ] as const)(
    'is stale if that response shows that it has %s: %s, now %s; known before: %s',
    async (_what, id, title, isKnown) => {
      const { controller, net, resource, rows, seen, reads, show } = start();
      if (isKnown) await controller.fetch(resource.getList, {});
      net.isQuick = false;
      const search = controller.fetch(resource.getList, SEARCH);
      await calm();
      net.inFlight[0]!.handle();
      rows.set(id, { id, title });
      const all = controller.fetch(resource.getList, {});
      await calm();
      await net.inFlight[1]!.deliver();
      await all;
      await net.inFlight[0]!.deliver();
      await search;
      expect(seen()).toMatch(/stale$/);
      net.isQuick = true;
      await show();
      await reads();
      expect(seen()).toBe(id === '0' ? '1ab fresh' : '0a 1ab 2ab fresh');
    },
  );
});
