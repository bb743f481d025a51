// Mutations of many rows wait in one queue while a response brings changes of another client: the cost of their comparison is linear.
// It is counted in operations, so that a busy machine changes nothing.
import { Controller, createResource, Entity } from 'holdfast';
import { count, HttpSemantics } from 'holdfast/http';
import { expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { countOperations } from '../support/operations.ts';

class Item extends Entity {
  static override key = 'Item';
  id = '';
  title = '';
  price = 0;
  votes = 0;
}

const ItemResource = createResource({ path: '/items/:id', schema: Item, optimistic: true });
const change = ItemResource.partialUpdate.extend({ queue: () => 'items' });
/** Is the first of the queue and concerns no item, so that all changes wait. */
const goFirst = change.extend({ method: 'POST', path: '/first', body: undefined, schema: undefined });

/** Operations of this many waiting changes of as many rows, from the response with changes of another client to their end. */
async function judge(size: number, isJoined: boolean): Promise<number> {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const server = new Map(
    Array.from({ length: size }, (_none, at) => [
      String(at),
      { id: String(at), title: '', price: 0, votes: 5 },
    ]),
  );
  const controller = new Controller({
    ...new FakeWorld().options,
    managers: [new HttpSemantics({ conflicts: { merge: [[Item, { votes: count }]] } })],
    async fetch(address, { body, method } = {}) {
      if (address.endsWith('/first')) {
        await opened;
        return new Response(null, { status: 204 });
      }
      if (method === 'GET') return Response.json([...server.values()]);
      const id = address.slice(address.lastIndexOf('/') + 1);
      const item = { ...server.get(id)!, ...JSON.parse(String(body)) }; // the calls below name items of the server
      server.set(id, item);
      return Response.json(item);
    },
  });
  await controller.fetch(ItemResource.getList, {});
  const first = controller.fetch(goFirst);
  const calls = [...server.values()].map(({ id }) =>
    controller.fetch(change, { id }, { title: `mine ${id}`, votes: 7 }),
  );
  for (const item of server.values())
    server.set(item.id, { ...item, price: 1, votes: isJoined ? item.votes + 3 : item.votes });

  const operations = await countOperations(async () => {
    await controller.fetch(ItemResource.getList, {});
    open();
    await Promise.all([first, ...calls]);
  });
  for (const item of server.values())
    expect(item).toEqual({ id: item.id, title: `mine ${item.id}`, price: 1, votes: isJoined ? 10 : 7 });
  return operations;
}

test.each([
  ['compared with', false],
  ['joined with', true],
])(
  'eight times as many waiting changes that are %s the changes of another client cost at most nine times as much',
  async (_how, isJoined) => {
    const few = await judge(20, isJoined);
    const many = await judge(160, isJoined);

    expect(few).toBeGreaterThan(5_000);
    expect(many / few).toBeLessThanOrEqual(9);
  },
);
