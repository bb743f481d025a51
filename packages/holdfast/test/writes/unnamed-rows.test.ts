// Creations that leave their row without a server id, or whose end is unknown: no local id is sent, and no list that was
// requested before counts as fresh without the row.
import { Entity, RestEndpoint, schema } from 'holdfast';
import { expect, test } from 'vitest';
import { breathe } from '../support/fake-world.ts';
import type { Reply } from '../support/server.ts';
import { endOf, start, Todo } from './harness.ts';

/** A draft on screen whose creation had a 204 response, while its list is being read again. */
async function startUnnamed() {
  const started = await start();
  const { server, rows, controller } = started;
  const resource = started.todos();
  await controller.fetch(resource.getList, {});
  started.show((todos) => todos.map(({ title }) => title).join(' '), resource.getList, {});
  server.on('POST', '/todos', ({ body }) => {
    rows.set('4', { id: 4, title: '', status: '', votes: 0, ...(body as object) });
    return { status: 204 };
  });
  const list = server.hold('GET', '/todos');
  await controller.fetch(resource.getList.push, { title: 'new' });
  const draft = controller.getResponse(resource.getList, {}).data?.[3];
  expect(String(draft?.id)).toMatch(/^local:/);
  return { ...started, ...resource, list, id: draft?.id ?? '' };
}

type Unnamed = Awaited<ReturnType<typeof startUnnamed>>;

test.each<[string, (started: Unnamed) => Promise<unknown>]>([
  ['an edit of it', ({ send, partialUpdate, id }) => send(partialUpdate, { id }, { title: 'edited' })],
  ['a replacement of it', ({ send, update, id }) => send(update, { id }, { title: 'edited' })],
  ['a deletion of it', ({ send, delete: remove, id }) => send(remove, { id })],
  ['a read of it', ({ send, get, id }) => send(get, { id })],
  ['a creation that refers to it', ({ send, getList, id }) => send(getList.push, { title: String(id) })],
])(
  'where a row was created without a response, %s waits for its id or fails with a code, and no local id is sent',
  async (_name, act) => {
    const started = await startUnnamed();
    const { left, list } = started;

    const acting = act(started);
    await breathe();
    list.releaseAll();
    await breathe();

    expect(left.filter((line) => /local(:|%3A)/i.test(line))).toEqual([]);
    const end = await endOf(acting);
    if (end instanceof Todo) expect(end.id).toBe(4);
    else expect(end).toBeOneOf(['DRAFT_NOT_CREATED', null]);
  },
);

class User extends Entity {
  static override key = 'User';
  id = '';
  todos: Todo[] = [];
  static override schema = {
    todos: new schema.Collection([Todo], {
      argsKey: ({ status }: { status?: string }) => ({ status }),
      nestKey: ({ id }: { id: string }) => ({ status: id }),
    }),
  };
}

/** A list, or one nested in a row, whose first read is in flight, with a response from before the creation. */
async function startFirstRead(place: string, reply: Reply, optimistic: boolean, mounted: boolean) {
  const started = await start();
  const { server, rows, controller } = started;
  const { getList } = started.todos({ optimistic, searchParams: {} as { status?: string } });
  const getUser = new RestEndpoint({ urlPrefix: server.url, path: '/users/:id', schema: User });
  server.on('GET', '/users/:id', () => ({ body: { id: 'open', todos: [...rows.values()] } }));
  server.on('POST', '/todos*', ({ body }) => {
    for (const one of [body].flat()) rows.set('4', { id: 4, votes: 0, ...(one as object) });
    return reply;
  });
  const args = { status: 'open' } as const;
  const isNested = place !== 'a list';
  const held = server.hold('GET', '*');
  const reading = isNested ? [getUser, { id: 'open' }] : [getList, args];
  const read = () => {
    const { data, expiresAt } = controller.getResponse(...(reading as [typeof getUser, { id: string }])); // cast: one of two
    const todos = isNested ? data?.todos : (data as unknown as Todo[] | undefined); // cast: the other one
    return {
      titles: todos?.map(({ title }) => title).join(' '),
      isFresh: expiresAt > started.world.time.clock.now(),
    };
  };
  if (mounted) started.show(() => '', ...(reading as [typeof getUser, { id: string }]));
  else void started.send(...(reading as [typeof getUser, { id: string }]));
  const first = await held.next();
  held.stop();
  const create =
    place === 'a nested list, in bulk'
      ? getList.push.extend({ path: '/todos/bulk', body: [] })
      : getList.push;
  const body = { title: 'new', status: 'open' };
  const creating = started.send(
    create as typeof getList.push,
    (place === 'a nested list, in bulk' ? [body] : body) as never,
  );
  await creating.catch(() => undefined);
  first.release();
  await breathe();
  return { ...started, read };
}

const ends = ['a list', 'a nested list', 'a nested list, in bulk'].flatMap((place) =>
  (
    [
      ['confirmed with 204', { status: 204 }],
      ['refused with 500', { status: 500 }],
      ['lost', { drop: true }],
    ] as const
  ).flatMap(([end, reply]) => [true, false].map((optimistic) => ({ place, end, reply, optimistic }))),
);

test.each(ends)(
  '$place whose first read was in flight when a creation was $end is stale until it is read after it; optimistic: $optimistic',
  async ({ place, reply, optimistic }) => {
    const { read } = await startFirstRead(place, reply, optimistic, false);

    expect(read().isFresh).toBe(false);
  },
);

test.each(ends)(
  '$place on screen whose first read was in flight when a creation was $end is read again and has the row; optimistic: $optimistic',
  async ({ place, reply, optimistic }) => {
    const { read } = await startFirstRead(place, reply, optimistic, true);
    await breathe();

    expect(read()).toEqual({ titles: 't1 t2 t3 new', isFresh: true });
  },
);
