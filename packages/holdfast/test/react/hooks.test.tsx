import { act, render, screen } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import { expect, test } from 'vitest';
import { Controller, RestEndpoint, schema } from 'holdfast';
import type { Manager } from 'holdfast';
import {
  AsyncBoundary,
  DataProvider,
  useCache,
  useCancelling,
  useController,
  useDebounce,
  useDLE,
  useLive,
  useLoading,
  useQuery,
  useSubscription,
  useSuspense,
} from 'holdfast/react';
import { Handle, Log, pause, setup, show, Todo, until, useHandle } from './harness.tsx';

test('useDLE returns loading, data and error as values, and keeps data while it is fetched again', async () => {
  const { controller, gate, TodoResource } = await setup();
  const seen = new Log();
  const Title = () => {
    const { data, loading, error } = useDLE(TodoResource.get, { id: '1' });
    seen.add(loading ? 'loading' : error ? error.name : data.title);
    return null;
  };
  await show(controller, <Title />);
  await until(() => seen.lines.at(-1) === 'milk', 'the data is shown');
  expect(seen.lines).toEqual(['loading', 'milk']);

  await act(async () => controller.expireAll(TodoResource.get));
  await until(() => gate.sent.length === 2, 'it is fetched anew');
  await act(async () => controller.invalidate(TodoResource.get, { id: '1' }));
  await until(
    () => gate.sent.length === 3 && seen.lines.at(-1) === 'milk',
    'it is fetched after the invalidation',
  );
  gate.failure = 404;
  await act(async () => controller.expireAll(TodoResource.get));
  await until(() => seen.lines.at(-1) === 'HttpError', 'it is gone');

  expect(seen.lines).toEqual(['loading', 'milk', 'loading', 'milk', 'HttpError']);
});

test('useCache shows stored data and never fetches', async () => {
  const { controller, gate, TodoResource } = await setup();
  const Title = () => <p>{useCache(TodoResource.get, { id: '1' })?.title ?? 'nothing stored'}</p>;
  await show(controller, <Title />);
  expect(screen.getByText('nothing stored')).toBeTruthy();
  await pause(20);
  expect(gate.sent).toEqual([]);

  await act(async () => controller.fetch(TodoResource.getList));
  expect(screen.getByText('milk')).toBeTruthy();

  await act(async () => controller.expireAll(TodoResource.get));
  await act(async () => controller.expireAll(TodoResource.getList));
  expect(screen.getByText('milk')).toBeTruthy();
  await act(async () => controller.invalidate(TodoResource.get, { id: '1' }));

  expect(screen.getByText('nothing stored')).toBeTruthy();
  expect(gate.sent).toEqual(['GET /todos']);
});

test('useQuery reads the store by schema and arguments and follows every change', async () => {
  const { controller, gate, TodoResource } = await setup();
  const open = new schema.Query(new schema.All(Todo), (todos, { done }: { done: boolean }) =>
    todos.filter((todo) => todo.done === done),
  );
  const renders = new Log();
  const Open = () => {
    renders.add();
    const todos = useQuery(open, { done: false });
    const titles = todos?.map((todo) => todo.title).sort();
    return <p>{titles?.join() ?? 'nothing stored'}</p>;
  };
  const Second = () => <i>{useQuery(Todo, { id: '2' })?.title ?? 'no second'}</i>;
  await show(
    controller,
    <>
      <Open />
      <Second />
    </>,
  );
  expect(screen.getByText('no second')).toBeTruthy();

  await act(async () => controller.fetch(TodoResource.getList));
  expect(screen.getByText('bread,milk')).toBeTruthy();
  expect(screen.getByText('bread')).toBeTruthy();

  await act(async () => controller.set(Todo, { id: '1' }, { id: '1', done: true }));
  expect(screen.queryByText('bread,milk')).toBeNull();
  expect(screen.getAllByText('bread')).toHaveLength(2);
  renders.take();
  await act(async () => controller.set(Todo, { id: '1' }, { id: '1', title: 'oat milk' }));
  expect(renders.lines).toEqual([]);
  expect(gate.sent).toEqual(['GET /todos']);
});

test('useLoading returns the progress of a call; a new call clears the old error', async () => {
  const { controller, gate, TodoResource } = await setup();
  const seen = new Log();
  const results: unknown[] = [];
  const save = new Handle<[title: string]>();
  const Form = () => {
    const data = useController();
    const [run, isLoading, error] = useLoading(
      (title: string) => data.fetch(TodoResource.partialUpdate, { id: '1' }, { title }),
      [data],
    );
    useHandle(save, async (title) => results.push(await run(title)));
    seen.add(isLoading ? 'loading' : error ? error.name : 'idle');
    return null;
  };
  await show(controller, <Form />);
  gate.failure = 500;
  await act(async () => void save.call('tea'));
  await until(() => results.length === 1, 'the call has failed');
  expect(seen.lines).toEqual(['idle', 'loading', 'HttpError']);

  gate.failure = null;
  seen.take();
  await act(async () => void save.call('tea'));
  await until(() => results.length === 2, 'the call has ended');

  expect(seen.lines).toEqual(['loading', 'idle']);
  expect(results).toEqual([undefined, expect.objectContaining({ title: 'tea' })]);
});

test('useLoading repeats a failed call with its arguments and the present function', async () => {
  const { controller, gate, TodoResource } = await setup();
  const save = new Handle<[title: string]>();
  const Form = () => {
    const data = useController();
    const [run, isLoading, error, retry] = useLoading(
      (title: string) => data.fetch(TodoResource.partialUpdate, { id: '1' }, { title }),
      [data],
    );
    useHandle(save, run);
    return (
      <button onClick={retry}>{isLoading ? 'loading' : error ? 'again' : `idle ${typeof retry}`}</button>
    );
  };
  await show(controller, <Form />);
  expect(screen.getByText('idle undefined')).toBeTruthy();
  gate.failure = 500;
  await act(async () => void save.call('tea'));
  await until(() => screen.queryByText('again') !== null, 'it has failed');

  gate.failure = null;
  await act(async () => screen.getByText('again').click());
  await until(() => screen.queryByText('idle undefined') !== null, 'it was made again');

  expect(controller.get(Todo, { id: '1' })?.title).toBe('tea');
});

test('useLoading returns which calls are in flight, whatever their order', async () => {
  const { controller } = await setup();
  const ends = new Map<string, (error?: Error) => void>();
  const work = (id: string) =>
    new Promise<void>((resolve, reject) => ends.set(id, (given) => (given ? reject(given) : resolve())));
  const start = new Handle<[id: string]>();
  const Rows = () => {
    const [run, isLoading, error, , pending] = useLoading(work);
    useHandle(start, run);
    return <p>{`${pending.map(([id]) => id).join()} ${isLoading} ${error?.message}`}</p>;
  };
  const shown = () => document.querySelector('p')?.textContent;
  await show(controller, <Rows />);
  for (const id of ['a', 'b', 'c']) await act(async () => void start.call(id));
  expect(shown()).toBe('a,b,c true undefined');

  await act(async () => ends.get('b')?.(new Error('b failed')));
  expect(shown()).toBe('a,c true undefined');
  await act(async () => ends.get('c')?.());
  expect(shown()).toBe('a false undefined');
  await act(async () => ends.get('a')?.());
  expect(shown()).toBe(' false undefined');
});

test('useLoading shows the latest of overlapping calls', async () => {
  const { controller } = await setup();
  const ends: ((error?: Error) => void)[] = [];
  const work = () =>
    new Promise<void>((resolve, reject) => ends.push((given) => (given ? reject(given) : resolve())));
  const start = new Handle<[]>();
  const Form = () => {
    const [run, isLoading, error] = useLoading(work);
    useHandle(start, run);
    return <p>{isLoading ? 'loading' : (error?.message ?? 'idle')}</p>;
  };
  await show(controller, <Form />);
  await act(async () => void start.call());
  await act(async () => void start.call());

  await act(async () => ends[0]?.(new Error('the first failed')));
  expect(screen.getByText('loading')).toBeTruthy();
  await act(async () => ends[1]?.());

  expect(screen.getByText('idle')).toBeTruthy();
});

test('useDebounce waits until a value stops changing, and the screen waits for its data', async () => {
  const { controller, gate, TodoResource } = await setup();
  const type = new Handle<[id: string]>();
  const Result = () => {
    const [id, setId] = useState('1');
    useHandle(type, setId);
    // long, for a busy machine: two pauses of 20 ms are shorter
    const [settled, isPending] = useDebounce(id, 600);
    return (
      <p>
        {useSuspense(TodoResource.get, { id: settled }).title}
        {isPending ? ' …' : ''}
      </p>
    );
  };
  await show(controller, <Result />);
  await screen.findByText('milk');
  gate.close();

  await act(async () => type.call('3'));
  await pause(20);
  await act(async () => type.call('2'));
  await pause(20);
  expect(gate.waiting).toBe(0);
  await until(() => gate.waiting === 1, 'the settled value is asked for');
  expect(screen.getByText('milk …')).toBeTruthy();
  gate.open();

  expect(await screen.findByText('bread')).toBeTruthy();
  expect(gate.sent).toEqual(['GET /todos/1', 'GET /todos/2']);
});

test('useCancelling aborts the request of arguments that are no longer used', async () => {
  const { controller, gate, TodoResource } = await setup();
  const SearchResource = TodoResource.getList.extend({ searchParams: {} as { title: string } });
  const type = new Handle<[title: string]>();
  const Result = () => {
    const [title, setTitle] = useState('milk');
    useHandle(type, setTitle);
    const search = useCancelling(SearchResource, { title });
    const { data, loading } = useDLE(search, { title });
    return <p>{loading ? 'loading' : data?.map((todo) => todo.title).join()}</p>;
  };
  await show(controller, <Result />);
  await screen.findByText('milk');
  gate.close();

  await act(async () => type.call('br'));
  await act(async () => type.call('bread'));
  gate.open();

  expect(await screen.findByText('bread')).toBeTruthy();
  expect(gate.aborted).toEqual(['GET /todos?title=br']);
});

test.each([
  ['plain', ({ children }: { children: React.ReactNode }) => <>{children}</>],
  ['StrictMode', StrictMode],
])(
  'a search while typing sends one request per word, however often the page renders: %s',
  async (_name, Mode) => {
    const { controller, gate, TodoResource } = await setup();
    const SearchResource = TodoResource.getList.extend({ searchParams: {} as { title: string } });
    const type = new Handle<[text: string]>();
    const again = new Handle<[count: number]>();
    const Results = ({ text }: { text: string }) => {
      const [title] = useDebounce(text, 10);
      const search = useCancelling(SearchResource, { title });
      const todos = useSuspense(search, { title });
      return <p>{todos.map((todo) => todo.title).join()}</p>;
    };
    const Page = () => {
      const [text, setText] = useState('milk');
      const [count, setCount] = useState(0);
      useHandle(type, setText);
      useHandle(again, setCount);
      return (
        <AsyncBoundary fallback={`loading ${count}`}>
          <Results text={text} />
        </AsyncBoundary>
      );
    };
    const renderOften = async (): Promise<void> => {
      for (const count of [1, 2, 3, 4]) await act(async () => again.call(count));
    };
    gate.close();
    await show(
      controller,
      <Mode>
        <Page />
      </Mode>,
    );
    await renderOften();
    gate.open();
    await screen.findByText('milk');
    expect(gate.sent).toEqual(['GET /todos?title=milk']);

    gate.close();
    await act(async () => type.call('bread'));
    await until(() => gate.sent.length === 2, 'the word is searched for');
    await renderOften();
    gate.open();
    await screen.findByText('bread');
    await renderOften();

    expect(gate.sent).toEqual(['GET /todos?title=milk', 'GET /todos?title=bread']);
    expect(gate.aborted).toEqual([]);
  },
);

test.each([
  ['plain', ({ children }: { children: React.ReactNode }) => <>{children}</>],
  ['StrictMode', StrictMode],
])('useLive polls while it is mounted, and stops when it is unmounted: %s', async (_name, Mode) => {
  const { controller, gate, space } = await setup();
  const get = new RestEndpoint({ path: '/todos/:id', urlPrefix: space.url, schema: Todo, pollFrequency: 60 });
  const Title = () => <p>{useLive(get, { id: '1' }).title}</p>;
  const page = await show(
    controller,
    <Mode>
      <Title />
    </Mode>,
  );
  await screen.findByText('milk');
  await until(() => gate.sent.length >= 4, 'it polls');

  page.unmount();
  await pause(20);
  const { length } = gate.sent;
  await pause(200);

  expect(gate.sent).toHaveLength(length);
});

test('useSubscription follows its arguments and requests nothing with null', async () => {
  const log: string[] = [];
  const manager: Manager = {
    subscribe: ({ args }) => {
      log.push(`+${JSON.stringify(args)}`);
      return () => log.push(`-${JSON.stringify(args)}`);
    },
  };
  const { controller, TodoResource } = await setup({ managers: [manager] });
  const choose = new Handle<[id: string | null]>();
  const Live = () => {
    const [id, setId] = useState<string | null>('1');
    useHandle(choose, setId);
    useSubscription(TodoResource.get, id === null ? null : { id });
    return null;
  };
  const page = await show(controller, <Live />);
  await act(async () => choose.call('2'));
  await act(async () => choose.call(null));
  await act(async () => choose.call('1'));
  page.unmount();

  expect(log).toEqual([
    '+[{"id":"1"}]',
    '-[{"id":"1"}]',
    '+[{"id":"2"}]',
    '-[{"id":"2"}]',
    '+[{"id":"1"}]',
    '-[{"id":"1"}]',
  ]);
});

test('a DataProvider makes a controller from its props, starts it while mounted, and switches to a given one', async () => {
  const log: string[] = [];
  const manager: Manager = { start: () => log.push('start'), stop: () => log.push('stop') };
  const seen = new Set<Controller>();
  const Seen = () => {
    seen.add(useController());
    return null;
  };
  const page = render(
    <StrictMode>
      <DataProvider managers={[manager]} dataExpiryLength={5}>
        <Seen />
      </DataProvider>
    </StrictMode>,
  );
  expect(log.join()).toBe('start,stop,start');
  page.rerender(
    <StrictMode>
      <DataProvider managers={[manager]}>
        <Seen />
      </DataProvider>
    </StrictMode>,
  );
  const own = [...seen].at(-1);

  const other = new Controller();
  page.rerender(
    <StrictMode>
      <DataProvider controller={other}>
        <Seen />
      </DataProvider>
    </StrictMode>,
  );
  expect([...seen].at(-1)).toBe(other);
  expect(log.at(-1)).toBe('stop');
  page.rerender(
    <StrictMode>
      <DataProvider>
        <Seen />
      </DataProvider>
    </StrictMode>,
  );
  page.unmount();

  expect(own).toBeInstanceOf(Controller);
  expect(log.filter((what) => what === 'start')).toHaveLength(log.filter((what) => what === 'stop').length);
});

test('useDebounce with isUpdatable false keeps the value, and continues when it is true', async () => {
  const { controller } = await setup();
  const change = new Handle<[value: string, isUpdatable: boolean]>();
  const Value = () => {
    const [[value, isUpdatable], set] = useState<[string, boolean]>(['a', true]);
    useHandle(change, (...next: [string, boolean]) => set(next));
    return <p>{useDebounce(value, 10, isUpdatable)[0]}</p>;
  };
  await show(controller, <Value />);

  await act(async () => change.call('b', false));
  await act(async () => pause(60));
  expect(screen.getByText('a')).toBeTruthy();
  await act(async () => change.call('b', true));
  expect(await screen.findByText('b')).toBeTruthy();
});
