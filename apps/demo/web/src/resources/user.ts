// The people.
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
