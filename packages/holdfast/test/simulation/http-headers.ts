// Random headers about freshness, and their meaning: RFC 9111 as a table, read from top to bottom. Shares no code with the
// library.
import type { Random } from './random.ts';

export interface Said {
  readonly headers: Readonly<Record<string, string>>;
  readonly requestedAt: number;
  readonly respondedAt: number;
}

const dateOf = (ms: number): string => new Date(ms).toUTCString();

/** The headers of one response, valid and invalid ones mixed, and how long the exchange took. */
export function createSaid(random: Random, now: number): Said {
  const requestedAt = Math.floor(now / 1_000) * 1_000;
  const respondedAt = requestedAt + random.pick([0, 0, 300, 2_000]);
  const headers: Record<string, string> = {};
  const directives: string[] = [];
  if (random.chance(0.6))
    directives.push(
      random.pick([
        'max-age=60',
        'max-age=0',
        'max-age="90"',
        'MAX-AGE=30',
        'max-age=5',
        'max-age=abc',
        'max-age=',
        'max-age=99999999999',
      ]),
    );
  if (random.chance(0.15))
    directives.push(random.pick(['no-cache', 'no-store', 'No-Cache', 'no-cache="set-cookie"']));
  if (random.chance(0.4))
    directives.push(random.pick(['private', 'public', 'must-revalidate', 's-maxage=7', 'x="max-age=3"']));
  const isFlipped = random.chance(0.5);
  if (directives.length > 0 || random.chance(0.1))
    headers['cache-control'] = (isFlipped ? directives.reverse() : directives).join(
      random.pick([', ', ',', ' , ']),
    );
  if (random.chance(0.4))
    headers['expires'] = random.pick([
      dateOf(requestedAt + 40_000),
      dateOf(requestedAt - 40_000),
      '0',
      '-1',
      'tomorrow',
      '',
    ]);
  if (random.chance(0.7))
    headers['date'] = random.pick([
      dateOf(requestedAt),
      dateOf(requestedAt - 12_000),
      dateOf(requestedAt + 5_000),
      'today',
    ]);
  if (random.chance(0.3)) headers['age'] = random.pick(['0', '10', '25', '-4', 'old', '10, 20']);
  if (random.chance(0.1)) headers['pragma'] = 'no-cache';
  if (random.chance(0.1)) headers['vary'] = random.pick(['*', 'accept', 'accept, *']);
  return { headers, requestedAt, respondedAt };
}

/** Milliseconds that are left at `respondedAt`, and whether the age is known; undefined where no header is about freshness. */
export function meaningOf({
  headers,
  requestedAt,
  respondedAt,
}: Said): { freshForMs: number; isAgeKnown: boolean } | undefined {
  const parsed = Date.parse(headers['date'] ?? '');
  const date = Number.isNaN(parsed) ? undefined : parsed;
  const age = /^\d+/.test(headers['age'] ?? '') ? Number.parseInt(headers['age']!, 10) : undefined;
  const parts = splitOutsideQuotes(headers['cache-control'] ?? '').map((part) => part.trim().toLowerCase());
  const isNamed = (name: string): boolean =>
    parts.some((part) => part === name || part.startsWith(`${name}=`));
  const maxAge = parts
    .find((part) => part.startsWith('max-age'))
    ?.slice('max-age='.length)
    .replaceAll('"', '');
  const expires = headers['expires'];
  const expiry = expires?.endsWith('GMT') ? Date.parse(expires) : Number.NaN;
  const table: readonly (readonly [boolean, number])[] = [
    [isNamed('no-store') || isNamed('no-cache'), 0],
    [headers['cache-control'] === undefined && headers['pragma'] === 'no-cache', 0],
    [(headers['vary'] ?? '').includes('*'), 0],
    [maxAge !== undefined && /^\d+$/.test(maxAge), Math.min(Number(maxAge), 2 ** 31) * 1_000],
    [maxAge !== undefined, 0],
    [expires !== undefined && Number.isNaN(expiry), 0],
    [expires !== undefined, Math.max(0, expiry - (date ?? respondedAt))],
  ];
  const rule = table.find(([applies]) => applies);
  if (!rule) return undefined;
  const apparent = date === undefined ? 0 : Math.max(0, respondedAt - date);
  const corrected = (age ?? 0) * 1_000 + (respondedAt - requestedAt);
  return {
    freshForMs: Math.max(0, rule[1] - Math.max(apparent, corrected)),
    isAgeKnown: date !== undefined || age !== undefined,
  };
}

function splitOutsideQuotes(text: string): string[] {
  const parts = [''];
  let isQuoted = false;
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted;
    if (letter === ',' && !isQuoted) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}
