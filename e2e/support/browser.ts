// A real browser for a test file, and pages that report what they log: for applications other than the demo.
import { chromium } from 'playwright';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { launchOptions } from '../../scripts/chromium.ts';

export interface WatchedPage {
  readonly page: Page;
  /** What the page logged as errors, violations of its policy included. */
  readonly problems: readonly string[];
}

export interface Browsing {
  open(url: string, options?: BrowserContextOptions): Promise<WatchedPage>;
}

/** Failed requests are what several tests are about, so the browser's own lines on them are no news. */
const EXPECTED_LOGS = /Failed to load resource|net::ERR/;

/** Call at the top of a test file. Does not wait for the page to be whole: it may be streaming. */
export function startBrowser(): Browsing {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch(launchOptions());
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(() => browser.close());
  return {
    async open(url, options = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' && !EXPECTED_LOGS.test(message.text())) problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(String(error)));
      page.setDefaultTimeout(15_000);
      await page.goto(url, { waitUntil: 'commit' });
      return { page, problems };
    },
  };
}

/** Clicks, again if need be: a page that was just sent may not be listening yet. */
export async function clickUntil(button: Locator, effect: Locator): Promise<void> {
  await vi.waitFor(
    async () => {
      if (await button.isVisible()) await button.click();
      await effect.waitFor({ timeout: 1_000 });
    },
    { timeout: 15_000 },
  );
}
