// Whatever the headers contain, a response is read as it is without them: nothing throws, and nothing is lost.
import fc from 'fast-check';
import { Controller, RestEndpoint } from 'holdfast';
import { HttpSemantics, linked } from 'holdfast/http';
import { expect, test } from 'vitest';

const names = [
  'cache-control',
  'expires',
  'date',
  'age',
  'pragma',
  'vary',
  'etag',
  'retry-after',
  'link',
  'x-total-count',
  'content-range',
] as const;
/** Pieces of header values, in any order, and any other string that a header can contain. */
const piece = fc.oneof(
  fc.constantFrom(
    'max-age',
    '=',
    ',',
    ';',
    '"',
    '<',
    '>',
    'rel',
    'next',
    'no-cache',
    'W/',
    '\\',
    '/',
    '*',
    ' ',
  ),
  fc.constantFrom('Sun, 06 Nov 1994 08:49:37 GMT', '-1', '0', '99999999999999999999', 'NaN', '1e9'),
  fc.string({ maxLength: 4, unit: 'grapheme-ascii' }),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const headers = fc.dictionary(fc.constantFrom(...names), text, { maxKeys: 6 });

test('no header makes a response fail', async () => {
  await fc.assert(
    fc.asyncProperty(headers, fc.constantFrom(200, 429, 503), async (said, status) => {
      const fetch = async (): Promise<Response> => {
        const response = Response.json(status === 200 ? [1] : {}, { status });
        for (const [name, value] of Object.entries(said)) response.headers.set(name, value);
        return response;
      };
      const controller = new Controller({ fetch, managers: [new HttpSemantics()] });
      const get = linked(new RestEndpoint({ path: '/a', urlPrefix: 'http://a.test' }));
      for (let time = 0; time < 2; time += 1) {
        const ended = await controller.fetch(get).then(
          ({ results }) => results,
          (error: { status?: number }) => error.status,
        );
        expect(ended).toEqual(status === 200 ? [1] : status);
        if (status !== 200) break;
      }
      const { expiresAt } = controller.getResponse(get);
      expect(Number.isNaN(expiresAt)).toBe(false);
    }),
    { numRuns: 400 },
  );
});
