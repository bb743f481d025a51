// `useIsFetching` and `useIsMutating`: how many requests are in flight, of all components or of one endpoint.
import { act } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useDLE, useIsFetching, useIsMutating } from 'holdfast/react';
import { setup, show, until } from './harness.tsx';

const text = (): string | null | undefined => document.querySelector('p')?.textContent;

test('they count reads and mutations in flight, of the whole application or of one endpoint', async () => {
  const { controller, gate, TodoResource } = await setup();
  const { get, getList, partialUpdate } = TodoResource;
  const Counts = () => (
    <p>
      {[
        useIsFetching(),
        useIsFetching(get),
        useIsFetching({ testKey: (key) => key.endsWith('/todos/1 Todo') }),
        useIsMutating(),
        useIsMutating(partialUpdate),
      ].join(' ')}
    </p>
  );
  const Title = () => <b>{useDLE(get, { id: '1' }).data?.title}</b>;
  gate.close();
  await show(
    controller,
    <>
      <Counts />
      <Title />
    </>,
  );
  await act(async () => {
    void controller.fetch(getList);
    void controller.fetch(partialUpdate, { id: '2' }, { title: 'tea' });
    void controller.fetch(partialUpdate, { id: '2' }, { title: 'rice' }); // waits for the first one
    void controller.fetch(getList.push, { title: 'salt' });
  });
  await until(() => text() === '2 1 1 3 2', 'all calls are counted');

  await act(async () => gate.open());
  await until(() => text() === '0 0 0 0 0', 'all calls have ended');
  expect(gate.sent).toHaveLength(5);
});

test('a reset of the store, an abort and a failure end a request', async () => {
  const { controller, gate, TodoResource } = await setup();
  const Counts = () => <p>{`${useIsFetching()} ${useIsMutating()}`}</p>;
  await show(controller, <Counts />);
  gate.close();
  const aborter = new AbortController();
  const abortable = TodoResource.get.extend({ signal: aborter.signal });
  const settled = [
    controller.fetch(TodoResource.getList),
    controller.fetch(TodoResource.delete, { id: '2' }),
  ].map((promise) => promise.catch(() => undefined));
  await until(() => text() === '1 1', 'the requests are counted');
  await act(async () => controller.resetEntireStore());
  await until(() => text() === '0 0', 'the reset has ended them');

  const aborted = controller.fetch(abortable, { id: '1' }).catch(() => undefined);
  await until(() => text() === '1 0', 'the next one is counted');
  await act(async () => aborter.abort());
  await until(() => text() === '0 0', 'the abort has ended it');
  await Promise.all([...settled, aborted]);

  gate.failure = 500;
  gate.open();
  await act(async () => void controller.fetch(TodoResource.get, { id: '1' }).catch(() => undefined));
  await until(() => gate.sent.length === 4, 'the last request is sent');
  await until(() => text() === '0 0', 'the failure has ended it');
  expect(gate.sent.at(-1)).toBe('GET /todos/1');
});
