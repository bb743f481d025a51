import { Controller, getDefaultManagers, RestEndpoint } from 'holdfast';
import { AuthManager, localSession, type Session } from 'holdfast/auth';

interface TokenSession extends Session {
  readonly token: string;
}

export const auth = new AuthManager({
  ...localSession<TokenSession>('session'),
  headers: ({ token }) => ({ Authorization: `Bearer ${token}` }),
});

export const controller = new Controller({
  managers: [auth, ...getDefaultManagers()],
});

const begin = new RestEndpoint({
  path: '/api/session',
  method: 'POST',
  body: {} as { name: string },
  process: (answer: TokenSession) => answer,
});

export async function signIn(name: string): Promise<void> {
  auth.begin(await begin({ name }));
}
