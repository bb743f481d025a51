// Runs the suites below once more on the packed tarball that scripts/pack.ts installed: what users get, with its internal
// names shortened, through the package's own exports and conditions, instead of the sources. `--mode nightly` adds the
// simulator and the full number of React's schedules.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vitest/config';
import { defineConfig } from 'vitest/config';
import { launchOptions } from './scripts/chromium.ts';
import { installedApp } from './scripts/pack.ts';
import { patience, secondAttempt } from './scripts/patience.ts';
import base from './vitest.config.ts';

const shared = 'packages/holdfast/test/support/shared-server.ts';
// the other folders test algorithms of the sources, and so do some files in these
const suites = [
  'auth',
  'conformance',
  'controller',
  'dispatch',
  'edit',
  'local',
  'http',
  'presets',
  'inspect',
  'lint',
  'react',
  'server',
  'states',
  'testing',
  'validate',
];

const tests = 'packages/holdfast/test';
const importsSources = (text: string): boolean => text.includes(`from '../../src/`);
/** Whether the file imports a file of the sources, itself or by a file beside it. */
function isOfSources(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  const beside = [...text.matchAll(/from '\.\/([\w.-]+)'/g)].map(([, name = '']) =>
    join(dirname(file), name),
  );
  return (
    importsSources(text) ||
    beside.some((path) => existsSync(path) && importsSources(readFileSync(path, 'utf8')))
  );
}
const ofSources = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => `${tests}/${file.split(sep).join('/')}`)
  .filter(isOfSources);

/** Resolves `holdfast` and its entries from the scratch application, where only the tarball can answer. */
function fromTarball(): Plugin {
  return {
    name: 'holdfast-from-tarball',
    enforce: 'pre',
    async resolveId(source) {
      if (!/^holdfast(\/|$)/.test(source)) return null;
      const resolved = await this.resolve(source, join(installedApp, 'package.json'), { skipSelf: true });
      if (!resolved?.id.includes('holdfast-tarball')) {
        throw new Error(`${source} does not resolve to the installed tarball but to ${resolved?.id}`);
      }
      return resolved;
    },
  };
}

export default defineConfig(({ mode }) => {
  const isLong = mode === 'nightly';
  const files = (ending: string): string[] =>
    [...suites, ...(isLong ? ['simulation'] : [])].map(
      (suite) => `packages/holdfast/test/${suite}/**/*.${ending}`,
    );
  return {
    plugins: [fromTarball()],
    // its own copy of the dependencies that Vite prepares: other settings would make it prepare them again
    cacheDir: 'node_modules/.vite-tarball',
    resolve: { dedupe: ['react', 'react-dom'] },
    optimizeDeps: {
      exclude: ['holdfast'],
      include: [...(base.optimizeDeps?.include ?? [])],
    },
    test: {
      reporters: ['default', './scripts/plain-reporter.ts'],
      ...patience,
      ...secondAttempt,
      projects: [
        {
          extends: true,
          test: {
            name: 'node',
            environment: 'node',
            include: [...files('test.ts'), ...files('server.test.tsx')],
            exclude: ['**/*.browser.test.ts', ...ofSources],
            globalSetup: [shared],
            execArgv: ['--conditions=development'],
            isolate: false,
          },
        },
        {
          extends: true,
          test: {
            name: 'browser',
            include: [...files('test.tsx'), ...files('browser.test.ts')],
            exclude: ['**/*.server.test.tsx', ...ofSources],
            globalSetup: [shared],
            setupFiles: ['packages/holdfast/test/support/act.ts'],
            env: isLong ? {} : { HOLDFAST_VARIANT: 'tarball' },
            browser: {
              enabled: true,
              headless: true,
              screenshotFailures: false,
              provider: playwright({ launchOptions: launchOptions() }),
              instances: [{ browser: 'chromium' }],
            },
          },
        },
      ],
    },
  };
});
