// A client with rules for conflicts, and a server whose rows another client changes, as the tests of conflicts use them.
import { Controller, createResource, Entity, getDefaultManagers } from 'holdfast';
import type { Manager } from 'holdfast';
import { HttpSemantics } from 'holdfast/http';
import { onTestFinished } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { RecordedRequest, Reply } from '../support/server.ts';

export class Doc extends Entity {
  static override key = 'Doc';
  id = '';
  title = '';
  text = '';
  votes = 0;
  tags: string[] = [];
}

type Fields = Record<string, unknown>;

interface ServerOptions {
  /** Mutations are acknowledged with 204. */
  readonly isEmpty?: boolean;
  /** Mutations are refused with 409 and the row when their body has another `version`. */
  readonly isCounted?: boolean;
}

/** A server with two documents and a client that has rules for conflicts. */
export async function openDocs(
  options: HttpSemantics.Options = {},
  { isEmpty = false, isCounted = false }: ServerOptions = {},
  managers: readonly Manager[] = [],
) {
  const server = await startServer();
  onTestFinished(() => server.close());
  const world = new FakeWorld();
  const rows = new Map<string, Fields>(
    ['1', '2'].map((id) => [id, { id, title: `t${id}`, text: '', votes: 0, tags: ['a', 'b'] }]),
  );
  const versions = new Map<string, number>();
  const version = (id: string): number => versions.get(id) ?? 1;
  const reply = (id: string): Reply => ({ body: rows.get(id), headers: { etag: `"${version(id)}"` } });
  const change = (request: RecordedRequest): Reply => {
    const { params, headers, method } = request;
    const id = params['id']!;
    const body = request.body as Fields | undefined; // cast: what the tests send
    const match = headers['if-match'];
    const row = rows.get(id);
    if (match !== undefined && (!row || match !== `"${version(id)}"`)) return { status: 412 };
    if (!row) return { status: 404 };
    if (isCounted && body?.['version'] !== row['version'])
      return { status: 409, body: { title: 'Another version', current: row } };
    versions.set(id, version(id) + 1);
    if (method === 'DELETE') rows.delete(id);
    else rows.set(id, { ...(method === 'PATCH' && row), ...body, id });
    return method === 'DELETE' || isEmpty ? { status: 204 } : reply(id);
  };
  server.on('GET', '/docs', () => ({ body: [...rows.values()] }));
  server.on('GET', '/docs/:id', ({ params }) =>
    rows.has(params['id']!) ? reply(params['id']!) : { status: 404 },
  );
  for (const method of ['PUT', 'PATCH', 'DELETE']) server.on(method, '/docs/:id', change);
  const http = new HttpSemantics({ validators: false, preconditions: 'known', conflicts: {}, ...options });
  const controller = new Controller({
    ...world.options,
    random: Math.random,
    managers: [...managers, http, ...getDefaultManagers()],
  });
  const Docs = createResource({
    urlPrefix: server.url,
    path: '/docs/:id',
    schema: Doc,
    body: {} as Partial<Doc>,
    optimistic: true,
  });
  const seen = (): readonly RecordedRequest[] => server.requests;
  return {
    server,
    world,
    rows,
    controller,
    Docs,
    http,
    version,
    /** Another client changes row 1. */
    other(fields: Fields): void {
      versions.set('1', version('1') + 1);
      rows.set('1', { ...rows.get('1'), ...fields });
    },
    lines: () => seen().map(({ method, path }) => `${method} ${path}`),
    matches: () => server.seen('PATCH', '/docs/1').map(({ headers }) => headers['if-match']),
  };
}
