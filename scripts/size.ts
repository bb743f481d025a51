// Prints what each entry costs an application: bundled for production, minified, React outside, gzip and brotli.
// The targets stand beside the figures; a figure above its limit fails: what a change adds is taken out in the same change.
// The limits only fall.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const library = join(root, 'packages/holdfast');
const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
};

interface Case {
  readonly name: string;
  readonly code: string;
  readonly target?: string;
  /** Bytes of gzip: what was reached when this was written, rounded up. */
  readonly limit?: number;
}

const entries: Case[] = Object.keys(manifest.exports)
  .filter((path) => path !== './package.json')
  .map((path) => `holdfast${path.slice(1)}`)
  .map((name) => ({ name, code: `import * as all from '${name}'; console.log(all);` }));

const cases: readonly Case[] = [
  {
    name: 'an application',
    code: `import { Entity, createResource } from 'holdfast';
      import { DataProvider, useSuspense, useController } from 'holdfast/react';
      console.log(Entity, createResource, DataProvider, useSuspense, useController);`,
    target: '<= 30 kB gzip',
    limit: 38_780,
  },
  {
    name: 'schemas and store alone',
    code: `import { Cache, Entity, schema } from 'holdfast'; console.log(Cache, Entity, schema);`,
    target: '<= 17 kB gzip',
    limit: 21_640,
  },
  ...entries,
];

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(2)} kB`.padStart(10);

console.log(
  `${'what'.padEnd(28)}${['minified', 'gzip', 'brotli'].map((name) => name.padStart(10)).join('')}  target`,
);
let failed = 0;
for (const { name, code, target, limit = Infinity } of cases) {
  try {
    const result = await build({
      stdin: { contents: code, resolveDir: root, loader: 'js' },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      conditions: ['production'],
      external: [
        'react',
        'react-dom',
        'react/*',
        'react-dom/*',
        'vue',
        'next',
        'next/*',
        '@testing-library/*',
        'node:*',
      ],
      // the repository's own paths would bundle the sources with their development half
      tsconfigRaw: {},
      logLevel: 'silent',
    });
    const text = result.outputFiles[0]?.contents ?? new Uint8Array();
    const sizes = [text.length, gzipSync(text, { level: 9 }).length, brotliCompressSync(text).length];
    console.log(`${name.padEnd(28)}${sizes.map(kilobytes).join('')}  ${target ?? ''}`);
    const [, gzip = 0] = sizes;
    if (gzip <= limit) continue;
    failed += 1;
    console.log(`${' '.repeat(28)} more than its limit of ${kilobytes(limit).trim()} gzip`);
  } catch (error) {
    failed += 1;
    console.log(
      `${name.padEnd(28)} cannot be bundled: ${error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error)}`,
    );
  }
}
process.exitCode = failed > 0 ? 1 : 0;
