// P-1. A mutation whose response holds several entities: the trade that was
// made, and the account it was made from. Both are written to the cache,
// and every list of trades shows the new one.
import { createResource, Entity } from 'holdfast';
import type { Controller } from 'holdfast';

export class Account extends Entity {
  static override key = 'Account';
  id = '';
  balance = 0;
}

export class Trade extends Entity {
  static override key = 'Trade';
  id = '';
  accountId = '';
  amount = 0;
}

export const createTradeResource = (urlPrefix: string) =>
  createResource({
    urlPrefix,
    path: '/trades/:id',
    schema: Trade,
    body: {} as { accountId: string; amount: number },
  }).extend((Base) => ({
    make: Base.getList.push.extend({
      // the server answers { trade, account }
      schema: { trade: Base.getList.push.schema, account: Account },
    }),
  }));

export async function buy(controller: Controller, urlPrefix: string) {
  const TradeResource = createTradeResource(urlPrefix);
  await controller.fetch(TradeResource.getList, { accountId: 'a' });

  await controller.fetch(TradeResource.make, {
    accountId: 'a',
    amount: 30,
  });

  return {
    trades: controller.get(TradeResource.getList.schema, {
      accountId: 'a',
    }),
    account: controller.get(Account, { id: 'a' }),
  };
}
