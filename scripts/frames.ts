// How long a frame takes while the table of the built demo scrolls through 10,000 rows, and the same table over a plain array
// without the library (/table?plain=1): `npm run bench -- frames`, or `npm run bench -- frames --runs=5 --slow=4` for more runs and a slower
// processor. Frames follow each other as fast as they can, so the figures are work and not the screen's pace. Prints median and
// 95th percentile of both, run by run and in turn; judges nothing.
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import type { Page } from 'playwright';
import { listen } from '../apps/demo/server/listen.ts';
import { launchOptions } from './chromium.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    slow: { type: 'string', default: '1' },
    /** Pixels per frame: ten rows. */
    step: { type: 'string', default: '420' },
  },
});

const VARIANTS = [
  { name: 'holdfast', path: '/table' },
  { name: 'plain array', path: '/table?plain=1' },
];
const PATIENCE_MS = 120_000;

const server = await listen(0);
const { args, ...launch } = launchOptions();
const browser = await chromium.launch({
  ...launch,
  args: [...args, '--disable-frame-rate-limit', '--disable-gpu-vsync'],
});

/** Opens the table and stays at every window of it until its rows are there. */
async function open(path: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(server.url + path);
  await page.waitForFunction(
    () => Number(document.querySelector('.table')?.getAttribute('aria-rowcount')) > 10_000,
  );
  await page.evaluate(async () => {
    const table = document.querySelector('.table')!; // waited for above
    const wait = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms));
    // a hundred rows are a window
    const windowHeight = (table.scrollHeight / Number(table.getAttribute('aria-rowcount'))) * 100;
    for (let top = 0; top < table.scrollHeight; top += windowHeight) {
      table.scrollTop = top;
      do await wait(30);
      while (document.querySelector('.is-ghost'));
    }
    table.scrollTop = 0;
    await wait(500);
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: Number(values.slow) });
  return page;
}

/** Scrolls from the first row to the last; the time of each frame in milliseconds. */
function scroll(page: Page): Promise<number[]> {
  return page.evaluate(
    (step) =>
      new Promise<number[]>((done) => {
        const table = document.querySelector('.table')!; // waited for in open()
        table.scrollTop = 0;
        const times: number[] = [];
        let last: number | undefined;
        const onFrame = (): void => {
          const now = performance.now();
          if (last !== undefined) times.push(now - last);
          last = now;
          const before = table.scrollTop;
          table.scrollTop += step;
          if (table.scrollTop > before) requestAnimationFrame(onFrame);
          else done(times);
        };
        requestAnimationFrame(onFrame);
      }),
    Number(values.step),
  );
}

function percentile(times: readonly number[], share: number): string {
  const sorted = times.toSorted((left, right) => left - right);
  return (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1);
}

const all = new Map<string, number[]>();
for (let run = 1; run <= Number(values.runs); run += 1) {
  for (const { name, path } of VARIANTS) {
    const page = await open(path);
    const times = await scroll(page);
    all.set(name, [...(all.get(name) ?? []), ...times]);
    const figures = `median ${percentile(times, 0.5)} ms, 95th percentile ${percentile(times, 0.95)} ms`;
    console.log(`run ${run}, ${name}: ${figures} (${times.length} frames)`);
    await page.close();
  }
}
for (const [name, times] of all) {
  console.log(`${name}: median ${percentile(times, 0.5)} ms, 95th percentile ${percentile(times, 0.95)} ms`);
}
await browser.close();
await server.close();
