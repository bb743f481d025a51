// The browser around the client: whether the network is reported as present, whether the page is visible, and idle time, in
// slices so short that the work has to stop at its first chance.
import { Switch } from '../support/switch.ts';

interface Work {
  id: number;
  run: (timeLeftMs: () => number) => void;
}

export class Surroundings {
  readonly online = new Switch();
  readonly visible = new Switch();
  #work: Work[] = [];
  #lastId = 0;

  readonly idle = {
    request: (run: Work['run']): number => {
      this.#work.push({ id: ++this.#lastId, run });
      return this.#lastId;
    },
    cancel: (id: unknown): void => {
      this.#work = this.#work.filter((work) => work.id !== id);
    },
  };

  /** True when some work waits for idle time. */
  get isAwaited(): boolean {
    return this.#work.length > 0;
  }

  giveSlice(): void {
    this.#work.shift()?.run(() => 0);
  }
}
