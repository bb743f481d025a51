// Weighs one contestant in this process: heap used after a collection, before and after. Bundled and started
// by memory/run with --expose-gc, one process per contestant, so that nobody pays for another's shapes.
import { writeFileSync } from 'node:fs';

import { contestants } from '../contestants/all.ts';
import { takeResponse } from '../contestants/contestant.ts';
import type { Contestant } from '../contestants/contestant.ts';
import { createItemRows } from '../payloads/flat.ts';
import { countEntities, createPostRows } from '../payloads/nested.ts';
import { readSpread } from '../support/statistics.ts';
import type { LargeResponseResult, MemoryResult } from './result.ts';

const FLAT_ROWS = 10_000;
const NESTED_POSTS = 1000;
const LARGE_ROWS = 250_000;
const QUICK_SHARE = 0.02;

const [task = '', name = '', path = '', mode = ''] = process.argv.slice(2);
const isQuick = mode === 'quick';

/** Several collections, because weak references and finalizers need more than one. */
function weighHeap(): number {
  for (let round = 0; round < 4; round += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

interface Weighable {
  write(rows: never): void;
  take?(rows: never): void;
  read(): readonly unknown[];
}

// Payloads come from text, as responses do, and are dropped: only what the contestant keeps is weighed.
function weighOnce(create: () => Weighable, text: string): { stored: number; read: number } {
  const before = weighHeap();
  const kept: unknown[] = [];
  const store = create();
  kept.push(store);
  takeResponse(store, JSON.parse(text) as never); // cast: the payload of this contestant's own shape
  const stored = weighHeap() - before;
  kept.push(store.read());
  const read = weighHeap() - before;
  if (kept.length !== 2) throw new Error('kept alive until here');
  return { stored, read };
}

/** The median of three, after one that is thrown away: code, shapes and shared tables are there by then. */
function weigh(create: () => Weighable, text: string): { stored: number; read: number } {
  weighOnce(create, text);
  const runs = Array.from({ length: isQuick ? 1 : 3 }, () => weighOnce(create, text));
  const median = (values: number[]) => readSpread(values).median;
  return { stored: median(runs.map((run) => run.stored)), read: median(runs.map((run) => run.read)) };
}

function weighShapes(contestant: Contestant, share: number): MemoryResult[] {
  const results: MemoryResult[] = [];
  if (contestant.flat && !contestant.isFloor) {
    const entities = Math.round(FLAT_ROWS * share);
    const { stored, read } = weigh(contestant.flat, JSON.stringify(createItemRows(entities)));
    results.push({
      contestant: contestant.name,
      shape: 'flat',
      entities,
      stored: stored / entities,
      read: read / entities,
    });
  }
  if (contestant.nested && !contestant.isFloor) {
    const posts = Math.round(NESTED_POSTS * share);
    const entities = countEntities(posts);
    const { stored, read } = weigh(contestant.nested, JSON.stringify(createPostRows(posts)));
    results.push({
      contestant: contestant.name,
      shape: 'nested',
      entities,
      stored: stored / entities,
      read: read / entities,
    });
  }
  return results;
}

/** The objects JSON.parse made, and nothing else. */
const parsedJson: Contestant = {
  name: 'JSON.parse',
  flat: () => createHolder(),
  nested: () => createHolder(),
};
function createHolder() {
  let held: readonly unknown[] = [];
  return {
    write(rows: readonly unknown[]) {
      held = rows;
    },
    read: () => held,
  };
}

function measureLargeResponse(contestant: Contestant, share: number): LargeResponseResult | undefined {
  const create = contestant.flat;
  if (!create) return undefined;
  const rows = Math.round(LARGE_ROWS * share);
  const text = `[${createItemRows(rows)
    .map((row) =>
      JSON.stringify({
        id: row.id,
        title: row.title,
        summary: row.summary,
        price: row.price,
        active: row.active,
        category: row.category,
        owner: row.owner,
      }),
    )
    .join(',')}]`;
  const before = weighHeap();
  const startMs = performance.now();
  let input: unknown = JSON.parse(text);
  const parsedMs = performance.now();
  const store = create();
  takeResponse(store, input as never); // cast: rows of this shape, three fields fewer
  const list = store.read();
  const endMs = performance.now();
  input = undefined;
  const keptBytes = weighHeap() - before;
  if (list.length !== rows || input !== undefined) throw new Error(`${contestant.name} lost rows`);
  return {
    contestant: contestant.name,
    rows,
    textBytes: text.length,
    parseMs: parsedMs - startMs,
    storeAndReadMs: endMs - parsedMs,
    keptBytes,
  };
}

const share = isQuick ? QUICK_SHARE : 1;
const all = [...contestants, parsedJson];
if (task === 'list') {
  console.log(
    all
      .filter((contestant) => contestant.flat && !contestant.isFloor)
      .map((contestant) => contestant.name)
      .join(','),
  );
} else {
  const contestant = all.find((candidate) => candidate.name === name);
  if (!contestant) throw new Error(`no contestant ${name}`);
  const result =
    task === 'large' ? [measureLargeResponse(contestant, share)] : weighShapes(contestant, share);
  writeFileSync(path, JSON.stringify(result));
}
process.exit(0); // peers keep timers that would hold the process
