// The laws of `holdfast/http` under random responses, each through the public entries: expiry times (C2), the gate of
// `Retry-After`, links, hidden headers, malformed ones. Law C1 is in unread-pairs.ts, and over the schedules of the simulator in
// unread.ts. A law returns its violation, or nothing.
import { Controller, RestEndpoint } from 'holdfast';
import { HttpSemantics, linked } from 'holdfast/http';
import { createSaid, meaningOf } from './http-headers.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { settle } from './simulate.ts';
import { checkPairs } from './unread-pairs.ts';
import { checkUnread } from './unread.ts';
import { VirtualTime } from './virtual-time.ts';

const URL_PREFIX = 'https://api.test';
const OWN_MS = 20_000;
const get = new RestEndpoint({
  urlPrefix: URL_PREFIX,
  path: '/rows/:id',
  searchParams: {} as Record<string, string | number>,
  dataExpiryLength: OWN_MS,
});

type Answer = (url: string) => Response | Promise<Response>;

function create(time: VirtualTime, answer: Answer, options: HttpSemantics.Options = {}): Controller {
  return new Controller({
    clock: time.clock,
    timers: time.timers,
    fetch: async (url) => answer(url),
    managers: [new HttpSemantics(options)],
    timeoutMs: Infinity,
  });
}

function respond(headers: Readonly<Record<string, string>>, { status = 200, type = 'basic' } = {}): Response {
  const response = new Response('[1]', {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return Object.defineProperty(response, 'type', { value: type });
}

/** C2: a response is fresh for as long as its headers mean, and readers fetch neither earlier nor endlessly. */
async function checkLifetime(random: Random): Promise<string | undefined> {
  const time = new VirtualTime();
  time.advance(random.below(5_000));
  const said = createSaid(random, time.clock.now());
  const expiry = random.pick(['server', 'server', 'shorter', false] as const);
  let asked = 0;
  const controller = create(
    time,
    () => {
      asked += 1;
      time.advance(said.respondedAt - said.requestedAt);
      return respond(said.headers);
    },
    { expiry, validators: false },
  );
  time.advance(said.requestedAt - time.clock.now() + 1_000);
  const shifted = {
    ...said,
    requestedAt: time.clock.now(),
    respondedAt: time.clock.now() + said.respondedAt - said.requestedAt,
  };
  const meaning = expiry === false ? undefined : meaningOf(shifted);
  const isBounded = expiry === 'shorter' || meaning?.isAgeKnown === false;
  const wanted = meaning ? (isBounded ? Math.min(meaning.freshForMs, OWN_MS) : meaning.freshForMs) : OWN_MS;
  const observer = controller.watch(get, { id: '1' });
  const stop = observer.subscribe(() => undefined);
  await settle();
  const now = time.clock.now();
  const found = controller.getResponse(get, { id: '1' }).expiresAt - now;
  const about = `${JSON.stringify(shifted)} with ${String(expiry)}`;
  if (found !== wanted) return `C2: fresh for ${found} ms instead of ${wanted}: ${about}`;
  const isPolled = wanted >= 1_000 && wanted < 1_000_000;
  time.advance(Math.max(0, isPolled ? wanted - 1 : 900));
  await settle();
  if (asked > 1) return `C2: asked again before ${wanted} ms were over: ${about}`;
  time.advance(isPolled ? 10 : 30_000);
  await settle();
  stop();
  if (asked !== (isPolled ? 2 : 1))
    return `C2: asked ${asked} times with a lifetime of ${wanted} ms: ${about}`;
  return undefined;
}

/** While an origin has required a pause no request is sent to it, and every call settles in the end. */
async function checkGate(random: Random): Promise<string | undefined> {
  const time = new VirtualTime();
  const longestWaitMs = random.pick([500, 4_000]);
  const closedUntil = new Map<string, number>();
  /** A response of this same moment may not have arrived when the next request is sent. */
  const closedAt = new Map<string, number>();
  const held: (() => void)[] = [];
  const broken: string[] = [];
  let sent = 0;
  const answer = (url: string): Promise<Response> => {
    const { origin } = new URL(url);
    const now = time.clock.now();
    const leftMs = (closedUntil.get(origin) ?? 0) - now;
    sent += 1;
    if (leftMs > 0 && now > (closedAt.get(origin) ?? 0))
      broken.push(`${origin} was asked ${leftMs} ms too early`);
    return new Promise((resolve) => held.push(() => resolve(refuse(origin))));
  };
  const refuse = (origin: string): Response => {
    const now = time.clock.now();
    const seconds = random.pick(['1', '3', '7', '4000', 'soon', '0']);
    const status = random.pick([200, 200, 429, 503, 500]);
    const waitMs = /^\d+$/.test(seconds) ? Math.min(Number(seconds), 3_600) * 1_000 : 0;
    if ((status === 429 || status === 503) && now + waitMs > (closedUntil.get(origin) ?? 0)) {
      closedUntil.set(origin, now + waitMs);
      closedAt.set(origin, now);
    }
    return respond({ 'retry-after': seconds }, { status });
  };
  const controller = create(time, answer, { longestWaitMs });
  let open = 0;
  const ask = (urlPrefix: string, id: string): Promise<unknown> =>
    controller
      .fetch(get.extend({ urlPrefix }), { id })
      .catch(() => undefined)
      .finally(() => (open -= 1));
  for (let step = 0; step < 30; step += 1) {
    const urlPrefix = random.pick([URL_PREFIX, 'https://other.test']);
    const leftMs = (closedUntil.get(urlPrefix) ?? 0) - time.clock.now();
    const before = sent;
    open += 1;
    void ask(urlPrefix, String(step));
    await settle();
    if (leftMs <= 0 && sent === before) broken.push(`${urlPrefix} was not asked, though it is open`);
    if (leftMs > longestWaitMs && sent > before) broken.push(`${urlPrefix} was asked, though it is closed`);
    if (random.chance(0.5)) held.splice(random.below(held.length), 1)[0]?.();
    await settle();
    if (random.chance(0.4)) time.advance(random.below(5_000));
    await settle();
    if (broken[0]) return `gate: ${broken[0]}`;
  }
  for (let round = 0; round < 60 && open > 0; round += 1) {
    for (const release of held.splice(0)) release();
    await settle();
    time.advance(4_000_000);
    await settle();
  }
  if (broken[0]) return `gate: ${broken[0]}`;
  return open > 0 ? `gate: ${open} requests were never answered` : undefined;
}

const RELATIONS = { next: 'next', previous: 'prev', first: 'first', last: 'last' } as const;

/** The links of a response lead to the pages that the server means. */
async function checkLinks(random: Random): Promise<string | undefined> {
  const links: string[] = [];
  const wanted: Record<string, unknown> = {
    next: null,
    previous: null,
    first: null,
    last: null,
    total: null,
  };
  const page = random.below(50);
  for (const [member, relation] of Object.entries(RELATIONS)) {
    if (random.chance(0.4)) continue;
    const at = random.below(100);
    const text = random.pick(['x', 'a b', 'ä&=', '1,2', '"q"']);
    wanted[member] = { id: '5', page: at, text };
    const query = `page=${at}&text=${encodeURIComponent(text)}`;
    const target = random.pick([
      `${URL_PREFIX}/rows/5?${query}`,
      `/rows/5?${query}`,
      `?${query}`,
      `https://inner/x?${query}`,
    ]);
    const noise = random.pick([
      '',
      '; title="a, <b>; rel=next"',
      '; type=text/html',
      String.raw`; title="\""`,
    ]);
    const rel = random.pick([
      `rel=${relation}`,
      `rel="${relation}"`,
      `REL="other ${relation.toUpperCase()}"`,
    ]);
    links.push(`<${target}>${noise}; ${rel}`);
  }
  if (random.chance(0.3))
    links.unshift(random.pick(['<broken; rel=x', '; rel=next', '<a>; anchor="#b"; rel=next', '<a>']));
  const headers: Record<string, string> =
    links.length > 0 ? { link: links.join(random.pick([', ', ','])) } : {};
  const total = random.pick([undefined, '12', '0', 'many']);
  if (total !== undefined) headers['x-total-count'] = total;
  if (total === '12' || total === '0') wanted['total'] = Number(total);
  const controller = create(new VirtualTime(), () => respond(headers));
  const found = await controller.fetch(linked(get), { id: '5', page });
  const text = JSON.stringify({ ...wanted, results: [1] }, sortedKeys);
  return JSON.stringify(found, sortedKeys) === text
    ? undefined
    : `links: ${JSON.stringify(headers)} gives ${JSON.stringify(found)} instead of ${text}`;
}

const sortedKeys = (_: string, value: unknown): unknown =>
  Object.prototype.toString.call(value) === '[object Object]'
    ? Object.fromEntries(Object.entries(value as object).toSorted(([one], [two]) => (one < two ? -1 : 1)))
    : value;

/** Development reports each header that would be used and cannot be read, once, and no other. */
async function checkHidden(random: Random): Promise<string | undefined> {
  const type = random.pick(['cors', 'cors', 'basic']);
  const status = random.pick([200, 200, 429]);
  const isLinked = random.chance(0.5);
  const all = {
    'cache-control': 'max-age=60',
    Date: new Date(0).toUTCString(),
    ETag: '"1"',
    Link: '<?page=2>; rel=next',
    'Retry-After': '0',
  };
  const shown = Object.fromEntries(Object.entries(all).filter(() => random.chance(0.5)));
  const wanted = new Set<string>();
  if (type === 'cors' && status === 429) wanted.add('Retry-After');
  if (type === 'cors' && status === 200) {
    wanted.add('ETag');
    if ('cache-control' in shown) wanted.add('Date');
    if (isLinked) wanted.add('Link');
  }
  for (const name of Object.keys(shown)) wanted.delete(name);
  const warned: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void warned.push(/header (\S+) of/.exec(text)?.[1] ?? text);
  try {
    const controller = create(new VirtualTime(), () => respond(shown, { status, type }));
    for (let time = 0; time < 2; time += 1)
      await controller.fetch(isLinked ? linked(get) : get, { id: '5' }).catch(() => undefined);
  } finally {
    console.warn = warn;
  }
  const [found, expected] = [warned.toSorted().join(), [...wanted].toSorted().join()];
  return found === expected
    ? undefined
    : `hidden: ${JSON.stringify(shown)} warns of "${found}" instead of "${expected}"`;
}

const PIECES = [
  'max-age',
  '=',
  ',',
  ';',
  '"',
  '<',
  '>',
  'rel=next',
  'W/"',
  '\\',
  '/',
  '*',
  ' ',
  '-1',
  '9e9',
  'Sun, 06 Nov 1994 08:49:37 GMT',
];
const NAMES = [
  'cache-control',
  'expires',
  'date',
  'age',
  'etag',
  'link',
  'x-total-count',
  'vary',
  'retry-after',
];

/** Whatever the headers contain, the response is the same, and its expiry time is a number. */
async function checkMalformed(random: Random): Promise<string | undefined> {
  const headers = (): Record<string, string> =>
    Object.fromEntries(
      NAMES.filter(() => random.chance(0.6)).map((name) => [
        name,
        Array.from({ length: random.below(7) }, () => random.pick(PIECES)).join(''),
      ]),
    );
  const status = random.pick([200, 200, 503]);
  let said = {};
  const controller = create(new VirtualTime(), () => respond((said = headers()), { status }), {
    longestWaitMs: 0,
  });
  for (let time = 0; time < 3; time += 1) {
    const ended = await controller.fetch(linked(get), { id: '5' }).then(
      ({ results }) => JSON.stringify(results),
      (error: { status?: number; message?: string }) => error.status ?? error.message,
    );
    if (ended !== (status === 200 ? '[1]' : status))
      return `malformed: ${JSON.stringify(said)} ends with ${ended}`;
    const { expiresAt } = controller.getResponse(linked(get), { id: '5' });
    if (!(expiresAt >= 0)) return `malformed: ${JSON.stringify(said)} expires at ${expiresAt}`;
  }
  return undefined;
}

const LAWS = [checkLifetime, checkGate, checkLinks, checkHidden, checkMalformed];

/** The violation of one seed, by the laws that need no schedule. */
export async function checkHttp(seed: number): Promise<string | undefined> {
  for (const [at, check] of LAWS.entries()) {
    const message = await check(createRandom(seed * LAWS.length + at));
    if (message) return `seed ${seed}: ${message}`;
  }
  const message = await checkPairs(seed);
  return message && `seed ${seed}: ${message}`;
}

/** Looks for a violation of any law in this many seeds. */
export async function judgeHttp(
  count: number,
): Promise<{ readonly message: string | undefined; readonly schedules: number }> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    for (let seed = 0; seed < count; seed += 1) {
      // the quick laws run first
      for (let quick = seed * 8; quick < seed * 8 + 8; quick += 1) {
        const message = await checkHttp(quick);
        if (message) return { message, schedules: seed + 1 };
      }
      const broken = await checkUnread(seed).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (broken) return { message: broken, schedules: seed + 1 };
    }
    return { message: undefined, schedules: count };
  } finally {
    console.warn = warn;
  }
}
