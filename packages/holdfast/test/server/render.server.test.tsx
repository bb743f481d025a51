import { renderToReadableStream, renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Controller, Endpoint, HttpError, isAbortError, savedState } from 'holdfast';
import { DataProvider, useSuspense } from 'holdfast/react';
import { createServerRender } from 'holdfast/react/server';
import { failureOf } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';
import { blocksIn, createTodos, Page, renderers, Title, Todo } from './harness.tsx';
import type { Todos } from './harness.tsx';

let server: TestServer;
let todos: Todos;
beforeEach(async () => {
  server = await startServer();
  server.on('GET', '/todos/:id', ({ params }) => ({
    body: { id: params['id'], title: `title ${params['id']}` },
  }));
  server.on('GET', '/todos/gone', { status: 404, body: { detail: 'a secret in a body' } });
  todos = createTodos(server.url);
});
afterEach(() => server.close());

const create = (options: Partial<createServerRender.Options> = {}) =>
  createServerRender({ origins: [server.url], ...options });

for (const [kind, render] of Object.entries(renderers)) {
  test(`${kind}: fetched data is in the page before the part that needs it, each value once`, async () => {
    const [second, third] = [server.hold('GET', '/todos/2'), server.hold('GET', '/todos/late')];
    const page = create();
    const rendered = await render(page, <Page todos={todos} first="1" late={['2', 'late']} />);
    await expect.poll(() => blocksIn(rendered.html).join()).toContain('title 1');
    expect(rendered.html).toContain('<i>waiting for 2</i>');
    (await second.next()).release();
    await expect.poll(() => rendered.html).toContain('<b>title 2</b>');
    expect(rendered.html).toContain('<i>waiting for late</i>');
    expect(rendered.html).not.toContain('title late');

    (await third.next()).release();
    const html = await rendered.done;

    expect(html).toMatch(/^<!DOCTYPE html><html/);
    expect(html.endsWith('</body></html>')).toBe(true);
    for (const id of ['2', 'late']) {
      expect(html.indexOf(`"title":"title ${id}"`)).toBeGreaterThan(0);
      expect(html.indexOf(`"title":"title ${id}"`)).toBeLessThan(html.indexOf(`<b>title ${id}</b>`));
    }
    for (const id of ['1', '2', 'late']) {
      expect(html.split(`"title":"title ${id}"`)).toHaveLength(2);
      expect(server.seen('GET', `/todos/${id}`)).toHaveLength(1);
    }
  });

  test(`${kind}: a page that is complete at once keeps its end`, async () => {
    const page = create();
    await page.controller.fetch(todos.get, { id: '1' });
    const rendered = await render(page, <Page todos={todos} first="1" late={[]} />);

    const html = await rendered.done;

    expect(blocksIn(html)).toHaveLength(1);
    expect(html).toMatch(/<\/script><\/body><\/html>$/);
  });

  test(`${kind}: a client that disconnects aborts the requests in flight, and nothing more is sent`, async () => {
    const held = server.hold('GET', '/todos/*');
    const aborter = new AbortController();
    const page = create({ signal: aborter.signal });
    const started = page.controller.fetch(todos.get, { id: 'shell' });
    const { request } = await held.next();
    aborter.abort();

    expect(isAbortError(await failureOf(started))).toBe(true);
    await expect.poll(() => request.aborted).toBe(true);
    expect(await failureOf(page.controller.fetch(todos.get, { id: 'again' }))).toMatchObject({
      code: 'RENDER_OVER',
    });
    expect(server.requests).toHaveLength(1);
  });

  test(`${kind}: a renderer serves one page`, async () => {
    const page = create();
    await (
      await render(page, <p>one</p>)
    ).done;

    await expect(render(page, <p>two</p>)).rejects.toMatchObject({ code: 'RENDER_OVER' });
  });
}

test('a browser that hydrates the states sees the same as the server, and requests nothing', async () => {
  const page = create();
  const html = await (await renderers.web(page, <Page todos={todos} first="1" late={['2', 'gone']} />)).done;
  server.forget();

  const controller = new Controller({ initialState: savedState(blocksIn(html)) });
  expect(controller.get(Todo, { id: '1' })?.title).toBe('title 1');
  const second = controller.watch(todos.get, { id: '2' });
  const gone = controller.watch(todos.get, { id: 'gone' });

  expect(await second.ensurePromise()).toBeInstanceOf(Todo);
  const error = await failureOf(gone.ensurePromise());
  expect(error).toBeInstanceOf(HttpError);
  expect(error).toMatchObject({ code: 'HTTP_ERROR', status: 404 });
  expect(gone.read().error).toBe(error);
  expect(server.requests).toHaveLength(0);
  // in development React itself writes the message beside it
  expect(blocksIn(html).join()).not.toContain('secret');
});

test('a shell that is read late has the state that it was rendered from', async () => {
  const page = create();
  await page.controller.setResponse(todos.get, { id: '1' }, { id: '1', title: 'early' });
  const html = await renderToReadableStream(
    <DataProvider controller={page.controller}>
      <Title todos={todos} id="1" />
    </DataProvider>,
  );

  const stream = page.stream(html as ReadableStream<Uint8Array>);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await page.controller.setResponse(todos.get, { id: '1' }, { id: '1', title: 'later' });
  const text = await new Response(stream).text();

  expect(text).toContain('<b>early</b>');
  expect(blocksIn(text)[0]).toContain('early');
});

test('an error that is not of the library reaches the browser with its name only, unless the server adds more', async () => {
  const load = new Endpoint(
    async () => {
      throw new TypeError('password=hunter2');
    },
    { name: 'load' },
  );
  const Broken = () => <p>{String(useSuspense(load))}</p>;
  const Whole = () => (
    <AsyncPart>
      <Broken />
    </AsyncPart>
  );
  const { Suspense: AsyncPart } = await import('react');

  const closed = await (await renderers.web(create(), <Whole />)).done;
  const open = await (
    await renderers.web(create({ describeError: (error) => `${error.name} in the loader` }), <Whole />)
  ).done;

  expect(blocksIn(closed).join()).toContain('TypeError');
  expect(blocksIn(closed).join()).not.toContain('hunter2');
  const controller = new Controller({ initialState: savedState(blocksIn(open)) });
  const error = await failureOf(controller.watch(load).ensurePromise());
  expect(error).toMatchObject({ name: 'TypeError', message: 'TypeError in the loader' });
});

test('a row that changed while the page streamed arrives in its later form', async () => {
  const page = create();
  await page.controller.setResponse(todos.get, { id: '1' }, { id: '1', title: 'early' });
  const first = page.takeState()?.text ?? '';
  await page.controller.setResponse(todos.get, { id: '1' }, { id: '1', title: 'later' });
  await page.controller.setResponse(todos.getList, [
    { id: '1', title: 'later' },
    { id: '2', title: 'new' },
  ]);
  await page.controller.setResponse(todos.delete, { id: '2' }, { id: '2' });
  const second = page.takeState()?.text ?? '';

  expect(page.takeState()).toBeUndefined();
  const source = [first, second];
  const controller = new Controller({ initialState: savedState(source) });
  expect(controller.get(Todo, { id: '1' })?.title).toBe('early');
  await controller.watch(todos.getList).ensurePromise();
  expect(controller.get(Todo, { id: '1' })?.title).toBe('later');
  expect(controller.getResponse(todos.getList).data?.map(({ id }) => id)).toEqual(['1']);
});

test('a change by the browser takes precedence over a state that arrives later', async () => {
  const page = create();
  const empty = page.takeState()?.text ?? '';
  await page.controller.fetch(todos.get, { id: '1' });
  await page.controller.setResponse(todos.getList, [{ id: '1', title: 'title 1' }]);
  const controller = new Controller({ initialState: savedState([empty, page.takeState()?.text ?? '']) });
  await controller.set(Todo, { id: '1' }, { id: '1', title: 'mine' });

  const list = (await controller.watch(todos.getList).ensurePromise()) as readonly Todo[];

  expect(list.map(({ title }) => title)).toEqual(['mine']);
});

test('data that no reader waited for, such as a deletion, is hydrated when the page is complete and idle', async () => {
  const page = create();
  await page.controller.setResponse(todos.getList, [{ id: 'gone', title: 'listed' }]);
  const first = page.takeState()?.text ?? '';
  await failureOf(page.controller.fetch(todos.get, { id: 'gone' }));
  const idle: (() => void)[] = [];
  const controller = new Controller({
    initialState: savedState([first, page.takeState()?.text ?? '']),
    idle: { request: (run) => idle.push(() => run(() => 50)), cancel: () => undefined },
  });
  expect(controller.getResponse(todos.get, { id: 'gone' }).data?.title).toBe('listed');

  controller.start();
  await expect.poll(() => idle.length).toBeGreaterThan(0);
  for (const run of idle) run();

  expect(controller.getResponse(todos.getList).data).toEqual([]);
  expect(controller.getError(todos.get, { id: 'gone' })).toBeInstanceOf(HttpError);
  controller.stop();
});

test('a reset drops states that have not been hydrated: they belong to the former user', async () => {
  const page = create();
  const empty = page.takeState()?.text ?? '';
  await page.controller.fetch(todos.get, { id: '1' });
  const source = [empty, page.takeState()?.text ?? ''];
  const controller = new Controller({ initialState: savedState(source) });

  controller.resetEntireStore();
  await controller.watch(todos.get, { id: '1' }).ensurePromise();

  expect(server.seen('GET', '/todos/1')).toHaveLength(2);
});

test('dates, big integers, undefined, Infinity, maps, sets and errors in data keep their types in the browser', async () => {
  const load = new Endpoint(async () => null, { name: 'odd' });
  const value = {
    at: new Date(5),
    never: new Date(Number.NaN),
    big: 10n,
    none: undefined,
    ever: [Infinity, -Infinity, Number.NaN, -0],
    map: new Map<unknown, unknown>([[{ key: 1 }, new Set([1n, new Date(6)])]]),
    set: new Set(['<!--', new Map([['</script>', undefined]])]),
    $: 'map',
    ['__proto__']: 1,
  };
  const page = create();
  await page.controller.setResponse(load, { ...value, error: new RangeError('too much') });

  const controller = new Controller({ initialState: savedState([page.takeState()?.text ?? '']) });
  const stored = controller.getResponse(load).data as unknown as typeof value & { error: Error }; // cast: as stored above
  const { error, ...got } = stored;

  expect(got).toEqual(value);
  expect(Object.is(got.ever[3], -0)).toBe(true);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'RangeError', message: 'too much' });
  expect(Object.hasOwn(got, '__proto__')).toBe(true);
});

test('plain data arrives at any depth', async () => {
  const DEPTH = 20_000;
  let deep: unknown = 'end';
  for (let depth = 0; depth < DEPTH; depth += 1) deep = [deep];
  const page = create();
  await page.controller.setResponse(todos.getList, [{ id: '1', title: 'flat' }]);
  await page.controller.set(Todo, { id: '2' }, { id: '2', title: deep });

  const controller = new Controller({ initialState: savedState([page.takeState()?.text ?? '']) });

  expect(controller.get(Todo, { id: '1' })?.title).toBe('flat');
  let found: unknown = controller.get(Todo, { id: '2' })?.title;
  let levels = 0;
  for (; Array.isArray(found); levels += 1) found = found[0];
  expect([levels, found]).toEqual([DEPTH, 'end']);
});

test('a controller that belongs to no request is refused on a server', () => {
  const shared = new Controller();

  expect(() =>
    renderToStaticMarkup(
      <DataProvider controller={shared}>
        <p>page</p>
      </DataProvider>,
    ),
  ).toThrow(expect.objectContaining({ code: 'REQUEST_CONTROLLER_MISSING' }));
});

test('a provider without a controller renders on a server and sends nothing from there', async () => {
  const { Suspense } = await import('react');
  const errors: unknown[] = [];
  const { renderToReadableStream } = await import('react-dom/server');
  const html = await renderToReadableStream(
    <DataProvider>
      <Suspense fallback="waiting">
        <Title todos={todos} id="1" />
      </Suspense>
    </DataProvider>,
    { onError: (error) => void errors.push(error) },
  );
  await html.allReady;

  expect(errors).toEqual([expect.objectContaining({ code: 'REQUEST_CONTROLLER_MISSING' })]);
  expect(server.requests).toHaveLength(0);
  await html.cancel();
});

test('every block has the nonce and the name; characters that could end the attribute are refused', () => {
  const page = create({ nonce: 'r4nd0m+/=', name: 'shop' });

  expect(page.takeBlock()).toMatch(
    /^<script type="application\/json" data-holdfast="shop" nonce="r4nd0m\+\/=">\{[^<]*\}<\/script>$/,
  );
  expect(page.takeBlock()).toBe('');
  for (const options of [{ nonce: '"><script>' }, { nonce: '' }, { name: 'a b' }, { name: '"' }]) {
    expect(() => create(options)).toThrow(expect.objectContaining({ code: 'BLOCK_OPTION_INVALID' }));
  }
});
