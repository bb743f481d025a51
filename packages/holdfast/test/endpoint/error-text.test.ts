// `errorText`: a sentence for people about any value, from the server or by the kind of failure.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AbortError,
  ConnectionError,
  errorText,
  HoldfastError,
  HttpError,
  ParseError,
  TimeoutError,
} from 'holdfast';

const request = { method: 'PUT', url: 'https://example.com/todos/5' };
const http = (status: number, problem?: Readonly<Record<string, unknown>>): HttpError =>
  new HttpError(
    request,
    new Response(null, { status }),
    problem as HttpError.Problem,
  ); /* cast: a server may send any object */

test.each<[what: string, error: unknown, text: string]>([
  ['the detail', http(409, { detail: 'This todo is locked.', title: 'Conflict' }), 'This todo is locked.'],
  ['else the title', http(409, { title: 'Conflict' }), 'Conflict'],
  ['a detail that is no text', http(400, { detail: [{ loc: ['q'] }] }), 'The server did not accept this.'],
  ['a detail of HTML', http(500, { detail: '<h1>Oops</h1>', title: 'Out of order' }), 'Out of order'],
  ['a detail with a URL', http(404, { detail: 'No route for http://10.0.0.1/x' }), 'This does not exist.'],
  ['else a message of plain words', http(422, { message: 'Validation Failed' }), 'Validation Failed'],
  ['a message of a program', http(404, { message: 'Cannot GET /todos/5' }), 'This does not exist.'],
  [
    'a message of a thrown error',
    http(400, { message: "Cannot read properties of undefined (reading 'id')" }),
    'The server did not accept this.',
  ],
  [
    'a message of a failed server',
    http(500, { message: 'x is not defined' }),
    'The server has a problem. Try again later.',
  ],
  ['a code', http(409, { detail: 'TODO_LOCKED', title: 'E42' }), 'This was changed meanwhile.'],
  ['a code with dots', http(422, { detail: 'errors.todo.locked' }), 'The server did not accept this.'],
  [
    'a code in a sentence',
    http(500, { detail: 'SQL error: dup_key at todos' }),
    'The server has a problem. Try again later.',
  ],
  [
    'a stack',
    http(500, { detail: 'Error: no\n    at load (app.js:1:2)' }),
    'The server has a problem. Try again later.',
  ],
  ['a key of a row in a sentence', http(409, { detail: 'ISSUE-12 is locked.' }), 'ISSUE-12 is locked.'],
  ['another language', http(409, { detail: 'ロックされています' }), 'ロックされています'],
  ['an empty detail', http(404, { detail: ' ' }), 'This does not exist.'],
  ['a status without a text of its own', http(418), 'The server did not accept this.'],
  ['a status of the server', http(503), 'The server has a problem. Try again later.'],
  ['no connection', new ConnectionError(request), 'No connection. Try again.'],
  ['a time limit', new TimeoutError(request, 200), 'This took too long. Try again.'],
  ['an abort', new AbortError(request), 'This was cancelled.'],
  ['an unreadable body', new ParseError(request, new Response(''), 'HTML'), 'Something went wrong.'],
  ['a mistake of the program', new HoldfastError('PROVIDER_MISSING'), 'Something went wrong.'],
  [
    'another error',
    new TypeError("Cannot read properties of undefined (reading 'x')"),
    'Something went wrong.',
  ],
  ['undefined', undefined, 'Something went wrong.'],
  ['a string', 'fetch failed', 'Something went wrong.'],
])('%s', (_, error, text) => {
  expect(errorText(error)).toBe(text);
});

test('`texts` replaces the short texts, and never what the server wrote', () => {
  const texts: errorText.Texts = {
    400: 'Nein.',
    404: 'Fehlt.',
    500: 'Kaputt.',
    offline: 'Offline.',
    other: 'Hm.',
  };

  expect(
    [http(404), http(418), http(502), new ConnectionError(request), null].map((error) =>
      errorText(error, texts),
    ),
  ).toEqual(['Fehlt.', 'Nein.', 'Kaputt.', 'Offline.', 'Hm.']);
  expect(errorText(http(404, { detail: 'There is no such todo.' }), texts)).toBe('There is no such todo.');
  expect(errorText(new TimeoutError(request, 1), texts)).toBe('This took too long. Try again.');
});

test('any value gives one text of at most 300 characters, without HTML, address and code', () => {
  const parts = fc.constantFrom(
    '<b>',
    'https://a.b/c',
    'TODO_LOCKED',
    '[E42]',
    'A sentence. ',
    'x'.repeat(299),
    ' ',
    '\n',
  );
  const texts = fc.array(parts, { maxLength: 6 }).map((all) => all.join(''));
  fc.assert(
    fc.property(
      fc.oneof(texts, fc.anything()),
      fc.oneof(texts, fc.anything()),
      fc.integer({ min: 400, max: 599 }),
      (detail, title, status) => {
        for (const error of [http(status, { detail, title }), detail]) {
          const text = errorText(error);
          expect(text.length).toBeGreaterThan(0);
          expect(text.length).toBeLessThanOrEqual(300);
          expect(text).not.toMatch(/<b>|https:|TODO_LOCKED|E42/);
        }
      },
    ),
  );
});
