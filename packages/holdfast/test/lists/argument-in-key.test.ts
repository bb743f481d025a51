// A field whose value depends on an argument: with the argument in the primary key, no list overwrites the rows of another.
import { Controller, Entity, RestEndpoint, schema } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Account extends Entity {
  static override key = 'CurrencyAccount';
  id = '';
  currency = 'usd';
  balance = 0;

  override pk(_parent?: unknown, _key?: string, args: readonly unknown[] = []): string {
    const [{ currency = this.currency } = {}] = args as [{ currency?: string }?]; // cast: the parameters of the endpoints
    return `${this.id} ${currency}`;
  }
}

let server: TestServer;
beforeEach(async () => (server = await startServer()));
afterEach(() => server.close());

test('lists in two currencies keep their own values, also after an update that names its currency', async () => {
  const balances: Record<string, number> = { usd: 100, eur: 90 };
  server.on('GET', '/accounts', ({ query }) => ({
    body: [{ id: '1', balance: balances[query.get('currency')!] }],
  }));
  server.on('PATCH', '/accounts/:id', ({ query }) => {
    const currency = query.get('currency')!;
    return { body: { id: '1', balance: (balances[currency] = 5) } };
  });
  const controller = new Controller();
  const searchParams = {} as { currency: string };
  const getAccounts = new RestEndpoint({
    urlPrefix: server.url,
    path: '/accounts',
    searchParams,
    schema: new schema.Collection([Account]),
  });
  const update = new RestEndpoint({
    urlPrefix: server.url,
    path: '/accounts/:id',
    method: 'PATCH',
    searchParams,
    body: {} as { balance: number },
    schema: Account,
  });
  const shown = (currency: string) =>
    controller.getResponse(getAccounts, { currency }).data?.map(({ balance }) => balance);
  await controller.fetch(getAccounts, { currency: 'usd' });
  await controller.fetch(getAccounts, { currency: 'eur' });
  expect([shown('usd'), shown('eur')]).toEqual([[100], [90]]);

  await controller.fetch(update, { id: '1', currency: 'eur' }, { balance: 5 });

  expect([shown('usd'), shown('eur')]).toEqual([[100], [5]]);
});
