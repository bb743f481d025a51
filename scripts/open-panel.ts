// How long the page is blocked while the inspector's panel opens over many rows: `npm run panel`, or `npm run panel -- 10000 20` for
// that many rows and openings. Prints the longest task of each opening; the first one also loads the panel.
import { chromium } from 'playwright';
import type { App } from '../e2e/support/inspected-app.ts';
import { serveInspectedPage } from '../e2e/support/inspected-page.ts';
import { launchOptions } from './chromium.ts';

declare const app: App;

const [rows = '100000', openings = '10'] = process.argv.slice(2);
const server = await serveInspectedPage();
const browser = await chromium.launch(launchOptions());
const page = await browser.newPage();
await page.goto(server.url);
await page.waitForFunction(() => 'app' in window);
await page.evaluate((count) => app.fill(count), Number(rows));
const tasks: number[] = [];
for (let at = 0; at < Number(openings); at += 1) {
  await page.evaluate(() => {
    const marks: number[] = [];
    Object.assign(window, { marks });
    let last = performance.now();
    const tick = (): void => {
      const now = performance.now();
      marks.push(now - last);
      last = now;
      if (marks.length < 200) setTimeout(tick, 0);
    };
    tick();
  });
  await page.keyboard.press('Alt+Shift+KeyH');
  if (at === 0) await page.getByRole('tab', { name: 'Row' }).click();
  await page.getByRole('tab', { name: 'Row' }).waitFor();
  await page.waitForFunction(() => (window as unknown as { marks: number[] }).marks.length >= 200); // cast: set above
  tasks.push(await page.evaluate(() => Math.max(...(window as unknown as { marks: number[] }).marks))); // cast: as above
  await page.keyboard.press('Alt+Shift+KeyH');
  await page.getByRole('tab', { name: 'Row' }).waitFor({ state: 'hidden' });
}
console.log(`${rows} rows; longest block of each opening, ms: ${tasks.map((ms) => ms.toFixed(1)).join(' ')}`);
await browser.close();
await server.close();
