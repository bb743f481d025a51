// A list that became stale is read again by the readers that are mounted and by readers that mount later, however early the time is
// since which it is stale.
import { byRole, Controller, createResource, Entity } from 'holdfast';
import { expect, onTestFinished, test } from 'vitest';
import { calm, Moments } from '../support/moments.ts';
import type { Sent } from '../support/moments.ts';

class Item extends Entity {
  static override key = 'MarkedItem';
  id = '';
  title = '';
  state = '';
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly state: string;
}

function start() {
  let rows: Row[] = ['1', '2', '3', '4'].map((id) => ({ id, title: `t${id}`, state: 'open' }));
  const net = new Moments(({ method, path, query, body }: Sent) => {
    const id = path.split('/')[2];
    if (method === 'DELETE') rows = rows.filter((row) => row.id !== id);
    if (method === 'PATCH')
      rows = rows.map((row) => (row.id === id ? { ...row, ...(body as Partial<Row>) } : row));
    if (method === 'PATCH') return { body: { id, title: rows.find((row) => row.id === id)?.title } };
    if (id) return { body: rows.find((row) => row.id === id) ?? { id } };
    const page = Number(query['page'] ?? 0);
    const { state } = query;
    const found = rows.filter((row) => !state || row.state === state);
    return { body: page ? found.slice(page * 2 - 2, page * 2) : found };
  });
  const resource = createResource({
    urlPrefix: 'http://marked.test',
    path: '/items/:id',
    schema: Item,
    body: {} as Partial<Row>,
    searchParams: {} as { page?: string; state?: string },
    argumentRoles: byRole({ page: 'page' }),
  });
  const controller = new Controller({ fetch: net.fetch });
  controller.start();
  onTestFinished(() => controller.stop());
  const idsOf = (args: { page?: string; state?: string }) => {
    const { data, expiresAt } = controller.getResponse(resource.getList, args);
    return [data?.map(({ id }) => id).join(), expiresAt > Date.now()];
  };
  return { controller, idsOf, net, resource };
}

test.each(['before', 'after'])(
  'a single page whose response is older than a deletion of a row before it is read again by a reader that mounts %s the response',
  async (when) => {
    const { controller, idsOf, net, resource } = start();
    const args = { page: '2' };
    const mount = () => onTestFinished(controller.watch(resource.getList, args).subscribe(() => {}));
    net.isQuick = true;
    await controller.fetch(resource.get, { id: '1' });
    net.isQuick = false;
    if (when === 'before') mount();
    else controller.fetch(resource.getList, args).catch(() => {});
    await calm();
    const late = net.next('GET /items?page=2');
    late.handle();
    net.isQuick = true;
    await controller.fetch(resource.delete, { id: '1' });
    net.isQuick = false;
    await late.deliver();
    expect(idsOf(args)).toEqual(['3,4', false]);

    if (when === 'after') mount();
    await calm();
    await net.rest();

    expect(idsOf(args)).toEqual(['4', true]);
  },
);

test.each(['before', 'after'])(
  'a list that a row has left by a response with fewer fields than were sent is read again by a reader that mounts %s the response',
  async (when) => {
    const { controller, idsOf, net, resource } = start();
    const args = { state: 'open' };
    const mount = () => onTestFinished(controller.watch(resource.getList, args).subscribe(() => {}));
    const change = controller.fetch(resource.partialUpdate, { id: '1' }, { state: 'shut' });
    await calm();
    const patch = net.next('PATCH');
    net.isQuick = true;
    await controller.fetch(resource.getList, args);
    if (when === 'before') mount();
    await patch.deliver();
    await change;

    if (when === 'after') mount();
    await calm();
    await calm();

    expect(idsOf(args)).toEqual(['2,3,4', true]);
  },
);
