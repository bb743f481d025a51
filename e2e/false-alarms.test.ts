// The demo is a right program: built for development, it prints no warning of the library while somebody works with it.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { chromium } from 'playwright';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../apps/demo/server/listen.ts';
import type { RunningDemo } from '../apps/demo/server/listen.ts';
import { launchOptions } from '../scripts/chromium.ts';

let demo: RunningDemo;
let vite: ChildProcess;
let address = '';
let browser: Browser;

beforeAll(async () => {
  demo = await listen(0);
  // in a process of its own: the demo's server replaces the `Response` of the process, which Vite's plugins need
  const root = join(import.meta.dirname, '..');
  vite = spawn(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'apps/demo/web', '--port', '0'],
    {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'development', PORT: new URL(demo.url).port, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  address = await new Promise<string>((found) => {
    let printed = '';
    vite.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const [url] = /http:\/\/localhost:\d+\//.exec(printed) ?? [];
      if (url) found(url);
    });
  });
  browser = await chromium.launch(launchOptions());
});

afterAll(async () => {
  await browser?.close();
  vite?.kill();
  await demo?.close();
});

test('the demo prints no warning of the library in development', async () => {
  const page = await browser.newPage();
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (/^\[[A-Z_]+\]/.test(message.text())) warnings.push(message.text());
  });
  const visit = async (path: string): Promise<void> => {
    await page.goto(new URL(path, address).href);
  };

  await visit('/mine');
  await page.getByRole('button', { name: /Mira/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await visit('/'); // two boards, the table and the first race
  await page.locator('[data-card]').first().waitFor();
  await page.locator('[data-row]').first().waitFor();
  await visit('/board/ANC');
  await page.locator('[data-card]').first().waitFor();
  await page
    .getByRole('textbox', { name: /^Add an issue to/ })
    .first()
    .fill('A right program');
  await page.keyboard.press('Enter');
  await page.getByText('A right program').first().waitFor();
  await visit('/issues/ANC-1');
  await page.getByLabel('Write a comment').fill('No alarm');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.getByRole('button', { name: 'Delete this comment' }).first().waitFor();
  // this is the library's development build, and the page is heard
  await page.evaluate(`import('/@id/holdfast').then(({ createResource, Entity }) => {
    class Row extends Entity {}
    createResource({ path: '/rows', schema: Row });
  })`);

  expect(warnings).toEqual([expect.stringContaining('[RESOURCE_WITHOUT_PARAMETER] The path /rows')]);
});
