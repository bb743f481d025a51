// A small API over data in memory. Comments take their time, one article's related ones always fail, and one article that
// is still in the list has been deleted.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ApiOptions {
  /** Waits before a request is answered. Default: a moment for comments. */
  readonly pause?: (path: string) => Promise<unknown>;
}

const published = '2026-01-02T03:04:05.000Z';

export function createApi({ pause = (path) => sleep(path.endsWith('/comments') ? 500 : 0) }: ApiOptions) {
  const articles = new Map(
    ['Tides', 'Knots', 'Ropes'].map((title, index) => [
      String(index + 1),
      { id: String(index + 1), title, text: `All about ${title.toLowerCase()}.`, likes: 0, published },
    ]),
  );
  const list = [...articles.values()];
  articles.delete('3'); // the list does not know yet

  async function answer(
    method: string,
    path: string,
    body: string,
  ): Promise<{ status: number; value?: unknown }> {
    const [id, part] = path.split('/').slice(3);
    const article = articles.get(id ?? '');
    if (id === undefined) return { status: 200, value: list };
    if (part === 'comments') {
      const said = `</script><script>document.title='broken'</script> on ${id}`;
      return { status: 200, value: [{ id: `${id}-1`, author: 'Ada', text: said }] };
    }
    if (part === 'related' && id === '2') return { status: 500, value: { detail: 'password=hunter2' } };
    if (part === 'related') return { status: 200, value: list.slice(1, 2) };
    if (!article) return { status: 404, value: { detail: 'deleted' } };
    if (method === 'PATCH') Object.assign(article, JSON.parse(body));
    return { status: 200, value: article };
  }

  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const body = await text(request);
    await pause(path);
    const { status, value } = await answer(request.method ?? 'GET', path, body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
}
