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

export class Measured {
  readonly engine: readonly EngineResult[];
  readonly growth: readonly GrowthResult[];
  readonly memory: MemoryContent | undefined;
  readonly render: readonly RenderResult[];
  readonly size: readonly SizeResult[];
  readonly types: TypesContent | undefined;
  readonly environment: Environment | undefined;

  constructor(quick: boolean) {
    const engine = readResults<EngineResult[]>('engine', quick);
    this.engine = engine?.content ?? [];
    this.growth = readResults<GrowthResult[]>('growth', quick)?.content ?? [];
    this.memory = readResults<MemoryContent>('memory', quick)?.content;
    this.render = readResults<RenderResult[]>('render', quick)?.content ?? [];
    this.size = readResults<SizeResult[]>('size', quick)?.content ?? [];
    this.types = readResults<TypesContent>('types', quick)?.content;
    this.environment = (engine ?? readResults('size', quick))?.environment;
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

  /** The best time of a library that is not ours over our time: above 1 we are the fastest. Plain React is no library. */
  nextBest(id: string): number {
    const result = this.render.find((candidate) => candidate.id === id);
    const others =
      result?.entries.filter(({ contestant }) => contestant !== OURS && contestant !== 'plain React') ?? [];
    return others.length > 0 ? Math.min(...others.map((entry) => entry.timesReference.median)) : Number.NaN;
  }

  bytes(contestant: string, shape: 'flat' | 'nested'): number {
    const found = this.memory?.perEntity.find(
      (entry) => entry.contestant === contestant && entry.shape === shape,
    );
    return found?.read ?? Number.NaN;
  }
}
