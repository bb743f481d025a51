import { Suspense, use } from 'react';
import { expect, test } from 'vitest';
import { useFetch } from 'holdfast/react';
import { complaints, openPage, renderPieces, settle, takeOver, TodoResource } from './browser-page.tsx';

function Both() {
  const first = useFetch(TodoResource.get, { id: '1' });
  const second = useFetch(TodoResource.get, { id: '2' });
  return <b>{`${use(first).title}, ${use(second).title}`}</b>;
}

test('promises for `use` resolve with the data of the page', async () => {
  const app = (
    <html lang="en">
      <body>
        <Suspense fallback={<em>waiting</em>}>
          <Both />
        </Suspense>
      </body>
    </html>
  );
  const page = openPage();
  page.write((await renderPieces(app, ['1', '2'])).join(''));
  page.close();

  const { requests, mismatches } = await takeOver(page, app);

  await expect.poll(() => page.querySelector('b:not([hidden] *)')?.textContent).toBe('title 1, title 2');
  await settle(100);
  expect(requests).toEqual([]);
  expect(mismatches).toEqual([]);
  expect(complaints).toEqual([]);
});
