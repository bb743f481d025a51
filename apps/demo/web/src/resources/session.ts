// The signed-in user. The tokens are HttpOnly cookies, and short-lived: AuthManager renews them once for all requests and tabs,
// sends refused requests again, and empties the store whenever another user is signed in.
import { AuthManager, localSession } from 'holdfast/auth';
import type { Session } from 'holdfast/auth';
import { DemoEndpoint } from './demo-endpoint.ts';

export interface Visit extends Session {
  readonly userId: string;
}

interface SessionAnswer {
  readonly user: { readonly id: string } | null;
  readonly expiresAt: string | number | null;
}

function toVisit({ user, expiresAt }: SessionAnswer): Visit | undefined {
  return user ? { userId: user.id, expiresAt: new Date(expiresAt ?? 0).getTime() } : undefined;
}

const session = { urlPrefix: '/api', path: '/session' } as const;
const askWho = new DemoEndpoint({ ...session, process: toVisit });
const renew = new DemoEndpoint({
  urlPrefix: '/api',
  path: '/session/refresh',
  method: 'POST',
  body: undefined,
  process: toVisit,
});
export const signIn = new DemoEndpoint({
  ...session,
  method: 'PUT',
  body: {} as { userId: string },
  process: toVisit,
});
export const signOut = new DemoEndpoint({ ...session, method: 'DELETE' });

/** How often the tokens of this visitor were renewed, and how often an old one was used again. */
export const readSessionLog = new DemoEndpoint({
  urlPrefix: '/api',
  path: '/session/log',
  process: (log: { renewals: number; replays: number }) => log,
  pollFrequency: 3_000,
});

export const auth = new AuthManager<Visit>({
  ...localSession<Visit>('harbor:session'),
  name: 'harbor session',
  refresh({ userId, expiresAt }, { signal }) {
    // a renewal whose response was lost is repeated under the same key: its token counts as used once
    const idempotencyKey = (): string => `${userId} ${expiresAt}`;
    return renew.extend({ signal, idempotencyKey })();
  },
});

let isLeaving = false;
let isLost = false;
auth.listen(() => {
  isLost = !auth.session && !isLeaving;
  isLeaving = false;
});

/** True when the session of this page has ended, and not because the visitor has signed out here. */
export const isSessionLost = (): boolean => isLost;

/** The visitor has signed out. */
export function leaveSession(): void {
  isLeaving = true;
  auth.end();
}

/** Reads the user of the cookies: the response with the page signs a first visitor in. */
export async function recognise(): Promise<void> {
  const visit = await askWho();
  if (visit && visit.userId !== auth.session?.userId) auth.begin(visit);
}
