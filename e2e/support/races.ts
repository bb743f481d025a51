// A race: visitors move and edit cards quickly while the demo's network control is bad. In the end, without a reload,
// every card must show what the server has, the server must have what the calls in the order of calls leave, every call
// that failed must be listed, and no visitor is asked about work of his own. A title saves itself: where it says that it is
// not saved, the visitor tries again until it is. scripts/races.ts runs a hundred of these.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Request } from 'playwright';
import { PRIORITIES, STATUS_NAMES, STATUSES } from '../../apps/demo/web/src/resources/vocabulary.ts';
import type { Harbor } from './demo.ts';

export const SWITCHES = ['Out of order', 'Storm'] as const;
export type Switch = (typeof SWITCHES)[number];

type Field = 'title' | 'status' | 'priority';
type Fields = Record<Field, string>;

interface Call {
  readonly id: string;
  readonly field: Field;
  readonly value: string;
  /**
   * Undefined until it was sent, then how it ended. `compared`: refused because of its version, and compared with the row; it may be sent
   * again. `passed`: a later call was sent first, because the server had the value of this one already; it must not be sent any more.
   * Whether either has failed, the page says.
   */
  state?: 'sent' | 'acknowledged' | 'refused' | 'unknown' | 'compared' | 'passed';
}

export interface RaceResult {
  readonly calls: number;
  readonly failed: number;
  /** What was wrong; empty when the race ended right. */
  readonly problems: readonly string[];
  /** The changes that the page sent, and how they ended. */
  readonly log: readonly string[];
}

const CARDS = 3;
const CALLS = 10;
/** No request under way and nothing new for this long is rest. */
const QUIET_MS = 500;
/** For calls in their queues and for reads that fail and are tried again. */
const REST_MS = 90_000;
const FIELDS = ['title', 'status', 'priority'] as const;

/** Visitors who work on one board at once. All of them stop before one is judged: a board that others change has no rest. */
export async function race(
  demo: Harbor,
  network: Switch,
  random: () => number,
  visitors: number,
): Promise<RaceResult[]> {
  const all = await Promise.all(Array.from({ length: visitors }, () => arrive(demo, network)));
  await Promise.all(all.map((visitor) => work(visitor, random)));
  const problems = await Promise.all(all.map((visitor) => judge(demo, visitor)));
  await Promise.all(
    all.map(async ({ page, ids }) => {
      await page.context().close();
      await Promise.all(ids.map((id) => demo.ask('DELETE', `/api/issues/${id}`)));
    }),
  );
  return all.map(({ watch }, index) => ({
    calls: watch.calls.length,
    failed: watch.failed().length,
    problems: problems[index]!, // one for each visitor
    log: watch.log,
  }));
}

/** A page with cards of its own, on a bad network. */
interface Visitor {
  readonly page: Page;
  readonly watch: Watch;
  readonly network: Switch;
  readonly ids: readonly string[];
  readonly started: Readonly<Record<string, Fields>>;
}

async function arrive(demo: Harbor, network: Switch): Promise<Visitor> {
  const cards = await Promise.all(Array.from({ length: CARDS }, () => demo.given()));
  const ids = cards.map(({ id }) => id);
  const started = Object.fromEntries(
    cards.map(({ id, title }) => [id, { title, status: 'doing', priority: 'urgent' }]),
  );
  // so high that the new cards of all visitors are on screen: a column shows its first ones, and more as one scrolls
  const page = await demo.open(`/board/ANC?side=${encodeURIComponent(`/issues/${ids[0]}`)}`, {
    viewport: { width: 1440, height: 3_600 },
  });
  const watch = new Watch(page);
  for (const id of ids) await page.locator(`[data-card="${id}"]`).waitFor();
  await page.getByRole('region', { name: 'View beside' }).getByLabel('Title', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Network: Good' }).click();
  await page.getByRole('radio', { name: network }).check();
  await page.keyboard.press('Escape');
  return { page, watch, network, ids, started };
}

async function work({ page, watch, ids }: Visitor, random: () => number): Promise<void> {
  for (let number = 1; number <= CALLS; number += 1) {
    // half of the calls are about one card, the one that is open beside the board
    const id = random() < 0.5 ? ids[0]! : ids[Math.floor(random() * ids.length)]!; // the list is not empty
    await act(page, watch, { id, isOpen: id === ids[0], number, random });
  }
}

interface Act {
  id: string;
  isOpen: boolean;
  number: number;
  random: () => number;
}

async function act(page: Page, watch: Watch, { id, isOpen, number, random }: Act): Promise<void> {
  const side = page.getByRole('region', { name: 'View beside' });
  const field = isOpen ? FIELDS[Math.floor(random() * FIELDS.length)]! : 'status'; // a position in a constant list
  if (field === 'title') {
    const title = side.getByLabel('Title', { exact: true });
    watch.calls.push({ id, field, value: `Title ${number}` });
    await title.fill(`Title ${number}`);
    await title.press('Enter');
    return;
  }
  const values: readonly string[] = field === 'status' ? STATUSES : PRIORITIES;
  const value = values[Math.floor(random() * values.length)]!; // as above
  watch.calls.push({ id, field, value });
  const picker =
    field === 'priority'
      ? side.getByLabel('Priority', { exact: true })
      : page.locator(`[data-card="${id}"]`).getByLabel(`Status of ${id}`);
  await picker.selectOption(value);
}

/** Follows every request of a page. Calls of one card must leave in the order of calls, one at a time. */
class Watch {
  readonly calls: Call[] = [];
  readonly problems: string[] = [];
  readonly log: string[] = [];
  readonly #byRequest = new Map<Request, Call>();
  readonly #underWay = new Set<Request>();
  #changedAtMs = performance.now();

  constructor(page: Page) {
    page.on('request', (request) => this.#begin(request));
    page.on('requestfailed', (request) => this.#end(request, 'unknown'));
    page.on('response', (response) =>
      this.#end(
        response.request(),
        response.ok() ? 'acknowledged' : response.status() === 412 ? 'compared' : 'refused',
      ),
    );
  }

  get isQuiet(): boolean {
    return this.#underWay.size === 0 && performance.now() - this.#changedAtMs > QUIET_MS;
  }

  /** The calls that the page lists as failed. A title says itself that it is not saved. */
  failed(): Call[] {
    return this.calls.filter(
      ({ field, state }) => field !== 'title' && (state === 'refused' || state === 'unknown'),
    );
  }

  #begin(request: Request): void {
    if (!isWatched(request)) return;
    this.#underWay.add(request);
    this.#changedAtMs = performance.now();
    if (request.method() !== 'PATCH') return;
    this.#note(request, `${request.postData()} for version ${request.headers()['if-match']}`);
    const id = new URL(request.url()).pathname.split('/').at(-1);
    const sent = request.postDataJSON() as Partial<Fields> & { rank?: string }; // cast: the page's own body
    const ofCard = this.calls.filter((call) => call.id === id);
    // A move sends its place too, and the place alone if the server has its status already.
    const isPlace = Object.keys(sent).join() === 'rank';
    const isSame = ({ field, value }: Call): boolean =>
      isPlace ? field === 'status' : sent[field] === value;
    const again = ofCard.findLast((call) => isSame(call) && mayRepeat(call));
    const waiting = ofCard.filter(({ state }) => state === undefined);
    const next = again ?? waiting.find(isSame);
    if (ofCard.some(({ state }) => state === 'sent')) this.problems.push(`two calls of ${id} at a time`);
    if (!next) {
      this.problems.push(`${id}: sent ${JSON.stringify(sent)}, which no call asks for`);
      return;
    }
    if (next !== again) for (const call of waiting.slice(0, waiting.indexOf(next))) call.state = 'passed';
    next.state = 'sent';
    this.#byRequest.set(request, next);
  }

  #end(request: Request, state: NonNullable<Call['state']>): void {
    if (!this.#underWay.delete(request)) return;
    this.#changedAtMs = performance.now();
    if (request.method() === 'PATCH') this.#note(request, state);
    const call = this.#byRequest.get(request);
    if (call) call.state = state;
  }

  #note(request: Request, what: string): void {
    const id = new URL(request.url()).pathname.split('/').at(-1);
    this.log.push(`${(performance.now() / 1_000).toFixed(1)} s ${id}: ${what}`);
  }
}

/** A call that was refused because of its version may be sent again; a title is sent until it is saved. */
function mayRepeat({ field, state }: Call): boolean {
  const isUnsaved = state === 'refused' || state === 'unknown' || state === 'passed';
  return state === 'compared' || (field === 'title' && isUnsaved);
}

/** The stream of changes never ends. */
function isWatched(request: Request): boolean {
  const { pathname } = new URL(request.url());
  return pathname.startsWith('/api/') && pathname !== '/api/stream';
}

/** Waits until all is at rest and right, or says what stays wrong. */
async function judge(demo: Harbor, visitor: Visitor): Promise<string[]> {
  const { watch } = visitor;
  /** How often the page was not at rest, by the reason. */
  const unrest = { 'a request was under way': 0, 'a card was being saved': 0, 'a title was not saved': 0 };
  const untilMs = performance.now() + REST_MS;
  while (performance.now() < untilMs) {
    await sleep(100);
    if (!watch.isQuiet) {
      unrest['a request was under way'] += 1;
      continue;
    }
    if (await isSaving(visitor.page)) {
      unrest['a card was being saved'] += 1;
      continue;
    }
    const tryAgain = visitor.page.locator('.pane.side .field-error button');
    if ((await tryAgain.count()) > 0) {
      unrest['a title was not saved'] += 1;
      await tryAgain.click();
      continue;
    }
    const found = [...watch.problems, ...(await compare(demo, visitor))];
    if (found.length === 0 && watch.isQuiet) return [];
    // what is only late is given as long as a visitor would give it
    if (watch.isQuiet) await sleep(2_000);
    if (watch.isQuiet) {
      const still = [...watch.problems, ...(await compare(demo, visitor))];
      if (still.length > 0 && watch.isQuiet) return still;
    }
  }
  const waiting = watch.calls.filter(({ state }) => state === undefined || state === 'sent');
  const open = waiting.map(({ id, field }) => `${field} of ${id}`).join(', ');
  return [...watch.problems, `no rest: ${JSON.stringify(unrest)}, open: ${open || 'none'}`];
}

/** Whether the page says of any card that it is being saved. */
async function isSaving(page: Page): Promise<boolean> {
  return (await page.locator('.save-marker.pending').count()) > 0;
}

interface ServerIssue extends Fields {
  activity: { kind: string; field: Field | null; after: string | null }[];
}

async function compare(demo: Harbor, { page, watch, network, ids, started }: Visitor): Promise<string[]> {
  const problems: string[] = [];
  const differ = (what: string, seen: unknown, wanted: unknown): void => {
    const [first, second] = [JSON.stringify(seen), JSON.stringify(wanted)];
    if (first !== second) problems.push(`${what}: ${first} instead of ${second}`);
  };
  const screen = await readScreen(page, ids);
  // at rest, the server had the value of a call that was never sent
  for (const call of watch.calls.filter(
    ({ state = 'passed' }) => state === 'passed' || state === 'compared',
  )) {
    const label = labelOf(call);
    const known = watch.failed().filter((failed) => labelOf(failed) === label).length;
    const listed = screen.failures.filter((failure) => failure === label).length;
    call.state = listed > known ? 'unknown' : 'acknowledged';
  }
  for (const id of ids) {
    const { title, status, priority, activity } = (await demo.ask<ServerIssue>('GET', `/api/issues/${id}`))
      .value;
    const calls = watch.calls.filter((call) => call.id === id);
    differ(`${id} on the server`, { title, status, priority }, replay(started[id]!, calls, activity)); // given for each
    differ(`${id} on the board`, screen.cards[id], [{ title, status, picked: status }]);
    if (id === ids[0]) differ(`${id} beside`, screen.beside, { title, status, priority });
  }
  if (network === 'Out of order') differ('failed calls', watch.failed(), []);
  differ('questions', screen.questions, 0);
  differ('listed failures', screen.failures.toSorted(), watch.failed().map(labelOf).toSorted());
  return problems;
}

/** What the acknowledged calls, and those that failed and did arrive, leave in the order of calls. */
function replay(started: Fields, calls: readonly Call[], activity: ServerIssue['activity']): Fields {
  const fields = { ...started };
  for (const field of FIELDS) {
    const arrived = activity
      .filter((entry) => entry.kind === 'changed' && entry.field === field)
      .toReversed();
    for (const { value, state } of calls.filter((call) => call.field === field)) {
      const isNext = arrived[0]?.after === value;
      // a refused call may have arrived, too: Chromium sends again what a connection lost, and the second one is refused
      if (state !== 'acknowledged' && !isNext) continue;
      if (isNext) arrived.shift();
      fields[field] = value;
    }
    // a change that no call in this order explains
    const [stray] = arrived;
    if (stray) Object.assign(fields, { stray });
  }
  return fields;
}

/** The words of the demo's list of failures. */
function labelOf({ id, field, value }: Call): string {
  if (field === 'title') return `Rename ${id}`;
  if (field === 'priority') return `Change priority of ${id}`;
  return `Move ${id} to ${STATUS_NAMES[STATUSES.find((status) => status === value)!]}`; // only such values are picked
}

interface Screen {
  /** Every place on the board where the card is. */
  cards: Record<string, { title: string; status: string; picked: string }[]>;
  beside: Fields;
  failures: string[];
  /** How many fields ask whose value counts: no other visitor changes these cards. */
  questions: number;
}

async function readScreen(page: Page, ids: readonly string[]): Promise<Screen> {
  const screen = await page.evaluate((wanted) => {
    const text = (element: Element | null | undefined): string => element?.textContent?.trim() ?? '';
    const picked = (scope: Element, label: string): string =>
      scope.querySelector<HTMLSelectElement>(`select[aria-label="${label}"]`)?.value ?? '';
    const readCard = (card: Element) => ({
      title: text(card.querySelector('.card-title')),
      status: card.closest<HTMLElement>('[data-status]')?.dataset['status'] ?? '',
      picked: picked(card, `Status of ${card.getAttribute('data-card')}`),
    });
    const beside = document.querySelector('.pane.side')!; // opened at the start
    return {
      cards: wanted.map(
        (id) => [id, [...document.querySelectorAll(`[data-card="${id}"]`)].map(readCard)] as const,
      ),
      beside: {
        title: beside.querySelector<HTMLTextAreaElement>('[aria-label="Title"]')?.value ?? '',
        status: picked(beside, 'Status'),
        priority: picked(beside, 'Priority'),
      },
      failures: [...document.querySelectorAll('.failure strong')].map(text),
      questions: document.querySelectorAll('.choice, a.save-marker').length,
    };
  }, ids);
  return { ...screen, cards: Object.fromEntries(screen.cards) };
}
