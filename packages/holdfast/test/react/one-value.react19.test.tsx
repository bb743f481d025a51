// All hooks of one component show one value, whatever happens between a response and the render that shows it.
import { act, cleanup, render, screen } from '@testing-library/react';
import { startTransition, use, useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Controller } from 'holdfast';
import { useFetch, useSuspense } from 'holdfast/react';
import { Handle, Log, Page, setup, Todo, useHandle } from './harness.tsx';

const surroundings = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
beforeEach(() => void (surroundings.IS_REACT_ACT_ENVIRONMENT = true));
afterEach(() => {
  cleanup();
  surroundings.IS_REACT_ACT_ENVIRONMENT = true;
});

/** The change right after the response, before React can have rendered it. */
const moments: Readonly<Record<string, (change: () => void) => void>> = {
  'at once': (change) => change(),
  'a microtask later': (change) => void Promise.resolve().then(change),
  'two microtasks later': (change) => void Promise.resolve().then(() => Promise.resolve().then(change)),
  'a task later': (change) => void setTimeout(change),
  'in the next frame': (change) => void requestAnimationFrame(change),
};

const orders = ['fetch first', 'suspense first'] as const;

for (const isActing of [true, false])
  for (const isTransition of [true, false])
    for (const order of orders)
      test.each(Object.keys(moments))(
        `a change %s after the response is shown by every hook (${isActing ? 'act' : 'real scheduling'}, ${isTransition ? 'transition' : 'fallback'}, ${order})`,
        async (moment) => {
          const { controller, gate, TodoResource } = await setup();
          await controller.fetch(TodoResource.get, { id: '1' });
          gate.close();
          const go = new Handle<[]>();
          const shown = new Log();
          const Titles = () => {
            const [id, setId] = useState('1');
            useHandle(go, () => (isTransition ? startTransition(() => setId('2')) : setId('2')));
            const titles: string[] = [];
            const fetched = () => use(useFetch(TodoResource.get, { id })).title; // oxlint-disable-line react/rules-of-hooks -- called in one order
            if (order === 'suspense first') titles.push(useSuspense(TodoResource.get, { id }).title); // oxlint-disable-line react/rules-of-hooks -- the same at every render
            titles.push(fetched(), fetched());
            if (order === 'fetch first') titles.push(useSuspense(TodoResource.get, { id }).title); // oxlint-disable-line react/rules-of-hooks -- as above
            shown.add(titles.join(' '));
            return <p>{titles.join(' ')}</p>;
          };
          await act(async () =>
            render(
              <Page controller={controller}>
                <Titles />
              </Page>,
            ),
          );
          expect(screen.getByText('milk milk milk')).toBeTruthy();
          surroundings.IS_REACT_ACT_ENVIRONMENT = isActing;
          const run = async (work: () => unknown): Promise<void> => {
            if (isActing) await act(async () => void (await work()));
            else await work();
          };

          await run(() => go.call());
          await expect.poll(() => gate.waiting).toBe(1);
          await run(async () => {
            const answered = controller.fetch(TodoResource.get, { id: '2' });
            gate.open();
            await answered;
            await changeAt(controller, moments[moment]!); // one of them
          });

          await expect.poll(() => document.body.textContent).toContain('tea tea tea');
          for (const line of shown.lines) expect(new Set(line.split(' ')).size, line).toBe(1);
        },
      );

/** Changes the row at that moment, and waits until it is changed. */
async function changeAt(controller: Controller, when: (change: () => void) => void): Promise<void> {
  await new Promise<void>((go) => {
    when(go);
  });
  await controller.set(Todo, { id: '2' }, { id: '2', title: 'tea' });
}
