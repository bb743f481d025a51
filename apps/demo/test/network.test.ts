// The bad network that a page can request: slow, failing and cut connections, chosen by a header.
import { afterEach, expect, test } from 'vitest';
import { parseConditions } from '../server/network.ts';
import { startDemo } from './support.ts';
import type { Demo } from './support.ts';

let demo: Demo | undefined;
afterEach(async () => {
  await demo?.close();
  demo = undefined;
});

/** A server whose random numbers are these, then zeros. */
async function startWith(...draws: number[]): Promise<Demo> {
  return (demo = await startDemo({ random: () => draws.shift() ?? 0 }));
}
const rename = (server: Demo, network: string): Promise<Response> =>
  server.request('PATCH', '/api/issues/LTH-1', { title: 'Renamed' }, { 'demo-network': network });
const readTitle = async (server: Demo): Promise<string> =>
  ((await (await server.request('GET', '/api/issues/LTH-1')).json()) as { title: string }).title;

test('a request without the header is never disturbed', async () => {
  const server = await startWith(0, 0, 0);

  expect((await server.request('PATCH', '/api/issues/LTH-1', { title: 'Renamed' })).status).toBe(200);
});

test('a failed request gets 503 with Retry-After and has no effect', async () => {
  const server = await startWith(0.1);

  const response = await rename(server, 'fail=0.2');

  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await readTitle(server)).not.toBe('Renamed');
});

test('a connection that is cut before the work leaves the data unchanged', async () => {
  const server = await startWith(0.1, 0.9);

  await expect(rename(server, 'drop=0.2')).rejects.toThrow('fetch failed');
  expect(await readTitle(server)).not.toBe('Renamed');
});

test('a connection that is cut after the work loses only the response', async () => {
  const server = await startWith(0.1, 0.1);

  await expect(rename(server, 'drop=0.2')).rejects.toThrow('fetch failed');
  expect(await readTitle(server)).toBe('Renamed');
});

test('a delayed request overtakes no other, but others overtake it', async () => {
  const server = await startWith(0.9, 1);
  const order: string[] = [];

  await Promise.all([
    rename(server, 'delay=0..400').then(() => order.push('delayed')),
    server.request('GET', '/api/users').then(() => order.push('plain')),
  ]);

  expect(order).toEqual(['plain', 'delayed']);
});

test('a delayed response contains the state at the time of the work', async () => {
  const server = await startWith();
  await server.request('PATCH', '/api/issues/LTH-1', { title: 'Before' });

  const order: string[] = [];
  const held = server.request('GET', '/api/issues/LTH-1', undefined, { 'demo-network': 'hold=1500' });
  const arrived = held.then(() => order.push('held'));
  // long enough for the request to arrive, short enough for the response to be still in flight
  await new Promise((done) => setTimeout(done, 100));
  await server.request('PATCH', '/api/issues/LTH-1', { title: 'After' });
  order.push('written');
  await arrived;

  expect(order).toEqual(['written', 'held']);
  expect(await (await held).json()).toMatchObject({ title: 'Before' });
  expect(await readTitle(server)).toBe('After');
});

test.each([
  'broken=4',
  'broken=x',
  'refuse=-1',
  'hold=',
  'hold=99999999',
  'speed=1',
  'fail=2',
  'fail=',
  'delay=9..1',
  'delay=0..99999999',
  'delay=x',
])('%s is refused', (header) => {
  expect(() => parseConditions(header)).toThrow('Demo-Network');
});
