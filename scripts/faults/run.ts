// Puts faults into a copy of the library, one at a time, and has each judged. A fault that nobody notices is a hole in the tests, or
// code that does nothing.
//   npm run faults                             the faults of list.ts, each by the model that the list names
//   npm run faults -- WORD                     those whose name holds the word
//   npm run faults -- --by=lists               those that a model judges: see MODELS in list.ts
//   npm run faults -- 1/2                      every second one from the first, for a process on each core
//   npm run faults -- --check                  only finds the places of all, and tells which have moved or are lost
//   npm run faults -- --mutants store/order    twenty small changes, at random, of the files whose path holds the text
// Mutants are judged by the tests of the contract and of their folder; `--tests=conformance,lists` names other folders, for faults
// too, `--by=map` a model. `--count=50 --seed=7` tries fifty of seed 7. `--schedules=500` lets models play less than four thousand.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { library } from '../declarations.ts';
import type { Order, Verdict } from './judge.ts';
import { FAULTS, MODELS } from './list.ts';
import type { Model } from './list.ts';
import { mutationsOf } from './mutations.ts';
import { applyEdit, findEdit, readSources } from './place.ts';
import type { Edit, Source } from './place.ts';

interface Trial {
  readonly name: string;
  readonly edit: Edit;
  readonly by: Order['by'];
}

/** The tests that should notice a mutant in a folder, beside those of the contract. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'addons/pages/': ['controller', 'lists'],
  'addons/validate/': ['engine', 'validate'],
  'controller/': ['controller', 'writes', 'lists'],
  'endpoint/': ['endpoint', 'writes'],
  'schema/': ['engine', 'lists', 'validate'],
};

/** Code that cannot run: such a fault says nothing of the tests. */
const CRASH = /\b(ReferenceError|SyntaxError)\b/;

/** A loop without end: no time limit inside its process stops it. */
const LIMIT_MS = { tests: 180_000, model: 1_200_000 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    by: { type: 'string' },
    mutants: { type: 'string' },
    tests: { type: 'string' },
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    schedules: { type: 'string', default: '4000' },
  },
});
const model = values.by as Model | undefined; // cast: checked on the next line
if (model !== undefined && !Object.hasOwn(MODELS, model)) throw new Error(`no such model: ${model}`);
const sources = readSources(join(library, 'src'));

/** The faults of the list that have a place; tells about the others. */
function pinned(wanted: string): readonly Trial[] {
  const [, first, of] = /^(\d+)\/(\d+)$/.exec(wanted) ?? [];
  const faults = FAULTS.filter(({ name, by }, index) => {
    if (model && (by ?? 'simulator') !== model) return false;
    return of ? index % Number(of) === Number(first) - 1 : name.includes(wanted);
  });
  if (faults.length === 0) throw new Error(`no such faults: ${wanted}`);
  const taken = new Set(FAULTS.map((fault) => fault.in));
  const found = faults.flatMap(({ name, by = 'simulator', ...spot }): Trial[] => {
    const place = findEdit(sources, spot, taken);
    if ('edit' in place) {
      if (place.movedTo) console.log(`moved from ${spot.file} to ${place.movedTo}: ${name}`);
      return [{ name, edit: place.edit, by: values.tests?.split(',') ?? by }];
    }
    process.exitCode = 1;
    console.log(`LOST: ${name}\n    ${spot.file}: ${place.lost}`);
    return [];
  });
  console.log(`${found.length} of ${faults.length} faults have their place`);
  return found;
}

/** Some of the mutants of the files whose path holds the text. */
function mutants(word: string): readonly Trial[] {
  const files = sources.filter(({ file }) => file.includes(word) && !file.endsWith('.types.ts'));
  const all = files.flatMap((source) => mutationsOf(source).map((edit) => ({ source, edit })));
  const random = createRandom(Number(values.seed));
  const drawn = all.map((mutant) => ({ ...mutant, rank: random() })).toSorted((a, b) => a.rank - b.rank);
  const chosen = drawn.slice(0, Number(values.count));
  console.log(`seed ${values.seed}: ${chosen.length} of ${all.length} mutants in ${files.length} files`);
  return chosen.map(({ source, edit }) => {
    const folders = values.tests?.split(',') ?? [
      'conformance',
      ...(Object.entries(FOLDERS).find(([folder]) => source.file.startsWith(folder))?.[1] ?? []),
    ];
    return { name: describeMutant(source, edit), edit, by: model ?? folders };
  });
}

function describeMutant({ file, code }: Source, edit: Edit): string {
  const line = code.slice(0, edit.start).split('\n').length;
  const from = code.lastIndexOf('\n', edit.start) + 1;
  const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
  const rest = code.slice(edit.end).split('\n', 1)[0] ?? '';
  const before = oneLine(code.slice(from, edit.end) + rest);
  return `${file}:${line}\n    ${before}\n    ${oneLine(code.slice(from, edit.start) + edit.text + rest)}`;
}

/** Numbers in [0, 1), the same for the same seed. */
function createRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function judgeAll(trials: readonly Trial[]): Promise<void> {
  let caught = 0;
  // beside the sources, where the copy finds what it imports
  const copy = join(library, `.faults-${process.pid}`);
  const bench = new Bench(copy);
  try {
    cpSync(join(library, 'src'), join(copy, 'src'), { recursive: true });
    for (const { name, edit, by } of trials) {
      const { schedules, ...verdict } = await bench.judge(by, Number(values.schedules), edit);
      // a mutant that cannot be built or loaded, or that names nothing, is noticed; a fault of the list is wrong then
      const isMutant = values.mutants !== undefined;
      const message = verdict.message ?? (isMutant ? verdict.error : undefined);
      const crash = CRASH.test(verdict.message ?? '') ? verdict.message : undefined;
      const error = isMutant ? undefined : (verdict.error ?? crash);
      const wrong = error ?? (message === undefined ? undefined : await bench.doubt(by, schedules));
      if (wrong !== undefined) console.log(`BROKEN: ${name}\n    ${wrong}`);
      else if (message === undefined) console.log(`MISSED: ${name}`);
      else {
        caught += 1;
        const after = schedules > 0 ? ` after ${schedules}` : '';
        console.log(`caught${after}: ${name}\n    ${message.split('\n')[0]?.slice(0, 140)}`);
      }
    }
  } finally {
    bench.end();
    rmSync(copy, { recursive: true, force: true });
  }
  console.log(`${caught} of ${trials.length} faults caught`);
  if (caught < trials.length) process.exitCode = 1;
}

/** The copy, and the process that judges it. */
class Bench {
  readonly #copy: string;
  #judge: ChildProcess | undefined;
  /** What stood changed in the copy at the last order. */
  #restored: readonly string[] = [];
  /** How many schedules of a judge the library itself has passed. */
  readonly #passed = new Map<string, number>();

  constructor(copy: string) {
    this.#copy = copy;
  }

  /** The verdict on the copy with this edit, or without any. */
  async judge(by: Order['by'], schedules: number, edit?: Edit): Promise<Verdict> {
    const path = join(this.#copy, 'src', edit?.file ?? 'index.ts');
    const text = readFileSync(path, 'utf8');
    if (edit) writeFileSync(path, applyEdit(text, edit));
    const changed = edit ? [edit.file] : [];
    const order = { copy: this.#copy, changed: [...changed, ...this.#restored], by, schedules };
    this.#restored = changed;
    try {
      return await this.#ask(order);
    } finally {
      writeFileSync(path, text);
    }
  }

  /** Why what was caught may not be the fault: the library itself fails within so many schedules. */
  async doubt(by: Order['by'], schedules: number): Promise<string | undefined> {
    const name = String(by);
    if ((this.#passed.get(name) ?? -1) >= schedules) return undefined;
    const { message, error, schedules: at } = await this.judge(by, schedules);
    const wrong = error ?? message;
    if (wrong !== undefined) return `without the fault, schedule ${at} fails too: ${wrong.split('\n')[0]}`;
    this.#passed.set(name, schedules);
    return undefined;
  }

  end(): void {
    this.#judge?.kill();
  }

  async #ask(order: Order): Promise<Verdict> {
    const judge = (this.#judge ??= fork(join(import.meta.dirname, 'judge.ts')));
    const limitMs = typeof order.by === 'string' ? LIMIT_MS.model : LIMIT_MS.tests;
    let isEndless = false;
    const timer = setTimeout(() => {
      isEndless = true;
      judge.kill('SIGKILL');
    }, limitMs);
    try {
      return await new Promise<Verdict>((resolve) => {
        judge.once('message', (verdict: Verdict) => resolve(verdict));
        judge.once('exit', (code, signal) => {
          this.#judge = undefined;
          resolve({
            schedules: 0,
            ...(isEndless
              ? { message: 'a run without end' }
              : { error: `its process ended: ${code ?? signal}` }),
          });
        });
        judge.send(order);
      });
    } finally {
      clearTimeout(timer);
      judge.removeAllListeners('message').removeAllListeners('exit');
    }
  }
}

const trials = values.mutants === undefined ? pinned(positionals[0] ?? '') : mutants(values.mutants);
if (!values.check) await judgeAll(trials);
