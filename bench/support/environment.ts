// What a figure belongs to: machine, versions, date. Kept with every result.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { benchFolder } from './paths.ts';

export interface Environment {
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly platform: string;
  readonly node: string;
  readonly v8: string;
  readonly versions: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly version: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest; // cast: package.json
}

/** Versions as installed, not as asked for. */
function readVersions(): Record<string, string> {
  const require = createRequire(join(benchFolder, 'package.json'));
  const names = Object.keys(readManifest(join(benchFolder, 'package.json')).devDependencies ?? {});
  const versions: Record<string, string> = {};
  for (const name of [...names, 'react', 'react-dom', 'holdfast']) {
    const folder = require.resolve.paths(name)?.find((path) => {
      try {
        return readManifest(join(path, name, 'package.json')).version !== '';
      } catch {
        return false;
      }
    });
    if (folder) versions[name] = readManifest(join(folder, name, 'package.json')).version;
  }
  return versions;
}

export function readEnvironment(): Environment {
  const processors = cpus();
  return {
    date: new Date().toISOString(),
    processor: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    v8: process.versions.v8,
    versions: readVersions(),
  };
}
