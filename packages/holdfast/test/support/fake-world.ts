// Time, visibility and network state that a test moves by hand, for the Controller options of the same names. The HTTP server
// stays a real one: `until` waits for its responses.
import { VirtualTime } from '../simulation/virtual-time.ts';
import { Switch } from './switch.ts';

export class FakeWorld {
  readonly time = new VirtualTime();
  readonly #online = new Switch();
  readonly #visible = new Switch();

  readonly options = {
    clock: this.time.clock,
    timers: this.time.timers,
    random: () => 0.5,
    online: { isOnline: () => this.#online.isOn, subscribe: this.#online.subscribe },
    // all idle work runs at once; tests of slices provide their own
    idle: {
      request: (run: (timeLeftMs: () => number) => void) => this.time.timers.set(() => run(() => 50), 1),
      cancel: this.time.timers.clear,
    },
    visibility: { isVisible: () => this.#visible.isOn, subscribe: this.#visible.subscribe },
  };

  /** Listeners for visibility and network; none may remain after `stop`. */
  get listeners(): number {
    return this.#online.size + this.#visible.size;
  }

  goOnline(isOnline: boolean): void {
    this.#online.turn(isOnline);
  }

  show(isVisible: boolean): void {
    this.#visible.turn(isVisible);
  }

  /** Moves time from timer to timer, and waits for responses after each. */
  async pass(ms: number): Promise<void> {
    let leftMs = ms;
    for (
      let next = this.time.nextDelayMs();
      next !== undefined && next <= leftMs;
      next = this.time.nextDelayMs()
    ) {
      this.time.advance(next);
      leftMs -= next;
      await breathe();
    }
    this.time.advance(leftMs);
    await breathe();
  }
}

/** Lets pending work of this machine finish: a request to the server of the test and back. */
export async function breathe(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setTimeout(resolve, 4));
}

/** Waits until the condition is true; fails after fifteen seconds, because two may pass on a busy machine. */
export async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 15_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`not so after fifteen seconds: ${String(isSo)}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** The error that a promise rejects with. The handler is attached at once, so that the rejection never counts as unhandled. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => Promise.reject(new Error('It was not rejected.')),
    (error: unknown) => error,
  );
}
