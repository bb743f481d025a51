// What takes too long for every change: `npm run nightly` runs all of scripts/nightly.list.ts, which takes hours, and
// `npm run nightly -- --minutes=60` divides an hour over the parts by weight. Seeds come from the date; what a part was due and has
// not had, and the seeds and slices that it has used, are kept for the next run. `npm run nightly -- simulator lists` runs those
// parts alone, `--count=200000 --seed=12345` so many from that seed. It ends with a table, and with 1 if anything failed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { emptyMemory, runNight } from './nightly-run.ts';
import type { Memory, Slice } from './nightly-run.ts';
import { PARTS } from './nightly.list.ts';

const root = join(import.meta.dirname, '..');
const kept = join(root, 'node_modules/.cache/holdfast-nightly.json');
const MS_PER_DAY = 86_400_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string' }, count: { type: 'string' }, seed: { type: 'string' } },
});

function numberOf(name: 'minutes' | 'count' | 'seed'): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name}=${text} is no number above 0`);
  return number;
}
const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(', ')}`);
const minutes = numberOf('minutes');
const parts = PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

function recall(): Memory {
  try {
    return { ...emptyMemory(), ...(JSON.parse(readFileSync(kept, 'utf8')) as Memory) };
  } catch {
    return emptyMemory();
  }
}

const env = { ...process.env, PATH: join(root, 'node_modules/.bin') + delimiter + process.env['PATH'] };
const isWindows = process.platform === 'win32';

function run(slice: Slice, limitSeconds: number): Promise<{ isGood: boolean; output: string }> {
  return new Promise((resolve) => {
    // a group of its own, so that a slice that hangs ends with everything that it has started
    const child = spawn(slice.command, {
      cwd: root,
      shell: true,
      detached: !isWindows,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env, ...slice.env },
    });
    const said: Buffer[] = [];
    const end = (): void => {
      if (isWindows || child.pid === undefined) child.kill();
      else process.kill(-child.pid, 'SIGKILL');
    };
    const stop = (): void => {
      end();
      process.exit(130);
    };
    const timer = setTimeout(() => {
      said.push(Buffer.from(`\nstopped: it took more than ${Math.round(limitSeconds)} s\n`));
      end();
    }, limitSeconds * 1_000);
    process.once('SIGINT', stop);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => said.push(text));
    child.on('close', (status) => {
      clearTimeout(timer);
      process.off('SIGINT', stop);
      resolve({ isGood: status === 0, output: Buffer.concat(said).toString() });
    });
  });
}

const isGood = await runNight({
  parts,
  seconds: minutes === undefined ? undefined : minutes * 60,
  memory: recall(),
  day: Math.floor(Date.now() / MS_PER_DAY),
  seed: numberOf('seed'),
  count: numberOf('count'),
  run,
  build: async (names) =>
    names.filter((name) => {
      console.log(`making ${name}`);
      return spawnSync(process.execPath, ['scripts/check.ts', name], { cwd: root, env }).status !== 0;
    }),
  now: () => performance.now() / 1_000,
  say: (text) => console.log(text),
  remember(memory) {
    mkdirSync(dirname(kept), { recursive: true });
    writeFileSync(kept, JSON.stringify(memory));
  },
});
process.exitCode = isGood ? 0 : 1;
