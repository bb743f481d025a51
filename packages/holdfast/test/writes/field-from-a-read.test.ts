// A list has brought a row without its text. While a mutation of the text is in flight, another field changes, and then a read brings
// the text for the first time. The change of the other field says nothing about the text, so the response to the mutation replaces it.
import { Controller, createResource, Entity, versionBy } from 'holdfast';
import { expect, test } from 'vitest';
import { calm, Moments } from '../support/moments.ts';

class Page extends Entity {
  static override key = 'FirstReadPage';
  id = '';
  title = '';
  rank = 0;
  text = '';
}

type Fields = Partial<Pick<Page, 'title' | 'rank' | 'text'>>;

async function start() {
  let row = { id: '1', title: 'old', rank: 0, text: 'old' };
  const net = new Moments(({ method, path, body }) => {
    if (method === 'PATCH') {
      row = { ...row, ...(body as Fields) };
      return { body: { id: '1', ...(body as Fields) } };
    }
    const { text: _text, ...summary } = row;
    return { body: path === '/pages' ? [summary] : row };
  });
  const { get, getList, partialUpdate } = createResource({
    urlPrefix: 'http://by.hand',
    path: '/pages/:id',
    schema: Page,
    body: {} as Fields,
  });
  const update = partialUpdate.extend({ queue: null });
  const controller = new Controller({ fetch: net.fetch });
  const send = async (fields: Fields) => {
    const sent = controller.fetch(update, { id: '1' }, fields);
    await calm();
    return { sent, request: net.inFlight.at(-1)! }; // sent above
  };
  net.isQuick = true;
  await controller.fetch(getList);
  net.isQuick = false;
  return { net, controller, get, send };
}

type World = Awaited<ReturnType<typeof start>>;

/** How another field of the row changes. */
const CHANGES: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'a message about another field': async ({ controller }) => controller.set(Page, { id: '1', rank: 7 }),
  'a message about a field that the mutation sends': async ({ controller }) =>
    controller.set(Page, { id: '1', title: 'theirs' }),
  'a later mutation of another field': async ({ send }) => {
    const { sent, request } = await send({ rank: 7 });
    await request.deliver();
    await sent;
  },
};

test.each(Object.keys(CHANGES))(
  'the response to a mutation replaces a field that only a read from before it has brought, after %s',
  async (change) => {
    const world = await start();
    const { net, controller, get, send } = world;
    const { sent, request } = await send({ title: 'mine', text: 'mine' });
    await CHANGES[change]!(world); // of the keys
    const reading = controller.fetch(get, { id: '1' });
    await calm();
    await net.next('GET').deliver();
    await reading;
    expect(controller.get(Page, { id: '1' })?.text).toBe('old');

    await request.deliver();
    await sent;

    expect(controller.get(Page, { id: '1' })).toMatchObject({ title: 'mine', text: 'mine' });
  },
);

class Post extends Entity {
  static override key = 'FirstReadPost';
  static override version = versionBy('version');
  id = '';
  version = 0;
  title = '';
  views = 0;
}

// The server counts views without a new version of the row.
test('of two reads of one version, the one that was sent later keeps its value of a field that a mutation before them omitted', async () => {
  const row = { id: '1', version: 1, title: 'old', views: 0 };
  const net = new Moments(({ method, path, body }) => {
    if (method === 'PATCH') Object.assign(row, body, { version: 2 });
    else if (path !== '/posts') row.views += 1;
    const { views: _views, ...summary } = row;
    return { body: path === '/posts' || method === 'PATCH' ? summary : row };
  });
  const { get, getList, partialUpdate } = createResource({
    urlPrefix: 'http://by.hand',
    path: '/posts/:id',
    schema: Post,
    body: {} as { title: string },
  });
  const getAgain = get.extend({ path: '/posts/:id/again' });
  const controller = new Controller({ fetch: net.fetch });
  net.isQuick = true;
  await controller.fetch(getList);
  await controller.fetch(partialUpdate, { id: '1' }, { title: 'mine' });
  net.isQuick = false;
  const reads = [controller.fetch(get, { id: '1' })];
  await calm();
  reads.push(controller.fetch(getAgain, { id: '1' }));
  await calm();
  const earlier = net.next('GET');
  earlier.handle();
  await net.inFlight.at(-1)!.deliver(); // the later of the two
  await earlier.deliver();
  await Promise.all(reads);

  expect(controller.get(Post, { id: '1' })?.views).toBe(2);
});
