// A real HTTP server with sessions: bearer tokens or cookies, refresh tokens that are good once. `/items/:id` is for those
// who are signed in, and says who asked.
import { startServer } from './server.ts';
import type { Reply, TestServer } from './server.ts';
import { TokenBook } from './token-book.ts';

export interface TokenServer {
  readonly url: string;
  readonly server: TestServer;
  readonly book: TokenBook;
  /** How the next refresh is answered; after it, as always. */
  nextRefresh: (() => Reply | Promise<Reply>) | undefined;
  /** Refreshes under way at most at one time. */
  readonly mostAtOnce: number;
  /** Answers a refresh, and counts it as one under way. */
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
        // long enough for others to be sent meanwhile, were they
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
