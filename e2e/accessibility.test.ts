// Every page and every state passes axe; nightly at each width and in both themes. The pictures taken on the way are for people to
// look at; git ignores them. A width and a theme are loaded once: from page to page the visitor goes as the application does.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { look } from './support/axe.ts';
import { fail, side, startHarbor } from './support/harbor.ts';

// axe looks at every element on screen: a few dozen issues show all there is to see
const harbor = startHarbor({ seed: { issues: 60 } });
const FOLDER = join(import.meta.dirname, '.screenshots');
const visible = { state: 'visible' } as const;

const PAGES = [
  ['first look', '/', '.xray .flight'],
  ['my work', '/mine', '.work-list'],
  ['board', '/board/LTH', '.card'],
  ['table', '/table', '[data-row]'],
  ['issue', '/issues/LTH-5', '.activity li'],
  ['two views', '/board/LTH?side=%2Ftable%3FprojectId%3DLTH', '.pane.side [data-row]'],
  ['unknown page', '/nowhere', '.unknown-page'],
] as const;
const WIDE = { width: 1440, height: 900 };
const MIDDLE = { width: 820, height: 900 };
const NARROW = { width: 390, height: 844 };
const SCHEMES = ['light', 'dark'] as const;
/** A phone in the dark; nightly every width in both themes. */
const VIEWS: [typeof WIDE, (typeof SCHEMES)[number]][] = process.env['NIGHTLY']
  ? [WIDE, NARROW, MIDDLE].flatMap((viewport) => SCHEMES.map((scheme) => [viewport, scheme] as const))
  : [[NARROW, 'dark']];

async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name.replaceAll(' ', '-')}.png`) });
}

/** Goes there as a link of the page does. */
async function visit(page: Page, path: string, sign: string): Promise<void> {
  await page.evaluate((address) => {
    window.history.pushState(null, '', address);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.locator(sign).first().waitFor(visible);
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

for (const [viewport, colorScheme] of VIEWS) {
  test(`every page is accessible at ${viewport.width} px, ${colorScheme}`, async () => {
    const page = await harbor.open('/', { viewport, colorScheme, reducedMotion: 'reduce' });
    const found: Record<string, string[]> = {};
    for (const [name, path, sign] of PAGES) {
      await visit(page, path, sign);
      await picture(page, `${name} ${viewport.width} ${colorScheme}`);
      found[name] = await look(page, {
        isWithoutFrame: name !== PAGES[0][0],
      });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      if (width > viewport.width) found[name]?.push(`is ${width} px wide`);
      // only its parts scroll: below them nothing would be seen
      if (height > viewport.height) found[name]?.push(`is ${height} px high`);
    }
    for (const [name, problems] of Object.entries(found)) expect(problems, name).toEqual([]);
  });
}

test('the first paint is accessible before the script is loaded', async () => {
  const page = await harbor.open('/unknown', { reducedMotion: 'reduce' });
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto(harbor.url);
  await page.getByRole('heading', { name: /^Holdfast is a TypeScript library/ }).waitFor(visible);

  expect(await look(page, {})).toEqual([]);
});

test('everything that opens over a page is accessible', async () => {
  const page = await harbor.open('/board/LTH');
  const found: Record<string, string[]> = {};
  const see = async (name: string, part: string): Promise<void> => {
    await page.locator(part).first().waitFor(visible);
    await picture(page, `over ${name}`);
    found[name] = await look(page, { part });
  };
  await page.getByRole('button', { name: 'New issue' }).click();
  const dialog = page.getByRole('dialog', { name: 'New issue' });
  await dialog.getByLabel('Title').fill('Wrong');
  await dialog.getByLabel('Estimate').fill('1e9');
  await dialog.getByRole('button', { name: 'Create issue' }).click();
  await dialog.getByRole('alert').waitFor(visible);
  await see('form with errors', 'dialog');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Network: Good' }).click();
  await page.getByText('Session: renewed').waitFor(visible);
  await see('network', '.popover');
  await page.keyboard.press('Escape');

  await page.keyboard.press('ControlOrMeta+k');
  await see('palette', '.palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await see('keys', '.help-sheet');
  await page.keyboard.press('Escape');

  await fail(page, (request) => request.method() === 'PATCH');
  for (const index of [0, 1]) {
    const picker = page
      .locator('[data-card]')
      .nth(index)
      .getByLabel(/^Status of/);
    await picker.selectOption('Done');
  }
  await page.getByText('2 changes were not saved').waitFor(visible);
  await page.locator('[data-card]').last().getByRole('link').focus();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Undo' }).waitFor(visible);
  await see('notices', '.notices');

  await page.locator('[data-card]').first().getByRole('link').click();
  await side(page).getByLabel('Title', { exact: true }).fill('Not saved');
  await side(page).getByText('The title is not saved').waitFor(visible);
  await see('title that is not saved', '.issue-body');

  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor(visible);
  await see('offline', '.offline-note');
  await page.context().setOffline(false);

  await visit(page, '/issues/LTH-9999', '.error-card');
  await see('gone issue', '.error-card');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Who are you today?').waitFor(visible);
  await see('sign-in', '.sign-in');
  for (const [name, problems] of Object.entries(found)) expect(problems, name).toEqual([]);
});

test('the report of broken rows is accessible', async () => {
  const page = await harbor.open('/table?projectId=LTH&status=todo&orderBy=rank');
  await page.locator('[data-row]').first().waitFor(visible);
  await page.getByRole('button', { name: 'Network: Good' }).click();
  await page.getByRole('checkbox', { name: /Break 3 rows/ }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /left out/ }).click();
  await picture(page, 'over broken rows');
  expect(await look(page, { part: '.popover.centered' })).toEqual([]);
});
