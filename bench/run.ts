// `npm run bench [-- --quick]`: every part, then the report. The parts can also run alone: bench:engine,
// bench:growth, bench:render, bench:memory, bench:size, bench:types, bench:report.
import { runEngine } from './engine/run.ts';
import { runGrowth } from './growth/run.ts';
import { runMemory } from './memory/run.ts';
import { runRender } from './render/run.ts';
import { runReport } from './report/run.ts';
import { runSize } from './size/run.ts';
import { buildLibrary } from './support/bundle.ts';
import { readOptions } from './support/options.ts';
import { runTypes } from './types/run.ts';

const options = readOptions();
const startMs = performance.now();
buildLibrary(options.built);
await runSize(options);
await runEngine(options);
await runGrowth(options);
await runMemory(options);
await runRender(options);
await runTypes(options);
runReport(options.quick);
console.log(`\nfinished in ${Math.round((performance.now() - startMs) / 1000)} s`);
