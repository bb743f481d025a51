// The page of sessions.test.ts: an application with one item on screen, and functions that the test calls. With `?cookie` its
// tokens are cookies that no script can read; with `?frozen` it hears no other tab.
import { Controller, createResource, Entity, RestEndpoint } from 'holdfast';
import { AuthManager, localSession } from 'holdfast/auth';
import type { Session } from 'holdfast/auth';

interface TokenSession extends Session {
  readonly userId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

class Item extends Entity {
  static override key = 'Item';
  id = '';
  owner = '';
}

const isCookie = location.search === '?cookie';
const urlPrefix = isCookie ? '/cookie' : '';
const ItemResource = createResource({ urlPrefix, path: '/items/:id', schema: Item });
const post = (path: string) =>
  new RestEndpoint({
    urlPrefix,
    path,
    method: 'POST',
    body: {} as object,
    process: (answer: TokenSession | null) => answer ?? undefined,
  });
const logIn = post('/login');
const renew = post('/refresh');

const problems: string[] = [];
const auth = new AuthManager<TokenSession>({
  ...localSession<TokenSession>('session'),
  ...(!isCookie && { headers: ({ accessToken }) => ({ Authorization: `Bearer ${accessToken}` }) }),
  refresh: ({ refreshToken }, { signal }) => renew.extend({ signal })({ refreshToken }),
  // a tab that is frozen hears nothing
  ...(location.search === '?frozen' && {
    channel: { notify: () => undefined, listen: () => () => undefined },
  }),
  onProblem: (error) => problems.push(error.message),
});
const controller = new Controller({ managers: [auth] });
controller.start();

const root = document.querySelector('#root')!;
const shown = controller.watch(ItemResource.get, { id: 'shown' });
const draw = (): void => {
  const { data } = shown.read();
  root.textContent = data ? `item of ${data.owner}` : 'nothing';
};

const app = {
  async logIn(userId: string): Promise<void> {
    const session = await logIn({ userId });
    if (session) auth.begin(session);
  },
  async logOut(): Promise<string> {
    // a cookie is the server's to end
    if (isCookie) await post('/logout')({});
    auth.end();
    // before the next paint: in this very task
    return root.textContent;
  },
  show(): void {
    shown.subscribe(draw);
    draw();
  },
  async ask(ids: readonly string[]): Promise<string[]> {
    const ends = await Promise.allSettled(ids.map((id) => controller.fetch(ItemResource.get, { id })));
    return ends.map((end) => (end.status === 'fulfilled' ? end.value.owner : String(end.reason)));
  },
  session: () => auth.session?.userId,
  /** The tab is back: what it shows right after it was told. */
  comeBack(event: string): string {
    (event === 'pageshow' || event === 'focus' ? window : document).dispatchEvent(
      new Event(event, { bubbles: true }),
    );
    return root.textContent;
  },
  problems: () => problems,
  shown: () => root.textContent,
  stored: () => localStorage.getItem('session'),
};
export type SessionApp = typeof app;
Object.assign(globalThis, { app });
