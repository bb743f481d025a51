// A small API over data in memory. Notes take their time, one task's blockers always fail, and one task that is still in
// the list has been deleted.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RunningApi {
  readonly url: string;
  /** Requests so far, as `GET /api/tasks`, with who asked. */
  readonly requests: readonly { readonly what: string; readonly by: 'server' | 'browser' }[];
  close(): void;
}

type Pause = (path: string) => Promise<unknown>;
const pauseForNotes: Pause = (path) => sleep(path.endsWith('/notes') ? 500 : 0);

export async function startApi(pause: Pause = pauseForNotes): Promise<RunningApi> {
  const list = ['Sand the hull', 'Mend the sail', 'Paint the name'].map((title, index) => ({
    id: String(index + 1),
    title,
    done: false,
  }));
  const tasks = new Map(list.slice(0, 2).map((task) => [task.id, task]));
  const requests: RunningApi['requests'][number][] = [];

  function answer(path: string, change: string): { status: number; value: unknown } {
    const [id, part] = path.split('/').slice(3);
    if (id === undefined) return { status: 200, value: list };
    if (part === 'notes')
      return {
        status: 200,
        value: [{ id, text: `</script><script>document.title='broken'</script> on ${id}` }],
      };
    if (part === 'blockers' && id === '2') return { status: 500, value: { detail: 'password=hunter2' } };
    if (part === 'blockers') return { status: 200, value: [] };
    const task = tasks.get(id);
    if (!task) return { status: 404, value: { detail: 'deleted' } };
    if (change !== '') Object.assign(task, JSON.parse(change));
    return { status: 200, value: task };
  }

  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const by = request.headers['x-forwarded-for'] === undefined ? 'server' : 'browser';
    requests.push({ what: `${request.method} ${path}`, by });
    void Promise.all([text(request), pause(path)]).then(([change]) => {
      const { status, value } = answer(path, change);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
