import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { AbortError, Endpoint, Entity, HttpError, RestEndpoint } from 'holdfast';
import {
  AsyncBoundary,
  DataProvider,
  ErrorBoundary,
  NetworkErrorBoundary,
  useController,
  useDLE,
  useError,
  useFetch,
  useSuspense,
} from 'holdfast/react';
import { Log, Handle, pause, setup, show, Todo, useHandle } from './harness.tsx';

test('a failure reaches the error boundary, and its reset clears it and fetches again', async () => {
  const { controller, gate, TodoResource } = await setup();
  gate.failure = 500;
  const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
  await act(async () =>
    render(
      <DataProvider controller={controller}>
        <AsyncBoundary
          fallback={<i>waiting</i>}
          errorClassName="red"
          errorComponent={({ error, resetErrorBoundary, className }) => (
            <button className={className} onClick={resetErrorBoundary}>
              {error instanceof HttpError ? error.status : 'other'}
            </button>
          )}
        >
          <Title />
        </AsyncBoundary>
      </DataProvider>,
    ),
  );
  const button = await screen.findByRole('button', { name: '500' });
  expect(button.className).toBe('red');
  const before = gate.sent.length;

  gate.failure = 503;
  await act(async () => button.click());
  expect(await screen.findByRole('button', { name: '503' })).toBeTruthy();
  gate.failure = null;
  await act(async () => screen.getByRole('button').click());

  expect(await screen.findByText('milk')).toBeTruthy();
  expect(gate.sent).toHaveLength(before + 2);
});

test('a boundary shows the message as an alert, reports it, and resets on an event of the application', async () => {
  const { controller } = await setup();
  let isBroken = true;
  let reset = (): void => undefined;
  const reported: string[] = [];
  const Broken = () => {
    if (isBroken) throw new Error('no such page');
    return <p>whole again</p>;
  };
  await act(async () =>
    render(
      <DataProvider controller={controller}>
        <NetworkErrorBoundary
          className="red"
          onError={(error) => reported.push(error.message)}
          listen={(given) => {
            reset = given;
            return () => undefined;
          }}
        >
          <Broken />
        </NetworkErrorBoundary>
      </DataProvider>,
    ),
  );
  expect(screen.getByRole('alert').textContent).toBe('no such page');
  expect(screen.getByRole('alert').className).toBe('red');
  expect(reported).toEqual(['no such page']);

  isBroken = false;
  await act(async () => reset());

  expect(screen.getByText('whole again')).toBeTruthy();
  expect(ErrorBoundary).toBe(NetworkErrorBoundary);
});

test('an error boundary follows a new `listen`, and stops the former one', async () => {
  const log = new Log();
  let isBroken = true;
  const Broken = () => {
    if (isBroken) throw new Error('no such page');
    return <p>whole again</p>;
  };
  const resets: (() => void)[] = [];
  const createListen = (name: string) => (reset: () => void) => {
    log.add(`listen to ${name}`);
    resets.push(reset);
    return () => log.add(`stop ${name}`);
  };
  const [first, second] = [createListen('first'), createListen('second')];
  const page = (listen?: typeof first) => (
    <ErrorBoundary listen={listen}>
      <Broken />
    </ErrorBoundary>
  );
  const { rerender, unmount } = await act(async () => render(page(first)));
  await act(async () => rerender(page(first)));
  expect(log.take()).toEqual(['listen to first']);

  await act(async () => rerender(page(second)));
  expect(log.take()).toEqual(['stop first', 'listen to second']);
  isBroken = false;
  await act(async () => resets.at(-1)?.());
  expect(screen.getByText('whole again')).toBeTruthy();

  await act(async () => rerender(page()));
  await act(async () => rerender(page(first)));
  unmount();
  expect(log.take()).toEqual(['stop second', 'listen to first', 'stop first']);
});

test('a resource that always fails is requested at most 3 times in its first second, whatever its errorExpiryLength', async () => {
  const { controller, gate, space } = await setup();
  gate.failure = 500;
  const get = new RestEndpoint({
    path: '/todos/1',
    urlPrefix: space.url,
    schema: Todo,
    errorExpiryLength: 0,
  });
  const Title = () => <p>{useSuspense(get).title}</p>;
  const Status = () => <p>{useDLE(get).error ? 'failed' : 'loading'}</p>;
  await show(
    controller,
    <>
      <Status />
      <AsyncBoundary>
        <Title />
      </AsyncBoundary>
    </>,
  );

  await pause(900);

  expect(screen.getByText('failed')).toBeTruthy();
  const [first = 0] = gate.sentAt;
  // a pause may last longer on a busy machine
  const sentSoon = gate.sentAt.filter((at) => at < first + 900);
  expect(sentSoon.length).toBeGreaterThan(0);
  expect(sentSoon.length).toBeLessThanOrEqual(3);
});

test('a request that is aborted each time ends in an error, and is not repeated endlessly', async () => {
  const { controller } = await setup();
  let calls = 0;
  const get = new Endpoint(
    async () => {
      calls += 1;
      return 'never';
    },
    { name: 'aborted', signal: AbortSignal.abort('not now') },
  );
  const Title = () => <p>{useSuspense(get)}</p>;
  await show(controller, <Title />);

  const alert = await screen.findByRole('alert');
  await pause(300);

  expect(alert.textContent).toMatch(/^AbortError/);
  expect(calls).toBeLessThanOrEqual(3);
  expect(controller.getError(get)).toBeUndefined();
  expect(AbortError).toBeDefined();
});

test('an expiry time of 0 means that data is fetched when a reader mounts, not continuously', async () => {
  const { controller, gate, space } = await setup({ dataExpiryLength: 0 });
  const get = new RestEndpoint({ path: '/todos/:id', urlPrefix: space.url, schema: Todo });
  const strict = get.extend({ invalidIfStale: true, path: '/todos/:id?' });
  const Title = () => (
    <p>
      {useSuspense(get, { id: '1' }).title} {useSuspense(strict, { id: '2' }).title}
    </p>
  );
  await show(controller, <Title />);
  await screen.findByText('milk bread');

  await pause(400);

  expect(gate.sent).toEqual(['GET /todos/1', 'GET /todos/2']);
});

test('a failed refetch with the soft policy keeps the data, with the hard one shows the failure', async () => {
  const { controller, gate, space } = await setup();
  const get = new RestEndpoint({ path: '/todos/:id', urlPrefix: space.url, schema: Todo });
  const soft = get.extend({ errorPolicy: () => 'soft' });
  const Soft = () => <p>{useSuspense(soft, { id: '1' }).title}</p>;
  const Hard = () => <p>{useSuspense(get, { id: '2' }).title}</p>;
  await show(
    controller,
    <>
      <Soft />
      <AsyncBoundary errorComponent={() => <p>hard failure</p>}>
        <Hard />
      </AsyncBoundary>
    </>,
  );
  await screen.findByText('milk');
  await screen.findByText('bread');
  gate.failure = 400;

  await act(async () => controller.expireAll(get));

  expect(await screen.findByText('hard failure')).toBeTruthy();
  expect(screen.getByText('milk')).toBeTruthy();
});

test('a new reader fetches again when the failure is old enough', async () => {
  let passedMs = 0;
  const clock = { now: () => Date.now() + passedMs };
  const { controller, gate, TodoResource } = await setup({ errorExpiryLength: 60_000, clock });
  const { get } = TodoResource;
  gate.failure = 500;
  const toggle = new Handle<[isShown: boolean]>();
  const Title = () => <p>{useSuspense(get, { id: '1' }).title}</p>;
  const Seen = () => <i>{useError(get, { id: '1' })?.name ?? 'no error'}</i>;
  const Switch = () => {
    const [isShown, setShown] = useState(true);
    useHandle(toggle, setShown);
    return isShown ? (
      <AsyncBoundary fallback={<i>waiting</i>}>
        <Title />
      </AsyncBoundary>
    ) : null;
  };
  await show(
    controller,
    <>
      <Seen />
      <Switch />
    </>,
  );
  await screen.findByRole('alert');
  expect(screen.getByText('HttpError')).toBeTruthy();
  await act(async () => toggle.call(false));
  gate.failure = null;
  await act(async () => toggle.call(true));
  expect(screen.getByRole('alert')).toBeTruthy();
  await act(async () => toggle.call(false));
  passedMs = 60_001;

  await act(async () => toggle.call(true));

  expect(await screen.findByText('milk')).toBeTruthy();
  expect(screen.getByText('no error')).toBeTruthy();
});

test('PROVIDER_MISSING: a hook outside a DataProvider throws an error with the solution', async () => {
  const Lost = () => <p>{String(useController())}</p>;

  await act(async () =>
    render(
      <ErrorBoundary>
        <Lost />
      </ErrorBoundary>,
    ),
  );

  expect(screen.getByRole('alert').textContent).toMatch(/^\[PROVIDER_MISSING\].*<DataProvider>/);
});

test('a reader whose response lacks a required part ends in an error within two requests', async () => {
  class Person extends Entity {
    static override key = 'Person';
    id = '';
  }
  class Note extends Entity {
    static override key = 'Note';
    id = '';
    author = Person.fromJS();
    static override schema = { author: Person };
  }
  const { controller, gate, space } = await setup();
  const get = new RestEndpoint({
    path: '/todos/1',
    urlPrefix: space.url,
    schema: Note,
    process: () => ({ id: '1', author: 'the id of a row that nobody sends' }),
  });
  const Title = () => <p>{JSON.stringify(useSuspense(get))}</p>;
  await show(controller, <Title />);

  expect((await screen.findByRole('alert')).textContent).toMatch(/INCOMPLETE_ENTITY/);
  await pause(100);

  expect(gate.sent.length).toBeGreaterThan(0);
  expect(gate.sent.length).toBeLessThanOrEqual(2);
});

test.each([
  ['useSuspense', useSuspense],
  ['useDLE', useDLE],
  ['useFetch', useFetch],
])('%s that is given a mutation fails with a code and sends nothing', async (_name, hook) => {
  const { controller, gate, TodoResource } = await setup();
  const useAnything = hook as (...given: readonly unknown[]) => unknown; // cast: JavaScript has no types
  const Faulty = () => {
    useAnything(TodoResource.getList.push, { title: 'sent by a render' });
    return <p>rendered</p>;
  };
  await act(async () =>
    render(
      <DataProvider controller={controller}>
        <AsyncBoundary errorComponent={({ error }) => <p>{(error as { code?: string }).code}</p>}>
          <Faulty />
        </AsyncBoundary>
      </DataProvider>,
    ),
  );

  expect(await screen.findByText('MUTATION_READ')).toBeTruthy();
  expect(gate.sent).toEqual([]);
});
