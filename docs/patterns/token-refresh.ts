// One token refresh for many requests: whoever meets a 401 waits for the same refresh and sends its request once more.
import { createResource, Entity, isHttpError, RestEndpoint } from 'holdfast';
import type { RestOptions } from 'holdfast';

export const createApi = (urlPrefix: string, refresh: () => Promise<string>, token = '') => {
  // one per API: a second 401 finds the refresh that the first one started
  let refreshing: Promise<string> | undefined;

  const renew = (refused: string): Promise<string> => {
    // sent with an older token than the present one: there is nothing to refresh, only to send again
    if (refused !== token) return Promise.resolve(token);
    refreshing ??= refresh()
      .then((fresh) => (token = fresh))
      .finally(() => (refreshing = undefined));
    return refreshing;
  };

  class AuthedEndpoint<const O extends RestOptions = RestOptions> extends RestEndpoint<O> {
    override urlPrefix = urlPrefix;

    override async fetchResponse(url: string, init: RequestInit = {}): Promise<Response> {
      // a request that starts during a refresh waits for it
      const sent = await (refreshing ?? token);
      try {
        return await super.fetchResponse(url, authorize(init, sent));
      } catch (error) {
        if (!isHttpError(error, 401)) throw error;
        // the second 401 is final, and a refresh that fails fails every request that waits for it
        return super.fetchResponse(url, authorize(init, await renew(sent)));
      }
    }
  }

  class User extends Entity {
    static override key = 'User';
    id = '';
    name = '';
  }

  return { UserResource: createResource({ path: '/users/:id', schema: User, Endpoint: AuthedEndpoint }) };
};

function authorize(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${token}`);
  return { ...init, headers };
}
