// Results on disk, one JSON file per part, so that the report can be made again without measuring again.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readEnvironment } from './environment.ts';
import type { Environment } from './environment.ts';
import { resultsFolder } from './paths.ts';

export interface ResultFile<T> {
  readonly environment: Environment;
  /** A quick run proves that everything works; its figures are not for comparing. */
  readonly quick: boolean;
  readonly content: T;
}

function pathOf(part: string, quick: boolean): string {
  return join(resultsFolder, quick ? 'quick' : '.', `${part}.json`);
}

export function writeResults<T>(part: string, quick: boolean, content: T): void {
  const path = pathOf(part, quick);
  const file: ResultFile<T> = { environment: readEnvironment(), quick, content };
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `${JSON.stringify(file, undefined, 1)}\n`);
}

/** Undefined when that part has not been measured. */
export function readResults<T>(part: string, quick: boolean): ResultFile<T> | undefined {
  try {
    return JSON.parse(readFileSync(pathOf(part, quick), 'utf8')) as ResultFile<T>; // cast: written above
  } catch {
    return undefined;
  }
}
