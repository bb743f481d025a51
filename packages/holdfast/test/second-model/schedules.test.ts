// Random schedules of the second model: fresh data is the data of the server. SIM_SECOND: how many; SIM_BASE: the first seed.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { playRandom, shrink } from './schedule.ts';
import { READ_ENDS, WRITE_ENDS } from './server.ts';
const WORDS = [
  ...'mount leave fetch more invalidate handle deliver render hydrate part foreign tell idle rest'.split(' '),
  ...'PATCH PUT DELETE POST of-items of-counted of-number of-offset of-cursor of-hand of-users'.split(' '),
  ...READ_ENDS.map((end) => `read-${end}`),
  ...WRITE_ENDS.map((end) => `write-${end}`),
];
function wordsOf(line: string): string[] {
  const [verb = '', target = '', , end] = line.split(' ');
  const ended = end && /handle|deliver/.test(verb) ? [`${target === 'GET' ? 'read' : 'write'}-${end}`] : [];
  return [verb, ...ended, `of-${/\/(\w+)/.exec(line)?.[1]}`];
}
test('fresh data equals the data of the server, in random schedules that reach every step', async () => {
  const counts = Object.fromEntries(WORDS.map((word) => [word, 0]));
  const [base, count] = [Number(process.env['SIM_BASE'] ?? 1), Number(process.env['SIM_SECOND'] ?? 200)];
  for (let seed = base; seed < base + count; seed += 1) {
    const played = await playRandom(seed);
    if (played.wrong.length > 0)
      expect.fail(`seed ${seed}: ${JSON.stringify(await shrink(played), null, 1)}`);
    for (const word of played.lines.flatMap(wordsOf)) if (word in counts) counts[word]! += 1;
  }
  console.log('steps of the second model:', JSON.stringify(counts));
  expect(WORDS.filter((word) => count >= 200 && counts[word] === 0)).toEqual([]);
}, 1e7);
test('the second model is small, and imports nothing of the first one', () => {
  const read = (name: string): string => readFileSync(`${import.meta.dirname}/${name}`, 'utf8');
  const texts = readdirSync(import.meta.dirname).map(read);
  const text = texts.join('');
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(600);
  const names = Array.from(text.matchAll(/^(?:import|}).* from '(.*)';$/gm), ([, name]) => name);
  expect(names.filter((name) => !/^(\.\/[a-z]+\.ts|holdfast|vitest|node:fs)$/.test(name ?? ''))).toEqual([]);
});
