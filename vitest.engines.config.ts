// Runs the browser tests, the sessions in tabs and one visit of the demo in Firefox and in WebKit. An engine that is not installed stays out:
// scripts/engines.ts, which starts this run, says so and counts it.
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import type { BrowserProviderOption } from 'vitest/node';
import { engineNames, isInstalled, launchEngine } from './scripts/engines.ts';
import type { Engine, EngineName } from './scripts/engines.ts';
import { patience } from './scripts/patience.ts';
import base from './vitest.config.ts';

/** Vitest's own page, opened in an engine: it runs the tests and reports them by itself. */
const provider = (name: EngineName): BrowserProviderOption => ({
  name: `engine-${name}`,
  options: {},
  serverFactory: playwright().serverFactory,
  providerFactory(project) {
    let engine: Promise<Engine> | undefined;
    // no test is about the size of the page
    project.browser?.registerCommand('__vitest_viewport' as never, () => undefined as never); // casts: a name of Vitest's own
    return {
      name: `engine-${name}`,
      supportsParallelism: false,
      getCommandsContext: () => ({}),
      async openPage(_session, url) {
        engine ??= launchEngine(name);
        await (await engine).open(url);
      },
      close: async () => (await engine)?.close(),
    };
  },
});

const hooks = (name: EngineName): TestProjectInlineConfiguration => ({
  resolve: base.resolve ?? {},
  optimizeDeps: base.optimizeDeps ?? {},
  cacheDir: `node_modules/.vite-${name}`,
  test: {
    name: `hooks-${name}`,
    ...patience,
    include: ['packages/*/test/**/*.test.tsx', 'packages/*/test/**/*.browser.test.ts'],
    exclude: ['**/node_modules/**', '**/*.server.test.tsx', '**/test/package/**'],
    globalSetup: ['packages/holdfast/test/support/shared-server.ts'],
    setupFiles: ['packages/holdfast/test/support/act.ts'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: provider(name),
      instances: [{ browser: name }],
    },
  },
});

const pages = (name: EngineName): TestProjectInlineConfiguration => ({
  test: {
    name: `pages-${name}`,
    ...patience,
    include: ['e2e/sessions.test.ts', 'e2e/engines/*.test.ts'],
    env: { HOLDFAST_ENGINE: name },
    fileParallelism: false,
  },
});

const installed = engineNames.filter((name) => isInstalled[name]());
export default defineConfig({
  test: {
    reporters: ['default', './scripts/plain-reporter.ts'],
    projects: installed.flatMap((name) => [hooks(name), pages(name)]),
  },
});
