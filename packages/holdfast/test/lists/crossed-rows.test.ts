// A list whose response is older than what another response has brought of one of its rows, for the first time.
import { byRole, Controller, createResource, Entity } from 'holdfast';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../support/server.ts';

class Card extends Entity {
  static override key = 'Card';
  id = '';
  title = '';
  state = '';
}

/** The response to a list is computed; the card changes; a newer response brings the card; then the first one arrives. */
async function crossed(params: Readonly<Record<string, string>>, by: 'list' | 'detail') {
  const server = await startServer();
  onTestFinished(() => server.close());
  const card = { id: '1', title: 'a', state: 'open' };
  server.on('GET', '/cards', () => ({ body: [{ ...card }] }));
  server.on('GET', '/cards/:id', () => ({ body: { ...card } }));
  const { get, getList } = createResource({
    urlPrefix: server.url,
    path: '/cards/:id',
    schema: Card,
    searchParams: {} as Readonly<Record<string, string>>,
    argumentRoles: byRole({ word: 'search' }),
  });
  const controller = new Controller();
  const held = server.hold('GET', '/cards');
  const late = controller.fetch(getList, params);
  const response = await held.next();
  held.stop();
  Object.assign(card, { title: 'b', state: 'shut' });
  await (by === 'list' ? controller.fetch(getList) : controller.fetch(get, { id: '1' }));
  response.release();
  await late;
  const { data, expiresAt } = controller.getResponse(getList, params);
  return { titles: data?.map(({ title }) => title), isFresh: expiresAt > Date.now() };
}

test.each(['list', 'detail'] as const)(
  'a row leaves a list whose late response contradicts a newer %s',
  async (by) => {
    expect(await crossed({ state: 'open' }, by)).toEqual({ titles: [], isFresh: true });
  },
);

test.each([{ q: 'a' }, { word: 'a' }, { sort: 'title' }])(
  'a list with %o is stale when its late response contradicts a newer one, because only the server can decide',
  async (params) => {
    expect(await crossed(params, 'list')).toEqual({ titles: ['b'], isFresh: false });
  },
);

test('a list without a filter is fresh when its late response contradicts a newer one', async () => {
  expect(await crossed({}, 'detail')).toEqual({ titles: ['b'], isFresh: true });
});
