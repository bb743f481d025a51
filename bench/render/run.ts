// `npm run bench -- render [--quick] [--only=R3]`: the rendering scenarios in a headless Chromium.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright';

import { launchOptions } from '../../scripts/chromium.ts';
import { buildLibrary, productionOptions } from '../support/bundle.ts';
import { formatRatio, formatTable, trim } from '../support/format.ts';
import { readOptions } from '../support/options.ts';
import type { BenchOptions } from '../support/options.ts';
import { benchFolder, buildFolder } from '../support/paths.ts';
import { readResults, writeResults } from '../support/results.ts';
import { replaceOldJsxHelper } from './old-jsx-plugin.ts';
import type { RenderResult } from './result.ts';

const html =
  '<!doctype html><meta charset="utf-8"><title>bench</title><script src="/page.js" type="module"></script>';

/** Serves the page isolated from other origins: only then are the browser's clocks fine enough. */
async function servePage(script: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.writeHead(200, {
      'content-type': isScript ? 'text/javascript' : 'text/html',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    });
    response.end(isScript ? script : html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // cast: listening on a port
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

function print(result: RenderResult): void {
  const rows = result.entries.map((entry) => [
    `  ${entry.contestant}`,
    formatRatio(entry.timesReference.median),
    `(${trim(entry.timesReference.lower)}–${trim(entry.timesReference.upper)}; ${entry.timesReference.samples})`,
    `${trim(entry.milliseconds.median)} ms`,
    `(${trim(entry.milliseconds.lower)}–${trim(entry.milliseconds.upper)})`,
    `${entry.rows}`,
    `${entry.hooks}`,
  ]);
  const head = ['', 'of holdfast', 'quartiles; rounds', 'until the DOM', 'quartiles', 'rows', 'hooks'];
  console.log(`\n${result.id}  ${result.title}\n${formatTable([head, ...rows])}`);
}

/** Run the scenarios, each on a page of its own, and write results/render.json. */
export async function runRender(options: BenchOptions): Promise<void> {
  const outfile = join(buildFolder, 'render.js');
  await build({
    ...productionOptions,
    entryPoints: [join(benchFolder, 'render/page.ts')],
    outfile,
    platform: 'browser',
    plugins: [replaceOldJsxHelper(benchFolder)],
  });
  const server = await servePage(readFileSync(outfile, 'utf8'));
  const { args, ...launching } = launchOptions();
  // as in Node: garbage is collected between turns, and no compiled code is thrown away
  const browser = await chromium.launch({
    ...launching,
    args: [...args, '--js-flags=--expose-gc --no-flush-bytecode --retain-maps-for-n-gc=100000'],
    headless: true,
  });
  try {
    const open = async () => {
      const page = await browser.newPage();
      page.setDefaultTimeout(0);
      page.on('pageerror', (error) => console.error(error));
      await page.goto(server.url);
      await page.waitForFunction(() => window.scenarioIds.length > 0);
      return page;
    };
    const first = await open();
    const known = await first.evaluate(() => window.scenarioIds);
    await first.close();
    const wanted = known.filter((id) => options.only.length === 0 || options.only.includes(id));
    // a partial run replaces its own scenarios and keeps the others; each is kept as soon as it is measured
    let all =
      options.only.length > 0 ? (readResults<RenderResult[]>('render', options.quick)?.content ?? []) : [];
    for (const id of wanted) {
      const page = await open();
      const result = await page.evaluate(([name, quick]) => window.runScenario(name, quick), [
        id,
        options.quick,
      ] as const);
      await page.close();
      print(result);
      all = [...all.filter((other) => other.id !== id), result].toSorted(
        (left, right) => known.indexOf(left.id) - known.indexOf(right.id),
      );
      writeResults('render', options.quick, all);
    }
  } finally {
    await browser.close();
    server.close();
  }
}

if (import.meta.main) {
  const options = readOptions();
  buildLibrary(options.built);
  await runRender(options);
}
