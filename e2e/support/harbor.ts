// Gives a test file the demo in a real browser, and the words of the page: columns, cards, rows, fields. Also the means
// to hold an answer back.
import type { Locator, Page, Request, Route } from 'playwright';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { ListenOptions } from '../../apps/demo/server/listen.ts';
import { openDemo, PATIENCE_MS } from './demo.ts';
import type { Demo, Harbor } from './demo.ts';

/** For expect.poll: as long as every other wait. */
export const PATIENT = { timeout: PATIENCE_MS };

/** Call at the top of a test file: one demo and one browser for all of its tests. A test fails when its page logs an error. */
export function startHarbor(options: ListenOptions = {}): Harbor {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo(options);
  });
  afterEach(async () => {
    const found = await demo.leave();
    if (found.length > 0) throw new Error(`the page logged: ${found.join('\n')}`);
  });
  afterAll(() => demo.close());
  return {
    get url() {
      return demo.url;
    },
    open: (...given) => demo.open(...given),
    ask: (...given) => demo.ask(...given),
    given: (...given) => demo.given(...given),
  };
}

/** Opens a view of the demo with an issue beside it. */
export async function openBeside(harbor: Harbor, id: string, view = '/board/ANC'): Promise<Page> {
  const page = await harbor.open(
    `${view}${view.includes('?') ? '&' : '?'}side=${encodeURIComponent(`/issues/${id}`)}`,
  );
  await side(page).getByLabel('Title', { exact: true }).waitFor({ state: 'visible' });
  return page;
}

// ── the page's words ─────────────────────────────────────────────────────────────────────────────

export const main = (page: Page): Locator => page.getByRole('region', { name: 'Main view' });
export const side = (page: Page): Locator => page.getByRole('region', { name: 'View beside' });
export const column = (page: Page | Locator, name: string): Locator =>
  page.getByRole('region', { name: new RegExp(`^${name}, \\d+ issues$`) });
export const card = (scope: Page | Locator, id: string): Locator => scope.locator(`[data-card="${id}"]`);
export const row = (scope: Page | Locator, id: string): Locator => scope.locator(`[data-row="${id}"]`);

/** Waits until it is there, or says what was waited for. */
export async function appears(locator: Locator): Promise<boolean> {
  await locator.waitFor({ state: 'visible' });
  return true;
}

/** The number that stands beside a name, e.g. in a column's head. */
export async function countOf(scope: Locator): Promise<number> {
  return Number(await scope.locator('.count').first().innerText());
}

/** Types a new title into the detail page and leaves the field. */
export async function rename(pane: Locator, title: string): Promise<void> {
  const field = pane.getByLabel('Title', { exact: true });
  await field.fill(title);
  await field.press('Enter');
}

// ── answers held back ────────────────────────────────────────────────────────────────────────────

export interface Held {
  /** Resolves when the server has answered (or, for `before`, when the request wants to leave). */
  readonly arrived: Promise<Request>;
  /** Lets it through. With a status, an error of that kind arrives instead. */
  release(status?: number): Promise<void>;
}

/**
 * Holds back the next request that matches. `after`: the server has done its work and only the answer
 * is late. `before`: the server has not seen it yet.
 */
export async function hold(
  page: Page,
  matches: (request: Request) => boolean,
  when: 'before' | 'after' = 'after',
): Promise<Held> {
  const arrived = withResolvers<Request>();
  const go = withResolvers<number | undefined>();
  const done = withResolvers<void>();
  let isTaken = false;
  await page.route('**/api/**', async (route: Route) => {
    if (isTaken || !matches(route.request())) return route.fallback();
    isTaken = true;
    const answer = when === 'after' ? await route.fetch() : undefined;
    arrived.resolve(route.request());
    const status = await go.promise;
    const failure = { status, contentType: 'application/problem+json', body: '{"title":"Unavailable"}' };
    // a page that was closed meanwhile wants no answer
    await (
      status
        ? route.fulfill({ ...failure, status })
        : answer
          ? route.fulfill({ response: answer })
          : route.continue()
    ).catch(() => undefined);
    done.resolve();
    return undefined;
  });
  return {
    arrived: arrived.promise,
    release(status) {
      go.resolve(status);
      return done.promise;
    },
  };
}

/** Answers every matching request with 503 until it is lifted. */
export async function fail(
  page: Page,
  matches: (request: Request) => boolean,
): Promise<{ lift(): Promise<void> }> {
  const answer = async (route: Route): Promise<void> =>
    matches(route.request())
      ? route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          body: '{"title":"Unavailable"}',
        })
      : route.fallback();
  await page.route('**/api/**', answer);
  return { lift: () => page.unroute('**/api/**', answer) };
}

export const isList =
  (query: Record<string, string>) =>
  (request: Request): boolean => {
    const url = new URL(request.url());
    const hasAll = Object.entries(query).every(([name, value]) => url.searchParams.get(name) === value);
    return request.method() === 'GET' && url.pathname === '/api/issues' && hasAll;
  };

export const isWrite =
  (method: string, path: string) =>
  (request: Request): boolean =>
    request.method() === method && new URL(request.url()).pathname === path;

interface Resolvers<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
}

function withResolvers<T>(): Resolvers<T> {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => void (resolve = done));
  return { promise, resolve };
}
