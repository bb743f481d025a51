import { act, render, screen } from '@testing-library/react';
import { Fragment, StrictMode, useState, useTransition } from 'react';
import { describe, expect, test } from 'vitest';
import { DataProvider, useSuspense } from 'holdfast/react';
import { Handle, Log, Page, pause, setup, show, until, useHandle } from './harness.tsx';

describe.each([
  ['plain', Fragment],
  ['StrictMode', StrictMode],
])('%s', (_name, Mode) => {
  test('a reader waits for the response, which is requested once for all readers, and shows it', async () => {
    const { controller, gate, TodoResource } = await setup();
    gate.close();
    const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
    await act(async () =>
      render(
        <Mode>
          <Page controller={controller}>
            <Title />
            <Title />
          </Page>
        </Mode>,
      ),
    );
    expect(screen.getByText('waiting')).toBeTruthy();

    gate.open();

    expect(await screen.findAllByText('milk')).toHaveLength(2);
    await pause(30);
    expect(gate.sent).toEqual(['GET /todos/1']);
  });

  test('a new argument in a transition keeps the old screen until its response has arrived', async () => {
    const { controller, gate, TodoResource } = await setup();
    const go = new Handle<[id: string]>();
    const Title = () => {
      const [id, setId] = useState('1');
      const [isPending, startTransition] = useTransition();
      useHandle(go, (next) => startTransition(() => setId(next)));
      return (
        <p>
          {useSuspense(TodoResource.get, { id }).title}
          {isPending ? ' …' : ''}
        </p>
      );
    };
    await act(async () =>
      render(
        <Mode>
          <Page controller={controller}>
            <Title />
          </Page>
        </Mode>,
      ),
    );
    await screen.findByText('milk');
    gate.close();

    await act(async () => go.call('2'));
    expect(screen.getByText('milk …')).toBeTruthy();
    expect(screen.queryByText('waiting')).toBeNull();

    gate.open();
    expect(await screen.findByText('bread')).toBeTruthy();
    expect(gate.sent).toEqual(['GET /todos/1', 'GET /todos/2']);
  });
});

test('a mounted reader keeps its value through expireAll until the new one has arrived', async () => {
  const { controller, gate, TodoResource, changeElsewhere } = await setup();
  const shown = new Log();
  const Title = () => {
    const { title } = useSuspense(TodoResource.get, { id: '1' });
    shown.add(title);
    return <p>{title}</p>;
  };
  await show(controller, <Title />);
  await screen.findByText('milk');
  await changeElsewhere('1', { title: 'tea' });
  shown.take();
  gate.close();

  await act(async () => controller.expireAll(TodoResource.get));
  expect(gate.waiting).toBe(1);
  expect(screen.getByText('milk')).toBeTruthy();
  gate.open();

  expect(await screen.findByText('tea')).toBeTruthy();
  expect(shown.lines).toEqual(['tea']);
});

test('a mounted reader fetches again when its data has expired, and shows the old data meanwhile', async () => {
  const { controller, gate, TodoResource, changeElsewhere } = await setup({ dataExpiryLength: 1_000 });
  const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
  await show(controller, <Title />);
  await screen.findByText('milk');
  gate.close();

  await until(() => gate.waiting === 1, 'the refetch is sent');
  await changeElsewhere('1', { title: 'tea' });
  expect(screen.getByText('milk')).toBeTruthy();
  gate.open();

  expect(await screen.findByText('tea')).toBeTruthy();
});

test('a page that gets the focus fetches stale data, and shows the old data meanwhile', async () => {
  let isVisible = false;
  const listeners = new Set<() => void>();
  const { controller, gate, TodoResource, changeElsewhere } = await setup({
    dataExpiryLength: 1_000,
    visibility: {
      isVisible: () => isVisible,
      subscribe: (onChange) => {
        listeners.add(onChange);
        return () => listeners.delete(onChange);
      },
    },
  });
  const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
  await show(controller, <Title />);
  await screen.findByText('milk');
  await changeElsewhere('1', { title: 'tea' });
  gate.close();
  await pause(1_100);
  expect(gate.sent).toHaveLength(1);

  isVisible = true;
  await act(async () => listeners.forEach((onChange) => onChange()));
  expect(gate.waiting).toBe(1);
  expect(screen.getByText('milk')).toBeTruthy();
  gate.open();

  expect(await screen.findByText('tea')).toBeTruthy();
});

test('a refetch that brings the same data renders no component', async () => {
  const { controller, gate, TodoResource } = await setup();
  const renders = new Log();
  const Title = () => {
    renders.add();
    return <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
  };
  await show(controller, <Title />);
  await screen.findByText('milk');
  renders.take();

  await act(async () => controller.fetch(TodoResource.get, { id: '1' }));
  await act(async () => controller.expireAll(TodoResource.get));
  await until(() => gate.sent.length === 3, 'both refetches are sent');
  await pause(30);

  expect(renders.lines).toEqual([]);
});

test('data that is invalidated again while it is awaited shows the newest response only', async () => {
  const { controller, gate, TodoResource, changeElsewhere } = await setup();
  const shown = new Log();
  const Title = () => {
    const { title } = useSuspense(TodoResource.get, { id: '1' });
    shown.add(title);
    return <p>{title}</p>;
  };
  await show(controller, <Title />);
  await screen.findByText('milk');
  shown.take();
  gate.close();
  await act(async () => controller.invalidate(TodoResource.get, { id: '1' }));
  await act(async () => controller.invalidate(TodoResource.get, { id: '1' }));
  expect(gate.waiting).toBe(2);

  gate.pass();
  await pause(50);
  expect(screen.getByText('waiting')).toBeTruthy();
  await changeElsewhere('1', { title: 'tea' });
  gate.open();

  expect(await screen.findByText('tea')).toBeTruthy();
  expect(new Set(shown.lines)).toEqual(new Set(['tea']));
});

test('null for the arguments reads nothing and requests nothing', async () => {
  const { controller, gate, TodoResource } = await setup();
  const choose = new Handle<[id: string | null]>();
  const Title = () => {
    const [id, setId] = useState<string | null>(null);
    useHandle(choose, setId);
    return <p>{useSuspense(TodoResource.get, id === null ? null : { id })?.title ?? 'none chosen'}</p>;
  };
  await show(controller, <Title />);
  expect(screen.getByText('none chosen')).toBeTruthy();
  expect(gate.sent).toEqual([]);

  await act(async () => choose.call('2'));
  expect(await screen.findByText('bread')).toBeTruthy();

  await act(async () => choose.call(null));
  expect(screen.getByText('none chosen')).toBeTruthy();
});

test('a reader that unmounts before its response cancels the request', async () => {
  const { controller, gate, TodoResource } = await setup();
  const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
  const page = await show(controller, <Title />);
  await screen.findByText('milk');
  gate.close();
  await act(async () => controller.expireAll(TodoResource.get));
  expect(gate.waiting).toBe(1);

  page.unmount();
  await until(() => gate.aborted.length === 1, 'the request is cancelled');

  expect(gate.aborted).toEqual(['GET /todos/1']);
});

test('a reader that never mounted leaves no timer and no listener behind', async () => {
  const running = new Set<unknown>();
  const { controller, gate, TodoResource } = await setup({
    timers: {
      set: (run, delayMs) => {
        const id: unknown = setTimeout(() => {
          running.delete(id);
          run();
        }, delayMs);
        running.add(id);
        return id;
      },
      clear: (id) => {
        running.delete(id);
        clearTimeout(id as number);
      },
    },
  });
  gate.close();
  const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
  const page = await show(controller, <Title />);
  expect(screen.getByText('waiting')).toBeTruthy();

  page.unmount();
  gate.open();
  await until(
    () => controller.get(TodoResource.get.schema, { id: '1' }) !== undefined,
    'the answer is stored',
  );
  controller.expireAll(TodoResource.get);
  await pause(50);

  expect(gate.sent).toEqual(['GET /todos/1']);
  expect(running.size).toBe(0);
});

test('a reset makes mounted readers wait for the new store', async () => {
  const { controller, gate, TodoResource } = await setup();
  const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
  await show(controller, <Title />);
  await screen.findByText('milk');
  gate.close();

  await act(async () => controller.resetEntireStore());
  expect(screen.getByText('waiting')).toBeTruthy();
  gate.open();

  await until(() => screen.queryByText('waiting') === null, 'the new answer is shown');
  expect(screen.getByText('milk')).toBeTruthy();
});

test('a reader right below a provider with its own controller fetches once, and shows the response', async () => {
  const { gate, TodoResource } = await setup();
  const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;

  await act(async () =>
    render(
      <DataProvider fetch={gate.fetch}>
        <Title />
      </DataProvider>,
    ),
  );

  expect(await screen.findByText('milk')).toBeTruthy();
  await pause(30);
  expect(gate.sent).toEqual(['GET /todos/1']);
});
