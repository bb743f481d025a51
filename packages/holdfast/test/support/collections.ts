// An ordinary REST backend in memory, on top of the programmable server: collections of rows under `/NAME` and `/NAME/:id`, with
// filters by query. A request can choose its latency or failure by query (`?delay=50`, `?fail=503`, `?fail=422&problem=JSON`).
// Used by the shared server of the browser tests.
import type { RecordedRequest, Reply, TestServer } from './server.ts';

type Row = Record<string, unknown> & { id: string };

const controls = new Set(['delay', 'fail', 'problem']);

function pickRows(rows: Map<string, Row>, query: URLSearchParams): Row[] {
  const filters = [...query].filter(([name]) => !controls.has(name));
  return [...rows.values()].filter((row) => filters.every(([name, value]) => String(row[name]) === value));
}

function changeRow(rows: Map<string, Row>, request: RecordedRequest, id: string): Reply {
  const row = rows.get(id);
  if (!row) return { status: 404, body: { message: 'not found' } };
  switch (request.method) {
    case 'PUT':
      rows.set(id, { ...(request.body as object), id });
      break;
    case 'PATCH':
      rows.set(id, { ...row, ...(request.body as object), id });
      break;
    case 'DELETE':
      rows.delete(id);
      return { status: 204 };
    default:
  }
  return { body: rows.get(id) };
}

/** Serves every path `PREFIX/SPACE/COLLECTION[/ID]`; spaces share nothing, so tests can run side by side. */
export function serveCollections(server: TestServer, prefix: string): void {
  const spaces = new Map<string, Map<string, Row>>();

  function answer(request: RecordedRequest): Reply {
    const [space, collection, id] = (request.params['rest'] ?? '').split('/');
    const table = `${space}/${collection}`;
    const rows = spaces.get(table) ?? new Map<string, Row>();
    spaces.set(table, rows);
    if (id) return changeRow(rows, request, id);
    if (request.method === 'POST') {
      const sent = request.body as Partial<Row>;
      const created: Row = { ...sent, id: sent.id ?? `${rows.size + 1}` };
      rows.set(created.id, created);
      return { status: 201, body: created };
    }
    return { body: pickRows(rows, request.query) };
  }

  server.on('*', `${prefix}/*`, (request) => {
    const delay = Number(request.query.get('delay') ?? 0);
    const fail = Number(request.query.get('fail') ?? 0);
    const problem = request.query.get('problem');
    const failure: unknown = problem ? JSON.parse(problem) : { message: `asked to fail with ${fail}` };
    if (fail) return { status: fail, body: failure, delay };
    return { ...answer(request), delay };
  });
}
