// What the page knows is on screen at once: a part of a list that is known to be whole needs no request, and a row of which a search has
// brought some fields needs one for the others. The requests of the page are counted.
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { hold, main, PATIENT, side, startHarbor } from './support/harbor.ts';

// so few that all that a person has to do arrives at once
const harbor = startHarbor({ seed: { issues: 600 } });
const visible = { state: 'visible' } as const;

/** The addresses of the requests that the page sends from now on, without its stream of changes. */
function countRequests(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && pathname !== '/api/stream') sent.push(pathname);
  });
  return sent;
}

test('the filter of my work shows what the server has in a project, and sends no request', async () => {
  const mine = { status: 'todo', assigneeId: 'mira' };
  const inTwo = [
    await harbor.given({ ...mine, projectId: 'BRK' }),
    await harbor.given({ ...mine, projectId: 'LTH' }),
  ];
  const page = await harbor.open('/mine');
  const list = main(page).getByRole('region', { name: 'To do' });
  for (const { id } of inTwo) await list.locator(`[data-work="${id}"]`).waitFor(visible);
  await page.waitForLoadState('networkidle');
  const idsOf = (): Promise<(string | null)[]> =>
    list.locator('[data-work]').evaluateAll((rows) => rows.map((one) => one.getAttribute('data-work')));
  const sent = countRequests(page);

  for (const projectId of ['BRK', 'LTH', 'BRK', '']) {
    await main(page).getByLabel('Project of my work').selectOption(projectId);
    const query = new URLSearchParams({ ...mine, orderBy: 'priority', ...(projectId && { projectId }) });
    const { value } = await harbor.ask<{ results: { id: string }[] }>('GET', `/api/issues?${query}`);
    await expect.poll(idsOf, PATIENT).toEqual(value.results.map(({ id }) => id));
    expect(await list.locator('.count').innerText()).toBe(String(value.results.length));
  }

  expect(sent).toEqual([]);
});

test('an issue that the palette has found is shown at once, and one request brings the rest of it', async () => {
  // not among the open work of the person, of which the page knows everything
  const fields = { assigneeId: 'ravi', status: 'review', labels: ['security'] };
  const { id, title } = await harbor.given({ ...fields, description: 'Only the whole issue has this text.' });
  const page = await harbor.open('/mine');
  await main(page).getByRole('region', { name: 'To do' }).waitFor(visible);
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('ControlOrMeta+k');
  const searched = page.waitForResponse(
    (response) => new URL(response.url()).searchParams.get('q') === title,
  );
  await page.keyboard.type(title);
  await searched;
  const sent = countRequests(page);
  const answer = await hold(page, (request) => new URL(request.url()).pathname === `/api/issues/${id}`);

  await page.getByRole('option', { name: title }).click();
  await answer.arrived;

  const first = side(page).getByRole('region', { name: `Issue ${id}, loading` });
  await first.getByRole('heading', { name: title }).waitFor(visible);
  expect(await first.locator('.facts').innerText()).toMatch(/In review[^]*Urgent[^]*security/);
  expect(await first.getByRole('status', { name: 'Loading the description' }).count()).toBe(1);
  await answer.release();
  await side(page).getByText('Only the whole issue has this text.').waitFor(visible);
  await side(page).getByRole('region', { name: 'Activity' }).getByText('created the issue').waitFor(visible);
  // its comments are rows of their own
  expect(sent.toSorted()).toEqual([`/api/issues/${id}`, `/api/issues/${id}/comments`]);
});
