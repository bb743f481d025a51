// One real HTTP server for a whole run, which browser tests reach through `inject('serverUrl')`. It serves
// `/spaces/SPACE/COLLECTION` as described in collections.ts, lists the requests of a space at `/requests/SPACE`, and responds at
// `/said` with the headers that a test sends it. Node tests may use it too, but usually start their own with server.ts.
import type { TestProject } from 'vitest/node';
import { serveCollections } from './collections.ts';
import { startServer } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    serverUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  serveCollections(server, '/spaces');
  server.on('GET', '/requests/:space', ({ params }) => ({
    body: server
      .seen('*', `/spaces/${params['space']}/*`)
      .map(({ method, url, body, aborted }) => ({ method, url, body, aborted })),
  }));
  // a response with the headers that the test needs
  server.on('GET', '/said', ({ query }) => ({
    headers: JSON.parse(query.get('headers') ?? '{}') as Record<string, string>, // cast: what browser tests send
    body: [1],
  }));
  // a row whose server does not let other origins send `If-Match`
  server.on('OPTIONS', '/locked/1', { headers: { 'access-control-allow-headers': 'Content-Type' } });
  for (const method of ['GET', 'PATCH'])
    server.on(method, '/locked/1', { headers: { etag: '"1"' }, body: { id: '1', title: 'first' } });
  project.provide('serverUrl', server.url);
  return () => server.close();
}
