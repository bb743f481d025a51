// Tabs of one application, its server and the network between them, moved step by step: a request waits until it is handled, its
// response until it is delivered, a message between tabs until it is received. Frozen tabs do nothing at all.
import { Controller, createResource, Entity, RestEndpoint } from 'holdfast';
import type { Environment } from 'holdfast';
import { AuthManager } from 'holdfast/auth';
import { createStore } from '../auth/app.ts';
import { createTabs } from '../auth/model-tabs.ts';
import { Switch } from '../support/switch.ts';
import { TokenBook } from '../support/token-book.ts';
import type { Tokens } from '../support/token-book.ts';
import { VirtualTime } from './virtual-time.ts';

const API = 'https://api.example';
/** Starts like the address of the API. */
const ELSEWHERE = 'https://api.example.evil';
/** The server refuses it to everybody, whatever the token. */
export const FORBIDDEN = 'forbidden';

export class Item extends Entity {
  static override key = 'Item';
  id = '';
  owner = '';
}
export const ItemResource = createResource({ urlPrefix: API, path: '/items/:id', schema: Item });
export const getElsewhere = new RestEndpoint({ urlPrefix: ELSEWHERE, path: '/items/:id' });

/** A request between a tab and the server. */
export interface Exchange {
  readonly tab: Tab;
  /** The server handles it; then the response is in flight. */
  handle(): void;
  isHandled: boolean;
  deliver(): void;
  /** The connection is lost, before or after the server has handled the request. */
  lose(): void;
}

export interface Tab {
  readonly auth: AuthManager<Tokens>;
  readonly controller: Controller;
  readonly visible: Switch;
  /** Receives a message of another tab. */
  readonly hear: () => void;
  /** The stored session is readable here from now on, or after a while. */
  readonly take: (text: string, written: number, lagMs: number) => void;
  /** The session that this tab can read now. */
  readonly reads: () => Tokens | undefined;
  isFrozen: boolean;
  /** Messages of other tabs that it has not received. */
  readonly words: (() => void)[];
  /** Timers that were due while it was frozen. */
  readonly late: (() => void)[];
}

/** How the server responds to a refresh. */
export type RefreshMood = 'well' | 'down' | 'nonsense' | 'unreadable' | 'silent';

export class SessionWorld {
  readonly time = new VirtualTime();
  readonly book = new TokenBook();
  readonly store = createStore();
  readonly tabs: Tab[] = [];
  readonly exchanges: Exchange[] = [];
  /** The violations of laws, in words. */
  readonly violations: string[] = [];
  mood: RefreshMood = 'well';
  /** Refreshes in flight, by the token that they use. */
  readonly refreshing = new Map<string, number>();
  /** Reports of a lock that was not granted: each excuses one replay. */
  busy = 0;
  /** Lost responses to refreshes: each excuses one replay. */
  lostAnswers = 0;
  /** Refused refreshes: each excuses one end of a session. */
  refusals = 0;
  /** Log-outs by a visitor: each ends one session. */
  logOuts = 0;
  /** How often each request was sent, by its number. */
  readonly sends = new Map<string, number>();
  /** Access tokens that were refused. */
  readonly #refused = new Set<string | undefined>();
  #ends = 0;
  #written = 0;
  readonly #lag: () => number;

  /** `lag`: true when the other tabs can read a write of one tab only after a while, as in a browser with many processes. */
  constructor(tabCount: number, lag: () => number) {
    this.#lag = lag;
    const { lock } = createTabs();
    for (let index = 0; index < tabCount; index += 1) this.tabs.push(this.#open(lock));
  }

  #open(lock: NonNullable<AuthManager.Options<Tokens>['lock']>): Tab {
    const hearing = new Set<() => void>();
    const visible = new Switch();
    const { store, time } = this;
    let read = '';
    const reads = (): Tokens | undefined => (read === '' ? undefined : (JSON.parse(read) as Tokens));
    const auth = new AuthManager<Tokens>({
      read: reads,
      write: (session) => {
        if (!session) this.#ends += 1;
        if (this.#ends > this.logOuts + this.refusals)
          this.violations.push('D5: a session ended that nobody ended');
        store.write(session);
        this.#written += 1;
        for (const other of this.tabs) other.take(store.text, this.#written, other === tab ? 0 : this.#lag());
      },
      headers: ({ accessToken }) => ({ Authorization: `Bearer ${accessToken}` }),
      refresh: (session, { signal }) => this.#refresh(tab, session, signal),
      origins: [API],
      lock,
      channel: {
        notify: () => {
          for (const other of this.tabs) if (other !== tab) other.words.push(() => other.hear());
        },
        listen(hear) {
          hearing.add(hear);
          return () => void hearing.delete(hear);
        },
      },
      onProblem: () => (this.busy += 1),
    });
    const controller = new Controller({
      clock: time.clock,
      random: () => 0.5,
      visibility: { isVisible: () => visible.isOn, subscribe: visible.subscribe },
      online: { isOnline: () => true, subscribe: () => () => undefined },
      idle: { request: () => 0, cancel: () => undefined },
      timers: {
        set: (run: () => void, ms: number): Environment.TimerId =>
          time.timers.set(() => (tab.isFrozen ? void tab.late.push(run) : run()), ms),
        clear: time.timers.clear,
      },
      fetch: (input, init) => this.#fetch(tab, input, init),
      managers: [auth],
    });
    const hear = (): void => hearing.forEach((each) => each());
    let version = 0;
    const take = (text: string, written: number, lagMs: number): void => {
      const see = (): void => {
        // in the end all tabs read the last write
        if (written < version) return;
        version = written;
        read = text;
        // the event of the storage itself
        if (lagMs > 0) tab.words.push(hear);
      };
      if (lagMs === 0) see();
      else time.timers.set(see, lagMs);
    };
    const tab: Tab = { auth, controller, visible, hear, take, reads, isFrozen: false, words: [], late: [] };
    controller.start();
    return tab;
  }

  #fetch(tab: Tab, input: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const token = headers.get('authorization')?.replace('Bearer ', '');
    if (!input.startsWith(`${API}/`) && token !== undefined)
      this.violations.push(`D6: ${input} heard a token`);
    const number = headers.get('x-number') ?? '';
    this.sends.set(number, (this.sends.get(number) ?? 0) + 1);
    if (number && this.sends.get(number)! > 3)
      this.violations.push('D2: a request was repeated again and again');
    return this.#exchange(tab, { signal: init.signal ?? undefined }, () => {
      const [, id = ''] = /\/items\/(\w+)$/.exec(input) ?? [];
      if (input.startsWith(ELSEWHERE)) return Response.json({ id });
      const madeFor = headers.get('x-made-for');
      if (token !== undefined && madeFor !== null && this.book.ownerOf(token) !== madeFor)
        this.violations.push(`D4: a request made for ${madeFor} carried the token ${token}`);
      const owner = this.book.userOf(token);
      if (owner !== undefined && id !== FORBIDDEN) return Response.json({ id, owner });
      this.#refused.add(token);
      return new Response(null, { status: 401 });
    });
  }

  async #refresh(
    tab: Tab,
    { accessToken, refreshToken }: Tokens,
    signal: AbortSignal,
  ): Promise<Tokens | undefined> {
    if (!this.#refused.has(accessToken))
      this.violations.push(`D3: ${accessToken} was renewed, and nobody had refused it`);
    const underWay = (this.refreshing.get(refreshToken) ?? 0) + 1;
    this.refreshing.set(refreshToken, underWay);
    if (underWay > 1 && this.busy === 0)
      this.violations.push(`D1: ${refreshToken} is used ${underWay} times at once`);
    try {
      // a response that nobody waits for is lost only where its session continues, as far as a tab can read
      const onLost = (): void => {
        if (this.tabs.some(({ reads }) => reads()?.refreshToken === refreshToken)) this.lostAnswers += 1;
      };
      const isSilent = this.mood === 'silent';
      const response = await this.#exchange(tab, { signal, onLost, isSilent }, () => {
        if (this.mood === 'down') return new Response(null, { status: 503 });
        if (this.mood === 'nonsense') return Response.json('moved');
        if (this.mood === 'unreadable') return new Response('<html>');
        const tokens = this.book.renew(refreshToken);
        if (!tokens) this.refusals += 1;
        return Response.json(tokens ?? null);
      });
      if (response.status === 503) throw new TypeError('fetch failed');
      const tokens = (await response.json()) as Tokens | null;
      return tokens ?? undefined;
    } finally {
      this.refreshing.set(refreshToken, (this.refreshing.get(refreshToken) ?? 1) - 1);
    }
  }

  #exchange(
    tab: Tab,
    {
      signal,
      onLost,
      isSilent,
    }: { signal: AbortSignal | undefined; onLost?: () => void; isSilent?: boolean },
    answer: () => Response,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      let response: Response | undefined;
      const end = (): void => {
        const at = this.exchanges.indexOf(exchange);
        if (at >= 0) this.exchanges.splice(at, 1);
      };
      const lose = (): void => {
        if (exchange.isHandled && this.exchanges.includes(exchange)) onLost?.();
        end();
      };
      const exchange: Exchange = {
        tab,
        isHandled: false,
        handle: () => {
          response = answer();
          exchange.isHandled = true;
        },
        deliver: () => {
          end();
          resolve(response!);
        },
        lose: () => {
          lose();
          reject(new TypeError('fetch failed'));
        },
      };
      if (signal?.aborted) return reject(signal.reason as Error);
      signal?.addEventListener('abort', () => {
        lose();
        reject(signal.reason as Error);
      });
      // this request never gets a response
      if (!isSilent) this.exchanges.push(exchange);
    });
  }
}

/** Runs everything that needs no time, network or messages. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
