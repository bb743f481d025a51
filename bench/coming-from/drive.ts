// Builds the paired applications of the pages "Coming from …", runs one script in a browser against each of them, and says what each
// costs: lines of its files, bytes of its program, requests of the run.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Browser, Locator, Page } from 'playwright';
import { replaceOldJsxHelper } from '../render/old-jsx-plugin.ts';
import { productionOptions } from '../support/bundle.ts';
import { startTaskServer } from './server.ts';
import type { TaskServer } from './server.ts';

/** What all programs have in common is no cost of one of them. */
const REACT = ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime'];

/** The whole applications, and the libraries of which three tasks are shown. */
export const applications = ['holdfast', 'tanstack-query', 'data-client'] as const;
export const tasks = ['holdfast', 'rtk-query', 'apollo', 'swr'] as const;

export interface Driven {
  /** Lines of code in the files of the application. */
  readonly lines: number;
  /** Bytes of the minified program without React, gzip. */
  readonly bytes: number;
  readonly requests: readonly string[];
}

export const folderOf = (kind: 'application' | 'tasks', name: string): string =>
  join(import.meta.dirname, kind, name);

async function bundle(folder: string, external: readonly string[]): Promise<string> {
  const { outputFiles } = await build({
    ...productionOptions,
    logLevel: 'error',
    stdin: {
      contents: `import { createRoot } from 'react-dom/client';
        import { createElement } from 'react';
        import { App } from './app.tsx';
        createRoot(document.getElementById('root')).render(createElement(App));`,
      resolveDir: folder,
      loader: 'ts',
    },
    platform: 'browser',
    minify: true,
    legalComments: 'none',
    external: [...external],
    plugins: [replaceOldJsxHelper(folder)],
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

const countLines = (folder: string): number =>
  readdirSync(folder)
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;

const textsOf = (list: Locator): Promise<string[]> =>
  list.evaluateAll((elements) => elements.map(({ textContent }) => (textContent ?? '').trim()));

async function waitUntil(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; !(await holds());)
    if (Date.now() > end) throw new Error(`${what}: waited in vain`);
    else await new Promise((resolve) => setTimeout(resolve, 10));
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Runs `act` while no response to a change arrives, and waits for `shows`: the change is optimistic. */
async function expectAtOnce(
  page: Page,
  act: () => Promise<void>,
  shows: () => Promise<boolean>,
): Promise<void> {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/**', async (route) => {
    if (route.request().method() !== 'GET') await held;
    await route.continue();
  });
  await act();
  await waitUntil('an optimistic update', shows);
  release();
  await page.unrouteAll({ behavior: 'wait' });
}

async function loadEvents(page: Page): Promise<void> {
  const events = page.getByRole('region', { name: 'Events' });
  const more = events.getByRole('button', { name: 'More' });
  await more.click();
  await more.waitFor({ state: 'detached' });
  const shown = await textsOf(events.getByRole('paragraph'));
  if (!isSame(shown, ['Launched', 'Painted', 'Repaired', 'Sold']))
    throw new Error(`the events are ${shown.join()}`);
}

/** What a user does in the whole application. */
async function tryApplication(page: Page, server: TaskServer): Promise<void> {
  const lists = {
    open: page.getByRole('region', { name: 'Open' }),
    done: page.getByRole('region', { name: 'Done' }),
  };
  const titles = (list: Locator): Promise<string[]> =>
    textsOf(list.getByRole('listitem').getByRole('button').filter({ hasNotText: '×' }));
  const box = (title: string): Locator => page.getByRole('checkbox', { name: title });
  const shows = (list: Locator, title: string) => async () => (await titles(list)).includes(title);
  const isSettled = async (): Promise<boolean> =>
    isSame(await titles(lists.open), server.titles(false)) &&
    isSame(await titles(lists.done), server.titles(true));
  const settle = async (): Promise<void> => {
    await server.settle();
    await waitUntil('the state of the server', isSettled);
  };

  await lists.open.waitFor();
  await lists.done.waitFor();
  await server.settle();
  await expectAtOnce(page, () => box('Call Ada').click(), shows(lists.done, 'Call Ada'));
  await settle();

  await page.getByRole('button', { name: 'Paint the hull', exact: true }).click();
  const detail = page.getByRole('region', { name: 'Task' });
  await detail.getByRole('heading', { name: 'Paint the hull' }).waitFor();
  const rename = async (title: string): Promise<void> => {
    await detail.getByLabel('Title').fill(title);
    await detail.getByRole('button', { name: 'Rename' }).click();
  };
  await expectAtOnce(
    page,
    () => rename('Varnish the hull'),
    async () =>
      (await detail.getByRole('heading').innerText()) === 'Varnish the hull' &&
      (await titles(lists.open)).at(-1) === 'Varnish the hull',
  );
  await settle();
  await rename('Refuse');
  await detail.getByRole('alert').waitFor();
  await settle();
  await detail.getByRole('heading', { name: 'Varnish the hull' }).waitFor();

  await page.getByLabel('New task').fill('Buy rope');
  await expectAtOnce(
    page,
    () => page.getByRole('button', { name: 'Add' }).click(),
    shows(lists.open, 'Buy rope'),
  );
  await settle();
  await page.getByRole('button', { name: 'Delete Buy milk' }).click();
  await waitUntil('a deletion', async () => !(await shows(lists.open, 'Buy milk')()));
  await settle();

  // two changes, of which the second is made before the first has its response
  await page.evaluate(() => {
    for (const title of ['Check the mast', 'Sand the deck'])
      document.querySelector<HTMLElement>(`input[aria-label="${title}"]`)?.click();
  });
  await settle();
  await loadEvents(page);
}

/** The three tasks: read a list, change a row optimistically, load pages. */
async function doTasks(page: Page, server: TaskServer): Promise<void> {
  const box = (title: string): Locator => page.getByRole('checkbox', { name: title });
  await page.getByRole('list', { name: 'Tasks' }).waitFor();
  await server.settle();
  await expectAtOnce(
    page,
    () => box('Call Ada').click(),
    () => box('Call Ada').isChecked(),
  );
  await server.settle();
  if (!(await box('Call Ada').isChecked())) throw new Error('the change is gone');

  await box('Wash the sails').click();
  await page.getByRole('alert').waitFor();
  await waitUntil('a roll-back', () => box('Wash the sails').isChecked());
  await server.settle();
  await loadEvents(page);
}

/** Drives one application in the browser. Throws if it does not do what the script expects. */
export async function drive(browser: Browser, kind: 'application' | 'tasks', name: string): Promise<Driven> {
  const folder = folderOf(kind, name);
  const [whole, own] = await Promise.all([bundle(folder, []), bundle(folder, REACT)]);
  const server = await startTaskServer(whole);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(server.url);
    try {
      await (kind === 'application' ? tryApplication(page, server) : doTasks(page, server));
    } catch (error) {
      problems.push(String(error));
    }
    await server.settle();
    if (problems.length > 0)
      throw new Error(
        `${kind}/${name}, after ${server.requests.at(-1)}: ${problems.join('\n')}\n${await page.innerText('body')}`,
      );
    return {
      lines: countLines(folder),
      bytes: gzipSync(own, { level: 9 }).length,
      requests: server.requests,
    };
  } finally {
    await context.close();
    server.close();
  }
}
