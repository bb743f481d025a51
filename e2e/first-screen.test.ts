// The first screen: each race of it is a test of the same name, an X-ray stands below, and moving a card renders that card and two
// lists. Where PICTURES names a folder, the pictures of the start page of the documentation are taken:
// `PICTURES=docs/pictures npx vitest run --project e2e e2e/first-screen.test.ts -t pictures`.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RACES } from '../apps/demo/web/src/races/all-races.ts';
import { openDemo } from './support/demo.ts';
import type { Demo } from './support/demo.ts';
import { openFirstScreen, playAt, playRace } from './support/first-screen.ts';
import { card, column, hold, isWrite, PATIENT } from './support/harbor.ts';

const visible = { state: 'visible' } as const;
const { PICTURES } = process.env;
let harbor: Demo;
/** Where the races are played, one after the other as a visitor would; null where a new one is needed. */
let stage: Page | null = null;

beforeAll(async () => {
  // so few that every column shows all of its cards
  harbor = await openDemo({ seed: { issues: 60 } });
});
afterAll(async () => {
  const logged = await harbor.leave();
  await harbor.close();
  expect(logged).toEqual([]);
});

/** What the inspector says at the end of each race; a time is `T`, a time span `D`. */
const WHY: Readonly<Record<string, RegExp>> = {
  'late-read':
    /status is “review”: you changed it at T, and the server saved it\. A response that was requested D before your change was saved said “doing”\. It does not count: it could not know of the change of status of Card/,
  'two-drags': /status is “done”: you changed it at T, and the server saved it\. .*Before, it was “review”\./,
  'failed-edit':
    /status is “todo”: the server said so at T[^]*You asked for the change of status of Card \S+ at T\. The server refused it after D, with status 409\./,
  'draft': /status is “doing”: you changed it at T, and the server saved it\. .*Before, it was “todo”\./,
  'deleted-row':
    /You asked for the change of title of Card \S+ at T\. The server refused it after D, with status 404\./,
  'filter-change':
    /In the column review: It matches this list\. The response of T does not have it, and could not know of it\./,
  'log-out': /You asked for the change of priority of Card \S+ at T\. It was given up after D/,
  'one-title':
    /title is “Tar the hull, both sides, on Friday”: you changed it at T, and the server saved it\. Before, it was “Tar the hull, both sides”\.[^]*The server refused it after D, with status 412\./,
};

test.for(RACES)('$name', async (race) => {
  const page = stage ?? (await openFirstScreen(harbor));
  stage = null;

  const problems = await playRace(harbor, page, race);

  expect(problems).toEqual([]);
  const why = await page.locator('.is-holdfast .stage-why').innerText();
  const said = why.replaceAll(/\d\d:\d\d:\d\d/g, 'T').replaceAll(/\d+ (?:ms|s)\b/g, 'D');
  expect(said).toMatch(WHY[race.id] ?? /^$/);
  stage = page;
});

test('on a phone the boards of a race stay where they are, the verdict is in sight, no lane is cut, and nothing scrolls beyond the page', async () => {
  const viewport = { width: 390, height: 844 };
  const page = await harbor.open('/', { viewport });
  await page.getByRole('button', { name: /^Play a race/ }).click();
  await page.locator('[data-race-card]').first().waitFor(visible);
  const side = page.locator('.stage-side').first();
  const atFirst = await side.boundingBox();

  await page.getByLabel('Without pauses').check();
  await page.locator('.stage:not([data-verdict="open"])').waitFor(visible);

  expect((await side.boundingBox())?.y).toBe(atFirst?.y);
  const verdict = await side.locator('.stage-end strong').boundingBox();
  expect((verdict?.y ?? Infinity) + (verdict?.height ?? 0)).toBeLessThan(viewport.height);
  const steps = page.locator('.stage-steps li');
  const last = await steps.last().evaluate((step) => getComputedStyle(step, '::before').content);
  expect(last).toBe(`"${await steps.count()}"`);
  const cut = await page
    .locator('.lane span')
    .evaluateAll((parts) =>
      parts.filter((part) => part.scrollWidth > part.clientWidth).map(({ textContent }) => textContent),
    );
  expect(cut).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(viewport.height);
});

/** Nightly also on a connection without latency, and on a slow one. */
const LATENCIES = process.env['NIGHTLY'] ? [0, 300, 1_500] : [300];

test(`every race ends right on connections with a latency of ${LATENCIES.join(', ')} ms`, async () => {
  const plays = LATENCIES.flatMap((latencyMs) => RACES.map((race) => ({ latencyMs, race })));

  const ends = plays.map(async ({ latencyMs, race }) => {
    const problems = await playAt(harbor, race, latencyMs);
    return problems.map((problem) => `${race.id} at ${latencyMs} ms: ${problem}`);
  });

  expect((await Promise.all(ends)).flat()).toEqual([]);
});

test('a race changes nothing for other visitors, and a race that is left in the middle leaves nothing behind', async () => {
  const page = await openFirstScreen(harbor);
  const before = await harbor.ask('GET', '/api/issues?limit=100');
  const made = page.waitForResponse((response) => new URL(response.url()).pathname === '/stages');
  await page.getByRole('button', { name: /^Play a race/ }).click();
  const { id } = (await (await made).json()) as { id: string };
  await page.locator('.lane').first().waitFor();
  expect((await harbor.ask('GET', `/stages/${id}/cards`)).status).toBe(200);

  await page.goto('about:blank');

  await expect.poll(async () => (await harbor.ask('GET', `/stages/${id}/cards`)).status, PATIENT).toBe(404);
  expect((await harbor.ask('GET', '/api/issues?limit=100')).value).toEqual(before.value);
});

test('the X-ray shows requests, the rows that they change, pending writes by queue, renders and the size of the store', async () => {
  const page = await openFirstScreen(harbor);
  const xray = page.getByRole('region', { name: 'X-ray' });
  const { id } = await harbor.given({ projectId: await projectOf(page) });
  await card(column(page, 'Doing'), id).waitFor(visible);
  await page.getByRole('button', { name: 'Network: Good' }).click();
  await page.getByRole('radio', { name: 'Slow' }).check();
  await page.keyboard.press('Escape');

  await card(page, id).getByLabel(`Status of ${id}`).selectOption('In review');
  await card(page, id).getByLabel(`Status of ${id}`).selectOption('Done');

  const queues = xray.locator('.queues');
  await expect
    .poll(() => queues.innerText(), PATIENT)
    .toMatch(new RegExp(`Issue ${id}[^]*review[^]*then[^]*done`));
  await expect.poll(() => queues.innerText(), PATIENT).toContain('All saved.');
  const flights = await xray.locator('.flight').allInnerTexts();
  expect(flights.join('\n')).toMatch(new RegExp(`Issue\\.partialUpdate ${id}[^]*Issue ${id}`));
  const said = xray
    .locator('.flight')
    .evaluateAll((lines) => lines.map((line) => line.getAttribute('title')));
  expect((await said).join('\n')).toMatch(
    new RegExp(`You asked for the change of .* of Issue ${id} at .*\\.`),
  );
  // the people, the projects and the issues of four columns
  expect(Number(await xray.locator('.store b').innerText())).toBeGreaterThan(20);
});

test('a response that has not changed is not parsed again, and the X-ray shows it', async () => {
  const page = await openFirstScreen(harbor);
  // what arrives ten minutes later is fresh then
  await page.getByRole('link', { name: /^Tidewater/ }).waitFor(visible);

  // ten minutes later the visitor comes back to the page
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 600_000;
    window.dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange'));
  });

  const strip = page.getByRole('region', { name: 'X-ray' });
  await expect.poll(() => strip.innerText(), PATIENT).toMatch(/\b[1-9]\d* unchanged, not read/);
});

test('moving a card renders that card and the two lists, and the X-ray counts the same', async () => {
  const page = await openFirstScreen(harbor);
  const { id } = await harbor.given({ projectId: await projectOf(page) });
  await card(column(page, 'Doing'), id).waitFor(visible);
  // renders that follow each other count as one change
  await page.waitForTimeout(1_500);
  const before = await rendersOf(page);
  // an answer that is long on its way would be a change of its own to the strip
  const answer = await hold(page, isWrite('PATCH', `/api/issues/${id}`));

  await card(page, id).dragTo(column(page, 'In review').getByRole('heading'));
  await card(column(page, 'In review'), id).waitFor(visible);
  const counted = (what: 'card' | 'list'): Promise<string> =>
    page.locator(`[data-renders-of="${what}"]`).innerText();
  await expect.poll(async () => [await counted('card'), await counted('list')], PATIENT).toEqual(['1', '2']);
  await answer.release();
  await page.locator('.card.is-pending').waitFor({ state: 'detached' });
  const cost = page.locator('.home-cost');
  await expect
    .poll(() => cost.innerText(), PATIENT)
    .toMatch(/1 request, [12] cards? and 2 lists rendered, nothing loaded again$/);

  const after = await rendersOf(page);
  const rendered = Object.keys(after).filter((name) => after[name] !== before[name]);
  expect(rendered.toSorted()).toEqual([`card ${id}`, 'list doing', 'list review']);
});

test('a row lights up in every view that shows it, by the pointer and by the focus', async () => {
  const page = await openFirstScreen(harbor);
  const id = (await page.locator('[data-row]').first().getAttribute('data-row')) ?? '';
  const lit = (): Promise<number> => page.locator(`[data-twin]`).count();

  await card(page, id).hover();
  const shown = await page.locator(`[data-card="${id}"], [data-row="${id}"], [data-issue="${id}"]`).count();
  expect(shown).toBeGreaterThan(1);
  await expect.poll(lit, PATIENT).toBe(shown);
  await page.getByText(`1 row, ${shown} views`).waitFor(visible);

  await page.getByRole('heading', { level: 1 }).first().hover();
  await expect.poll(lit, PATIENT).toBe(0);
  await page.locator(`[data-row="${id}"]`).getByRole('link').focus();
  await expect.poll(lit, PATIENT).toBe(shown);
});

test('the first screen shows at most fourteen lines of the declaration, as they stand in its file', async () => {
  const page = await openFirstScreen(harbor);
  const shown = await page.locator('.declaration pre').innerText();
  const file = await readFile('apps/demo/web/src/resources/issue.ts', 'utf8');

  expect(file).toContain(shown.trim());
  expect(shown.trim().split('\n').length).toBeLessThanOrEqual(14);
});

test('the install line of the first screen installs the library', async () => {
  const page = await openFirstScreen(harbor);
  const line = await page.locator('.install code').innerText();
  const address = line.replace('npm install ', '');
  const packed = Buffer.from(await (await fetch(address)).arrayBuffer());

  expect(line).toBe(`npm install ${harbor.url}/holdfast.tgz`);
  expect(gunzipSync(packed).toString('latin1')).toContain('package/dist/index.js');
});

if (PICTURES)
  test('pictures of a race are taken for the documentation', async () => {
    const [race] = RACES;
    if (!race) throw new Error('there is no race');
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await harbor.open('/', {
        viewport: { width: 1240, height: 800 },
        colorScheme,
        reducedMotion: 'reduce',
      });
      await page.locator('[data-card]').first().waitFor(visible);
      expect(await playRace(harbor, page, race)).toEqual([]);
      await page.mouse.move(640, 10);
      const stage = await page.locator('.stage').boundingBox();
      if (!stage) throw new Error('the stage is not on screen');
      const path = join(PICTURES, `demo-${colorScheme}.png`);
      // what stands below the lanes is too small for a picture
      await page.screenshot({ path, clip: { ...stage, height: 600 } });
      await page.context().close();
    }
  });

/** The project whose board the first screen shows. */
async function projectOf(page: Page): Promise<string> {
  const id = await page.locator('[data-card]').first().getAttribute('data-card');
  return id?.split('-')[0] ?? '';
}

/** How often each card and each list has rendered. A card in another column is another element, which starts anew. */
function rendersOf(page: Page): Promise<Record<string, string | null>> {
  return page.evaluate(() => {
    const entries = [...document.querySelectorAll('.board [data-renders]')].map((element) => {
      const name = element.hasAttribute('data-card')
        ? `card ${element.getAttribute('data-card')}`
        : `list ${element.getAttribute('data-status')}`;
      return [
        name,
        `${element.closest('[data-status]')?.getAttribute('data-status')} ${element.getAttribute('data-renders')}`,
      ];
    });
    return Object.fromEntries(entries) as Record<string, string>;
  });
}
