// Plays a race of the first screen and judges its end from outside: by what the board and the table show, and by what the server
// has. e2e/first-screen.test.ts plays each once, scripts/races.ts fifty times.
import type { Page } from 'playwright';
import type { Race } from '../../apps/demo/web/src/races/race.ts';
import { STATUS_NAMES } from '../../apps/demo/web/src/resources/vocabulary.ts';
import type { Status } from '../../apps/demo/web/src/resources/vocabulary.ts';
import type { Harbor } from './demo.ts';

interface Fields {
  readonly title?: string;
  readonly status: Status;
  readonly priority?: string;
}

/** How each race must end; null for an issue that is gone. */
const ENDS: Readonly<Record<string, Fields | null>> = {
  'late-read': { status: 'review' },
  'two-drags': { status: 'done' },
  'failed-edit': { status: 'todo', title: 'Oil the winch, then test it', priority: 'urgent' },
  draft: { status: 'doing', title: 'Order new sails, red ones' },
  'deleted-row': null,
  'filter-change': { status: 'review' },
  'log-out': { status: 'doing', priority: 'high' },
};

/** A race takes two seconds, and a busy machine its time. */
const END_MS = 60_000;

/** Opens the first screen, set to play quickly. */
export async function openFirstScreen(demo: Harbor): Promise<Page> {
  const page = await demo.open('/');
  await page.getByLabel('Play them quickly').check();
  await page.locator('[data-card]').first().waitFor();
  await page.locator('[data-row]').first().waitFor();
  return page;
}

/** Plays a race to its end and gives what is wrong then; nothing where all is right. The page may have played others before. */
export async function playRace(demo: Harbor, page: Page, race: Race): Promise<string[]> {
  const { id, name } = race;
  const others = page.getByRole('button', { name: 'All races' });
  if (await others.isVisible()) await others.click();
  await page.getByRole('button', { name, exact: true }).click();
  const stage = page.getByRole('region', { name, exact: true });
  try {
    await page.locator('.stage:not([data-verdict="open"])').waitFor({ timeout: END_MS });
  } catch {
    const seen = await page.locator('.stage-steps, .xray').allInnerTexts();
    return [`no end: ${seen.join(' ').replaceAll(/\s+/g, ' ')}`];
  }
  const problems = await stage.locator('.stage-checks .is-wrong').allInnerTexts();
  if ((await stage.locator('.stage-why li').count()) === 0) problems.push('the inspector says nothing');
  const card = (await stage.getAttribute('data-of')) ?? '';
  // after a log-out the views are being read again
  if (ENDS[id]) await page.locator(`[data-row="${card}"]`).waitFor();
  return [...problems, ...(await compareEnd(demo, (look) => page.evaluate(look, card), id, card))];
}

/** What the page shows of an issue. */
function lookAt(id: string) {
  const read = (element: Element | null): string => element?.textContent?.trim() ?? '';
  const cards = [...document.querySelectorAll(`[data-card="${id}"]`)];
  const rows = [...document.querySelectorAll(`[data-row="${id}"]`)];
  return {
    cards: cards.map((card) => ({
      status: card.closest('[data-status]')?.getAttribute('data-status'),
      title: read(card.querySelector('.card-title')),
    })),
    rows: rows.map((row) => ({
      status: read(row.querySelector('.row-status')),
      title: read(row.querySelector('th a')),
    })),
  };
}

/** Compares how a race has ended with how it must. `inPage` runs a function in the page, with the id of the race's issue. */
export async function compareEnd(
  demo: Harbor,
  inPage: (look: typeof lookAt) => Promise<ReturnType<typeof lookAt>>,
  race: string,
  id: string,
): Promise<string[]> {
  const wanted = ENDS[race];
  if (wanted === undefined) return [`nobody knows how ${race} must end`];
  const problems: string[] = [];
  const differ = (what: string, seen: unknown, expected: unknown): void => {
    const [first, second] = [JSON.stringify(seen), JSON.stringify(expected)];
    if (first !== second) problems.push(`${what}: ${first} instead of ${second}`);
  };
  const { status, value } = await demo.ask<Fields & { title: string }>('GET', `/api/issues/${id}`);
  differ('the answer of the server', status, wanted ? 200 : 404);
  for (const [name, expected] of Object.entries(wanted ?? {}))
    differ(`${name} on the server`, value[name as keyof Fields], expected); // cast: a name of that type's own
  const shown = await inPage(lookAt);
  const expected = wanted ? [{ status: wanted.status, title: value.title }] : [];
  differ('on the board', shown.cards, expected);
  differ(
    'in the table',
    shown.rows,
    expected.map((one) => ({ ...one, status: STATUS_NAMES[one.status] })),
  );
  return problems;
}
