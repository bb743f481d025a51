// P-5. One endpoint class for a whole API: its address, its credentials
// mode and its headers are said once.
import { createResource, Entity, RestEndpoint } from 'holdfast';
import type { RestOptions } from 'holdfast';

export const createApi = (urlPrefix: string, readToken: () => string) => {
  class ApiEndpoint<
    const O extends RestOptions = RestOptions,
  > extends RestEndpoint<O> {
    override urlPrefix = urlPrefix;

    override async getRequestInit(body?: unknown): Promise<RequestInit> {
      return {
        ...(await super.getRequestInit(body)),
        credentials: 'same-origin',
      };
    }

    override getHeaders(headers: Record<string, string>): HeadersInit {
      return { ...headers, Authorization: `Bearer ${readToken()}` };
    }
  }

  class User extends Entity {
    static override key = 'User';
    id = '';
    name = '';
  }

  class Team extends Entity {
    static override key = 'Team';
    id = '';
    name = '';
  }

  return {
    ApiEndpoint,
    UserResource: createResource({
      path: '/users/:id',
      schema: User,
      Endpoint: ApiEndpoint,
    }),
    TeamResource: createResource({
      path: '/teams/:id',
      schema: Team,
      Endpoint: ApiEndpoint,
    }),
  };
};
