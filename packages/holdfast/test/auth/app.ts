// One tab of an application with sessions, for the tests of sessions. Tabs of one application share the stored session.
import { Controller, createResource, Entity, RestEndpoint } from 'holdfast';
import type { ControllerOptions } from 'holdfast';
import { AuthManager } from 'holdfast/auth';
import type { localSession } from 'holdfast/auth';
import type { Tokens } from '../support/token-book.ts';

export class Item extends Entity {
  static override key = 'Item';
  id = '';
  owner = '';
}

/** A store that all tabs share: strings only, as in a browser. */
export function createStore(): localSession.Store<Tokens> & { text: string } {
  const store = {
    text: '',
    read: () => (store.text === '' ? undefined : (JSON.parse(store.text) as Tokens)),
    write: (session: Tokens | undefined) => void (store.text = session ? JSON.stringify(session) : ''),
  };
  return store;
}

export interface App {
  readonly auth: AuthManager<Tokens>;
  readonly controller: Controller;
  readonly store: ReturnType<typeof createStore>;
  readonly ItemResource: ReturnType<typeof createItems>;
}

const createItems = (urlPrefix: string) => createResource({ urlPrefix, path: '/items/:id', schema: Item });

export function createApp(
  url: string,
  options: Partial<AuthManager.Options<Tokens>> & { store?: ReturnType<typeof createStore> } = {},
  controllerOptions: ControllerOptions = {},
): App {
  const { store = createStore(), ...given } = options;
  const renew = new RestEndpoint({
    urlPrefix: url,
    path: '/refresh',
    method: 'POST',
    body: {} as { refreshToken: string },
    process: (answer: Tokens) => answer,
  });
  const auth = new AuthManager<Tokens>({
    read: store.read,
    write: store.write,
    headers: ({ accessToken }) => ({ Authorization: `Bearer ${accessToken}` }),
    refresh: ({ refreshToken }, { signal }) => renew.extend({ signal })({ refreshToken }),
    origins: [url],
    // each application of a test is separate, unless the test shares its store
    lock: { guard: (_name, run) => run() },
    channel: { notify: () => undefined, listen: () => () => undefined },
    ...given,
  });
  const { managers = [] } = controllerOptions;
  const controller = new Controller({ ...controllerOptions, managers: [...managers, auth] });
  return { auth, controller, store, ItemResource: createItems(url) };
}

/** What becomes of each promise: its value, or the code of its failure. */
export async function endsOf(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const ends = await Promise.allSettled(promises);
  return ends.map((end) =>
    end.status === 'fulfilled' ? 'answered' : (end.reason as { code?: string }).code,
  );
}
