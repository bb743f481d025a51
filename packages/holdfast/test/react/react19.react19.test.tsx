import { act, render, screen } from '@testing-library/react';
import { Activity, startTransition, Suspense, use, useState } from 'react';
import { expect, test } from 'vitest';
import { AsyncBoundary, useController, useFetch, useLive, useLoading, useSuspense } from 'holdfast/react';
import { RestEndpoint } from 'holdfast';
import { Handle, Log, Page, pause, setup, show, Todo, until, useHandle } from './harness.tsx';

test('useFetch starts several loads of one component at the same time, for React.use', async () => {
  const { controller, gate, TodoResource } = await setup();
  gate.close();
  const Both = () => {
    const loadingFirst = useFetch(TodoResource.get, { id: '1' });
    const loadingSecond = useFetch(TodoResource.get, { id: '2' });
    return (
      <p>
        {use(loadingFirst).title} {use(loadingSecond).title}
      </p>
    );
  };
  await show(controller, <Both />);
  expect(gate.sent).toEqual(['GET /todos/1', 'GET /todos/2']);

  gate.open();

  expect(await screen.findByText('milk bread')).toBeTruthy();
  await pause(20);
  expect(gate.sent).toHaveLength(2);
});

test('the promise of useFetch stays the same until the data changes, and does not suspend when the data is there', async () => {
  const { controller, gate, TodoResource } = await setup();
  await controller.fetch(TodoResource.get, { id: '1' });
  const promises = new Set<unknown>();
  const fallbacks = new Log();
  const Fallback = () => {
    fallbacks.add();
    return null;
  };
  const again = new Handle<[]>();
  const Title = () => {
    const [, setCount] = useState(0);
    useHandle(again, () => setCount((count) => count + 1));
    const loading = useFetch(TodoResource.get, { id: '1' });
    promises.add(loading);
    return <p>{use(loading).title}</p>;
  };
  await act(async () =>
    render(
      <Page controller={controller}>
        <Suspense fallback={<Fallback />}>
          <Title />
        </Suspense>
      </Page>,
    ),
  );
  await act(async () => again.call());
  await act(async () => controller.fetch(TodoResource.get, { id: '1' }));
  expect(promises.size).toBe(1);

  await act(async () => controller.set(Todo, { id: '1' }, { id: '1', title: 'tea' }));

  expect(screen.getByText('tea')).toBeTruthy();
  expect(promises.size).toBe(2);
  expect(fallbacks.lines).toEqual([]);
  expect(gate.sent).toHaveLength(2);
});

test('useFetch returns undefined for null, and a failed load throws in use', async () => {
  const { controller, gate, TodoResource } = await setup();
  gate.failure = 500;
  const choose = new Handle<[id: string]>();
  const Title = () => {
    const [id, setId] = useState<string | null>(null);
    useHandle(choose, setId);
    const loading = useFetch(TodoResource.get, id === null ? null : { id });
    return <p>{loading === undefined ? 'none chosen' : use(loading).title}</p>;
  };
  await show(controller, <Title />);
  expect(screen.getByText('none chosen')).toBeTruthy();

  await act(async () => choose.call('1'));

  expect((await screen.findByRole('alert')).textContent).toMatch(/^HttpError/);
});

test('the reset of a boundary repeats a request that failed in use', async () => {
  const { controller, gate, TodoResource } = await setup();
  gate.failure = 500;
  const Title = () => <p>{use(useFetch(TodoResource.get, { id: '1' })).title}</p>;
  await show(
    controller,
    <AsyncBoundary
      errorComponent={({ resetErrorBoundary }) => <button onClick={resetErrorBoundary}>again</button>}
    >
      <Title />
    </AsyncBoundary>,
  );
  const button = await screen.findByRole('button');
  gate.failure = null;

  await act(async () => button.click());

  expect(await screen.findByText('milk')).toBeTruthy();
  expect(gate.sent).toHaveLength(2);
});

test('a hidden Activity fetches ahead, subscribes to nothing, and shows the newest value when it is revealed', async () => {
  const { controller, gate, space } = await setup();
  const get = new RestEndpoint({ path: '/todos/:id', urlPrefix: space.url, schema: Todo, pollFrequency: 50 });
  const reveal = new Handle<[isShown: boolean]>();
  const renders = new Log();
  const Title = () => {
    renders.add();
    return <p>{useLive(get, { id: '1' }).title}</p>;
  };
  const Switch = () => {
    const [isShown, setShown] = useState(false);
    useHandle(reveal, setShown);
    return (
      <Activity mode={isShown ? 'visible' : 'hidden'}>
        <Title />
      </Activity>
    );
  };
  await show(controller, <Switch />);
  await until(() => controller.get(Todo, { id: '1' }) !== undefined, 'it is fetched ahead');
  await pause(200);
  expect(gate.sent).toEqual(['GET /todos/1']);
  renders.take();
  await act(async () => controller.set(Todo, { id: '1' }, { id: '1', title: 'tea' }));
  expect(renders.lines).toEqual([]);

  await act(async () => reveal.call(true));
  expect(screen.getByText('tea')).toBeTruthy();
  await until(() => gate.sent.length >= 3, 'it polls once it is seen');

  await act(async () => reveal.call(false));
  await pause(20);
  const { length } = gate.sent;
  await pause(150);
  expect(gate.sent).toHaveLength(length);
  await act(async () => reveal.call(true));
  await until(() => gate.sent.length > length, 'it polls again');
  expect(screen.getByText('milk')).toBeTruthy();
});

test('data that became stale while an Activity was hidden is fetched again when it is revealed', async () => {
  const { controller, gate, TodoResource, changeElsewhere } = await setup();
  const reveal = new Handle<[isShown: boolean]>();
  const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
  const Switch = () => {
    const [isShown, setShown] = useState(true);
    useHandle(reveal, setShown);
    return (
      <Activity mode={isShown ? 'visible' : 'hidden'}>
        <Title />
      </Activity>
    );
  };
  await show(controller, <Switch />);
  await screen.findByText('milk');
  await act(async () => reveal.call(false));
  await changeElsewhere('1', { title: 'tea' });
  await act(async () => controller.expireAll(TodoResource.get));
  await pause(30);
  expect(gate.sent).toHaveLength(1);

  await act(async () => reveal.call(true));

  expect(await screen.findByText('tea')).toBeTruthy();
  expect(gate.sent).toHaveLength(2);
});

test('a mutation works as a form action: pending and failed are shown, and its optimistic update at once', async () => {
  const { controller, gate, TodoResource } = await setup();
  const Form = () => {
    const data = useController();
    const todos = useSuspense(TodoResource.getList);
    const [create, isCreating, error] = useLoading(
      (form: FormData) => data.fetch(TodoResource.getList.push, { title: String(form.get('title')) } as Todo),
      [data],
    );
    return (
      <form action={(form) => void create(form)}>
        <input name="title" defaultValue="salt" />
        <button>add</button>
        <p>{todos.map((todo) => todo.title).join()}</p>
        <p>{isCreating ? 'saving' : (error?.name ?? 'ready')}</p>
      </form>
    );
  };
  await show(controller, <Form />);
  await screen.findByText('ready');
  gate.close();

  await act(async () => screen.getByRole('button').click());
  expect(screen.getByText('saving')).toBeTruthy();
  expect(screen.getByText('milk,bread,salt')).toBeTruthy();
  gate.failure = 500;
  gate.open();

  expect(await screen.findByText('HttpError')).toBeTruthy();
  expect(screen.getByText('milk,bread')).toBeTruthy();
});

test('updates that arrive while a transition waits are shown at once, without tearing', async () => {
  const { controller, gate, TodoResource } = await setup();
  const go = new Handle<[id: string]>();
  const Both = () => {
    const [id, setId] = useState('1');
    useHandle(go, (next) => startTransition(() => setId(next)));
    return (
      <p>
        {useSuspense(TodoResource.get, { id }).title} {useSuspense(TodoResource.get, { id: '1' }).title}
      </p>
    );
  };
  await show(controller, <Both />);
  await screen.findByText('milk milk');
  gate.close();
  await act(async () => go.call('2'));

  await act(async () => controller.set(Todo, { id: '1' }, { id: '1', title: 'tea' }));
  expect(screen.getByText('tea tea')).toBeTruthy();
  gate.open();

  expect(await screen.findByText('bread tea')).toBeTruthy();
});
