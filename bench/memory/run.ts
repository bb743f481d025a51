// `npm run bench -- memory`: heap kept per entity by each contestant, and a 50 MB response from text to list.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildLibrary, bundleForNode } from '../support/bundle.ts';
import { formatBytes, formatTable } from '../support/format.ts';
import { readOptions } from '../support/options.ts';
import type { BenchOptions } from '../support/options.ts';
import { benchFolder, buildFolder } from '../support/paths.ts';
import { writeResults } from '../support/results.ts';
import type { LargeResponseResult, MemoryContent, MemoryResult } from './result.ts';

const LARGE_CONTESTANTS = ['holdfast', 'data-client 0.18', 'TanStack Query'];

function print({ perEntity, largeResponse }: MemoryContent): void {
  const rows = perEntity.map((result) => [
    `${result.contestant}, ${result.shape}`,
    formatBytes(result.stored),
    formatBytes(result.read),
  ]);
  console.log(`\n${formatTable([['M1  heap per entity', 'stored', 'read once'], ...rows])}`);
  const large = largeResponse.map((result) => [
    result.contestant,
    `${Math.round(result.parseMs)} ms`,
    `${Math.round(result.storeAndReadMs)} ms`,
    `${(result.keptBytes / result.textBytes).toFixed(2)}x of the text`,
  ]);
  console.log(`\n${formatTable([['50 MB response', 'JSON.parse', 'store + read', 'heap kept'], ...large])}`);
}

/** Weigh every contestant in a process of its own and write results/memory.json. */
export async function runMemory(options: BenchOptions): Promise<void> {
  const bundle = await bundleForNode(join(benchFolder, 'memory/main.ts'), 'memory');
  const path = join(buildFolder, 'memory.json');
  const node = (...args: string[]) =>
    execFileSync(process.execPath, ['--expose-gc', '--max-old-space-size=6000', bundle, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const measure = <T>(task: string, name: string): T[] => {
    node(task, name, path, options.quick ? 'quick' : 'full');
    return JSON.parse(readFileSync(path, 'utf8')) as T[]; // cast: written by memory/main
  };
  const names = node('list').trim().split(',');
  const content: MemoryContent = {
    perEntity: names.flatMap((name) => measure<MemoryResult>('weigh', name)),
    largeResponse: LARGE_CONTESTANTS.flatMap((name) => measure<LargeResponseResult>('large', name)),
  };
  print(content);
  writeResults('memory', options.quick, content);
}

if (import.meta.main) {
  const options = readOptions();
  buildLibrary(options.built);
  await runMemory(options);
}
