// Sessions: short-lived access tokens, renewed by refresh tokens that are valid for one renewal each.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCookies, startDemo } from './support.ts';
import type { Demo } from './support.ts';

interface SessionJson {
  user: { id: string } | null;
  expiresAt: number | null;
}

let demo: Demo;
let nowMs = 0;
beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 17);
  demo = await startDemo({ accessSeconds: 60, now: () => nowMs });
});
afterEach(() => demo.close());

const renew = (cookie: string, headers: Record<string, string> = {}): Promise<Response> =>
  demo.request('POST', '/api/session/refresh', undefined, { ...headers, cookie });
const write = async (cookie: string): Promise<number> =>
  (await demo.request('PATCH', '/api/issues/LTH-1', { title: 'By a visitor' }, { cookie })).status;
const read = (cookie: string): Promise<SessionJson> =>
  demo.json('GET', '/api/session', undefined, { cookie });
const readLog = (cookie: string): Promise<unknown> =>
  demo.json('GET', '/api/session/log', undefined, { cookie });

test('signing in sets HttpOnly cookies with two tokens, one of them for the session only, and a marker cookie', async () => {
  const response = await demo.request('PUT', '/api/session', { userId: 'teo' }, { cookie: '' });

  expect(await response.json()).toMatchObject({ user: { id: 'teo' }, expiresAt: nowMs + 60_000 });
  expect(response.headers.getSetCookie().map((text) => text.replace(/=[\w-]{43};/, '=TOKEN;'))).toEqual([
    'demo_access=TOKEN; Max-Age=60; Path=/; HttpOnly; SameSite=Strict',
    'demo_refresh=TOKEN; Max-Age=2592000; Path=/api/session; HttpOnly; SameSite=Strict',
    'demo_signed_in=yes; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict',
  ]);
});

test('a write needs an access token that has not expired', async () => {
  expect(await write(demo.cookie)).toBe(200);
  expect(await write('demo_access=made-up')).toBe(401);
  expect(await write('')).toBe(401);

  nowMs += 60_000;
  expect(await write(demo.cookie)).toBe(401);
});

test('a refresh token is not accepted as an access token, nor an access token as a refresh token', async () => {
  const [access = '', refresh = ''] = demo.cookie.split('; ').map((text) => text.split('=')[1]);

  expect(await write(`demo_access=${refresh}`)).toBe(401);
  expect((await renew(`demo_refresh=${access}`)).status).toBe(401);
});

test('a session can be renewed repeatedly, each time after its access token has expired', async () => {
  let { cookie } = demo;
  for (let round = 0; round < 3; round++) {
    nowMs += 61_000;
    expect(await write(cookie)).toBe(401);
    const response = await renew(cookie);
    expect(await response.json()).toMatchObject({ user: { id: 'mira' }, expiresAt: nowMs + 60_000 });
    cookie = readCookies(response);
    expect(await write(cookie)).toBe(200);
  }

  expect(await readLog(cookie)).toEqual({ renewals: 3, replays: 0 });
});

test('an access token stays valid after a renewal has given another one', async () => {
  await renew(demo.cookie);

  expect(await write(demo.cookie)).toBe(200);
});

test('a refresh token that is used a second time ends the session for everybody who has it', async () => {
  const renewed = readCookies(await renew(demo.cookie));

  expect((await renew(demo.cookie)).status).toBe(401);

  expect(await write(renewed)).toBe(401);
  expect((await renew(renewed)).status).toBe(401);
  expect(await read(renewed)).toEqual({ user: null, expiresAt: null });
  expect(await readLog(renewed)).toEqual({ renewals: 1, replays: 1 });
});

test('a renewal whose response was lost can be repeated with its key', async () => {
  const key = { 'idempotency-key': 'renewal-1' };
  const lost = readCookies(await renew(demo.cookie, key));

  const response = await renew(demo.cookie, key);
  const cookie = readCookies(response);

  expect(response.status).toBe(200);
  expect(await write(cookie)).toBe(200);
  expect(await write(lost)).toBe(401);
  expect(await readLog(cookie)).toEqual({ renewals: 1, replays: 0 });
});

test('a renewal cannot be repeated once its tokens were used, nor under another key', async () => {
  const key = { 'idempotency-key': 'renewal-1' };
  const second = readCookies(await renew(demo.cookie, key));
  expect((await renew(second)).status).toBe(200);
  expect((await renew(demo.cookie, key)).status).toBe(401);

  const other = await demo.request('PUT', '/api/session', { userId: 'teo' }, { cookie: '' });
  const cookie = readCookies(other);
  await renew(cookie, { 'idempotency-key': 'one' });
  expect((await renew(cookie, { 'idempotency-key': 'two' })).status).toBe(401);
});

test('the session contains the signed-in user, also while a renewal is due', async () => {
  const { expiresAt } = await read(demo.cookie);
  expect(expiresAt).toBe(nowMs + 60_000);

  nowMs += 61_000;
  expect(await read(demo.cookie)).toMatchObject({ user: { id: 'mira' }, expiresAt });
  expect(await read('')).toEqual({ user: null, expiresAt: null });
});

test('signing out ends every token of the session and deletes the cookies', async () => {
  const response = await demo.request('DELETE', '/api/session');

  expect(response.headers.getSetCookie().map((text) => text.split(';')[0])).toEqual([
    'demo_access=',
    'demo_refresh=',
    'demo_signed_in=',
  ]);
  expect(await write(demo.cookie)).toBe(401);
  expect((await renew(demo.cookie)).status).toBe(401);
});

test('signing in as another user ends the session before', async () => {
  const response = await demo.request('PUT', '/api/session', { userId: 'teo' });

  expect(await write(demo.cookie)).toBe(401);
  expect((await read(readCookies(response))).user?.id).toBe('teo');
});

test('a refresh token expires after a month', async () => {
  nowMs += 31 * 86_400_000;

  expect((await renew(demo.cookie)).status).toBe(401);
});

test('the page signs a first visitor in, once', async () => {
  const first = await fetch(demo.url);
  const cookie = readCookies(first);

  expect(await write(cookie)).toBe(200);
  const again = await fetch(demo.url, { headers: { cookie } });
  expect(again.headers.getSetCookie()).toEqual([]);

  // the cookie of other data, which this server never had
  const returned = await fetch(demo.url, { headers: { cookie: 'demo_visited=another' } });
  expect(await write(readCookies(returned))).toBe(200);
});
