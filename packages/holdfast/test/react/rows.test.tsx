import { act, render, screen } from '@testing-library/react';
import { memo, Profiler, StrictMode, useEffect } from 'react';
import { expect, test } from 'vitest';
import { Controller, createResource, Entity, isDraft, viewKey } from 'holdfast';
import { DataProvider, useCache, usePending, useQuery, useSuspense } from 'holdfast/react';
import { Log, pause, setup, show, Todo, until } from './harness.tsx';

test('of 10,000 mounted readers exactly the one whose row changed renders', async () => {
  const controller = new Controller();
  const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
  const ids = Array.from({ length: 10_000 }, (_, at) => String(at));
  await controller.setResponse(
    TodoResource.getList,
    ids.map((id) => ({ id, title: `todo ${id}`, done: false })),
  );
  const renders = new Log();
  const Row = memo(({ id }: { id: string }) => {
    renders.add();
    return <li>{useSuspense(TodoResource.get, { id }).title}</li>;
  });
  const page = await show(
    controller,
    <ul>
      {ids.map((id) => (
        <Row key={id} id={id} />
      ))}
    </ul>,
  );
  expect(renders.take()).toHaveLength(10_000);

  await act(async () => controller.set(Todo, { id: '777' }, { id: '777', title: 'changed' }));

  expect(renders.lines).toHaveLength(1);
  expect(screen.getByText('changed')).toBeTruthy();
  page.unmount();
});

test('in one commit all readers of a row show one version', async () => {
  const { controller, TodoResource } = await setup();
  const torn: string[] = [];
  const One = () => <b>{useSuspense(TodoResource.get, { id: '1' }).title}</b>;
  const List = () => <b>{useSuspense(TodoResource.getList)[0]?.title}</b>;
  const Cached = () => <b>{useCache(TodoResource.get, { id: '1' })?.title}</b>;
  const Queried = () => <b>{useQuery(Todo, { id: '1' })?.title}</b>;
  const check = (): void => {
    const titles = [...document.querySelectorAll('b')].map((element) => element.textContent);
    if (new Set(titles).size > 1) torn.push(titles.join());
  };
  await show(
    controller,
    <Profiler id="all" onRender={() => queueMicrotask(check)}>
      <One />
      <List />
      <Cached />
      <Queried />
    </Profiler>,
  );
  await screen.findAllByText('milk');

  for (let at = 0; at < 20; at += 1) {
    await act(
      async () => void controller.fetch(TodoResource.partialUpdate, { id: '1' }, { title: `v${at}` }),
    );
    expect([...document.querySelectorAll('b')].map((element) => element.textContent)).toEqual(
      Array.from({ length: 4 }, () => `v${at}`),
    );
  }

  expect(torn).toEqual([]);
});

test('usePending shows one row as pending from the call until its response, also when the optimistic update was right', async () => {
  const { controller, gate, TodoResource } = await setup();
  const log = new Log();
  const Row = ({ id }: { id: string }) => {
    const pending = usePending(Todo, { id });
    const { title } = useSuspense(TodoResource.get, { id });
    log.add(`${id} ${title} ${pending.map(({ status }) => status).join()}`);
    return null;
  };
  await show(
    controller,
    <>
      <Row id="1" />
      <Row id="2" />
    </>,
  );
  await until(() => new Set(log.lines).size === 2, 'both are shown');
  await pause(20);
  gate.close();
  log.take();

  await act(async () => void controller.fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'tea' }));
  expect(log.take()).toEqual(['1 tea sent']);
  gate.open();
  await until(() => log.lines.length > 0, 'the answer is in');
  await pause(20);

  expect(log.lines).toEqual(['1 tea ']);
});

function NamedRow({ todo, log }: { todo: Todo; log: string[] }) {
  useEffect(() => {
    log.push(`mount ${todo.title}`);
    return () => void log.push(`unmount ${todo.title}`);
    // oxlint-disable-next-line react/exhaustive-deps -- of mounting alone
  }, []);
  return (
    <li>
      {todo.title} {isDraft(todo) ? 'draft' : todo.id}
    </li>
  );
}

function NamedRows({ todos, log }: { todos: readonly Todo[]; log: string[] }) {
  return (
    <ul>
      {todos.map((todo) => (
        <NamedRow key={viewKey(todo)} todo={todo} log={log} />
      ))}
    </ul>
  );
}

test('a row that is created here is not mounted again when the server gives its id', async () => {
  const { controller, gate, TodoResource } = await setup();
  const log: string[] = [];
  const List = () => <NamedRows todos={useSuspense(TodoResource.getList)} log={log} />;
  await show(controller, <List />);
  await screen.findByText('bread 2');
  await until(() => log.length === 2, 'both rows are mounted');
  gate.close();
  log.length = 0;

  let created: Promise<Todo> | undefined;
  await act(async () => {
    created = controller.fetch(TodoResource.getList.push, { title: 'salt' } as Todo);
  });
  const before = screen.getByText('salt draft');
  gate.open();
  const after = await screen.findByText('salt 3');

  expect(after).toBe(before);
  expect(log).toEqual(['mount salt']);
  expect(viewKey((await created) as Todo)).toMatch(/^local:/);
  await act(async () => controller.fetch(TodoResource.getList));
  expect(screen.getByText('salt 3')).toBe(before);
  expect(log).toEqual(['mount salt']);
});

test('viewKey of a row that came from the server is its primary key', async () => {
  class Part extends Entity {
    shelf = '';
    number = 0;
    static override key = 'Part';
    override pk(): string {
      return `${this.shelf}-${this.number}`;
    }
  }
  const controller = new Controller();
  await controller.set(Part, { shelf: 'a', number: 7 }, { shelf: 'a', number: 7 });

  const part = controller.get(Part, { shelf: 'a', number: 7 });

  expect(part && viewKey(part)).toBe('a-7');
  expect(part && isDraft(part)).toBe(false);
});

test('a StrictMode run sends and shows what a plain run does', async () => {
  const runs = await Promise.all([false, true].map(async () => setup()));
  const traces: string[][] = [];
  for (const [at, { controller, gate, TodoResource }] of runs.entries()) {
    const trace: string[] = [];
    const List = () => {
      const todos = useSuspense(TodoResource.getList);
      useEffect(() => void trace.push(todos.map((todo) => todo.title).join()), [todos]);
      return null;
    };
    const inner = (
      <DataProvider controller={controller}>
        <List />
      </DataProvider>
    );
    const page = await act(async () => render(at === 1 ? <StrictMode>{inner}</StrictMode> : inner));
    await until(() => trace.length > 0, 'the list is shown');
    await act(async () => controller.fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'tea' }));
    await act(async () => controller.fetch(TodoResource.delete, { id: '2' }));
    page.unmount();
    // StrictMode runs the first effect twice
    traces.push([...trace.filter((line, place) => line !== trace[place - 1]), ...gate.sent]);
  }

  expect(traces[1]).toEqual(traces[0]);
  expect(traces[0]).toEqual([
    'milk,bread',
    'tea,bread',
    'tea',
    'GET /todos',
    'PATCH /todos/1',
    'DELETE /todos/2',
  ]);
});
