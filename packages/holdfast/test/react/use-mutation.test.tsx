// Writes in components: `useMutation` returns the state of its latest call, calls its callbacks once per call, and a failure that
// nobody gets is named in development or told to the FailedManager.
import { act, render } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { FailedManager, getDefaultManagers, isHttpError, RestEndpoint } from 'holdfast';
import type { FailedMutation } from 'holdfast';
import { useMutation, useSuspense } from 'holdfast/react';
import { Handle, Log, Page, pause, setup, show, Todo, until, useHandle } from './harness.tsx';

type Subject = Awaited<ReturnType<typeof setup>>;
type Update = Subject['TodoResource']['partialUpdate'];
type Mutation = useMutation.Result<Update>;

const save = (id: string, title: string): Parameters<Mutation['mutate']> => [{ id }, { title }];
const lineOf = ({ status, args, data, error, pending }: Mutation): string =>
  [
    status,
    args && (args[1] as Todo).title, // cast: what `save` sends
    data?.title,
    isHttpError(error) && error.status,
    pending.length > 0 && `${pending.length} pending`,
  ]
    .filter(Boolean)
    .join(' ');

/** A component with the hook; `last` is what the hook returned in its last render. */
function hookOf({ TodoResource }: Subject, callbacks?: useMutation.Callbacks<Update>) {
  const log = new Log();
  const seen: Mutation[] = [];
  const Hook = ({ more = callbacks }: { more?: useMutation.Callbacks<Update> | undefined }) => {
    const mutation = useMutation(TodoResource.partialUpdate, more);
    seen.push(mutation);
    log.add(lineOf(mutation));
    return <p>{lineOf(mutation)}</p>;
  };
  return { Hook, log, seen, last: () => seen.at(-1)! };
}
const line = (): string | null | undefined => document.querySelector('p')?.textContent;

test('useMutation returns the state of the latest call, from idle through pending to success', async () => {
  const subject = await setup();
  const { Hook, log, last } = hookOf(subject);
  await show(subject.controller, <Hook />);
  expect(last()).toMatchObject({ status: 'idle', isPending: false, isSuccess: false, isError: false });

  await act(async () => expect(last().mutate(...save('1', 'tea'))).toBeUndefined());
  await until(() => line() === 'success tea tea', 'the mutation has ended');

  expect(log.lines).toEqual(['idle', 'pending tea 1 pending', 'success tea tea']);
  expect(last()).toMatchObject({ isPending: false, isSuccess: true, isError: false });
  expect(last().data).toBeInstanceOf(Todo);
});

test('a failure is the state `error`; retry makes the call again with the same idempotency key, reset clears the state', async () => {
  const subject = await setup();
  const keys: (string | null)[] = [];
  const partialUpdate = subject.TodoResource.partialUpdate.extend({
    idempotencyKey: true,
    async fetchResponse(url: string, init: RequestInit = {}) {
      keys.push(new Headers(init.headers).get('idempotency-key'));
      return RestEndpoint.prototype.fetchResponse.call(this, url, init);
    },
  });
  const { Hook, last } = hookOf({ ...subject, TodoResource: { ...subject.TodoResource, partialUpdate } });
  await show(subject.controller, <Hook />);
  subject.gate.failure = 409;
  await act(async () => last().mutate(...save('1', 'tea')));
  await until(() => line() === 'error tea 409', 'the mutation has failed');
  expect(last()).toMatchObject({ isError: true, data: undefined });

  subject.gate.failure = null;
  await act(async () => {
    last().retry();
    last().retry(); // the first one has begun: there is no failure any more
  });
  await until(() => line() === 'success tea tea', 'the repetition has ended');
  await act(async () => last().reset());

  expect(line()).toBe('idle');
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBeTruthy();
  expect(new Set(keys).size).toBe(1);
  await act(async () => last().retry());
  expect(line()).toBe('idle');
});

test('of overlapping calls the latest decides the state; `pending` has the arguments of all, and reset aborts none', async () => {
  const subject = await setup();
  const { gate, controller } = subject;
  vi.spyOn(console, 'warn').mockImplementation(() => {}); // the failure of the first call is not shown
  const ended: string[] = [];
  const { Hook, last } = hookOf(subject, {
    onSettled: (data, error) => ended.push(data?.title ?? String(isHttpError(error) && error.status)),
  });
  await show(controller, <Hook />);
  gate.close();
  await act(async () => {
    last().mutate(...save('1', 'tea'));
    last().mutate(...save('2', 'rice'));
  });
  expect(line()).toBe('pending rice 2 pending');
  expect(last().pending).toEqual([save('1', 'tea'), save('2', 'rice')]);

  gate.failure = 409;
  await act(async () => gate.pass());
  await until(() => ended.length === 1, 'the first call has failed');
  expect(line()).toBe('pending rice 1 pending');
  await act(async () => last().reset());
  expect(line()).toBe('idle 1 pending');
  gate.failure = null;
  await act(async () => gate.open());
  await until(() => line() === 'idle', 'the second call has ended');

  expect(ended).toEqual(['409', 'rice']);
  expect(gate.aborted).toEqual([]);
});

test('callbacks run once per call, as last rendered, also after the component is gone', async () => {
  const subject = await setup();
  const { gate, controller } = subject;
  const log = new Log();
  const callbacks = (name: string): useMutation.Callbacks<Update> => ({
    onSuccess: (data, [params]) => log.add(`${name} success ${params.id} ${data.title}`),
    onError: (error, [params]) => log.add(`${name} error ${params.id} ${isHttpError(error) && error.status}`),
    onSettled: (data, error, [params]) =>
      log.add(`${name} settled ${params.id} ${data?.title ?? error?.name}`),
  });
  const { Hook, last } = hookOf(subject);
  const page = (name: string) => (
    <StrictMode>
      <Page controller={controller}>
        <Hook more={callbacks(name)} />
      </Page>
    </StrictMode>
  );
  gate.close();
  const { rerender, unmount } = await act(async () => render(page('first')));
  await act(async () => {
    last().mutate(...save('1', 'tea'));
    last().mutate(...save('2', 'rice'));
  });
  await act(async () => rerender(page('second')));
  await act(async () => gate.pass());
  await until(() => log.lines.length === 2, 'the first call has ended');
  unmount();
  gate.failure = 409;
  gate.open();
  await until(() => log.lines.length === 4, 'the second call has ended');
  await pause(20);

  expect(log.lines).toEqual([
    'second success 1 tea',
    'second settled 1 tea',
    'second error 2 409',
    'second settled 2 HttpError',
  ]);
  expect(gate.sent).toEqual(['PATCH /todos/1', 'PATCH /todos/2']);
});

test('a callback that throws is reported and changes nothing else', async () => {
  const reported: string[] = [];
  vi.stubGlobal(
    'queueMicrotask',
    (run: () => void) =>
      void Promise.resolve()
        .then(run)
        .catch((error: Error) => reported.push(error.message)),
  );
  const subject = await setup();
  const throwing = (name: string) => (): never => {
    throw new Error(name);
  };
  const { Hook, last } = hookOf(subject, { onSuccess: throwing('success'), onSettled: throwing('settled') });
  await show(subject.controller, <Hook />);

  let value: Todo | undefined;
  await act(async () => (value = await last().mutateAsync(...save('1', 'tea'))));
  vi.unstubAllGlobals();

  expect(value?.title).toBe('tea');
  expect(line()).toBe('success tea tea');
  expect(reported).toEqual(['success', 'settled']);
});

test('the functions are the same in all renders, and call the endpoint that was rendered last', async () => {
  const { controller, gate, TodoResource } = await setup();
  const seen: useMutation.Result<typeof TodoResource.delete>[] = [];
  const removeOther = TodoResource.delete.extend({
    path: '/other/:id',
  }) as never as typeof TodoResource.delete; // cast: the same call
  const change = new Handle<[isPlain: boolean]>();
  const Hook = () => {
    const [isPlain, setIsPlain] = useState(true);
    useHandle(change, setIsPlain);
    seen.push(useMutation(isPlain ? TodoResource.delete : removeOther));
    return null;
  };
  await show(controller, <Hook />);
  await act(async () => seen.at(-1)!.mutate({ id: '1' }));
  await act(async () => void change.call(false));
  const failed = act(async () => seen[0]!.mutateAsync({ id: '2' }));

  await expect(failed).rejects.toMatchObject({ status: 404 });
  expect(gate.sent).toEqual(['DELETE /todos/1', 'DELETE /other/2']);
  for (const name of ['mutate', 'mutateAsync', 'retry', 'reset'] as const)
    expect(new Set(seen.map((each) => each[name])).size).toBe(1);
});

test('an aborted call and a reset store are no error', async () => {
  const subject = await setup();
  const aborter = new AbortController();
  const partialUpdate = subject.TodoResource.partialUpdate.extend({ signal: aborter.signal });
  const log = new Log();
  const { Hook, last } = hookOf(
    { ...subject, TodoResource: { ...subject.TodoResource, partialUpdate } },
    {
      onError: (error) => log.add(error.name),
      onSettled: (data, error) => log.add(`settled ${data?.title} ${error?.name}`),
    },
  );
  await show(subject.controller, <Hook />);
  subject.gate.close();
  await act(async () => last().mutate(...save('1', 'tea')));
  await act(async () => subject.controller.resetEntireStore());
  await until(() => line() === 'idle', 'the reset has ended the call');
  await act(async () => last().mutate(...save('2', 'rice')));
  await act(async () => aborter.abort());
  await until(() => line() === 'idle', 'the call is aborted');

  expect(log.lines).toEqual(['settled undefined undefined', 'settled undefined undefined']);
  subject.gate.open();
});

test('a reading endpoint is refused, by type and with its cure', async () => {
  const { controller, gate, TodoResource } = await setup();
  const Wrong = () => {
    // @ts-expect-error a read
    useMutation(TodoResource.get);
    return null;
  };

  await show(controller, <Wrong />);

  expect(document.body.textContent).toMatch(/\[NOT_A_MUTATION\] .*reads, and useMutation\(\) was given it\./);
  expect(gate.sent).toEqual([]);
});

/** One list with a delete button in each row, in which the hook is as well: an optimistic delete removes the component. */
function ListWithButtons({
  list,
  remove,
}: {
  list: Subject['TodoResource']['getList'];
  remove: Subject['TodoResource']['delete'];
}) {
  return useSuspense(list).map(({ id }) => <DeleteButton key={id} id={id} remove={remove} />);
}
function DeleteButton({ id, remove }: { id: string; remove: Subject['TodoResource']['delete'] }) {
  const { mutate, error } = useMutation(remove);
  return (
    <button id={`remove-${id}`} onClick={() => mutate({ id })}>
      {error ? 'failed' : 'delete'}
    </button>
  );
}
const press = (id: string) =>
  act(async () => document.querySelector<HTMLButtonElement>(`#remove-${id}`)?.click());

test('a failure that nobody gets is named once in development, with the cure', async () => {
  const { controller, gate, TodoResource } = await setup();
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await show(controller, <ListWithButtons list={TodoResource.getList} remove={TodoResource.delete} />);
  await until(() => !!document.querySelector('#remove-1'), 'the list is shown');
  gate.failure = 409;
  for (const _ of [1, 2]) {
    await press('1');
    await until(() => !!document.querySelector('#remove-1'), 'the row is back');
  }

  expect(document.body.textContent).not.toContain('failed');
  expect(warned.mock.calls.map(String)).toEqual([
    expect.stringMatching(/^\[FAILURE_UNSEEN\] Todo\.delete failed and nobody was told: .* an onError/s),
  ]);
});

test('the FailedManager is told of every failure once, and whether somebody has got it', async () => {
  const told: FailedMutation[] = [];
  const failed = new FailedManager({
    onFailure(each) {
      told.push(each);
      throw new Error('a listener of the application fails');
    },
  });
  const reported: unknown[] = [];
  vi.stubGlobal(
    'queueMicrotask',
    (run: () => void) =>
      void Promise.resolve()
        .then(run)
        .catch((error: unknown) => reported.push(error)),
  );
  const { controller, gate, TodoResource } = await setup({ managers: [failed, ...getDefaultManagers()] });
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const calls = new Handle<[kind: 'onError' | 'hook' | 'promise']>();
  const Calls = () => {
    const withCallback = useMutation(TodoResource.partialUpdate, { onError: () => undefined });
    const plain = useMutation(TodoResource.partialUpdate);
    useHandle(calls, (kind) => {
      if (kind === 'onError') withCallback.mutate({ id: '2' }, { title: kind });
      if (kind === 'hook') plain.mutate({ id: '2' }, { title: kind });
      if (kind === 'promise') void plain.mutateAsync({ id: '2' }, { title: kind });
    });
    return null;
  };
  await show(
    controller,
    <>
      <ListWithButtons list={TodoResource.getList} remove={TodoResource.delete} />
      <Calls />
    </>,
  );
  await until(() => !!document.querySelector('#remove-1'), 'the list is shown');
  gate.failure = 409;
  await press('1');
  await until(() => told.length === 1, 'the optimistic delete is told');
  for (const kind of ['onError', 'hook', 'promise'] as const) {
    await act(async () => void calls.call(kind));
    await until(() => told.at(-1)?.args.length === 2 && (told.at(-1)!.args[1] as Todo).title === kind, kind);
  }
  await act(async () =>
    controller.fetch(TodoResource.partialUpdate, { id: '2' }, { title: 'x' }).catch(() => undefined),
  );
  await until(() => told.length === 5, 'the call of the controller is told');
  vi.unstubAllGlobals();

  expect(told.map(({ isHandled }) => isHandled)).toEqual([false, true, true, true, true]);
  expect(reported).toHaveLength(5);
  expect(warned).not.toHaveBeenCalled();
});

test('retry of the hook forgets the failure that the FailedManager keeps', async () => {
  const failed = new FailedManager();
  const subject = await setup({ managers: [failed, ...getDefaultManagers()] });
  const { Hook, last } = hookOf(subject);
  await show(subject.controller, <Hook />);
  subject.gate.failure = 409;
  await act(async () => last().mutate(...save('1', 'tea')));
  await until(() => line() === 'error tea 409', 'the mutation has failed');
  expect(failed.get()).toHaveLength(1);

  subject.gate.failure = null;
  await act(async () => last().retry());
  await until(() => line() === 'success tea tea', 'the repetition has ended');

  expect(failed.get()).toEqual([]);
});

test('an earlier call that fails while a later one is in flight was not shown: the manager is told so', async () => {
  const told: string[] = [];
  const failed = new FailedManager({
    onFailure: ({ args, isHandled }) => told.push(`${(args[1] as Todo).title} ${isHandled}`), // cast: what `save` sends
  });
  const subject = await setup({ managers: [failed, ...getDefaultManagers()] });
  const { Hook, last } = hookOf(subject);
  await show(subject.controller, <Hook />);
  subject.gate.close();
  await act(async () => {
    last().mutate(...save('1', 'tea'));
    last().mutate(...save('2', 'rice'));
  });
  subject.gate.failure = 409;
  await act(async () => subject.gate.pass());
  await until(() => told.length === 1, 'the first failure is told');
  await act(async () => subject.gate.open());
  await until(() => told.length === 2, 'the second failure is told');

  expect(told).toEqual(['tea false', 'rice true']);
});
