// Values of headers, read strictly: what is malformed is undefined, and the caller says what that means. `Date.parse` alone would
// take "0" for the year 2000, and `Number` an empty text for 0.

/** What a cache may take for "for ever", in seconds. */
const LARGEST_COUNT = 2 ** 31;

/** A count, such as one of seconds: digits and nothing else. */
export function readCount(text: string | null | undefined): number | undefined {
  const digits = text?.trim() ?? '';
  return /^\d+$/.test(digits) ? Math.min(Number(digits), LARGEST_COUNT) : undefined;
}

/** The three forms of a date that HTTP has had. */
const FORMS: readonly RegExp[] = [
  /^[a-z]{3}, \d{2} [a-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/i, // Sun, 06 Nov 1994 08:49:37 GMT
  /^[a-z]{6,9}, \d{2}-[a-z]{3}-\d{2} \d{2}:\d{2}:\d{2} GMT$/i, // Sunday, 06-Nov-94 08:49:37 GMT
  /^[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/i, // Sun Nov  6 08:49:37 1994
];

/** Milliseconds since 1970; undefined for what is no date of HTTP. */
export function readHttpDateMs(text: string | null | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  const form = FORMS.findIndex((each) => each.test(trimmed));
  if (form < 0) return undefined;
  // the last form names no zone, and means this one
  const ms = Date.parse(form === 2 ? `${trimmed} GMT` : trimmed);
  return Number.isNaN(ms) ? undefined : ms;
}

/** What Retry-After says, in milliseconds from now: undefined when it says nothing usable, 0 for a moment that has passed. */
export function readRetryAfterMs(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after');
  const seconds = readCount(text);
  if (seconds !== undefined) return seconds * 1_000;
  const date = readHttpDateMs(text);
  return date === undefined ? undefined : Math.max(0, date - now);
}
