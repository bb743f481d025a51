// The event stream: every change arrives once, in order, and a client that was away resumes.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { IssueJson } from '../server/representation.ts';
import { startDemo } from './support.ts';
import type { Demo } from './support.ts';

interface StreamEvent {
  position: string;
  op: string;
  type?: string;
  id?: string;
  value?: { title?: string };
}

let demo: Demo;
const open: AbortController[] = [];
beforeAll(async () => void (demo = await startDemo()));
afterEach(() => open.splice(0).forEach((controller) => controller.abort()));
afterAll(() => demo.close());

async function connect(
  headers: Record<string, string> = {},
  query = '',
): Promise<() => Promise<StreamEvent>> {
  const controller = new AbortController();
  open.push(controller);
  const response = await fetch(`${demo.url}/api/stream${query}`, { headers, signal: controller.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async () => {
    while (!text.includes('\n\n')) text += (await reader.read()).value ?? '';
    const [block = '', ...rest] = text.split('\n\n');
    text = rest.join('\n\n');
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
    return { position: fields['id'], ...(JSON.parse(fields['data']) as Omit<StreamEvent, 'position'>) };
  };
}

async function create(title: string): Promise<string> {
  const response = await demo.request('POST', '/api/issues', { projectId: 'BRK', title });
  return ((await response.json()) as IssueJson).id;
}

test('creating, changing and deleting an issue send messages in order, with the newest values', async () => {
  const next = await connect();
  expect(await next()).toMatchObject({ op: 'ready' });

  const id = await create('Watched');
  expect(await next()).toMatchObject({
    op: 'upsert',
    type: 'issue',
    id,
    value: { title: 'Watched' },
  });
  expect(await next()).toMatchObject({ op: 'upsert', type: 'project', id: 'BRK' });

  await demo.request('PATCH', `/api/issues/${id}`, { title: 'Renamed' });
  expect(await next()).toMatchObject({
    op: 'upsert',
    type: 'issue',
    id,
    value: { title: 'Renamed' },
  });

  await demo.request('DELETE', `/api/issues/${id}`);
  expect(await next()).toMatchObject({ op: 'delete', type: 'issue', id });
});

test('a restored issue is sent like a new one, with the counts of its project', async () => {
  const id = await create('Deleted, then restored');
  await demo.request('DELETE', `/api/issues/${id}`);
  const next = await connect();
  await next();

  await demo.request('POST', `/api/issues/${id}/restore`);

  expect(await next()).toMatchObject({ op: 'upsert', type: 'issue', id });
  expect(await next()).toMatchObject({ op: 'upsert', type: 'project', id: 'BRK' });
});

test('a client that returns with Last-Event-ID gets exactly the messages that it missed', async () => {
  const first = await connect();
  const { position } = await first();
  const missed = [await create('Missed one'), await create('Missed two')];

  const second = await connect({ 'last-event-id': position });
  await second();
  const issues: (string | undefined)[] = [];
  while (issues.length < 2) {
    const { type, id } = await second();
    if (type === 'issue') issues.push(id);
  }

  expect(issues).toEqual(missed);
});

test('sequence numbers grow by one, and a client resumes at any of them without a gap', async () => {
  const first = await connect();
  const start = Number((await first()).position);
  for (const title of ['One', 'Two', 'Three']) await create(title);

  for (const from of [start, start + 1, start + 4]) {
    const next = await connect({}, `?after=${from}`);
    await next();
    const positions: number[] = [];
    while (positions.at(-1) !== start + 6) positions.push(Number((await next()).position));
    expect(positions).toEqual(Array.from({ length: start + 6 - from }, (_, index) => from + index + 1));
  }
});

test('a client whose position is too old gets a message to start over, and follows from there', async () => {
  const first = await connect();
  const { position } = await first();
  const ids = Array.from({ length: 20 }, (_, index) => `LTH-${index + 1}`);
  for (let round = 0; round <= 250; round++) {
    const update = ids.map((id) => ({ id, title: `Round ${round}` }));
    await demo.request('POST', '/api/issues/bulk', { update });
  }

  const next = await connect({ 'last-event-id': position });
  await next();
  expect(await next()).toMatchObject({ op: 'reset' });

  const id = await create('After the reset');
  expect(await next()).toMatchObject({ op: 'upsert', type: 'issue', id });
});

test('a client whose position is unknown gets a message to start over', async () => {
  const next = await connect({}, '?after=999999999');
  await next();

  expect(await next()).toMatchObject({ op: 'reset' });
});

test('a refused write sends no message', async () => {
  const next = await connect();
  await next();

  await demo.request('POST', '/api/issues/bulk', {
    update: [{ id: 'BRK-1', title: '' }],
    delete: ['BRK-0'],
  });
  await demo.request('POST', '/api/issues/BRK-1/restore');
  const id = await create('The next real change');

  expect((await next()).id).toBe(id);
});

test('a page gets no message about its own creations, but other pages do', async () => {
  const [own, other] = [await connect({}, '?client=page-1'), await connect({}, '?client=page-2')];
  await own();
  await other();

  const input = { projectId: 'BRK', title: 'Mine' };
  const response = await demo.request('POST', '/api/issues', input, { 'client-id': 'page-1' });
  const { id } = (await response.json()) as IssueJson;

  expect(await other()).toMatchObject({ op: 'upsert', type: 'issue', id });
  expect(await own()).toMatchObject({ op: 'upsert', type: 'project', id: 'BRK' });

  // a change may have happened although its response was lost: then only the stream shows it
  await demo.request('PATCH', `/api/issues/${id}`, { title: 'Changed' }, { 'client-id': 'page-1' });
  expect(await own()).toMatchObject({ op: 'upsert', type: 'issue', id, value: { title: 'Changed' } });
});
