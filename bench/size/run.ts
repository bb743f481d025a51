// `npm run bench -- size`: what an application ships, per library, minified with React outside.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

import { buildLibrary, productionOptions } from '../support/bundle.ts';
import { formatBytes, formatTable } from '../support/format.ts';
import { readOptions } from '../support/options.ts';
import type { BenchOptions } from '../support/options.ts';
import { benchFolder } from '../support/paths.ts';
import { writeResults } from '../support/results.ts';
import { ourEntries, peerEntries } from './entries.ts';
import type { SizeEntry } from './entries.ts';
import type { SizeResult } from './result.ts';

async function measure(entry: SizeEntry, isOurs: boolean): Promise<SizeResult> {
  const result = await build({
    ...productionOptions,
    stdin: { contents: entry.source, resolveDir: benchFolder },
    platform: 'browser',
    minify: true,
    write: false,
    metafile: true,
    external: ['react', 'react-dom', 'react/jsx-runtime'],
    legalComments: 'none',
  });
  const bytes = result.outputFiles[0]?.contents ?? new Uint8Array();
  const inputs = Object.values(result.metafile.outputs)[0]?.inputs ?? {};
  const parts = Object.entries(inputs)
    .map(([file, { bytesInOutput }]) => ({ file: file.replace(/^.*dist\//, ''), bytes: bytesInOutput }))
    .filter((part) => part.bytes > 0)
    .toSorted((left, right) => right.bytes - left.bytes);
  return {
    name: entry.name,
    isOurs,
    minified: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes).length,
    target: entry.target,
    parts: isOurs ? parts : [],
  };
}

/** Bundle every entry and write results/size.json. */
export async function runSize(options: BenchOptions): Promise<void> {
  const results = await Promise.all([
    ...ourEntries.map((entry) => measure(entry, true)),
    ...peerEntries.map((entry) => measure(entry, false)),
  ]);
  const rows = results.map((result) => [
    result.name,
    formatBytes(result.minified),
    formatBytes(result.gzip),
    formatBytes(result.brotli),
    result.target
      ? `target ${formatBytes(result.target)}: ${result.gzip <= result.target ? 'met' : 'missed'}`
      : '',
  ]);
  console.log(`\n${formatTable([['size', 'minified', 'gzip', 'brotli', ''], ...rows])}`);
  writeResults('size', options.quick, results);
}

if (import.meta.main) {
  const options = readOptions();
  buildLibrary(options.built);
  await runSize(options);
}
