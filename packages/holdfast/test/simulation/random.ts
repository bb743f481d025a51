// The only source of random numbers in the simulator: a seeded generator, so that one number replays a whole run.

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer in [0, below). */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

/** A generator whose whole sequence follows from `seed` (32-bit state, full period). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    below: (limit) => Math.floor(next() * limit),
    chance: (probability) => next() < probability,
    pick: (choices) => choices[Math.floor(next() * choices.length)]!,
  };
}

/** FNV-1a, fed piece by piece: equal traces give equal numbers on every platform. */
export class TraceHash {
  #state = 0x811c9dc5;

  add(text: string): void {
    let state = this.#state;
    for (let index = 0; index < text.length; index++) {
      state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
    }
    this.#state = Math.imul(state ^ 0x0a, 0x01000193);
  }

  get value(): number {
    return this.#state >>> 0;
  }
}
