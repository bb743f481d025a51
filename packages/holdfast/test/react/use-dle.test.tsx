// The results of useDLE beyond data, loading and error: a fetch in the background, and former data while new arguments load.
import { act } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { useDLE } from 'holdfast/react';
import { Handle, Log, setup, show, Todo, until, useHandle } from './harness.tsx';

test('isFetching shows a fetch in the background, and a component that does not read it does not render', async () => {
  const { controller, gate, TodoResource, changeElsewhere } = await setup();
  const asking = new Log();
  const silent = new Log();
  const Asking = () => {
    const { data, loading, isFetching } = useDLE(TodoResource.get, { id: '1' });
    asking.add(`${loading ? 'loading' : data?.title} ${isFetching}`);
    return null;
  };
  const Silent = () => {
    const { data, loading } = useDLE(TodoResource.get, { id: '1' });
    silent.add(loading ? 'loading' : data?.title);
    return null;
  };
  await show(
    controller,
    <>
      <Asking />
      <Silent />
    </>,
  );
  await until(() => asking.lines.at(-1) === 'milk false', 'the data is shown');
  expect([...new Set(asking.take())]).toEqual(['loading true', 'milk false']);
  expect(silent.take()).toEqual(['loading', 'milk']);

  await changeElsewhere('1', { title: 'tea' });
  gate.close();
  await act(async () => controller.expireAll(TodoResource.get));
  await until(() => asking.lines.at(-1) === 'milk true', 'the fetch is told');
  gate.open();
  await until(() => asking.lines.at(-1) === 'tea false', 'its end is told');

  expect(asking.lines).toEqual(['milk true', 'tea false']);
  expect(silent.lines).toEqual(['tea']);
});

test('keepPreviousData shows the data of the former arguments until that of the new ones has arrived', async () => {
  const { controller, gate, TodoResource } = await setup();
  const seen = new Log();
  const go = new Handle<[string | null]>();
  const getKept = TodoResource.get.extend({ keepPreviousData: true });
  const Title = () => {
    const [id, setId] = useState<string | null>('1');
    useHandle(go, setId);
    const { data, loading, error, isFetching, isPreviousData } = useDLE(getKept, id === null ? null : { id });
    const text = error ? error.name : loading ? 'loading' : `${data?.title}`;
    seen.add([text, isFetching && 'fetching', isPreviousData && 'previous'].filter(Boolean).join(' '));
    return null;
  };
  await show(controller, <Title />);
  await until(() => seen.lines.at(-1) === 'milk', 'the data is shown');
  expect(seen.take()[0]).toMatch(/^loading/);

  gate.close();
  await act(async () => go.call('2'));
  await until(() => seen.lines.at(-1) === 'milk fetching previous', 'the former data stays');
  gate.open();
  await until(() => seen.lines.at(-1) === 'bread', 'the new data is shown');
  expect(seen.take().some((line) => line.startsWith('loading'))).toBe(false);

  gate.failure = 404;
  await act(async () => go.call('3'));
  await until(() => seen.lines.at(-1) === 'HttpError', 'the failure of the new arguments is shown');

  await act(async () => go.call(null));
  expect(seen.lines.at(-1)).toBe('undefined');
});

test('keepPreviousData shows nothing that was loaded before a reset of the store', async () => {
  const { controller, gate, TodoResource } = await setup();
  const seen = new Log();
  const getKept = TodoResource.get.extend({ keepPreviousData: true });
  const Title = () => {
    const { data, loading, isPreviousData } = useDLE(getKept, { id: '1' });
    seen.add(`${loading ? 'loading' : data?.title} ${isPreviousData}`);
    return null;
  };
  await show(controller, <Title />);
  await until(() => seen.lines.at(-1) === 'milk false', 'the data is shown');
  seen.take();

  gate.close();
  await act(async () => controller.resetEntireStore());
  expect([...new Set(seen.take())]).toEqual(['loading false']);
  gate.open();
  await until(() => seen.lines.at(-1) === 'milk false', 'the data is loaded again');
});

test('without keepPreviousData, new arguments start without data', async () => {
  const { controller, TodoResource } = await setup();
  const seen = new Log();
  const go = new Handle<[string]>();
  const Title = () => {
    const [id, setId] = useState('1');
    useHandle(go, setId);
    const { data, loading, isPreviousData } = useDLE(TodoResource.get, { id });
    seen.add(`${loading} ${data?.title} ${isPreviousData}`);
    return null;
  };
  await show(controller, <Title />);
  await until(() => seen.lines.at(-1) === 'false milk false', 'the data is shown');
  await act(async () => go.call('2'));
  await until(() => seen.lines.at(-1) === 'false bread false', 'the new data is shown');

  expect(seen.lines).toContain('true undefined false');
});

test('keepPreviousData shows nothing of another endpoint, nor of another schema', async () => {
  const { controller, gate, TodoResource } = await setup();
  const getKept = TodoResource.get.extend({ keepPreviousData: true });
  const others = {
    named: getKept.extend({ name: 'another' }),
    shaped: getKept.extend({ schema: { todo: Todo } as never }),
  };
  const go = new Handle<[keyof typeof others | 'first']>();
  const seen = new Log();
  const Title = () => {
    const [which, setWhich] = useState<keyof typeof others | 'first'>('first');
    useHandle(go, setWhich);
    const endpoint = which === 'first' ? getKept : others[which];
    const { data, loading, isPreviousData } = useDLE(endpoint, { id: which === 'first' ? '1' : '2' });
    seen.add(`${which} ${loading ? 'loading' : data?.title} ${isPreviousData}`);
    return null;
  };
  for (const which of ['named', 'shaped'] as const) {
    const page = await show(controller, <Title />);
    await until(() => seen.lines.at(-1) === 'first milk false', 'the first is shown');
    gate.close();
    await act(async () => go.call(which));
    expect(seen.lines.at(-1)).toBe(`${which} loading false`);
    page.unmount();
    gate.open();
    controller.resetEntireStore();
    seen.take();
  }
});

test('isFetching is true from the first render on when a request is about to leave for stale data, and only then', async () => {
  const { controller, gate, TodoResource } = await setup();
  await controller.fetch(TodoResource.get, { id: '1' });
  const seen = new Log();
  const Title = () => {
    const { data, isFetching } = useDLE(TodoResource.get, { id: '1' });
    seen.add(`${data?.title} ${isFetching}`);
    return null;
  };
  const { unmount } = await show(controller, <Title />);
  expect([...new Set(seen.take())]).toEqual(['milk false']);
  unmount();

  controller.expireAll(TodoResource.get);
  gate.close();
  await show(controller, <Title />);
  expect([...new Set(seen.take())]).toEqual(['milk true']);
  gate.open();
  await until(() => seen.lines.at(-1) === 'milk false', 'the request has ended');
  expect(gate.sent).toHaveLength(2);
});

test('refetch sends the request of the present arguments, whatever the age of the data; it is one function', async () => {
  const { controller, gate, TodoResource, changeElsewhere } = await setup();
  const seen: (string | undefined)[] = [];
  const functions = new Set<() => Promise<Todo | undefined> | undefined>();
  const go = new Handle<[string | null]>();
  const Title = () => {
    const [id, setId] = useState<string | null>('1');
    useHandle(go, setId);
    const { data, refetch } = useDLE(TodoResource.get, id === null ? null : { id });
    functions.add(refetch);
    seen.push(data?.title);
    return null;
  };
  await show(controller, <Title />);
  await until(() => seen.at(-1) === 'milk', 'the data is shown');
  await changeElsewhere('1', { title: 'tea' });
  const [refetch] = functions;
  let value: Todo | undefined;
  await act(async () => (value = await refetch?.()));
  expect([value?.title, seen.at(-1)]).toEqual(['tea', 'tea']);

  await act(async () => void go.call('2'));
  await until(() => seen.at(-1) === 'bread', 'the other row is shown');
  await act(async () => void (await refetch?.()));
  await act(async () => void go.call(null));
  expect(refetch?.()).toBeUndefined();

  expect(gate.sent).toEqual(['GET /todos/1', 'GET /todos/1', 'GET /todos/2', 'GET /todos/2']);
  expect(functions.size).toBe(1);
});
