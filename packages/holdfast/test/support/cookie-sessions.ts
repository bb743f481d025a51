// The same sessions as HttpOnly cookies, below `/cookie`: a response contains only who is signed in, and when the session was
// renewed.
import type { Reply } from './server.ts';
import type { Tokens } from './token-book.ts';
import type { TokenServer } from './token-server.ts';

const cookieOf = (header: string | undefined, name: string): string | undefined =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(header ?? '')?.[1];

export function serveCookies({ server, book, refresh }: TokenServer): void {
  let renewals = 0;
  const give = ({ userId, accessToken, refreshToken }: Tokens): Reply => {
    renewals += 1;
    // a Set-Cookie header has one cookie, so both tokens are in it
    const cookie = `tokens=${accessToken}_${refreshToken}; HttpOnly; SameSite=Strict; Path=/cookie`;
    return { headers: { 'set-cookie': cookie }, body: { userId, renewals } };
  };
  const tokensOf = (header: string | undefined): readonly string[] =>
    cookieOf(header, 'tokens')?.split('_') ?? [];
  server.on('POST', '/cookie/login', ({ body }) => give(book.logIn((body as { userId: string }).userId)));
  server.on('POST', '/cookie/logout', { headers: { 'set-cookie': 'tokens=; Max-Age=0; Path=/cookie' } });
  server.on('POST', '/cookie/refresh', ({ headers }) =>
    refresh(() => {
      const renewed = book.renew(tokensOf(headers.cookie)[1] ?? '');
      return renewed ? give(renewed) : { status: 401 };
    }),
  );
  server.on('*', '/cookie/items/:id', ({ params, headers }) => {
    const owner = book.userOf(tokensOf(headers.cookie)[0]);
    return owner ? { body: { id: params['id'], owner } } : { status: 401 };
  });
}
