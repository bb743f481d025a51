// Runs the browser tests of the hooks twice more: on the oldest React we support, and compiled with the React Compiler: a few of
// them for every change, all of them with NIGHTLY. Tests that need React 19 (`use`, `<Activity>`) are named `*.react19.test.tsx` and stay out of the first.
import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { launchOptions } from './scripts/chromium.ts';
import { patience, secondAttempt } from './scripts/patience.ts';
import base from './vitest.config.ts';

const old = join(import.meta.dirname, 'compat/react-18/node_modules');
const alias = base.resolve?.alias as { find: RegExp; replacement: string }[];
const oldReact = [
  { find: /^react$/, replacement: join(old, 'react/index.js') },
  { find: /^react\/(.+)$/, replacement: join(old, 'react/$1.js') },
  { find: /^react-dom$/, replacement: join(old, 'react-dom/index.js') },
  { find: /^react-dom\/(.+)$/, replacement: join(old, 'react-dom/$1.js') },
];

/** What the compiler changes most: hooks that read, in components that render often. */
const COMPILED = ['support/variant', 'react/hooks', 'react/rows', 'react/use-suspense', 'react/use-dle'];

function variant(
  name: string,
  include: readonly string[],
  exclude: string[],
  rest: Omit<TestProjectInlineConfiguration, 'test'>,
): TestProjectInlineConfiguration {
  return {
    ...rest,
    optimizeDeps: base.optimizeDeps ?? {},
    // each variant needs its own copy of the dependencies that Vite prepares
    cacheDir: `node_modules/.vite-${name}`,
    test: {
      name,
      ...patience,
      ...secondAttempt,
      include: include.map((file) => `packages/holdfast/test/${file}.test.tsx`),
      exclude: ['**/node_modules/**', '**/*.server.test.tsx', '**/test/package/**', ...exclude],
      globalSetup: ['packages/holdfast/test/support/shared-server.ts'],
      setupFiles: ['packages/holdfast/test/support/act.ts'],
      env: { HOLDFAST_VARIANT: name },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: launchOptions() }),
        instances: [{ browser: 'chromium' }],
      },
    },
  };
}

export default defineConfig({
  test: {
    reporters: ['default', './scripts/plain-reporter.ts'],
    projects: [
      variant('react-18', ['**/*'], ['**/*.react19.test.tsx'], {
        resolve: { alias: [...oldReact, ...alias] },
      }),
      variant('compiled', process.env['NIGHTLY'] ? ['**/*'] : COMPILED, [], {
        resolve: { alias },
        plugins: [react({ compiler: true })],
      }),
    ],
  },
});
