// How long the page is blocked while the inspector's panel opens over many rows: `npm run bench -- panel`, or `npm run bench -- panel 10000 20` for
// that many rows and openings. Prints the longest task of each opening, in wall time, which what else runs on the machine adds to, and
// the processor time of all tasks of it together. The first opening also loads the panel.
import { chromium } from 'playwright';
import type { App } from '../e2e/support/inspected-app.ts';
import { serveInspectedPage } from '../e2e/support/inspected-page.ts';
import { launchOptions } from './chromium.ts';

declare const app: App;

interface Opening {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const [rows = '100000', openings = '10'] = process.argv.slice(2);
const server = await serveInspectedPage();
const browser = await chromium.launch(launchOptions());
const page = await browser.newPage();
await page.goto(server.url);
await page.waitForFunction(() => 'app' in window);
await page.evaluate((count) => app.fill(count), Number(rows));
// what filling the store leaves to do is no part of an opening
await page.waitForTimeout(2_000);
const session = await page.context().newCDPSession(page);
await session.send('Performance.enable', { timeDomain: 'threadTicks' });

async function readCpuMs(): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}

/** Turns between tasks: a long one is a task that lay in between. */
async function startTurns(): Promise<void> {
  await page.evaluate(() => {
    const turns: number[] = [];
    Object.assign(window, { turns });
    const channel = new MessageChannel();
    let last = performance.now();
    channel.port1.onmessage = () => {
      const now = performance.now();
      turns.push(now - last);
      last = now;
      if (turns.length < 2_000) channel.port2.postMessage(0);
    };
    channel.port2.postMessage(0);
  });
}

/** Presses the key, and waits until the panel is drawn. */
async function open(): Promise<void> {
  await page.keyboard.press('Alt+Shift+KeyH');
  await page.locator('.line').nth(1).waitFor();
}

async function hide(): Promise<void> {
  await page.keyboard.press('Alt+Shift+KeyH');
  await page.getByRole('tab', { name: 'Rows' }).waitFor({ state: 'hidden' });
}

async function readLongest(): Promise<number> {
  await page.waitForFunction(() => (window as unknown as { turns: number[] }).turns.length >= 2_000); // cast: set above
  return page.evaluate(() => Math.max(...(window as unknown as { turns: number[] }).turns)); // cast: as above
}

async function measure(run: () => Promise<void>): Promise<Opening> {
  const before = await readCpuMs();
  await run();
  const cpuMs = (await readCpuMs()) - before;
  await hide();
  await startTurns();
  await run();
  const wallMs = await readLongest();
  await hide();
  return { wallMs, cpuMs };
}

await startTurns();
await page.keyboard.press('Alt+Shift+KeyH');
await page.getByRole('tab', { name: 'Rows' }).click();
await page.locator('.line').nth(1).waitFor();
const firstMs = await readLongest();
await hide();
const all: Opening[] = [];
for (let at = 0; at < Number(openings); at += 1) all.push(await measure(open));

const list = (read: (opening: Opening) => number): string => all.map((one) => read(one).toFixed(1)).join(' ');
console.log(`${rows} rows, ${openings} openings`);
console.log(`processor time of all tasks, ms: ${list(({ cpuMs }) => cpuMs)}`);
console.log(
  `longest task, ms of wall time: ${list(({ wallMs }) => wallMs)}; of the first, with loading: ${firstMs.toFixed(1)}`,
);
await browser.close();
await server.close();
