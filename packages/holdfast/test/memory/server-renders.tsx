// Run by server-renders.test.ts in a separate process, with forced collections: many pages rendered at the same time, each for
// another visitor. Prints one line of JSON: the memory that stayed, the timers that were left, and data that appeared in the page
// of another visitor.
import { Suspense } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { createResource, Entity } from 'holdfast';
import { DataProvider, useQuery, useSuspense } from 'holdfast/react';
import { createServerRender } from 'holdfast/react/server';
import { heapBytes } from './heap-bytes.ts';

const count = Number(process.argv[2] ?? 1_000);

class Account extends Entity {
  id = '';
  owner = '';
  static override key = 'Account';
}

const AccountResource = createResource({
  urlPrefix: 'http://api.test',
  path: '/accounts/:id',
  schema: Account,
});

function Mine() {
  // the same address for everyone: only the controllers keep the visitors apart
  return <p>{useSuspense(AccountResource.get, { id: 'me' }).owner}</p>;
}

function Others() {
  const accounts = useSuspense(AccountResource.getList);
  const me = useQuery(Account, { id: 'me' });
  return <p>{accounts.map(({ owner }) => owner).join() + (me?.owner ?? '')}</p>;
}

let openRequests = 0;
let mostRequests = 0;

async function renderFor(visitor: string, isLeaving: boolean): Promise<string> {
  const render = createServerRender({
    origins: ['http://api.test'],
    fetch: async (url) => {
      openRequests += 1;
      mostRequests = Math.max(mostRequests, openRequests);
      for (let turns = 0; turns < 5; turns += 1) await turn();
      openRequests -= 1;
      const mine = { id: 'me', owner: `owner of ${visitor}.` };
      const others = Array.from({ length: 20 }, (_, at) => ({ id: `${at}`, owner: `${at} of ${visitor}.` }));
      return Response.json(new URL(url).pathname === '/accounts' ? others : mine);
    },
  });
  const out = new PassThrough();
  const { pipe, abort } = renderToPipeableStream(
    <DataProvider controller={render.controller}>
      <Mine />
      <Suspense fallback="waiting">
        <Others />
      </Suspense>
    </DataProvider>,
    { onShellReady: () => render.pipe(pipe, out), onError: () => undefined },
  );
  if (!isLeaving) return text(out);
  // disconnects after the first part of the page
  out.once('data', () => out.destroy());
  await new Promise((closed) => out.once('close', closed));
  abort();
  return '';
}

/** Visitors that a page names. */
const namedIn = (html: string): string[] => [
  ...new Set([...html.matchAll(/ of (v\d+)\./g)].map(([, name = '']) => name)),
];

async function renderAll(from: number): Promise<{ strangers: number; incomplete: number; left: number }> {
  let strangers = 0;
  let incomplete = 0;
  let left = 0;
  await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const visitor = `v${from + at}`;
      const isLeaving = at % 10 === 9;
      const html = await renderFor(visitor, isLeaving);
      if (isLeaving) {
        left += 1;
        return;
      }
      if (namedIn(html).join() !== visitor) strangers += 1;
      if (html.split(`<p>owner of ${visitor}.</p>`).length !== 2 || !html.includes(`19 of ${visitor}.`))
        incomplete += 1;
    }),
  );
  return { strangers, incomplete, left };
}

await renderAll(0); // compiled code and caches of the platform are no growth
const before = await heapBytes();
const pages = await renderAll(count);
const growthBytes = (await heapBytes()) - before;
const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
console.log(JSON.stringify({ count, ...pages, growthBytes, timers, mostRequests }));
