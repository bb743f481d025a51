// Writes in components: `usePending` distinguishes waiting calls from sent ones, and `useFailed` lists failed mutations, by row
// and all.
import { act } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FailedManager, getDefaultManagers } from 'holdfast';
import type { FailedMutation } from 'holdfast';
import { useFailed, usePending, useSuspense } from 'holdfast/react';
import { setup, show, Todo, until } from './harness.tsx';

const text = (selector: string): string | null | undefined => document.querySelector(selector)?.textContent;
const click = (selector: string) =>
  act(async () => document.querySelector<HTMLButtonElement>(selector)?.click());

test('usePending lists the calls of a row, optimistic or not, and distinguishes waiting calls from the one that is sent', async () => {
  const { controller, gate, TodoResource } = await setup();
  const { partialUpdate } = TodoResource;
  const plain = partialUpdate.extend({
    getOptimisticResponse: undefined,
  } as never) as never as typeof partialUpdate; // cast: the same call
  const Row = () => {
    const { title } = useSuspense(TodoResource.get, { id: '1' });
    const pending = usePending(Todo, { id: '1' });
    return <p>{[title, ...pending.map(({ status }) => status)].join(' ')}</p>;
  };
  await show(controller, <Row />);
  await until(() => text('p') === 'milk', 'the row is shown');
  gate.close();

  await act(async () => {
    void controller.fetch(plain, { id: '1' }, { title: 'tea' });
    void controller.fetch(partialUpdate, { id: '1' }, { title: 'rice' });
  });
  expect(text('p')).toBe('rice sent waiting');
  await act(async () => gate.pass());
  await until(() => text('p') === 'rice sent', 'the second one is sent');
  gate.open();
  await until(() => text('p') === 'rice', 'both are answered');
});

const titles = (failed: readonly FailedMutation[]): string =>
  failed.map(({ args }) => (args[1] as Todo).title).join(' '); // cast: what is sent below

function Panel() {
  const ofRow = useFailed(Todo, { id: '1' });
  const all = useFailed();
  return (
    <>
      <p>{`${titles(ofRow)} of ${titles(all)}`}</p>
      <button id="retry" onClick={() => void ofRow[0]?.retry()} />
      <button id="forget" onClick={() => all[0]?.forget()} />
    </>
  );
}

test('useFailed lists failed mutations, of a row or all; retry and forget remove them', async () => {
  const failed = new FailedManager();
  const { controller, gate, TodoResource } = await setup({ managers: [failed, ...getDefaultManagers()] });
  const { partialUpdate } = TodoResource;
  await show(controller, <Panel />);
  expect(text('p')).toBe(' of ');
  gate.failure = 409;
  for (const [id, title] of [
    ['1', 'tea'],
    ['2', 'rice'],
  ] as const)
    await act(
      async () => void (await controller.fetch(partialUpdate, { id }, { title }).catch(() => undefined)),
    );
  expect(text('p')).toBe('tea of tea rice');

  gate.failure = null;
  await click('#retry');
  await until(() => text('p') === ' of rice', 'the retry is through');
  await until(() => controller.get(Todo, { id: '1' })?.title === 'tea', 'the retry is answered');
  await click('#forget');
  await until(() => text('p') === ' of ', 'the other one is forgotten');
});

test('a failure renders the components that read the failures of its row, and no others', async () => {
  const { controller, gate, TodoResource } = await setup({
    managers: [new FailedManager(), ...getDefaultManagers()],
  });
  const renders: string[] = [];
  const Mark = ({ id }: { id: string }) => {
    renders.push(`${id}: ${titles(useFailed(Todo, { id }))}`);
    return null;
  };
  await show(
    controller,
    ['1', '2'].map((id) => <Mark key={id} id={id} />),
  );
  gate.failure = 409;
  renders.length = 0;
  for (const title of ['tea', 'rice'])
    await act(
      async () =>
        void (await controller
          .fetch(TodoResource.partialUpdate, { id: '1' }, { title })
          .catch(() => undefined)),
    );

  expect(renders).toEqual(['1: tea', '1: tea rice']);
});

test('the error of useFailed without a FailedManager names the missing manager', async () => {
  const { controller } = await setup();
  const Probe = () => {
    useFailed();
    return null;
  };

  await show(controller, <Probe />);

  expect(document.body.textContent).toContain('MANAGER_MISSING');
});
