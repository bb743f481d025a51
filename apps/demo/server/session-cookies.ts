// The tokens of a session as HttpOnly cookies. The refresh token is sent only to the addresses that renew, read or end the
// session.
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Shown, Tokens } from './session-store.ts';

export const ACCESS_COOKIE = 'demo_access';
export const REFRESH_COOKIE = 'demo_refresh';
/** Shows the document route that there is a session: the refresh token is not sent there. */
export const SIGNED_IN_COOKIE = 'demo_signed_in';

const ACCESS = { path: '/', httpOnly: true, sameSite: 'Strict' } as const;
const REFRESH = { ...ACCESS, path: '/api/session' } as const;

export function readTokens(context: Context): Shown {
  return { access: getCookie(context, ACCESS_COOKIE), refresh: getCookie(context, REFRESH_COOKIE) };
}

/** Only responses made with `context.json` or `context.body` contain them. */
export function writeTokens(context: Context, tokens: Tokens): void {
  setCookie(context, ACCESS_COOKIE, tokens.access, { ...ACCESS, maxAge: tokens.accessSeconds });
  setCookie(context, REFRESH_COOKIE, tokens.refresh, { ...REFRESH, maxAge: tokens.refreshSeconds });
  setCookie(context, SIGNED_IN_COOKIE, 'yes', { ...ACCESS, maxAge: tokens.refreshSeconds });
}

export function clearTokens(context: Context): void {
  deleteCookie(context, ACCESS_COOKIE, ACCESS);
  deleteCookie(context, REFRESH_COOKIE, REFRESH);
  deleteCookie(context, SIGNED_IN_COOKIE, ACCESS);
}
