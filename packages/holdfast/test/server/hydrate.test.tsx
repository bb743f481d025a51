import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { HttpError, schema } from 'holdfast';
import { AsyncBoundary, readPage, useDLE, useQuery, useSuspense } from 'holdfast/react';
import type { ErrorFallbackProps } from 'holdfast/react';
import { complaints, openPage, renderPieces, settle, takeOver, Todo, TodoResource } from './browser-page.tsx';

const all = new schema.All(Todo);

function Title({ id }: { id: string }) {
  return <b>{useSuspense(TodoResource.get, { id }).title}</b>;
}

function Count() {
  return <i>{`${useQuery(all)?.length ?? 0} stored`}</i>;
}

function Telling({ id }: { id: string }) {
  const { data, loading } = useDLE(TodoResource.get, { id });
  return <u>{loading ? 'loading' : data?.title}</u>;
}

function Failure({ error }: ErrorFallbackProps) {
  return <s>{`${error.name} ${error instanceof HttpError ? error.status : ''}`}</s>;
}

const Page = ({ children }: { children: ReactNode }) => (
  <html lang="en">
    <head>
      <title>page</title>
    </head>
    <body>{children}</body>
  </html>
);

const late = (id: string) => (
  <Suspense fallback={<em>{`waiting for ${id}`}</em>}>
    <Title id={id} />
  </Suspense>
);

const textOf = (page: Document): string =>
  [...page.querySelectorAll('b, i, u, s, em')]
    .filter((element) => !element.closest('[hidden]'))
    .map((element) => element.textContent)
    .join(', ');

test('a complete page is hydrated with the data that each part was rendered from: later data does not show in earlier parts', async () => {
  const app = (
    <Page>
      <Count />
      <Telling id="1" />
      {late('1')}
      {late('2')}
    </Page>
  );
  const pieces = await renderPieces(app, ['1', '2']);
  const page = openPage();
  page.write(pieces.join(''));
  page.close();
  expect(pieces.join('')).toContain('<i>0 stored</i><u>loading</u>');

  const { requests, mismatches } = await takeOver(page, app);

  await expect.poll(() => textOf(page)).toBe('2 stored, title 1, title 1, title 2');
  await settle(100);
  expect(mismatches).toEqual([]);
  expect(complaints).toEqual([]);
  expect(requests).toEqual([]);
});

test('a part that arrives after hydration finds its data in front of it', async () => {
  const app = (
    <Page>
      <Title id="0" />
      {late('1')}
      {late('2')}
    </Page>
  );
  const pieces = await renderPieces(app, ['0', '1', '2']);
  expect(pieces.length).toBeGreaterThan(2);
  const page = openPage();
  const isFirst = (piece: string): boolean => !piece.includes('title 1') && !piece.includes('title 2');
  page.write(pieces.filter(isFirst).join(''));
  const { requests, mismatches } = await takeOver(page, app);
  await settle(50);
  expect(textOf(page)).toBe('title 0, waiting for 1, waiting for 2');

  for (const piece of pieces.filter((each) => !isFirst(each))) {
    page.write(piece);
    await settle(30);
  }
  page.close();

  await expect.poll(() => textOf(page)).toBe('title 0, title 1, title 2');
  await settle(100);
  expect(mismatches).toEqual([]);
  expect(complaints).toEqual([]);
  expect(requests).toEqual([]);
});

test('a page inside an HTML template is hydrated as well: states are behind the nodes that React hydrates', async () => {
  const app = (
    <>
      <Title id="0" />
      {late('1')}
    </>
  );
  const pieces = await renderPieces(app, ['0', '1']);
  const page = openPage();
  page.write(
    `<!doctype html><body><h1>template</h1><div id="root">${pieces.join('')}</div><p>end</p></body>`,
  );
  page.close();
  const container = page.querySelector('#root') ?? page;

  const { requests, mismatches } = await takeOver(page, app, container);

  await expect.poll(() => textOf(page)).toBe('title 0, title 1');
  await settle(100);
  expect(mismatches).toEqual([]);
  expect(complaints).toEqual([]);
  expect(requests).toEqual([]);
  expect(page.querySelector('p')?.textContent).toBe('end');
});

test('a failure on the server is the same error in the browser, without a request', async () => {
  const app = (
    <Page>
      <Title id="0" />
      <AsyncBoundary fallback={<em>waiting</em>} errorComponent={Failure}>
        <Title id="broken" />
      </AsyncBoundary>
    </Page>
  );
  const page = openPage();
  page.write((await renderPieces(app, ['0', 'broken'])).join(''));
  page.close();

  const { requests } = await takeOver(page, app);

  await expect.poll(() => textOf(page)).toBe('title 0, HttpError 500');
  expect(requests).toEqual([]);
});

test('data that the page does not contain is fetched, once, also outside of every boundary', async () => {
  const pieces = await renderPieces(<Page>{late('1')}</Page>, ['1']);
  const page = openPage();
  page.write(pieces.join(''));
  page.close();

  const { requests } = await takeOver(
    page,
    <Page>
      {late('1')}
      <Title id="new" />
    </Page>,
  );

  await expect.poll(() => textOf(page)).toContain('from the browser');
  expect(requests).toEqual(['/todos/new']);
});

test('readPage waits for the first complete state, or for the end of the page', async () => {
  const page = openPage();
  page.write('<!doctype html><body><p>shell</p>');
  let found: unknown;
  const reading = readPage({ document: page }).then((states) => (found = states.at(0)));
  await settle(20);
  page.write('<script type="application/json" data-holdfast="">{"version":1,"las');
  await settle(20);
  expect(found).toBeUndefined();
  page.write('t":0,"stamps":[],"tables":[],"slots":[]}</script>');
  await reading;
  expect(found).toContain('"last":0');

  const empty = openPage();
  empty.write('<!doctype html><p>no state here');
  const waiting = readPage({ document: empty });
  empty.close();
  expect((await waiting).at(0)).toBeUndefined();
});

test('states with another name belong to another application of the page', async () => {
  const page = openPage();
  page.write('<body><script type="application/json" data-holdfast="shop">{"of":"shop"}</script>');
  page.write('<script type="application/json" data-holdfast="chat">{"of":"chat"}</script>');
  page.close();

  expect((await readPage({ document: page, name: 'chat' })).at(0)).toBe('{"of":"chat"}');
  expect((await readPage({ document: page, name: 'shop' })).at(1)).toBeUndefined();
  expect((await readPage({ document: page })).at(0)).toBeUndefined();
});
