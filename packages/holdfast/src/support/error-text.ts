// A sentence for people about any error: the text of the server, or a short text for the kind of failure.
import { HoldfastError } from './errors.ts';
import { isHttpError } from './network-errors.ts';
import type { HttpError } from './network-errors.ts';

/** A longer text is cut. */
const LONGEST_TEXT = 300;

/**
 * The short texts of {@link errorText}, by HTTP status or by kind of failure. The text for `400` is also used for every other
 * status below 500 that has no text, and the text for `500` for every status above 500 that has none.
 *
 * @example
 * const german: errorText.Texts = { 404: 'Das gibt es nicht.', 500: 'Der Server hat ein Problem.', offline: 'Keine Verbindung.' };
 * const textOf = (error: unknown) => errorText(error, german);
 */
export interface ErrorTexts {
  readonly [status: number]: string;
  /** The request got no response, or its response was cut off. */
  readonly offline?: string;
  /** The request took longer than its time limit. */
  readonly timeout?: string;
  /** The request was cancelled through a signal. */
  readonly cancelled?: string;
  /** Any other error: a response that cannot be read, a mistake in the program. */
  readonly other?: string;
}

const TEXTS: ErrorTexts = {
  400: 'The server did not accept this.',
  401: 'You are not signed in.',
  403: 'You may not do this.',
  404: 'This does not exist.',
  409: 'This was changed meanwhile.',
  413: 'This is too large.',
  429: 'Too many requests. Try again later.',
  500: 'The server has a problem. Try again later.',
  offline: 'No connection. Try again.',
  timeout: 'This took too long. Try again.',
  cancelled: 'This was cancelled.',
  other: 'Something went wrong.',
};

/**
 * Returns a sentence for people: the `detail` of the server's problem, else its `title`, else its `message` if that is plain words
 * and the status is below 500, else a short text for the status or the kind of failure. A text of the server that contains HTML, a
 * URL or a name such as `todo_locked` is skipped. `texts` replaces the short texts, for example by texts in another language. The
 * function takes any value. The result has at most 300 characters.
 *
 * @example
 * function Failure({ error }: { error: Error | undefined }) {
 *   return error ? <p role="alert">{errorText(error, { 409: 'Somebody was faster.' })}</p> : null;
 * }
 */
export function errorText(error: unknown, texts: ErrorTexts = {}): string {
  const textOf = (kind: keyof ErrorTexts): string | undefined => texts[kind] ?? TEXTS[kind];
  const { status, problem } = isHttpError(error) ? error : ({} as Partial<HttpError>);
  /** The keys of texts in `ErrorTexts` for errors without a status, by the name of the error's class. Other errors get `other`. */
  const kinds: Readonly<Record<string, keyof ErrorTexts>> = {
    AbortError: 'cancelled',
    TimeoutError: 'timeout',
    ConnectionError: 'offline',
    ConflictError: 409,
  };
  // The `message` of a problem, the last of the three texts, often comes from an error that a program has thrown, so it must pass
  // more tests.
  const isForPeople = (text: unknown, index: number): text is string =>
    typeof text === 'string' &&
    // The text contains a letter. The ranges only approximate the letters of all scripts, because not every supported engine has
    // the Unicode property for letters.
    /[a-z\xc0-\u1fff\u2c00-\ufdff]/i.test(text) &&
    // The text is not a single word that belongs to no language, such as `E42` or `todo.locked`.
    !/^\s*(?![A-Z]?[a-z]+[.!]?\s*$)[!-~]+\s*$/.test(text) &&
    // The text contains no HTML, no URL, no `snake_case`, no square or curly brackets and no line of a stack.
    !/<[a-z!/]|:\/\/|www\.|\w_\w|[[\]{}]|\n\s*at /i.test(text) &&
    // A `message` that contains a double quote, a backtick, a slash, a parenthesis or an equals sign is not for people.
    (index < 2 || !/["`/()=]/.test(text));
  const text =
    [problem?.detail, problem?.title, status! < 500 && problem?.['message']].find(isForPeople)?.trim() ??
    textOf(status ?? kinds[(error instanceof HoldfastError && error.name) as string] ?? 'other') ?? // cast: a text, or no key
    textOf(status! < 500 ? 400 : 500)!; // a status without a text of its own
  return text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT - 1) + '…' : text;
}

export declare namespace errorText {
  export type { ErrorTexts as Texts };
}
