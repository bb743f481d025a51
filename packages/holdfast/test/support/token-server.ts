// A real HTTP server with sessions: bearer tokens or cookies, and refresh tokens that can be used once. `/items/:id` requires a
// signed-in user, and responds with that user.
import { startServer } from './server.ts';
import type { Reply, TestServer } from './server.ts';
import { TokenBook } from './token-book.ts';

export interface TokenServer {
  readonly url: string;
  readonly server: TestServer;
  readonly book: TokenBook;
  /** The response to the next refresh; later refreshes get the normal one. */
  nextRefresh: (() => Reply | Promise<Reply>) | undefined;
  /** The highest number of refreshes that were in flight at one time. */
  readonly mostAtOnce: number;
  /** Responds to a refresh, and counts it while it is in flight. */
  refresh(answer: () => Reply | Promise<Reply>): Promise<Reply>;
  close(): Promise<void>;
}

export const bearerOf = (headers: Readonly<Record<string, unknown>>): string | undefined =>
  /^Bearer (.+)$/.exec(String(headers['authorization']))?.[1];

export async function startTokenServer(): Promise<TokenServer> {
  const server = await startServer();
  const book = new TokenBook();
  let atOnce = 0;
  let mostAtOnce = 0;
  const tokens: TokenServer = {
    url: server.url,
    server,
    book,
    nextRefresh: undefined,
    get mostAtOnce() {
      return mostAtOnce;
    },
    async refresh(answer) {
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      const { nextRefresh = answer } = tokens;
      tokens.nextRefresh = undefined;
      try {
        // long enough for other refreshes to be sent meanwhile, if a client sent any
        await new Promise((resolve) => setTimeout(resolve, 20));
        return await nextRefresh();
      } finally {
        atOnce -= 1;
      }
    },
    close: () => server.close(),
  };
  server.on('POST', '/login', ({ body }) => ({ body: book.logIn((body as { userId: string }).userId) }));
  server.on('POST', '/refresh', ({ body }) =>
    tokens.refresh(() => {
      const renewed = book.renew((body as { refreshToken: string }).refreshToken);
      return renewed ? { body: renewed } : { status: 401, body: { error: 'invalid_grant' } };
    }),
  );
  server.on('*', '/items/:id', ({ params, headers, body }) => {
    const owner = book.userOf(bearerOf(headers));
    return owner ? { body: { ...(body as object), id: params['id'], owner } } : { status: 401 };
  });
  return tokens;
}
