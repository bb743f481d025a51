// The headers that a browser exposes of another origin: the server of the tests is one, and exposes those that a test lists.
import { Controller, createResource, Entity, isConnectionError, RestEndpoint } from 'holdfast';
import { HttpSemantics, linked } from 'holdfast/http';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';

let warned: string[] = [];
beforeEach(() => {
  warned = [];
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warned.push(text));
});
afterEach(() => void vi.restoreAllMocks());

const getSaid = linked(
  new RestEndpoint({
    urlPrefix: inject('serverUrl'),
    path: '/said',
    searchParams: {} as { headers: string },
  }),
);
const said = { etag: '"1"', 'cache-control': 'max-age=60', link: '<?page=2>; rel=next' };

/** A controller of a browser, and the number of bodies that it has read. */
function create() {
  let read = 0;
  const fetchAndCount = async (input: string, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    const text = response.text.bind(response);
    response.text = () => {
      read += 1;
      return text();
    };
    return response;
  };
  const controller = new Controller({ fetch: fetchAndCount, managers: [new HttpSemantics()] });
  return { controller, count: () => read };
}

test('a browser hides headers that are not exposed, and the warning names them', async () => {
  const { controller, count } = create();
  const headers = JSON.stringify({ ...said, 'access-control-expose-headers': 'Link' });

  const page = await controller.fetch(getSaid, { headers });
  await controller.fetch(getSaid, { headers });

  const names = warned.map((text) => /\[HEADER_HIDDEN\] The header (\S+) of/.exec(text)?.[1]);
  expect(new Set(names)).toEqual(new Set(['Date', 'ETag']));
  expect(names).toHaveLength(2);
  expect(page).toMatchObject({ results: [1], next: { page: '2' } });
  expect(count()).toBe(2);
});

test('an exposed tag is used: the second body is not read', async () => {
  const { controller, count } = create();
  const headers = JSON.stringify({
    ...said,
    'access-control-expose-headers': 'ETag, Date, Link, X-Total-Count',
  });

  const first = await controller.fetch(getSaid, { headers });
  const second = await controller.fetch(getSaid, { headers });

  expect(warned).toEqual([]);
  expect(second).toBe(first);
  expect(count()).toBe(1);
});

class Locked extends Entity {
  static override key = 'Locked';
  id = '';
  title = '';
}

test('a browser does not send a precondition that the server does not allow, and one warning names the header', async () => {
  const rows = createResource({
    urlPrefix: inject('serverUrl'),
    path: '/locked/:id',
    schema: Locked,
    body: {} as { title: string },
  });
  const controller = new Controller({
    managers: [new HttpSemantics({ validators: false, expiry: false, preconditions: 'known' })],
  });
  const change = (): Promise<unknown> =>
    controller.fetch(rows.partialUpdate, { id: '1' }, { title: 'mine' }).catch((error: unknown) => error);

  // without a tag there is no header to refuse
  expect(await change()).toMatchObject({ title: 'first' });
  await controller.fetch(rows.get, { id: '1' });
  expect(warned).toEqual([]);
  for (let times = 0; times < 2; times += 1) expect(isConnectionError(await change())).toBe(true);

  expect(warned).toHaveLength(1);
  expect(warned[0]).toContain('[HEADER_NOT_ALLOWED]');
  expect(warned[0]).toContain('`Access-Control-Allow-Headers: If-Match`');
});
