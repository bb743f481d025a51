// The event stream: every change arrives once, in order, and a client that was away resumes.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { IssueJson } from '../server/representation.ts';
import { startDemo } from './support.ts';
import type { Demo } from './support.ts';

interface StreamEvent {
  id: string;
  event: string;
  payload: { type?: string; id?: string; value?: { title?: string } };
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
  const response = await fetch(`${demo.url}/api/changes${query}`, { headers, signal: controller.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async () => {
    while (!text.includes('\n\n')) text += (await reader.read()).value ?? '';
    const [block = '', ...rest] = text.split('\n\n');
    text = rest.join('\n\n');
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
    return {
      id: fields['id'],
      event: fields['event'],
      payload: JSON.parse(fields['data']) as StreamEvent['payload'],
    };
  };
}

async function create(title: string): Promise<string> {
  const response = await demo.request('POST', '/api/issues', { projectId: 'BRK', title });
  return ((await response.json()) as IssueJson).id;
}

test('creating, changing and deleting an issue are told in order, with the newest values', async () => {
  const next = await connect();
  expect(await next()).toMatchObject({ event: 'ready' });

  const id = await create('Watched');
  expect(await next()).toMatchObject({
    event: 'upsert',
    payload: { type: 'issue', id, value: { title: 'Watched' } },
  });
  expect(await next()).toMatchObject({ event: 'upsert', payload: { type: 'project', id: 'BRK' } });

  await demo.request('PATCH', `/api/issues/${id}`, { title: 'Renamed' });
  expect(await next()).toMatchObject({
    event: 'upsert',
    payload: { type: 'issue', id, value: { title: 'Renamed' } },
  });

  await demo.request('DELETE', `/api/issues/${id}`);
  expect(await next()).toMatchObject({ event: 'delete', payload: { type: 'issue', id } });
});

test('a client that returns with Last-Event-ID gets exactly what it missed', async () => {
  const first = await connect();
  const { id: position } = await first();
  const missed = [await create('Missed one'), await create('Missed two')];

  const second = await connect({ 'last-event-id': position });
  await second();
  const issues: (string | undefined)[] = [];
  while (issues.length < 2) {
    const { payload } = await second();
    if (payload.type === 'issue') issues.push(payload.id);
  }

  expect(issues).toEqual(missed);
});

test('a client whose position is unknown is told to start over', async () => {
  const next = await connect({}, '?after=999999999');
  await next();

  expect(await next()).toMatchObject({ event: 'reset' });
});

test('a write that is refused tells nobody', async () => {
  const next = await connect();
  await next();

  await demo.request('POST', '/api/issues/bulk', {
    update: [{ id: 'BRK-1', title: 'No' }],
    delete: ['BRK-0'],
  });
  const id = await create('The next real change');

  expect((await next()).payload.id).toBe(id);
});
