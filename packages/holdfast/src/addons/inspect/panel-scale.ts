// The scale of the timeline. A long wait is drawn shorter than it was, so that the requests before and after a minute without
// requests are not squeezed. The order of all moments stays visible.

/** Returns a function that returns the place of each moment on the scale, in percent. The first moment is at 0, the last at 100. */
export function createScale(moments: readonly number[]): (moment: number) => number {
  const places = new Map<number, number>();
  let end = 0;
  let before = Infinity;
  for (const moment of [...moments].sort((one, other) => one - other)) {
    end += Math.log2(1 + Math.max(0, moment - before));
    places.set(moment, end);
    before = moment;
  }
  return (moment) => ((places.get(moment) ?? end) / (end || 1)) * 100;
}
