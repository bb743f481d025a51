// Lists in pages and orders, in many settings: see test/simulation/list-model.ts.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { checkLists, setting } from '../simulation/list-model.ts';
import type { Setting } from '../simulation/list-model.ts';
import { checkMap, MAP_STEPS, mapSetting } from '../simulation/map-model.ts';
import { checkSeveral, SEVERAL_STEPS, severalSetting } from '../simulation/several-lists.ts';

const isLong = process.env['RUNS'] !== undefined;
const runs = Number(process.env['RUNS'] ?? 70);
// the same runs every time; the nightly gives other seeds
const seed = Number(process.env['PROPERTY_SEED'] ?? 1);

/** Former failures: steps by their kinds, with the place, the lane and the rank, which is 0 if none is given. */
function once(way: Setting['way'], steps: string): Setting {
  const read = (step: string): Setting['steps'][number] => {
    const [, kind = '', at, lane = 'a', rank = 0] = /^([a-z]+)(\d)([ab])?(?::(\d))?$/.exec(step) ?? [];
    return { kind: kind as Setting['steps'][number]['kind'], at: Number(at), rank: Number(rank), lane }; // cast: written below
  };
  return { way, isOrdered: true, isOptimistic: false, isAlone: false, steps: steps.split(' ').map(read) };
}

const examples: [Setting][] = [
  // a restored total that no reader shows is saved again after a write
  [once('cursor', 'restore0 detail2 deliver2 lane2b deliver2 restore0')],
  // a row is added while pages in front of the first are read again
  [
    once(
      'end',
      'create0 more0 deliver0 deliver0 more0 deliver0 more0 deliver0 more0 deliver0 read0 deliver0 create0 deliver0',
    ),
  ],
  // a row leaves after its page was read, and before the other pages are
  [
    once(
      'middle',
      'more0 deliver0 read0 deliver0 lane0 deliver0 more3 deliver0 remove4 deliver0 more3 deliver0 rank4 more0 deliver4 ' +
        'read0 deliver0 remove5 deliver5 read0 lane5b',
    ),
  ],
  // a row moves between two pages of one response, which therefore has it twice
  [{ ...once('cursor', 'more0 deliver0 read0 deliver0 rank0:3 deliver7'), isAlone: true }],
  // a page has the new fields of a row whose former position came with another page
  [
    {
      ...once(
        'offset',
        'rank0 deliver0 more0 deliver0 rank0 deliver0 more0 deliver0 rank4 more0 deliver4 deliver3 rank0:4 more0 deliver0 deliver0',
      ),
      isOptimistic: true,
      isAlone: true,
    },
  ],
];

test('a fresh list equals the list of the server as far as it is loaded, with pages, orders and races', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await fc.assert(fc.asyncProperty(setting, checkLists), {
    numRuns: runs,
    seed,
    examples,
  });
  warn.mockRestore();
}, 3_600_000);

/** Prints how often each step was played, in a long run; a step that was never played fails the run. */
function expectPlayed(what: string, steps: readonly string[], played: ReadonlyMap<string, number>): void {
  const lines = steps.map((step) => `  ${step.padEnd(10)}${String(played.get(step) ?? 0).padStart(9)}`);
  if (isLong) console.log([`steps of the model of ${what}`, ...lines].join('\n'));

  // a few settings need not reach every step
  if (runs >= 500) expect(steps.filter((step) => !played.has(step))).toEqual([]);
}

test('a fresh list among several lists over one table equals that of the server, whatever crosses on the way', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const played = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(severalSetting, (given) => checkSeveral(given, played)),
    { numRuns: runs, seed },
  );
  warn.mockRestore();
  expectPlayed('several lists', SEVERAL_STEPS, played);
}, 3_600_000);

test('a fresh map and a fresh All equal those of the server, whatever crosses on the way', async () => {
  const played = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(mapSetting, (given) => checkMap(given, played)),
    { numRuns: runs, seed },
  );
  expectPlayed('maps', MAP_STEPS, played);
}, 3_600_000);
