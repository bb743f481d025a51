// All results of a run in one hand, with the questions that targets and tables ask of them.
import type { EngineEntry, EngineResult } from '../engine/result.ts';
import type { GrowthResult } from '../growth/result.ts';
import type { MemoryContent } from '../memory/result.ts';
import type { RenderEntry, RenderResult } from '../render/result.ts';
import type { SizeResult } from '../size/result.ts';
import type { Environment } from '../support/environment.ts';
import { readResults } from '../support/results.ts';
import type { TypesContent } from '../types/result.ts';

export const OURS = 'holdfast';
const FLOORS = ['plain React', 'setState alone'];

/** Rows that are no scenario of engine or render. */
const OTHER_TITLES: Readonly<Record<string, string>> = {
  M1: 'heap kept per row, stored and read once',
  '50 MB': 'a response of 250,000 rows, from its text to a list that was read',
  size: 'what an application ships, minified, React outside',
  types: 'a generated program of 200 resources with hooks',
  growth: 'every operation from 100 to 100,000 rows',
};

export class Measured {
  readonly engine: readonly EngineResult[];
  readonly growth: readonly GrowthResult[];
  readonly memory: MemoryContent | undefined;
  readonly render: readonly RenderResult[];
  readonly size: readonly SizeResult[];
  readonly types: TypesContent | undefined;
  /** Where each part was measured, in the order of a run. */
  readonly environments: ReadonlyMap<string, Environment>;

  constructor(quick: boolean) {
    const environments = new Map<string, Environment>();
    const read = <T>(part: string): T | undefined => {
      const results = readResults<T>(part, quick);
      if (results) environments.set(part, results.environment);
      return results?.content;
    };
    this.engine = read<EngineResult[]>('engine') ?? [];
    this.growth = read<GrowthResult[]>('growth') ?? [];
    this.render = read<RenderResult[]>('render') ?? [];
    this.memory = read<MemoryContent>('memory');
    this.size = read<SizeResult[]>('size') ?? [];
    this.types = read<TypesContent>('types');
    this.environments = environments;
  }

  /** What happens in a row of the targets. */
  title(id: string): string {
    const scenario = [...this.engine, ...this.render].find((candidate) => candidate.id === id);
    return scenario?.title ?? OTHER_TITLES[id] ?? '';
  }

  entry(id: string, contestant: string, variant = ''): EngineEntry | undefined {
    const result = this.engine.find((candidate) => candidate.id === id);
    return result?.entries.find((entry) => entry.contestant === contestant && entry.variant === variant);
  }

  /** How many times longer the contestant takes than the library. */
  ratio(id: string, contestant: string, variant = ''): number {
    return this.entry(id, contestant, variant)?.timesReference.median ?? Number.NaN;
  }

  /** The library's own time in nanoseconds. */
  time(id: string, variant = ''): number {
    return this.entry(id, OURS, variant)?.nanoseconds.median ?? Number.NaN;
  }

  count(id: string, name: string, variant = ''): number {
    return this.entry(id, OURS, variant)?.counts[name] ?? Number.NaN;
  }

  rendering(id: string, contestant: string): RenderEntry | undefined {
    return this.render
      .find((candidate) => candidate.id === id)
      ?.entries.find((entry) => entry.contestant === contestant);
  }

  /** The best time of a library that is not ours over our time: above 1 we are the fastest. React by itself is no library. */
  nextBest(id: string): number {
    const result = this.render.find((candidate) => candidate.id === id);
    const others =
      result?.entries.filter(({ contestant }) => contestant !== OURS && !FLOORS.includes(contestant)) ?? [];
    return others.length > 0 ? Math.min(...others.map((entry) => entry.timesReference.median)) : Number.NaN;
  }

  bytes(contestant: string, shape: 'flat' | 'nested'): number {
    const found = this.memory?.perEntity.find(
      (entry) => entry.contestant === contestant && entry.shape === shape,
    );
    return found?.read ?? Number.NaN;
  }
}
