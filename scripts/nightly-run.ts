// How the nightly run divides its time, and what it tells in the end. It starts processes and reads the clock only through what it
// is given, so that a test can be its night.
import type { Part } from './nightly.list.ts';

/** What one run leaves to the next: node_modules/.cache, never committed. */
export interface Memory {
  /** Seconds that a part was due and has not had yet. */
  due: Record<string, number>;
  /** Pieces per second of a counted part, as last seen; seconds of the others. */
  pace: Record<string, number>;
  /** How many seeds of a day a part has used. */
  used: { day: number; counts: Record<string, number> };
  /** The slice that a part made of slices goes on with, from 0. */
  slice: Record<string, number>;
}

export const emptyMemory = (): Memory => ({ due: {}, pace: {}, used: { day: 0, counts: {} }, slice: {} });

/** Seconds for each part that runs; the others have none, and are due more the next time. */
export function divideTime(parts: readonly Part[], seconds: number, memory: Memory): Map<Part, number> {
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0);
  for (const { name, weight } of parts)
    memory.due[name] = (memory.due[name] ?? 0) + (seconds * weight) / weights;
  const dueOf = ({ name }: Part): number => memory.due[name] ?? 0;
  const needOf = (part: Part): number =>
    part.counted || part.slices ? part.leastSeconds : (memory.pace[part.name] ?? part.leastSeconds);
  const urgent = parts.toSorted((a, b) => dueOf(b) / needOf(b) - dueOf(a) / needOf(a));
  const shares = new Map<Part, number>();
  let left = seconds;
  for (const part of urgent) {
    // the most urgent one runs even where the time is too short for anything
    if (shares.size > 0 && (dueOf(part) < needOf(part) || needOf(part) > left)) continue;
    shares.set(part, Math.min(left, needOf(part)));
    left -= shares.get(part)!;
  }
  // the rest goes to those that can always use more, by what they are still due
  const open = [...shares.keys()].filter(({ counted, slices }) => counted ?? slices);
  const stillDue = (part: Part): number => Math.max(0.001, dueOf(part) - needOf(part));
  const sum = open.reduce((total, part) => total + stillDue(part), 0);
  for (const part of open) shares.set(part, shares.get(part)! + (left * stillDue(part)) / sum);
  for (const [part, share] of shares) memory.due[part.name] = Math.max(0, dueOf(part) - share);
  return shares;
}

export interface Slice {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The command of a slice with its numbers in place. */
function fill(part: Part, numbers: Readonly<Record<string, string>>): Slice {
  const put = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => numbers[name] ?? '');
  const env = Object.entries(part.env ?? {}).map(([name, text]) => [name, put(text)] as const);
  return { command: put(part.command), env: Object.fromEntries(env) };
}

/** As one types it. */
export function asTyped({ command, env }: Slice): string {
  const typed = command.replace(/(^|&& )(vitest|node) /g, '$1npx $2 ');
  return [...Object.entries(env).map(([name, value]) => `${name}=${value}`), typed].join(' ');
}

export interface Night {
  readonly parts: readonly Part[];
  /** Undefined: everything, however long it takes. */
  readonly seconds?: number | undefined;
  readonly memory: Memory;
  /** Days since some day: where the seeds come from. */
  readonly day: number;
  /** The first seed, and how many pieces, where somebody names them. */
  readonly seed?: number | undefined;
  readonly count?: number | undefined;
  /** Runs a slice to its end, or kills it after so many seconds. */
  run(slice: Slice, limitSeconds: number): Promise<{ isGood: boolean; output: string }>;
  /** Makes what parts need, and gives the names of what could not be made. */
  build(names: readonly string[]): Promise<readonly string[]>;
  /** In seconds. */
  now(): number;
  say(text: string): void;
  /** Called after every slice, so that a run that is ended from outside has not forgotten. */
  remember(memory: Memory): void;
}

interface Row {
  readonly part: string;
  seconds: number;
  slices: number;
  count: number;
  seeds: string;
  failures: number;
  result: string;
}

/** Seeds of different days never meet, as long as a day uses fewer. */
const SEEDS_PER_DAY = 1_000_000;
const DAYS = 2_000;
/** What takes this many times as long as planned hangs. */
const HANGS = 5;
const HANGS_AT_LEAST_SECONDS = 180;
const WHOLE_LIMIT_SECONDS = 6 * 3_600;
/** A failing part stops after so many failures: more of them say nothing new. */
const MOST_FAILURES = 3;
const SHOWN_LINES = 60;
/** A part that has less than this of what it was given, because others took longer, waits for the next run. */
const TOO_SHORT = 0.3;

/** Runs a night; whether all of it was good. */
export async function runNight(night: Night): Promise<boolean> {
  const { parts, memory, say } = night;
  if (memory.used.day !== night.day) memory.used = { day: night.day, counts: {} };
  const rows: Row[] = parts.map(({ name }) => ({
    part: name,
    seconds: 0,
    slices: 0,
    count: 0,
    seeds: '',
    failures: 0,
    result: 'not run',
  }));
  const started = night.now();
  const shares =
    night.seconds === undefined
      ? new Map(parts.map((part) => [part, Infinity]))
      : divideTime(parts, night.seconds, memory);
  night.remember(memory);
  const missing = await night.build([...new Set([...shares.keys()].flatMap(({ needs }) => needs ?? []))]);
  let planned = [...shares.values()].reduce((sum, share) => sum + share, 0);
  for (const [part, share] of shares) {
    // what was built, and what took longer or shorter than planned, is shared by all that are still to come
    const left = (night.seconds ?? Infinity) - (night.now() - started);
    const seconds = night.seconds === undefined ? Infinity : (share * Math.max(0, left)) / planned;
    planned -= share;
    const row = rows.find(({ part: name }) => name === part.name)!;
    if (seconds < share * TOO_SHORT) {
      memory.due[part.name] = (memory.due[part.name] ?? 0) + share;
      continue;
    }
    const lost = (part.needs ?? []).filter((name) => missing.includes(name));
    if (lost.length > 0) {
      row.failures += 1;
      row.result = `FAILED: ${lost.join(', ')} failed`;
      continue;
    }
    await runPart(night, part, row, seconds);
    row.result = row.failures > 0 ? `FAILED: ${row.failures}` : 'passed';
  }
  night.remember(memory);
  say(`\n${tableOf(rows)}`);
  return rows.every(({ failures }) => failures === 0);
}

async function runPart(night: Night, part: Part, row: Row, seconds: number): Promise<void> {
  const { memory, now, say } = night;
  const started = now();
  const left = (): number => seconds - (now() - started);
  say(`\n=== ${part.name}${seconds === Infinity ? '' : `, ${Math.round(seconds)} s`}`);
  let doneSlices = 0;
  for (;;) {
    const count = countOf(night, part, left(), row);
    const used = memory.used.counts[part.name] ?? 0;
    const seed = night.seed ?? (night.day % DAYS) * SEEDS_PER_DAY + used;
    const at = memory.slice[part.name] ?? 0;
    const isAll = part.slices !== undefined && seconds === Infinity;
    const slice = fill(part, {
      count: String(count),
      seed: String(seed),
      slice: isAll ? '' : `${at + 1}/${part.slices}`,
    });
    const begun = now();
    const limit =
      seconds === Infinity ? WHOLE_LIMIT_SECONDS : Math.max(HANGS_AT_LEAST_SECONDS, HANGS * left());
    const { isGood, output } = await night.run(slice, limit);
    const took = Math.max(0.001, now() - begun);
    row.slices += 1;
    row.seconds += took;
    if (part.counted) {
      row.count += count;
      const first = row.seeds.split('…')[0] || String(seed);
      if (slice.command.includes(String(seed)) || Object.values(slice.env).includes(String(seed)))
        row.seeds = `${first}…${seed + count - 1}`;
      memory.used.counts[part.name] = used + count;
      // a slice that failed has also shrunk its failures
      if (isGood) memory.pace[part.name] = count / took;
    } else if (part.slices) {
      row.count = row.slices;
      if (!isAll) memory.slice[part.name] = (at + 1) % part.slices;
    } else memory.pace[part.name] = took;
    night.remember(memory);
    if (!isGood) {
      row.failures += 1;
      await tellFailure(night, part, slice, output);
    }
    doneSlices += 1;
    if (seconds === Infinity || night.count !== undefined || (!part.counted && !part.slices)) return;
    if (row.failures >= MOST_FAILURES || doneSlices === part.slices) return;
    // a rest that is shorter than half of a useful slice, or than what the last slice of a list took, is left to the others
    if (left() < Math.max(part.leastSeconds / 2, part.slices ? row.seconds / row.slices : 0)) return;
  }
}

/** How many pieces the rest of the time has room for. */
function countOf(night: Night, { name, counted }: Part, left: number, { slices }: Row): number {
  if (!counted) return 1;
  if (night.count !== undefined) return night.count;
  if (left === Infinity) return counted.whole;
  const pace = night.memory.pace[name];
  if (pace === undefined) return counted.first;
  // the pace of another night may mislead: a first slice of half the time corrects it
  const room = Math.floor(pace * left * (slices === 0 ? 0.5 : 0.9));
  return Math.max(1, Math.min(room, counted.most ?? room));
}

/** Prints what a slice said, repeats the failure alone if its output names it, and prints the command for that. */
async function tellFailure({ run, say }: Night, part: Part, slice: Slice, output: string): Promise<void> {
  const env = part.counted?.repeat?.(output);
  const small = env && { command: slice.command, env: { ...slice.env, ...env } };
  let said = output;
  let shown = slice;
  if (small) {
    const again = await run(small, HANGS_AT_LEAST_SECONDS);
    if (again.isGood) say('the failure alone does not fail: the whole slice does');
    else [said, shown] = [again.output, small];
  }
  say(said.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n'));
  say(`FAILED: ${part.name}\nrepeat it with:\n  ${asTyped(shown)}`);
}

function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ part, seconds, slices, count, seeds, result }) => [
    part,
    slices === 0 ? '' : `${Math.round(seconds)} s`,
    slices === 0 ? '' : String(slices),
    count === 0 ? '' : String(count),
    seeds,
    result,
  ]);
  const all = [['part', 'time', 'slices', 'count', 'seeds', 'result'], ...cells];
  const widths = all[0]!.map((_, at) => Math.max(...all.map((row) => row[at]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
