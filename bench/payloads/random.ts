// A seeded generator (mulberry32), so that every contestant of every run sees the same payload.

/** A function giving the next pseudo-random integer in [0, bound). */
export function createRandom(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

const words = 'harbour lantern copper meadow winter signal orchard river granite velvet compass ember'.split(
  ' ',
);

/** `count` words from a fixed list, separated by blanks. */
export function createWords(random: (bound: number) => number, count: number): string {
  return Array.from({ length: count }, () => words[random(words.length)]).join(' ');
}
