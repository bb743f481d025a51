// What a first visit asks for and how much it loads: the first screen is readable before its script is there, nothing is asked for
// twice, and neither requests nor bytes grow unseen.
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemo } from './support/demo.ts';
import type { Demo } from './support/demo.ts';
import { hold } from './support/harbor.ts';

/**
 * All that a first visit loads, in bytes as they travel; the fonts and ten thousand seeded issues included. It only falls, but for what the
 * page has got: a title that saves itself, changes in bulk and their undo, versions and a choice where two people have changed one field.
 */
const FIRST_VISIT_BYTES = 296_500;

const HEADLINE = 'Holdfast is a TypeScript library that keeps REST data right in React applications';

let harbor: Demo;
beforeAll(async () => {
  harbor = await openDemo();
});
afterAll(async () => {
  const logged = await harbor.leave();
  await harbor.close();
  expect(logged).toEqual([]);
});

async function placesOf(page: Page): Promise<Record<string, number[]>> {
  const names = {
    head: 'h1',
    races: '.races',
    declaration: '.declaration',
    columns: '.board > .column',
    rows: '.row-table',
    xray: '.xray',
  };
  const boxes = Object.entries(names).map(async ([name, selector]) => {
    const box = await page.locator(selector).first().boundingBox();
    return [name, [box?.x, box?.y, box?.width].map((pixels) => Math.round(pixels ?? -1))] as const;
  });
  return Object.fromEntries(await Promise.all(boxes));
}

test('the first screen is readable before any script has run, and nothing in it moves when the rows arrive', async () => {
  const before = await harbor.open('/', { javaScriptEnabled: false });
  const after = await harbor.open('/');
  await after.locator('[data-card]').first().waitFor();
  await after.locator('[data-row]').first().waitFor();

  expect(await before.getByRole('heading', { level: 1 }).first().innerText()).toBe(HEADLINE);
  expect(await before.getByRole('button', { name: /^Play a race/ }).isDisabled()).toBe(true);
  expect(await placesOf(before)).toEqual(await placesOf(after));
});

test('a first visit sends each request once, and loads no more bytes than before', async () => {
  const blank = await harbor.open('/assets/none');
  const page = await blank.context().newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const asked: string[] = [];
  let bytes = 0;
  page.on('request', (request) => void asked.push(request.url().slice(harbor.url.length)));
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength));

  await page.goto(harbor.url, { waitUntil: 'networkidle' });
  await page.locator('[data-card]').first().waitFor();

  expect(asked.filter((path) => path.startsWith('/api/session'))).toEqual(['/api/session']);
  const twice = asked.filter((path, at) => asked.indexOf(path) !== at);
  expect(twice).toEqual([]);
  // the shell: people, projects, my work by status; the screen: its project, four columns, the table
  expect(asked.filter((path) => path.startsWith('/api/') && !path.startsWith('/api/s'))).toHaveLength(11);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(FIRST_VISIT_BYTES);
});

test('the first screen is not painted for a signed-out visitor, nor at any other address', async () => {
  const page = await harbor.open('/');
  await page.getByRole('link', { name: 'My work' }).first().click();
  await page.getByText('Everything assigned to').waitFor();
  // while the people to choose from are asked for, the page waits
  const held = await hold(page, (request) => request.url().endsWith('/api/users'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Loading Harbor').waitFor();
  expect(await page.getByText(HEADLINE).count()).toBe(0);
  await held.release();
  await page.getByText('Who are you today?').waitFor();

  const reply = await page.request.get(`${harbor.url}/`);

  expect((await reply.text()).includes(HEADLINE)).toBe(false);
});
