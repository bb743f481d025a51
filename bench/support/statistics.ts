// Medians and quartiles of samples, and the exponent of growth. No state; used by every measuring script.

export interface Spread {
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
  readonly samples: number;
}

function pick(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** Median and quartiles: a mean would let one pause of the machine speak for all rounds. */
export function readSpread(samples: readonly number[]): Spread {
  const sorted = samples.toSorted((left, right) => left - right);
  return {
    median: pick(sorted, 0.5),
    lower: pick(sorted, 0.25),
    upper: pick(sorted, 0.75),
    samples: sorted.length,
  };
}

/** The exponent b of time ≈ a · size^b, by least squares on logarithms. 0 is constant, 1 is linear. */
export function fitExponent(points: readonly { readonly size: number; readonly time: number }[]): number {
  const logs = points.map(({ size, time }) => ({ x: Math.log(size), y: Math.log(time) }));
  const meanX = logs.reduce((sum, { x }) => sum + x, 0) / logs.length;
  const meanY = logs.reduce((sum, { y }) => sum + y, 0) / logs.length;
  const rise = logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  const run = logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return rise / run;
}
