// The handler of /api/stream: server-sent events with ids, so that a client which lost the
// connection resumes where it stopped (Last-Event-ID) and misses nothing.
import { streamSSE } from 'hono/streaming';
import type { Handler, Services } from '../operations.ts';
import { invalid } from '../problem.ts';

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 1_000;

export function createStreamRoutes({ changes }: Services): Record<string, Handler> {
  return {
    streamChanges({ context, query }) {
      const header = context.req.header('last-event-id');
      if (header !== undefined && !/^\d+$/.test(header)) {
        throw invalid([{ field: 'Last-Event-ID', message: 'must be an id that this stream sent' }]);
      }
      const wanted = header === undefined ? query['after'] : Number(header);
      let position = typeof wanted === 'number' ? wanted : changes.latest;

      return streamSSE(context, async (stream) => {
        let wake = (): void => {};
        const stop = changes.onChange(() => wake());
        stream.onAbort(() => {
          stop();
          wake();
        });
        // the first bytes show the client that it is connected, and from where it can resume
        await stream.writeSSE({ id: String(position), data: '{"op":"ready"}', retry: RETRY_MS });
        while (!stream.aborted) {
          const batch = changes.after(position);
          if (batch === undefined) {
            position = changes.latest;
            await stream.writeSSE({ id: String(position), data: '{"op":"reset"}' });
            continue;
          }
          for (const { seq, clientId, ...change } of batch) {
            position = seq;
            // a page's own creation, sent before the response with its id, would be shown twice
            if (clientId !== null && clientId === query['client']) continue;
            await stream.writeSSE({ id: String(seq), data: JSON.stringify(change) });
          }
          if (batch.length > 0) continue;
          const isChange = await new Promise<boolean>((resolve) => {
            const timer = setTimeout(() => resolve(false), HEARTBEAT_MS);
            wake = () => {
              clearTimeout(timer);
              resolve(true);
            };
          });
          wake = () => {};
          // a comment line: keeps proxies from closing, and detects a client that has disconnected
          if (!isChange) await stream.write(': still here\n\n');
        }
        stop();
      });
    },
  };
}
