// The paired applications of the pages "Coming from …": one script drives each of them against the same server, and the pages show what
// the run measured.
import { chromium } from 'playwright';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applications, drive, tasks } from '../bench/coming-from/drive.ts';
import type { Driven } from '../bench/coming-from/drive.ts';
import { launchOptions } from '../scripts/chromium.ts';
import { cellsOf, readComparedPages } from '../scripts/docs/coming-from.ts';

let browser: Browser;
const driven = new Map<string, Driven>();

beforeAll(async () => {
  browser = await chromium.launch(launchOptions());
});
afterAll(() => browser?.close());

test.for([
  ...applications.map((name) => ['application', name] as const),
  ...tasks.map((name) => ['tasks', name] as const),
])('the %s of %s does what the script expects of all of them', async ([kind, name]) => {
  const result = await drive(browser, kind, name);
  driven.set(`${kind} ${name}`, result);

  expect(result.requests.length).toBeGreaterThan(4);
});

/** Programs grow by some bytes with most changes of the library: a page may be one kilobyte behind. */
const TOLERATED_KB = 1;

test.each(readComparedPages().map((page) => [page.peer, page] as const))(
  'the page about %s shows the lines, bytes and requests of the run; else run scripts/docs/coming-from.ts --write',
  (_, { kind, peer, shown }) => {
    const [lines, bytes = [], requests] = cellsOf(
      driven.get(`${kind} holdfast`)!, // measured above
      driven.get(`${kind} ${peer}`)!,
    );

    expect([shown[0], shown[2]]).toEqual([lines, requests]);
    bytes.forEach((cell, at) =>
      expect(Math.abs(parseInt(cell) - parseInt(shown[1]?.[at] ?? ''))).toBeLessThanOrEqual(TOLERATED_KB),
    );
  },
);
