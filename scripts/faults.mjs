// Puts deliberate faults into a copy of the library, one at a time, and lets a model judge each copy. A fault that nobody
// notices is a hole in the tests. `npm run faults` runs all, `npm run faults -- <word>` those whose name holds the word,
// `npm run faults -- --lists` those that the model of lists judges (`--several`, `--map`, `--second`, `--sources`, `--inspected`,
// `--sessions`, `--checks` and `--http` likewise), `npm run faults -- 1/2` every second one from the first, for a process on each
// core. Each fault is a small edit: a file, a text that stands there exactly once, and its replacement.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { FAULTS } from './faults.list.ts';

const root = new URL('..', import.meta.url).pathname;
const sources = join(root, 'packages/holdfast/src');
const schedules = Number(process.env['FAULT_SCHEDULES'] ?? 4_000);
const wanted = process.argv[2] ?? '';
const regressions = join(root, 'packages/holdfast/test/simulation/regressions');
const named = readdirSync(regressions)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(regressions, name), 'utf8')).schedule);

/** The simulator and a copy of the library in one file, so that each copy is a module of its own. */
async function loadJudge(copy) {
  const outfile = join(copy, 'judge.mjs');
  await build({
    entryPoints: [join(root, 'packages/holdfast/test/simulation/judge.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    logLevel: 'error',
    alias: {
      'holdfast/inspect': join(copy, 'src/inspect.ts'),
      'holdfast/auth': join(copy, 'src/auth.ts'),
      'holdfast/http': join(copy, 'src/http.ts'),
      'holdfast/validate': join(copy, 'src/validate.ts'),
      holdfast: join(copy, 'src/index.ts'),
      '#env': join(copy, 'src/env.development.ts'),
    },
  });
  return import(pathToFileURL(outfile).href);
}

/** The first violation in a copy within so many schedules of a judge; without a name the simulator judges. */
async function judgeCopy(copy, by, count) {
  const judges = await loadJudge(copy);
  const byName = {
    lists: judges.judgeLists,
    several: judges.judgeSeveral,
    map: judges.judgeMap,
    second: judges.judgeSecond,
    sources: judges.judgeSources,
    inspected: judges.judgeInspected,
    sessions: judges.judgeSessions,
    checks: judges.judgeChecks,
    http: judges.judgeHttp,
  };
  return by ? byName[by](count) : judges.judge(count, named);
}

/** How many schedules of a judge the library itself has passed. */
const sound = new Map();

/** Throws where the library itself fails within so many schedules: then the fault is not what was caught. */
async function proveSound(by, count) {
  if ((sound.get(by) ?? 0) >= count) return;
  const copy = mkdtempSync(join(tmpdir(), 'holdfast-sound-'));
  try {
    cpSync(sources, join(copy, 'src'), { recursive: true });
    const { message, schedules: at } = await judgeCopy(copy, by, count);
    if (message) throw new Error(`without the fault, schedule ${at} fails too: ${message.split('\n')[0]}`);
    sound.set(by, count);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function applyFault(copy, { file, find, replace }) {
  const path = join(copy, 'src', file);
  const text = readFileSync(path, 'utf8');
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`${file} holds the text of this fault ${count} times: ${find}`);
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
}

let missed = 0;
const [, first, of] = /^(\d+)\/(\d+)$/.exec(wanted) ?? [];
const faults = FAULTS.filter((fault, index) => {
  if (of) return index % of === first - 1;
  return wanted.startsWith('--') ? fault.by === wanted.slice(2) : fault.name.includes(wanted);
});
if (faults.length === 0) throw new Error(`no such faults: ${wanted}`);
for (const fault of faults) {
  const copy = mkdtempSync(join(tmpdir(), 'holdfast-fault-'));
  try {
    cpSync(sources, join(copy, 'src'), { recursive: true });
    applyFault(copy, fault);
    const verdict = await judgeCopy(copy, fault.by, schedules);
    if (!verdict.message) missed++;
    const by = verdict.message?.split('\n')[0].slice(0, 140);
    if (!verdict.message) console.log(`MISSED: ${fault.name}`);
    else {
      await proveSound(fault.by, verdict.schedules);
      console.log(`caught after ${verdict.schedules}: ${fault.name}\n    ${by}`);
    }
  } catch (error) {
    missed++;
    console.log(`BROKEN: ${fault.name}\n    ${error.message}`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
console.log(`${faults.length - missed} of ${faults.length} faults caught`);
process.exitCode = missed > 0 ? 1 : 0;
