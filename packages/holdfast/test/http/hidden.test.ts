// A header that another origin hides looks absent: development reports it, once. Browsers hide headers; this platform does not,
// so the responses here are marked as those of another origin. another-origin.browser.test.ts uses a real browser.
import { Controller, RestEndpoint } from 'holdfast';
import { HttpSemantics, linked } from 'holdfast/http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failureOf } from '../support/fake-world.ts';

let warned: string[] = [];
beforeEach(() => {
  warned = [];
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warned.push(text));
});
afterEach(() => void vi.restoreAllMocks());

const getList = new RestEndpoint({ urlPrefix: 'https://api.example.com', path: '/a' });

/** A controller whose responses come from another origin, with these headers. */
function create(
  said: Record<string, string>,
  options: HttpSemantics.Options = {},
  { status = 200, type = 'cors' } = {},
): Controller {
  const fetch = async (): Promise<Response> =>
    Object.defineProperty(new Response('[]', { status, headers: said }), 'type', { value: type });
  return new Controller({ fetch, managers: [new HttpSemantics(options)] });
}

const named = (): (string | undefined)[] =>
  warned.map((text) => /\[HEADER_HIDDEN\].* (\S+) of https:\/\/api\.example\.com/.exec(text)?.[1]);

test('each hidden header is reported once per origin', async () => {
  const controller = create({ 'cache-control': 'max-age=60' });

  for (let time = 0; time < 3; time += 1) await controller.fetch(getList);

  expect(named()).toHaveLength(2);
  expect(new Set(named())).toEqual(new Set(['Date', 'ETag']));
});

test('a header that no endpoint needs is not reported', async () => {
  await create({ 'cache-control': 'max-age=60' }, { validators: false, expiry: false }).fetch(getList);
  await create({}, { validators: false }).fetch(getList);
  await create({ 'cache-control': 'no-cache' }, { validators: false }).fetch(getList);

  expect(warned).toEqual([]);
});

test('`Retry-After` is reported as hidden for a 429 response, `Link` for an endpoint that needs it', async () => {
  await failureOf(create({}, {}, { status: 429 }).fetch(getList));
  expect(named()).toEqual(['Retry-After']);

  await create({}, { validators: false }).fetch(linked(getList));
  expect(named()).toEqual(['Retry-After', 'Link']);
});

test('no header of the own origin is reported as hidden', async () => {
  await create({ 'cache-control': 'max-age=60' }, {}, { type: 'basic' }).fetch(linked(getList));

  expect(warned).toEqual([]);
});

test('headers that can be read are not reported', async () => {
  const all = { 'cache-control': 'max-age=60', date: 'Sun, 06 Nov 1994 08:49:37 GMT', etag: '"1"', link: '' };
  await create(all).fetch(linked(getList));

  expect(warned).toEqual([]);
});
