// Conflicts in components: the error of `useMutation`, with its sentence, and the choice that `useWatched` shows.
import { act, render } from '@testing-library/react';
import { Fragment, StrictMode, useReducer } from 'react';
import { Controller, createResource, Entity, errorText } from 'holdfast';
import { ConflictError, HttpSemantics } from 'holdfast/http';
import { DataProvider, useMutation, useWatched } from 'holdfast/react';
import { expect, test } from 'vitest';
import { until } from './harness.tsx';

class Doc extends Entity {
  static override key = 'ConflictDoc';
  id = '';
  title = '';
}
const Docs = createResource({
  urlPrefix: 'http://api.test',
  path: '/docs/:id',
  schema: Doc,
  optimistic: true,
});

/** A server with one document that another client has renamed since this client has read it. */
async function open(resolve: 'ask' | 'fail') {
  let version = 1;
  let title = 'first';
  const http = new HttpSemantics({ validators: false, preconditions: 'known', conflicts: { resolve } });
  const reply = (): Response => Response.json({ id: '1', title }, { headers: { etag: `"${version}"` } });
  const controller = new Controller({
    managers: [http],
    fetch: async (_url, { method, headers, body } = {}) => {
      if (method !== 'PATCH') return reply();
      if (new Headers(headers).get('if-match') !== `"${version}"`) return new Response('{}', { status: 412 });
      version += 1;
      ({ title } = JSON.parse(String(body)) as Doc);
      return reply();
    },
  });
  await controller.fetch(Docs.get, { id: '1' });
  version += 1;
  title = 'theirs';
  return { controller, http, saved: () => title };
}

test('the error of useMutation is the ConflictError with all values, and errorText has a sentence for it', async () => {
  const { controller, saved } = await open('fail');
  const seen: useMutation.Result<typeof Docs.partialUpdate>[] = [];
  function Subject() {
    const mutation = useMutation(Docs.partialUpdate);
    seen.push(mutation);
    return <p>{mutation.error && errorText(mutation.error)}</p>;
  }
  const { container, unmount } = render(<Subject />, {
    wrapper: ({ children }) => <DataProvider controller={controller}>{children}</DataProvider>,
  });

  await act(async () => seen.at(-1)!.mutate({ id: '1' }, { title: 'mine' }));
  await until(() => container.textContent === 'This was changed meanwhile.', 'the mutation has failed');

  const { error } = seen.at(-1)!;
  expect(error).toBeInstanceOf(ConflictError);
  expect(error).toMatchObject({
    conflicts: [
      { entity: 'ConflictDoc', pk: '1', field: 'title', base: 'first', mine: 'mine', theirs: 'theirs' },
    ],
  });
  expect(saved()).toBe('theirs');
  unmount();
});

test('a component shows the conflict of its row, and the mutation goes on when a button decides', async () => {
  const { controller, http, saved } = await open('ask');
  function Choice() {
    const conflicts = useWatched(http.conflicts(Doc, { id: '1' }));
    return conflicts.map(({ field, mine, take }) => (
      <button key={field} onClick={() => take(mine)}>
        {String(mine)}
      </button>
    ));
  }
  const { container, unmount } = render(<Choice />, {
    wrapper: ({ children }) => <DataProvider controller={controller}>{children}</DataProvider>,
  });
  const call = controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine' });
  await until(() => container.textContent === 'mine', 'the component asks');

  await act(async () => container.querySelector('button')!.click());

  expect(await call).toMatchObject({ title: 'mine' });
  expect(saved()).toBe('mine');
  await until(() => container.textContent === '', 'nothing is asked');
  unmount();
});

test.each([false, true])('every render gets the same object for a row, strict: %s', async (isStrict) => {
  const http = new HttpSemantics({ conflicts: { resolve: 'ask' } });
  const asked = new Map<string, Set<unknown>>();
  function Mark({ id }: { id: string }) {
    const conflicts = http.conflicts(Doc, { id });
    asked.set(id, (asked.get(id) ?? new Set()).add(conflicts));
    return <i>{useWatched(conflicts).length}</i>;
  }
  function Page() {
    const [, again] = useReducer((count: number) => count + 1, 0);
    return (
      <button onClick={again}>
        {['1', '1', '2', '3'].map((id, at) => (
          <Mark key={at} id={id} />
        ))}
      </button>
    );
  }
  const Mode = isStrict ? StrictMode : Fragment;
  const { container, unmount } = render(
    <Mode>
      <Page />
    </Mode>,
  );

  for (let round = 0; round < 3; round += 1)
    await act(async () => container.querySelector('button')!.click());

  expect(container.textContent).toBe('0000');
  expect([...asked.values()].map(({ size }) => size)).toEqual([1, 1, 1]);
  unmount();
});
