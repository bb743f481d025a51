// Builds the library and bundles a bench entry with it and the peers, all in production mode. Bundled because
// many packages ask process.env.NODE_ENV at run time: replaced by a constant, that costs nobody anything.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';

import { buildFolder, rootFolder } from './paths.ts';

/** Options that make every package its production self, and `holdfast` its built package. */
export const productionOptions = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  conditions: ['production', 'module'],
  define: { 'process.env.NODE_ENV': '"production"', 'globalThis.__DEV__': 'false', __DEV__: 'false' },
  // an empty one: the repository's tsconfig maps `holdfast` to its sources, the bench measures what ships
  tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', target: 'es2022', verbatimModuleSyntax: true } },
  logLevel: 'warning',
} satisfies BuildOptions;

/** For timing in Node. Without the last two, a full collection throws away code that is needed again at the next run. */
export const nodeFlags: readonly string[] = [
  '--expose-gc',
  '--max-old-space-size=6000',
  '--no-flush-bytecode',
  '--retain-maps-for-n-gc=100000',
];

/** Build packages/holdfast/dist as it would be published; `isBuilt` takes what is there, if anything is. */
export function buildLibrary(isBuilt: boolean): void {
  const main = join(rootFolder, 'packages/holdfast/dist/index.js');
  if (isBuilt && existsSync(main)) return;
  execFileSync(process.execPath, ['scripts/build-library.ts'], {
    cwd: rootFolder,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (!existsSync(main)) throw new Error('the build of packages/holdfast left no dist/index.js');
}

/** Bundle one entry for Node and give the path of the result. `alias` puts other files in the place of packages. */
export async function bundleForNode(
  entry: string,
  name: string,
  alias: Readonly<Record<string, string>> = {},
): Promise<string> {
  const outfile = join(buildFolder, `${name}.mjs`);
  await build({
    ...productionOptions,
    alias,
    entryPoints: [entry],
    outfile,
    platform: 'node',
    // CommonJS packages inside an ESM bundle still call require for Node's own modules
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return outfile;
}
