// How soon the first screen of the built demo is there: `npm run bench -- lcp`, or `npm run bench -- lcp --runs=9 --path=/board/LTH`. A visitor
// who was never there before, on a slow 4G connection (1.6 Mbit/s, 150 ms round trip) and a processor four times as slow as
// this one. Prints the largest contentful paint of each visit, when its first rows were on the page, and the medians; judges nothing.
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { listen } from '../apps/demo/server/listen.ts';
import { launchOptions } from './chromium.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    path: { type: 'string', default: '/' },
    /** What is there when the rows are. */
    rows: { type: 'string', default: '[data-card]' },
    /** The page is done when nothing new was painted for this long. */
    quiet: { type: 'string', default: '2000' },
  },
});

const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1_000_000) / 8,
  uploadThroughput: 750_000 / 8,
};

interface Paint {
  readonly ms: number;
  readonly what: string;
}
interface Visit extends Paint {
  readonly rowsMs: number;
  readonly kilobytes: number;
}

const server = await listen(0);
const browser = await chromium.launch(launchOptions());

async function visit(): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength));
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const entry = list.getEntries().at(-1) as (PerformanceEntry & { element?: Element }) | undefined; // cast: what it observes
      const text = entry?.element?.textContent?.trim().slice(0, 40);
      Object.assign(window, { paint: { ms: entry?.startTime, what: `${entry?.element?.tagName} ${text}` } });
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await page.goto(server.url + values.path, { waitUntil: 'commit', timeout: 120_000 });
  const rowsMs = await page.evaluate(
    (selector) =>
      new Promise<number>((done) => {
        const look = (): void => {
          if (document.querySelector(selector)) done(performance.now());
          else requestAnimationFrame(look);
        };
        look();
      }),
    values.rows,
  );
  const read = (): Promise<Paint | undefined> =>
    page.evaluate(() => (window as unknown as { paint?: { ms: number; what: string } }).paint); // cast: set above
  let paint = await read();
  for (let before: number | undefined = -1; before !== paint?.ms || !paint; paint = await read()) {
    before = paint?.ms;
    await page.waitForTimeout(Number(values.quiet));
  }
  await context.close();
  return { ...paint, rowsMs, kilobytes: bytes / 1000 };
}

const visits: Visit[] = [];
for (let run = 0; run < Number(values.runs); run += 1) visits.push(await visit());
const medianOf = (figures: readonly number[]): string =>
  `${figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)]?.toFixed(0)} ms`;
const listOf = (figures: readonly number[]): string => figures.map((ms) => ms.toFixed(0)).join(' ');
const paints = visits.map(({ ms }) => ms);
const rows = visits.map(({ rowsMs }) => rowsMs);
const last = visits.at(-1)!; // at least one visit
console.log(`${values.path} on slow 4G with a processor four times slower, ${visits.length} first visits`);
console.log(
  `largest contentful paint: median ${medianOf(paints)} (${listOf(paints)}); painted: ${last.what}`,
);
console.log(`first rows on the page: median ${medianOf(rows)} (${listOf(rows)})`);
console.log(`loaded: ${last.kilobytes.toFixed(0)} kB`);
await browser.close();
await server.close();
