// Rows that checks have refused, as an inspector shows them.
import { Controller, createResource } from 'holdfast';
import { inspect } from 'holdfast/inspect';
import { EntityOf } from 'holdfast/validate';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { startServer } from '../support/server.ts';

const pin = z
  .string()
  .refine((text) => text.length === 4, { error: ({ input }) => `${String(input)} is no pin` });
class Account extends EntityOf(
  'Account',
  { id: z.string(), title: z.string(), pin },
  { onInvalid: 'drop' },
) {}

async function start(redact: readonly string[] = []) {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const server = await startServer();
  onTestFinished(() => server.close());
  const inspector = inspect({ redact });
  const controller = new Controller({ managers: [inspector] });
  const accounts = createResource({ urlPrefix: server.url, path: '/accounts/:id', schema: Account });
  return { server, inspector, controller, accounts };
}

test('an inspector lists the rows that checks have refused until valid rows arrive', async () => {
  const { server, inspector, controller, accounts } = await start();
  server.on('GET', '/accounts', {
    body: [
      { id: '1', title: 'a', pin: '1234' },
      { id: '2', title: 5, pin: '1234' },
    ],
  });
  expect(inspector.refused()).toEqual([]);

  await controller.fetch(accounts.getList);
  expect(inspector.refused()).toMatchObject([
    {
      entity: 'Account',
      pk: '2',
      path: 'Account.getList[1]',
      outcome: 'dropped',
      fields: [{ field: 'title' }],
    },
  ]);

  server.on('GET', '/accounts/:id', { body: { id: '2', title: 'b', pin: '1234' } });
  await controller.fetch(accounts.get, { id: '2' });
  expect(inspector.refused()).toEqual([]);
});

test('without checks, or without a controller, no row is refused', () => {
  const inspector = inspect();
  expect(inspector.refused()).toEqual([]);
  void new Controller({ managers: [inspector] });
  expect(inspector.refused()).toEqual([]);
});

test('a trace contains refused rows, and no message about a hidden field', async () => {
  const { server, inspector, controller, accounts } = await start(['pin']);
  server.on('GET', '/accounts', { body: [{ id: '1', title: 'a', pin: '98765' }] });
  await controller.fetch(accounts.getList);

  expect(inspector.refused()[0]?.fields[0]?.message).toBe('98765 is no pin');
  expect(inspector.trace().refused).toMatchObject([
    { pk: '1', fields: [{ field: 'pin', message: '[redacted]' }] },
  ]);
  expect(JSON.stringify(inspector.trace())).not.toContain('98765');
});
