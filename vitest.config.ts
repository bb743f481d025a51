// Four kinds of tests by file name: `*.test.ts` (and `*.server.test.tsx`) in Node, `*.test.tsx` (and
// `*.browser.test.ts`) in a real Chromium, `*.test-d.ts` types, `e2e/**` the demo and the examples.
// HOLDFAST_PACKAGE names a folder with an installed package: then tests run on that instead of the sources. HOLDFAST_SOURCES
// names a folder with a copy of the sources: scripts/faults/judge.ts.
import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { launchOptions } from './scripts/chromium.ts';
import { patience, secondAttempt } from './scripts/patience.ts';

const copy = process.env['HOLDFAST_SOURCES'];
const sources = copy ?? new URL('./packages/holdfast/src/', import.meta.url).pathname;

const alias = [
  // what tests import by its file
  ...(copy ? [{ find: /^(\.\.\/)+src\//, replacement: copy }] : []),
  { find: /^#env$/, replacement: `${sources}env.development.ts` },
  { find: /^holdfast\/react\/server$/, replacement: `${sources}react-server.ts` },
  { find: /^holdfast\/edit\/react$/, replacement: `${sources}edit-react.ts` },
  { find: /^holdfast\/local\/react$/, replacement: `${sources}local-react.ts` },
  { find: /^holdfast\/inspect\/react$/, replacement: `${sources}inspect-react.ts` },
  { find: /^holdfast\/testing\/react$/, replacement: `${sources}testing-react.ts` },
  { find: /^holdfast\/([a-z-]+)$/, replacement: `${sources}$1.ts` },
  { find: /^holdfast$/, replacement: `${sources}index.ts` },
];

const inBrowser = [
  'packages/*/test/**/*.test.tsx',
  'packages/*/test/**/*.browser.test.ts',
  'examples/tutorial/**/*.test.tsx',
];
const server = 'packages/holdfast/test/support/shared-server.ts';
const noFalseAlarm = 'packages/holdfast/test/support/no-false-alarm.ts';
const inNode = [
  'packages/*/test/**/*.test.ts',
  'packages/*/test/**/*.server.test.tsx',
  'apps/*/test/**/*.test.ts',
  'scripts/test/**/*.test.ts',
];
// what takes long and seldom breaks: `npm test` leaves it to `npm test -- --all`
const leftOut = process.env['HOLDFAST_QUICK']
  ? ['**/engine/depth.test.ts', '**/test/memory/**', '**/simulation/reference.test.ts']
  : [];
const notInNode = ['**/node_modules/**', '**/*.browser.test.ts', '**/test/package/**', ...leftOut];
// these change or measure the process that they run in
const ofOwnProcess = [
  'packages/holdfast/test/engine/frozen-builtins.test.ts',
  'packages/holdfast/test/memory/**/*.test.ts',
  'packages/holdfast/test/**/linear*.test.ts',
  // the highlighter compiles WebAssembly when it is imported, which fails where another file has replaced the globals of `fetch`
  'scripts/test/docs-site.test.ts',
];

export default defineConfig({
  resolve: { alias },
  // Name every dependency that browser tests load: one that Vite finds late reloads the page in the middle of
  // the run, which then hangs for a minute.
  optimizeDeps: {
    include: [
      'react',
      'react-dom',
      'react-dom/client',
      'react-dom/server.browser',
      'next/navigation.js',
      'react/jsx-runtime',
      'react/jsx-dev-runtime',
      '@testing-library/react',
      'react-hook-form',
      'zod',
      'fast-check',
      'bignumber.js',
      'temporal-polyfill',
    ],
  },
  test: {
    reporters: ['default', './scripts/plain-reporter.ts'],
    ...patience,
    coverage: { provider: 'v8', include: ['packages/holdfast/src/**'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: inNode,
          exclude: [...notInNode, ...ofOwnProcess],
          globalSetup: [server],
          setupFiles: [noFalseAlarm],
          // files follow each other in one process: the library has no state of its own that one could leave to the next
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          environment: 'node',
          include: ofOwnProcess,
          exclude: notInNode,
          globalSetup: [server],
        },
      },
      {
        // behaviour that is promised and not built yet: red on purpose, so no part of the checks
        extends: true,
        test: {
          name: 'planned',
          environment: 'node',
          include: ['packages/*/test/planned/**/*.planned.ts'],
          globalSetup: [server],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          ...secondAttempt,
          include: inBrowser,
          exclude: ['**/node_modules/**', '**/*.server.test.tsx', '**/test/package/**'],
          globalSetup: [server],
          setupFiles: ['packages/holdfast/test/support/act.ts', noFalseAlarm],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: launchOptions() }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          ...secondAttempt,
          environment: 'node',
          include: ['e2e/**/*.test.ts', 'bench/test/**/*.test.ts', 'packages/*/test/package/**/*.test.ts'],
          // the bench, whole but small, is part of `npm run nightly`
          exclude: [
            '**/node_modules/**',
            'e2e/engines/**',
            ...(process.env['NIGHTLY'] ? [] : ['bench/test/quick.test.ts']),
          ],
          // each of these drives a browser, a bundler or a benchmark of its own, and often waits: more than two starve each other
          maxWorkers: Math.min(2, availableParallelism()),
        },
      },
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            tsconfig: './tsconfig.json',
            include: ['packages/*/test/**/*.test-d.ts', 'packages/*/test/**/*.test-d.tsx'],
          },
        },
      },
    ],
  },
});
