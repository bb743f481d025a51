// docs/patterns/token-refresh.ts, run as it stands there, against a real server.
import { Controller, isHttpError } from 'holdfast';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../../../../docs/patterns/token-refresh.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

let server: TestServer;
let valid = 'new';
beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  server.forget();
  valid = 'new';
  server.on('*', '/users/:id', ({ path, headers, body }) =>
    headers['authorization'] === `Bearer ${valid}`
      ? { body: { ...(body as object | undefined), id: path.slice('/users/'.length) } }
      : { status: 401 },
  );
});
afterAll(() => server.close());

const ids = ['1', '2', '3', '4', '5'];

test('many requests that meet a 401 share one refresh, and all succeed', async () => {
  let refreshes = 0;
  const { UserResource } = createApi(server.url, async () => (refreshes++, 'new'), 'old');
  const controller = new Controller();

  const users = await Promise.all(ids.map((id) => controller.fetch(UserResource.get, { id })));

  expect(users.map((user) => user.id)).toEqual(ids);
  expect(refreshes).toBe(1);
});

test('a 401 that comes after the refresh does not start another', async () => {
  let refreshes = 0;
  const { UserResource } = createApi(server.url, async () => (refreshes++, 'new'), 'old');
  server.on('GET', '/users/9', async ({ headers }) => {
    if (headers['authorization'] === 'Bearer new') return { body: { id: '9' } };
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { status: 401 };
  });
  const late = UserResource.get({ id: '9' });
  await UserResource.get({ id: '1' });

  expect(await late).toMatchObject({ id: '9' });
  expect(refreshes).toBe(1);
});

test('a mutation is sent again with its body', async () => {
  const { UserResource } = createApi(server.url, async () => 'new', 'old');

  expect(await UserResource.update({ id: '1' }, { name: 'Ada' })).toMatchObject({ id: '1', name: 'Ada' });
});

test('a token that is refused after the refresh is a failure, after two requests', async () => {
  valid = 'none';
  const { UserResource } = createApi(server.url, async () => 'new', 'old');

  const error = await UserResource.get({ id: '1' }).catch((thrown: unknown) => thrown);

  expect(isHttpError(error, 401)).toBe(true);
  expect(server.requests).toHaveLength(2);
});

test('a refresh that fails fails all who wait for it, and the next 401 tries again', async () => {
  let refreshes = 0;
  const refresh = async (): Promise<string> => {
    refreshes += 1;
    if (refreshes === 1) {
      // until every request has met its 401
      await vi.waitFor(() => expect(server.requests).toHaveLength(ids.length), { timeout: 5000 });
      await new Promise((resolve) => setTimeout(resolve, 500));
      throw new Error('signed out');
    }
    return 'new';
  };
  const { UserResource } = createApi(server.url, refresh, 'old');

  const failed = await Promise.allSettled(ids.map((id) => UserResource.get({ id })));
  expect(failed.map(({ status }) => status)).toEqual(ids.map(() => 'rejected'));
  expect(refreshes).toBe(1);

  expect(await UserResource.get({ id: '1' })).toMatchObject({ id: '1' });
  expect(refreshes).toBe(2);
});
