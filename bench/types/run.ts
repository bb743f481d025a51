// `npm run bench -- types`: what type-checking 200 resources costs, beside the same code written by hand, and how
// long the editor's hover texts are.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildLibrary } from '../support/bundle.ts';
import { formatTable } from '../support/format.ts';
import { readOptions } from '../support/options.ts';
import type { BenchOptions } from '../support/options.ts';
import { buildFolder, rootFolder } from '../support/paths.ts';
import { writeResults } from '../support/results.ts';
import { readSpread } from '../support/statistics.ts';
import { createCheckedProgram, createPlainCheckedProgram } from './generate-checked.ts';
import { createLibraryProgram, createPlainProgram } from './generate.ts';
import { hoverPlaces } from './hover.ts';
import type { CheckResult, TypesContent } from './result.ts';

const RESOURCES = 200;
const QUICK_RESOURCES = 5;
const RUNS = 5;
const QUICK_RUNS = 1;

// What a strict application has. No `paths`: the program sees the declarations that are published.
const compilerOptions = {
  target: 'es2022',
  lib: ['es2023', 'dom'],
  module: 'esnext',
  moduleResolution: 'bundler',
  jsx: 'react-jsx',
  strict: true,
  noImplicitOverride: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
};

function writeProgram(name: string, source: string): string {
  const folder = join(buildFolder, 'types', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'program.ts'), source);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  return folder;
}

function readFigure(output: string, label: string): number {
  const match = new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(output);
  return Number(match?.[1] ?? Number.NaN);
}

function check(name: string, resources: number, source: string, runs: number): CheckResult {
  const folder = writeProgram(name, source);
  const outputs = Array.from({ length: runs }, () => {
    const { stdout, status } = spawnSync(
      'npx',
      ['tsc', '-p', folder, '--extendedDiagnostics', '--pretty', 'false'],
      {
        cwd: rootFolder,
        encoding: 'utf8',
      },
    );
    if (status !== 0)
      throw new Error(`${name} does not type-check:\n${stdout.split('\n').slice(0, 12).join('\n')}`);
    return stdout;
  });
  const last = outputs.at(-1) ?? '';
  const median = (label: string) => readSpread(outputs.map((output) => readFigure(output, label))).median;
  return {
    program: name,
    resources,
    lines: source.split('\n').length,
    types: readFigure(last, 'Types'),
    instantiations: readFigure(last, 'Instantiations'),
    memoryKb: readFigure(last, 'Memory used'),
    checkSeconds: median('Check time'),
    totalSeconds: median('Total time'),
  };
}

/** Check both programs, ask for hovers, and write results/types.json. */
export async function runTypes(options: BenchOptions): Promise<void> {
  const resources = options.quick ? QUICK_RESOURCES : RESOURCES;
  const runs = options.quick ? QUICK_RUNS : RUNS;
  const checks = [
    check('library', resources, createLibraryProgram(resources), runs),
    check('by-hand', resources, createPlainProgram(resources), runs),
    check('library-imports-alone', 0, createLibraryProgram(0), runs),
    check('by-hand-imports-alone', 0, createPlainProgram(0), runs),
    check('library-checked', resources, createCheckedProgram(resources), runs),
    check('by-hand-checked', resources, createPlainCheckedProgram(resources), runs),
  ];
  const hovers = await hoverPlaces(writeProgram('hover', createLibraryProgram(2)));
  const rows = checks.map((result) => [
    result.program,
    `${result.lines}`,
    `${result.types}`,
    `${result.instantiations}`,
    `${result.checkSeconds} s`,
    `${result.totalSeconds} s`,
  ]);
  console.log(`\n${formatTable([['types', 'lines', 'types', 'instantiations', 'check', 'total'], ...rows])}`);
  for (const hover of hovers) console.log(`hover ${hover.symbol}: ${hover.lines} lines`);
  const content: TypesContent = { checks, hovers };
  writeResults('types', options.quick, content);
}

if (import.meta.main) {
  const options = readOptions();
  buildLibrary(options.built);
  await runTypes(options);
}
