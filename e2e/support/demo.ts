// The real demo (server, database, built page) and a real browser, without a test around them: harbor.ts gives them to
// tests, scripts/races.ts to a long run.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from 'playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { listen } from '../../apps/demo/server/listen.ts';
import type { ListenOptions } from '../../apps/demo/server/listen.ts';
import { launchOptions } from '../../scripts/chromium.ts';

export interface Harbor {
  readonly url: string;
  /** Opens the page signed in as Mira, and notes every error that the page logs. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Asks the server itself, past the page. */
  ask<T>(method: string, path: string, body?: unknown): Promise<{ status: number; value: T }>;
  /** A new issue that no other test knows. */
  given(fields?: object): Promise<{ id: string; title: string }>;
}

export interface Demo extends Harbor {
  /** Closes all pages and gives what they logged. */
  leave(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const PAGE = resolve(import.meta.dirname, '../../apps/demo/web/dist/index.html');

/** As long as every wait in a test. */
export const PATIENCE_MS = 15_000;

const WIDE = { width: 1440, height: 900 };

/** Failed requests are what several tests are about, so the browser's own lines on them are no news. */
const EXPECTED_LOGS = /Failed to load resource|net::ERR/;

export async function openDemo(options: ListenOptions = {}): Promise<Demo> {
  if (!existsSync(PAGE)) throw new Error('The page is not built: run "npm run build" first.');
  const server = await listen(0, options);
  // a demo that another engine visits needs none
  let browser: Promise<Browser> | undefined;
  const problems: string[] = [];
  let counter = 0;

  let session = '';
  const send = (method: string, path: string, body: unknown, cookie: string): Promise<Response> =>
    fetch(server.url + path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const ask: Harbor['ask'] = async (method, path, body) => {
    let response = await send(method, path, body, session);
    if (response.status === 401) {
      // without the old cookies: several may ask at once, and a sign-in ends the session that it is shown
      const { headers } = await send('PUT', '/api/session', { userId: 'mira' }, '');
      session = headers
        .getSetCookie()
        .map((text) => text.split(';')[0])
        .join('; ');
      response = await send(method, path, body, session);
    }
    return { status: response.status, value: (await response.json()) as never }; // cast: the caller knows the answer
  };
  return {
    url: server.url,
    ask,
    async open(path, pageOptions = {}) {
      browser ??= chromium.launch(launchOptions());
      const context = await (await browser).newContext({ viewport: WIDE, ...pageOptions });
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error' && !EXPECTED_LOGS.test(message.text())) problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(String(error)));
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(server.url + path);
      return page;
    },
    async given(fields = {}) {
      const title = `Given issue ${++counter}`;
      const input = {
        projectId: 'ANC',
        status: 'doing',
        priority: 'urgent',
        assigneeId: 'mira',
        title,
        ...fields,
      };
      return (await ask<{ id: string; title: string }>('POST', '/api/issues', input)).value;
    },
    async leave() {
      const contexts = (await browser)?.contexts() ?? [];
      await Promise.all(contexts.map((context) => context.close()));
      return problems.splice(0);
    },
    async close() {
      await (await browser)?.close();
      await server.close();
    },
  };
}
