// Every page passes axe at both widths and in both themes. The pictures taken on the way are for
// people to look at; git ignores them.
import { AxeBuilder } from '@axe-core/playwright';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHarbor } from './support/harbor.ts';

// axe looks at every element on screen: a few dozen issues show all there is to see
const harbor = startHarbor({ seed: { issues: 60 } });
const FOLDER = join(import.meta.dirname, '.screenshots');

const PAGES = [
  ['first look', '/', '.xray .flight'],
  ['my work', '/mine', '.work-list'],
  ['board', '/board/LTH', '.card'],
  ['table', '/table', '[data-row]'],
  ['issue', '/issues/LTH-5', '.activity li'],
  ['two views', '/board/LTH?side=%2Ftable%3FprojectId%3DLTH', '.pane.side [data-row]'],
] as const;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

for (const viewport of SIZES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    // a theme has the same colours at every width: nightly looks all the same
    if (colorScheme === 'dark' && viewport.width < 1_000 && !process.env['NIGHTLY']) continue;
    test.for(PAGES)(
      `%s is accessible at ${viewport.width} px, ${colorScheme}`,
      async ([name, path, sign]) => {
        const page = await harbor.open(path, { viewport, colorScheme });
        await page.locator(sign).first().waitFor({ state: 'visible' });
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });

        const axe = new AxeBuilder({ page });
        // the theme changes colours and nothing else
        if (colorScheme === 'dark') axe.withRules(['color-contrast']);
        const { violations } = await axe.analyze();

        mkdirSync(FOLDER, { recursive: true });
        const file = `${name.replaceAll(' ', '-')}-${viewport.width}-${colorScheme}.png`;
        await page.screenshot({ path: join(FOLDER, file) });
        const found = violations.map(
          ({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
        );
        expect(found).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          viewport.width,
        );
      },
    );
  }
}

test('the sign-in page, the dialog and the network control are accessible', async () => {
  const page = await harbor.open('/board/LTH');
  await page.getByRole('button', { name: 'New issue' }).click();
  expect((await new AxeBuilder({ page }).include('dialog').analyze()).violations).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Network: Good' }).click();
  expect((await new AxeBuilder({ page }).include('.popover').analyze()).violations).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Who are you today?').waitFor({ state: 'visible' });
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});
