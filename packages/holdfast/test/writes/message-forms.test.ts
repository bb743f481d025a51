// A message may bring a row in any form: alone, in an array, in a list, or nested in another row. In each form, the response to an
// earlier mutation does not replace the fields of the message in silence.
import { Controller, createResource, Entity, RestEndpoint, schema } from 'holdfast';
import { expect, test } from 'vitest';
import { calm, Moments } from '../support/moments.ts';

class Item extends Entity {
  static override key = 'FormItem';
  id = '';
  title = '';
  votes = 0;
}
class Board extends Entity {
  static override key = 'FormBoard';
  id = '';
  first: Item | null = null;
  static override schema = { first: Item };
}

const urlPrefix = 'http://forms.test';
const body = {} as Partial<Pick<Item, 'title' | 'votes'>>;
const { get, getList, partialUpdate } = createResource({ urlPrefix, path: '/items/:id', schema: Item, body });
const rows = new schema.Collection([Item]);
const named = new schema.Collection(new schema.Values(Item));
const getArray = new RestEndpoint({ urlPrefix, path: '/array', schema: [Item] });
const getPage = new RestEndpoint({ urlPrefix, path: '/page', schema: { rows, total: 0 } });
const getNamed = new RestEndpoint({ urlPrefix, path: '/named', schema: named });

type Row = { readonly id: string; readonly title: string; readonly votes: number };
const TELL: Readonly<Record<string, (controller: Controller, row: Row) => unknown>> = {
  'alone': (controller, row) => controller.set(Item, row),
  'in an array': (controller, row) => controller.setResponse(getArray, [row]),
  'in a list': (controller, row) => controller.set(getList.schema, [row]),
  'as the response to a list': (controller, row) => controller.setResponse(getList, [row]),
  'as the response to a page': (controller, row) =>
    controller.setResponse(getPage, { rows: [row], total: 1 }),
  'in a map with names': (controller, row) => controller.setResponse(getNamed, { a: row }),
  'nested in another row': (controller, row) => controller.set(Board, { id: 'b', first: row }),
};

test.each(Object.keys(TELL).flatMap((form) => [true, false].map((isListed) => ({ form, isListed }))))(
  'a row that a message brings $form is not replaced in silence by the older response to a mutation (list known: $isListed)',
  async ({ form, isListed }) => {
    let row: Row = { id: '1', title: 'old', votes: 0 };
    const net = new Moments(({ method, path, body: sent }) => {
      if (method === 'PATCH') row = { ...row, ...(sent as Partial<Row>) };
      return { body: path === '/items' ? [row] : row };
    });
    const controller = new Controller({ fetch: net.fetch });
    net.isQuick = true;
    await (isListed ? controller.fetch(getList) : controller.fetch(get, { id: '1' }));
    net.isQuick = false;
    const changing = controller.fetch(partialUpdate, { id: '1' }, { title: 'mine' });
    await calm();
    const patch = net.next('PATCH');
    patch.handle();
    row = { ...row, votes: 7 };

    await TELL[form]!(controller, row); // of the keys
    await patch.deliver();
    await changing;

    const { data, expiresAt } = controller.getResponse(get, { id: '1' });
    expect(data?.title).toBe('mine');
    expect([data?.votes === 7, expiresAt > Date.now()]).not.toEqual([false, true]);
  },
);

test.each(Object.keys(TELL))(
  'the response to a mutation that the server handles after a message (%s) and a later read is not dropped in silence',
  async (form) => {
    let row: Row = { id: '1', title: 'old', votes: 0 };
    const net = new Moments(({ method, path, body: sent }) => {
      if (method === 'PATCH') row = { ...row, ...(sent as Partial<Row>), votes: 9 };
      return { body: path === '/items' ? [row] : row };
    });
    const controller = new Controller({ fetch: net.fetch });
    net.isQuick = true;
    await controller.fetch(getList);
    net.isQuick = false;
    const changing = controller.fetch(partialUpdate, { id: '1' }, { title: 'mine' });
    await calm();
    await TELL[form]!(controller, row); // of the keys
    const reading = controller.fetch(get, { id: '1' });
    await calm();
    await net.next('GET').deliver();
    await reading;
    await net.next('PATCH').deliver();
    await changing;

    const { data, expiresAt } = controller.getResponse(get, { id: '1' });
    expect(data?.votes === 9 || expiresAt <= Date.now()).toBe(true);
  },
);
