// Plays a race of the first screen and judges its end from outside: by what the two boards of the page show, and by what the server has.
// e2e/first-screen.test.ts plays each once, scripts/races.ts again and again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Response } from 'playwright';
import { RACES } from '../../apps/demo/web/src/races/all-races.ts';
import type { Race } from '../../apps/demo/web/src/races/race.ts';
import { runRace } from '../../apps/demo/web/src/races/run-race.ts';
import type { Harbor } from './demo.ts';

interface Fields {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly priority: string;
}

/** A race takes a second, a slow connection its time, and a busy machine too. */
const END_MS = 90_000;

export async function openFirstScreen(demo: Harbor): Promise<Page> {
  const page = await demo.open('/');
  await page.locator('[data-card]').first().waitFor();
  await page.locator('[data-row]').first().waitFor();
  return page;
}

/** What a side of the stage shows, with the user whose screen it is. */
export function lookAt(side: string): { userId: string; columns: string[]; cards: Fields[] } {
  const board = document.querySelector<HTMLElement>(`.stage-side.is-${side}`);
  const cards = [...(board?.querySelectorAll<HTMLElement>('[data-race-card]') ?? [])].map((card) => ({
    id: card.dataset['raceCard'] ?? '',
    title: card.querySelector('.race-card-title')?.textContent ?? '',
    status: card.closest<HTMLElement>('[data-column]')?.dataset['column'] ?? '',
    priority: card.dataset['priority'] ?? '',
  }));
  const columns = [...(board?.querySelectorAll<HTMLElement>('[data-column]') ?? [])];
  return {
    userId: board?.dataset['user'] ?? '',
    columns: columns.map((column) => column.dataset['column'] ?? ''),
    cards,
  };
}

/** Starts a race from wherever the first screen is. */
export async function startRace(page: Page, race: Race): Promise<void> {
  const close = page.locator('.stage').getByRole('button', { name: 'Close', exact: true });
  if (await close.isVisible()) await close.click();
  const races = page.getByRole('group', { name: 'Races' });
  if (race === RACES[0]) return races.getByRole('button', { name: /^Play a race/ }).click();
  await races.getByRole('button', { name: /^\d more$/ }).click();
  return page.getByRole('dialog', { name: 'More races' }).getByRole('button', { name: race.name }).click();
}

/** Plays a race to its end and gives what is wrong then; nothing where all is right. The page may have played others before. */
export async function playRace(demo: Harbor, page: Page, race: Race): Promise<string[]> {
  const stages: Promise<string>[] = [];
  const note = (response: Response): void => {
    const isStage = response.request().method() === 'POST' && new URL(response.url()).pathname === '/stages';
    if (isStage) stages.push(response.json().then(({ id }: { id: string }) => id));
  };
  page.on('response', note);
  try {
    await startRace(page, race);
    await page.getByLabel('Without pauses').check();
    await page.locator('.stage:not([data-verdict="open"])').waitFor({ timeout: END_MS });
  } catch {
    return [`no end: ${(await page.locator('.stage').allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ')}`];
  } finally {
    page.off('response', note);
  }
  const [last = '', holdfast = ''] = await Promise.all(stages);
  const problems = await page.locator('.stage-problem').allInnerTexts();
  if (!(await isAsOnServer(demo, page, 'holdfast', holdfast)))
    problems.push('Holdfast shows something else than the server has');
  if (race.asks && !(await hasWanted(demo, holdfast, race)))
    problems.push('with Holdfast the server does not have both changes');
  // where the other person's change is lost, the board shows what the server has: the loss is on the server
  if (race.asks ? await hasWanted(demo, last, race) : await isAsOnServer(demo, page, 'last', last))
    problems.push('the last response was right: there is nothing to see');
  const verdicts = await page.locator('.stage-end strong').allInnerTexts();
  if (verdicts.join() !== 'Wrong,Right') problems.push(`the verdicts are ${verdicts.join()}`);
  return problems;
}

/** Whether a card of the stage has all that the race wants. */
async function hasWanted(demo: Harbor, stage: string, { wants }: Race): Promise<boolean> {
  const { value } = await demo.ask<Fields[]>('GET', `/stages/${stage}/cards`);
  return value.some((card) =>
    Object.entries(wants ?? {}).every(([name, text]) => card[name as keyof Fields] === text),
  );
}

async function isAsOnServer(demo: Harbor, page: Page, side: string, stage: string): Promise<boolean> {
  const { userId, columns, cards } = await page.evaluate(lookAt, side);
  const { value } = await demo.ask<(Fields & { assigneeId: string })[]>('GET', `/stages/${stage}/cards`);
  const seen = value
    .filter(({ assigneeId }) => assigneeId === userId)
    .filter(({ status }) => columns.includes(status))
    .map(({ id, title, status, priority }) => ({ id, title, status, priority }));
  const inOrder = (rows: readonly Fields[]): string =>
    JSON.stringify(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  return seen.length > 0 && inOrder(cards) === inOrder(seen);
}

/** Plays a race without a page, on a connection with that latency, and gives what is wrong at its end. */
export async function playAt({ url }: Harbor, race: Race, latencyMs: number): Promise<string[]> {
  const send: typeof fetch = async (...args) => {
    await sleep(latencyMs);
    return fetch(...args);
  };
  const pause = (): Promise<void> => Promise.resolve();
  const run = runRace(race, { origin: url, fetch: send, pause, onChange: () => undefined });
  const { problem, boards } = await run.ended;
  run.leave();
  if (problem !== null) return [problem];
  const ends = boards.map(({ side, verdict }) => `${side} ${verdict?.isRight ? 'right' : 'wrong'}`).join();
  const lines = boards.flatMap(({ verdict }) => verdict?.lines ?? []);
  return ends === 'last wrong,holdfast right' ? [] : [`${ends}: ${lines.join(' ')}`];
}
