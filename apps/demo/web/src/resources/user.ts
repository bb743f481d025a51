// The people, and who of them is signed in.
import { createResource, Entity } from 'holdfast';
import { DemoEndpoint } from './demo-endpoint.ts';

export class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
  role = '';
  hue = 0;
  override pk(): string {
    return this.id;
  }
}

export const UserResource = createResource({
  urlPrefix: '/api',
  path: '/users/:id',
  schema: User,
  Endpoint: DemoEndpoint,
  optimistic: true,
});

/** There is one session per browser, so its key is a constant. */
export class Session extends Entity {
  static override key = 'Session';
  user: User | null = null;
  static override schema = { user: User };
  override pk(): string {
    return 'current';
  }
}

const session = { urlPrefix: '/api', path: '/session', schema: Session } as const;
export const readSession = new DemoEndpoint(session);
export const signIn = new DemoEndpoint({ ...session, method: 'PUT', body: {} as { userId: string } });
export const signOut = new DemoEndpoint({ urlPrefix: '/api', path: '/session', method: 'DELETE' });
