// The clock and timers of the simulator. Timers use a time that only grows; the wall clock of the client is that time plus an
// offset, so that it can stop or be set back while timers keep working, as on a real machine.

interface Alarm {
  id: number;
  dueMs: number;
  run: () => void;
}

export class VirtualTime {
  #elapsedMs = 0;
  #offsetMs = 1_700_000_000_000;
  #alarms: Alarm[] = [];
  #lastId = 0;

  readonly clock = { now: (): number => this.#elapsedMs + this.#offsetMs };

  readonly timers = {
    set: (run: () => void, delayMs: number): number => {
      const id = ++this.#lastId;
      this.#alarms.push({ id, dueMs: this.#elapsedMs + Math.max(0, delayMs || 0), run });
      return id;
    },
    clear: (id: unknown): void => {
      this.#alarms = this.#alarms.filter((alarm) => alarm.id !== id);
    },
  };

  /** Time that only grows, whatever the wall clock does. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  get pendingTimers(): number {
    return this.#alarms.length;
  }

  /** Moves only the wall clock; no timer is due because of it. */
  stepBack(byMs: number): void {
    this.#offsetMs -= byMs;
  }

  /** Time until the next timer, or undefined when none is set. */
  nextDelayMs(): number | undefined {
    const first = this.#first();
    return first && Math.max(0, first.dueMs - this.#elapsedMs);
  }

  /** Advances to the next timer, if one is due within this time, and runs that one alone. */
  runNext(withinMs: number): boolean {
    const next = this.#first();
    if (!next || next.dueMs > this.#elapsedMs + withinMs) return false;
    this.#run(next);
    return true;
  }

  /** Advances and runs the due timers, in order. A timer set by a timer runs too when it is due in time. */
  advance(byMs: number): void {
    const untilMs = this.#elapsedMs + byMs;
    for (let next = this.#first(); next && next.dueMs <= untilMs; next = this.#first()) {
      this.#run(next);
    }
    this.#elapsedMs = untilMs;
  }

  #run(alarm: Alarm): void {
    this.#elapsedMs = Math.max(this.#elapsedMs, alarm.dueMs);
    this.#alarms = this.#alarms.filter((other) => other !== alarm);
    alarm.run();
  }

  #first(): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (!first || alarm.dueMs < first.dueMs || (alarm.dueMs === first.dueMs && alarm.id < first.id))
        first = alarm;
    }
    return first;
  }
}
