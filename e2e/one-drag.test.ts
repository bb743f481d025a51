// One drag is one request. The board keeps its columns in their declared order by itself, and the stream's word of one's own
// change is an echo: nothing is asked for in the ten seconds after.
import { expect, test } from 'vitest';
import { card, column, startHarbor } from './support/harbor.ts';

const harbor = startHarbor();
const QUIET_MS = 10_000;

test('dragging a card sends one PATCH, and no list is requested again', async () => {
  const { id } = await harbor.given();
  const page = await harbor.open('/board/ANC');
  await card(column(page, 'Doing'), id).waitFor({ state: 'visible' });
  await page.waitForLoadState('load');
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) sent.push(`${request.method()} ${pathname}`);
  });

  await card(page, id).dragTo(column(page, 'In review').getByRole('heading'));
  await card(column(page, 'In review'), id).waitFor({ state: 'visible' });
  // what is looked for here is that nothing comes: there is nothing to wait for but time
  await page.waitForTimeout(QUIET_MS);

  expect(sent).toEqual([`PATCH /api/issues/${id}`]);
});
