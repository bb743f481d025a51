// I13, request by request: every read that is sent has a reader, a poll or a caller; at most one per key and freshness epoch is
// in flight; a read that is only polled pauses while the page is hidden or the network is away; and no failing read is repeated
// endlessly.
import { exchangeKey } from './model-network.ts';
import type { Exchange } from './model-network.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/** Requests that may be sent automatically for a failing read: after the first, in one second and in ten. */
const MOST = [
  { withinMs: 1_000, count: 2 },
  { withinMs: 10_000, count: 10 },
] as const;

export class Requests {
  readonly #world: World;
  /** Keys of mounted readers, and of polls, with their number. */
  readonly #shown = new Map<string, number>();
  readonly #polled = new Map<string, number>();
  /** When the last reader of a key left: its request is cancelled a moment later. */
  readonly #leftAtMs = new Map<string, number>();
  /** Keys whose last response was a failure, with the number of automatic requests since. */
  readonly #failing = new Map<string, number[]>();
  /** The keys of the responses that just arrived: an incomplete one is requested once more. */
  readonly #answered = new Set<string>();
  /** Keys whose last request failed, whatever happened since, and when that request was sent. */
  readonly #givenUp = new Map<string, number>();
  /** While no user acts: since when, and when each read was sent. */
  #idle: { sinceMs: number; readonly sends: Map<string, number[]> } | undefined;
  #fault: Violation | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** Throws the violations since the last call. */
  check(): void {
    if (this.#fault) throw this.#fault;
    this.#answered.clear();
  }

  show(key: string): void {
    this.wish(key);
    count(this.#shown, key, 1);
  }

  leave(key: string): void {
    count(this.#shown, key, -1);
    this.#leftAtMs.set(key, this.#world.time.elapsedMs);
  }

  poll(key: string): void {
    count(this.#polled, key, 1);
  }

  unpoll(key: string): void {
    count(this.#polled, key, -1);
  }

  isPolled(key: string): boolean {
    return this.#polled.has(key);
  }

  /** A user requested again, or a mutation started a new epoch: a failed read may be sent at once. */
  wish(key: string): void {
    this.#failing.delete(key);
  }

  wishAll(): void {
    this.#failing.clear();
  }

  /** Without a user action from now on; `undefined` ends this. */
  rest(isIdle: boolean): void {
    this.#idle = isIdle ? { sinceMs: this.#world.time.elapsedMs, sends: new Map() } : undefined;
  }

  /** An event without a user, such as the end of a held call: requests that follow are counted from zero. */
  stir(): void {
    if (this.#idle) this.rest(true);
  }

  /** At most three in the first second and one in each later second; polls and failing reads have their own rules. */
  #countIdle(key: string): void {
    if (!this.#idle || this.#polled.has(key) || this.#failing.has(key)) return;
    const { sinceMs, sends } = this.#idle;
    const second = Math.floor((this.#world.time.elapsedMs - sinceMs) / 1_000);
    const seconds = sends.get(key) ?? [];
    sends.set(key, seconds);
    seconds[second] = (seconds[second] ?? 0) + 1;
    if (seconds[second] > (second === 0 ? 3 : 1))
      this.#report(
        `${key} was sent ${seconds[second]} times in second ${second + 1} in which nobody did anything`,
      );
  }

  onSend(exchange: Exchange): void {
    const key = exchangeKey(exchange);
    this.#countIdle(key);
    if (!this.#isWished(key))
      this.#report(`${key} was sent though nobody wants it, or nobody looks, or the network is away`);
    // each of several ends in one step starts its own epoch
    const twin =
      this.#world.endedInStep < 2 &&
      this.#world.network.exchanges.find((other) => other !== exchange && this.#isFreshTwin(other, key));
    if (twin) this.#report(`${key} was sent while request ${twin.number} of the same freshness is under way`);
    const sends = this.#failing.get(key);
    if (!sends) return;
    const nowMs = this.#world.time.elapsedMs;
    sends.push(nowMs);
    for (const { withinMs, count: most } of MOST) {
      const recent = sends.filter((atMs) => nowMs - atMs < withinMs).length;
      if (recent > most) this.#report(`${key} fails and was sent ${recent} times more within ${withinMs} ms`);
    }
  }

  onAnswer(exchange: Exchange, isGood: boolean): void {
    const key = exchangeKey(exchange);
    this.#answered.add(key);
    if (!isGood) this.giveUp(exchange);
    // the response to a request that was sent before the failed one leaves the failure as it is
    else if (exchange.send > (this.#givenUp.get(key) ?? 0)) this.#givenUp.delete(key);
    if (isGood) this.#failing.delete(key);
    else if (!this.#failing.has(key)) this.#failing.set(key, []);
  }

  giveUp(exchange: Exchange): void {
    this.#givenUp.set(exchangeKey(exchange), exchange.send);
  }

  /** True when the last try failed: the next one waits. */
  isTroubled(key: string): boolean {
    return this.#givenUp.has(key);
  }

  #isWished(key: string): boolean {
    const { handed, surroundings, time } = this.#world;
    if (this.#answered.has(key) || this.#shown.has(key) || this.#leftAtMs.get(key) === time.elapsedMs)
      return true;
    if (handed.some((one) => one.state === 'pending' && one.key === key)) return true;
    return this.#polled.has(key) && surroundings.visible.isOn && surroundings.online.isOn;
  }

  #isFreshTwin(other: Exchange, key: string): boolean {
    const { epoch, freshSince, mayBeFreshSince, lastInvalidatedAt } = this.#world;
    const since = Math.max(freshSince, mayBeFreshSince, lastInvalidatedAt.get(key) ?? 0);
    return !other.ended && other.epoch === epoch && other.send > since && exchangeKey(other) === key;
  }

  #report(message: string): void {
    this.#fault ??= new Violation('I13', message);
  }
}

function count(book: Map<string, number>, key: string, change: 1 | -1): void {
  const next = (book.get(key) ?? 0) + change;
  if (next > 0) book.set(key, next);
  else book.delete(key);
}
