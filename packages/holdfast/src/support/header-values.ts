// Reads values of headers strictly: for a malformed value the result is undefined, and the caller decides how to continue.
// `Date.parse` alone would read "0" as the year 2000, and `Number` an empty string as 0.

/** The largest count. A larger count is read as this count, which RFC 9111 (1.2.2) allows for seconds. */
const LARGEST_COUNT = 2 ** 31;

/** Reads a count, such as a number of seconds; undefined for a text that does not consist of digits. */
export function readCount(text: string | null | undefined): number | undefined {
  const digits = text?.trim() ?? '';
  return /^\d+$/.test(digits) ? Math.min(Number(digits), LARGEST_COUNT) : undefined;
}

/** The three date formats of HTTP. */
const DATE_FORMATS: readonly RegExp[] = [
  /^[a-z]{3}, \d{2} [a-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/i, // Sun, 06 Nov 1994 08:49:37 GMT
  /^[a-z]{6,9}, \d{2}-[a-z]{3}-\d{2} \d{2}:\d{2}:\d{2} GMT$/i, // Sunday, 06-Nov-94 08:49:37 GMT
  /^[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/i, // Sun Nov  6 08:49:37 1994
];

/** Reads a date as milliseconds since 1970; undefined for any other string. */
export function readHttpDateMs(text: string | null | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  const form = DATE_FORMATS.findIndex((each) => each.test(trimmed));
  if (form < 0) return undefined;
  // The last format contains no time zone, and means GMT.
  const ms = Date.parse(form === 2 ? `${trimmed} GMT` : trimmed);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The value of Retry-After in milliseconds from now: undefined when it is missing or malformed, 0 for a time in the past. */
export function readRetryAfterMs(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after');
  const seconds = readCount(text);
  if (seconds !== undefined) return seconds * 1_000;
  const date = readHttpDateMs(text);
  return date === undefined ? undefined : Math.max(0, date - now);
}
