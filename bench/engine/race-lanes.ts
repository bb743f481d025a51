// One engine scenario raced: each contestant at each variant in a process of its own, and its figures as ratios to the reference's.
// Asked by run.ts for the peers, and by copies.ts for two builds of the library.
import type { Calibration } from '../support/lane.ts';
import type { LaneProcess } from '../support/lane-process.ts';
import { race } from '../support/race.ts';
import type { Racer } from '../support/race.ts';
import { readSpread } from '../support/statistics.ts';
import { REFERENCE } from './result.ts';
import type { CatalogEntry, EngineEntry, LaneQuestion } from './result.ts';
import type { Counts } from './scenario.ts';

/** The processes of one scenario; a quick run, which times nothing, keeps them for all. */
export class LanePool {
  readonly #lanes = new Map<string, LaneProcess>();
  readonly #start: (name: string) => LaneProcess;

  constructor(start: (name: string) => LaneProcess) {
    this.#start = start;
  }

  lane(key: string, name: string): LaneProcess {
    const lane = this.#lanes.get(key) ?? this.#start(name);
    this.#lanes.set(key, lane);
    return lane;
  }

  close(): void {
    for (const lane of this.#lanes.values()) lane.close();
    this.#lanes.clear();
  }
}

/** One contestant at one variant: all of a scenario's take turns, so that variants can be compared too. */
interface Entrant {
  readonly name: string;
  readonly remark: string;
  readonly variant: number;
}

export const keyOf = ({ name, variant }: Pick<Entrant, 'name' | 'variant'>): string => `${variant} ${name}`;

export async function raceAll(
  { id, lanes, variants }: CatalogEntry,
  pool: LanePool,
  rounds: number,
): Promise<EngineEntry[]> {
  const entrants: Entrant[] = variants.flatMap((_, variant) => lanes.map((lane) => ({ ...lane, variant })));
  const counts = new Map<string, Counts>();
  const createRacer = (entrant: Entrant): Racer => {
    const lane = pool.lane(keyOf(entrant), entrant.name);
    return {
      async calibrate() {
        const question: LaneQuestion = { ask: 'calibrate', scenario: id, variant: entrant.variant };
        const warm = (await lane.ask(question)) as Calibration & { counts: Counts }; // cast: see LaneQuestion
        counts.set(keyOf(entrant), warm.counts);
        return warm;
      },
      sample: () => lane.ask({ ask: 'sample' }) as Promise<number>, // cast: the same
    };
  };
  const samples = await race(
    new Map(entrants.map((entrant) => [keyOf(entrant), createRacer(entrant)])),
    rounds,
  );
  return entrants.map((entrant) => {
    const byRound = samples.get(keyOf(entrant))?.byRound ?? [];
    const reference = samples.get(keyOf({ ...entrant, name: REFERENCE }))?.byRound ?? [];
    const ratios = byRound.flatMap((time, round) => {
      const base = reference[round];
      return time !== undefined && base !== undefined ? [time / base] : [];
    });
    const { label = '', size = 0 } = variants[entrant.variant] ?? {};
    return {
      contestant: entrant.name,
      variant: label,
      size,
      nanoseconds: readSpread(byRound.filter((time) => time !== undefined)),
      timesReference: readSpread(ratios),
      counts: counts.get(keyOf(entrant)) ?? {},
      remark: entrant.remark,
    };
  });
}
