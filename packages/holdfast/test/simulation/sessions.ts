// Random schedules of sessions: tabs that fetch, sign in and out, freeze and wake; tokens that expire; refreshes that fail in
// every way. The laws of sessions are checked after each step, and at the end that every request has settled.
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { FORBIDDEN, getElsewhere, Item, ItemResource, SessionWorld, settle } from './session-world.ts';
import type { Exchange, RefreshMood, Tab } from './session-world.ts';

const IDS = ['1', '2', '3', FORBIDDEN];
const USERS = ['ann', 'bob'];
const STEPS = 60;
/** All tabs can read a write of one tab after this time; its lock is held a little longer. */
const MOST_LAG_MS = 3_900;

class SessionRun {
  readonly world: SessionWorld;
  readonly #random: Random;
  readonly #isSlow: boolean;
  #open = 0;
  #asked = 0;
  /** True when a visitor has signed out, and nobody in since. */
  #isOut = false;

  constructor(seed: number) {
    this.#random = createRandom(seed);
    const tabCount = 1 + this.#random.below(3);
    this.#isSlow = this.#random.chance(0.5);
    this.world = new SessionWorld(tabCount, () => (this.#isSlow ? this.#random.below(MOST_LAG_MS) : 0));
  }

  async run(): Promise<string | undefined> {
    const { world } = this;
    this.#signIn(world.tabs[0]!);
    for (let step = 0; step < STEPS && world.violations.length === 0; step += 1) {
      this.#act();
      await settle();
      this.#check();
    }
    await this.#finish();
    for (const { controller } of world.tabs) controller.stop();
    return world.violations[0];
  }

  #act(): void {
    const { world } = this;
    const random = this.#random;
    const tab = random.pick(world.tabs);
    const dice = random.below(100);
    if (dice < 4) this.#freeze(tab);
    else if (dice < 34) this.#ask(tab);
    else if (dice < 70) this.#move();
    else if (dice < 78) world.book.expire();
    else if (dice < 80) world.book.revoke();
    else if (dice < 86) this.#hear(tab);
    else if (dice < 93) world.time.advance(random.pick([40, 150, 2_000, 6_000, 16_000]));
    else if (dice < 95)
      world.mood = random.pick<RefreshMood>(['well', 'well', 'down', 'nonsense', 'unreadable', 'silent']);
    else if (dice < 97 && !tab.isFrozen) this.#signIn(tab);
    else if (!tab.isFrozen) this.#signOut(tab);
  }

  /** A request is handled, or its response delivered, or it is lost. */
  #move(): void {
    const able = this.world.exchanges.filter(({ tab, isHandled }) => !isHandled || !tab.isFrozen);
    if (able.length === 0) return;
    const exchange = this.#random.pick<Exchange>(able);
    if (!exchange.tab.isFrozen && this.#random.chance(0.07)) exchange.lose();
    else if (exchange.isHandled) exchange.deliver();
    else exchange.handle();
  }

  #ask(tab: Tab): void {
    if (tab.isFrozen) return;
    const random = this.#random;
    const { controller, auth } = tab;
    const id = random.pick(IDS);
    const madeFor = auth.session?.userId ?? 'nobody';
    const number = String((this.#asked += 1));
    const requestInit = { headers: { 'x-made-for': madeFor, 'x-number': number } };
    const asked =
      random.below(8) === 0
        ? controller.fetch(getElsewhere, { id })
        : random.below(4) === 0
          ? controller.fetch(ItemResource.update.extend({ requestInit, queue: null }), { id }, {})
          : controller.fetch(ItemResource.get.extend({ requestInit }), { id });
    this.#open += 1;
    const { violations, sends } = this.world;
    asked.then(
      (value: unknown) => {
        this.#open -= 1;
        const { owner } = Object(value) as { owner?: string };
        if (owner !== undefined && owner !== madeFor)
          violations.push(`D4: ${madeFor} was given what belongs to ${owner}`);
      },
      (error: { code?: string; status?: number }) => {
        this.#open -= 1;
        if (!error.code) violations.push(`D7: a failure without a code: ${String(error)}`);
        // a request that joined another was not sent itself
        if (error.status === 401 && madeFor !== 'nobody' && sends.get(number) === 1)
          violations.push('D2: a refused request was not repeated');
      },
    );
  }

  #signIn(tab: Tab): void {
    this.#isOut = false;
    tab.auth.begin(this.world.book.logIn(this.#random.pick(USERS)));
  }

  #signOut(tab: Tab): void {
    this.world.logOuts += 1;
    this.#isOut = true;
    tab.auth.end();
  }

  #hear(tab: Tab): void {
    if (tab.isFrozen) return;
    for (const word of tab.words.splice(0)) word();
    this.#mustKnow(tab, 'heard');
  }

  /** A frozen tab that becomes visible again knows who is signed in before anything else happens. */
  #freeze(tab: Tab): void {
    if (!tab.isFrozen) {
      tab.visible.turn(false);
      tab.isFrozen = true;
      return;
    }
    tab.isFrozen = false;
    tab.visible.turn(true);
    this.#mustKnow(tab, 'is looked at');
    for (const run of tab.late.splice(0)) run();
  }

  #mustKnow({ auth, reads }: Tab, when: string): void {
    if (auth.session?.accessToken !== reads()?.accessToken)
      this.world.violations.push(`D4: a tab that ${when} knows another session than the one that is kept`);
  }

  #check(): void {
    const { world } = this;
    const { violations, book } = world;
    for (const { auth, controller } of world.tabs)
      for (const id of IDS) {
        const owner = controller.get(Item, { id })?.owner;
        if (owner !== undefined && owner !== auth.session?.userId)
          violations.push(`D4: a tab of ${auth.session?.userId} holds what belongs to ${owner}`);
      }
    // a tab that cannot read the log-out yet may still renew
    if (this.#isOut && !this.#isSlow && world.store.text !== '')
      violations.push('D4: a session is back that a visitor has ended');
    if (book.replays > world.busy + world.lostAnswers) violations.push('D1: a refresh token was used again');
  }

  /** The network works and all tabs are awake: all calls settle. */
  async #finish(): Promise<void> {
    const { world } = this;
    world.mood = 'well';
    for (const tab of world.tabs) {
      if (tab.isFrozen) this.#freeze(tab);
      this.#hear(tab);
    }
    await this.#quiet();
    if (this.#open > 0) world.violations.push(`D7: ${this.#open} requests never settled`);
    // the application still works: a new call gets its response, or the session has ended
    for (const tab of world.tabs) {
      const { auth, controller } = tab;
      let end = '';
      const last = controller.fetch(ItemResource.get, { id: '1' }).then(
        () => (end = 'answered'),
        (error: { code?: string }) => (end = String(error.code)),
      );
      this.#open += 1;
      void last.then(() => (this.#open -= 1));
      const wasIn = auth.session !== undefined;
      await this.#quiet();
      if (wasIn && end !== 'answered' && end !== 'STORE_RESET')
        world.violations.push(`D7: afterwards a request ends with ${end}`);
    }
  }

  /** Handles and delivers until nothing is in flight, or only time is left to pass. */
  async #quiet(): Promise<void> {
    const { world } = this;
    for (let round = 0; round < 40 && this.#open > 0 && world.violations.length === 0; round += 1) {
      for (const exchange of world.exchanges.slice()) {
        if (!exchange.isHandled) exchange.handle();
        exchange.deliver();
      }
      await settle();
      if (world.exchanges.length === 0 && this.#open > 0) world.time.advance(5_000);
      await settle();
      this.#check();
    }
  }
}

/** The first law that a schedule violates, in words. */
export function runSessions(seed: number): Promise<string | undefined> {
  return new SessionRun(seed).run();
}

/** Looks for a violated law in this many schedules. */
export async function judgeSessions(
  count: number,
  base = 271_828,
): Promise<{ readonly message: string | undefined; readonly schedules: number }> {
  for (let index = 0; index < count; index += 1) {
    const message = await runSessions(base + index);
    if (message !== undefined) return { message: `seed ${base + index}: ${message}`, schedules: index + 1 };
  }
  return { message: undefined, schedules: count };
}
