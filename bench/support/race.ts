// Races lanes side by side: interleaved rounds in an order that rotates, so that a slow phase of the machine falls on
// every contestant alike. A lane is in this process (support/lane.ts) or in one of its own (support/lane-process.ts).
import type { Calibration } from './lane.ts';

/** Whoever can be timed. */
export interface Racer {
  calibrate(): Promise<Calibration>;
  /** Nanoseconds per run. */
  sample(): Promise<number>;
}

/** One contestant's samples. */
export interface Samples {
  /** A hole where a slow one sat the round out. */
  readonly byRound: readonly (number | undefined)[];
}

/** Whether a lane that takes part in `taking` of `rounds` does so in this one: they are spread evenly. */
function takesPart(round: number, taking: number, rounds: number): boolean {
  return Math.floor(((round + 1) * taking) / rounds) > Math.floor((round * taking) / rounds);
}

/** Gives each one's samples by round. Never two at a time. */
export async function race(
  racers: ReadonlyMap<string, Racer>,
  rounds: number,
): Promise<Map<string, Samples>> {
  const lanes: { name: string; racer: Racer; warm: Calibration; byRound: (number | undefined)[] }[] = [];
  for (const [name, racer] of racers) lanes.push({ name, racer, warm: await racer.calibrate(), byRound: [] });
  for (let round = 0; round < rounds; round += 1) {
    const turned = [...lanes.slice(round % lanes.length), ...lanes.slice(0, round % lanes.length)];
    for (const { racer, warm, byRound } of turned) {
      byRound.push(takesPart(round, warm.rounds, rounds) ? await racer.sample() : undefined);
    }
  }
  return new Map(lanes.map(({ name, byRound }) => [name, { byRound }]));
}
