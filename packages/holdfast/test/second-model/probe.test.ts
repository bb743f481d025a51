import { test } from 'vitest';
import { kindOf, playRandom, shrink } from './schedule.ts';
test('probe', async () => {
  const from = Number(process.env['FROM'] ?? 1), n = Number(process.env['N'] ?? 200);
  const counts = new Map<string, number>();
  const kinds = new Map<string, { n: number; seed: number; seeds: number[]; text: string }>();
  const t = performance.now();
  for (let seed = from; seed < from + n; seed++) {
    const r = await playRandom(seed, counts);
    if (!r.wrong.length) continue;
    const k = kindOf(r.wrong[0]!);
    const e = kinds.get(k) ?? { n: 0, seed, seeds: [], text: r.wrong[0]! };
    e.n++; e.seeds.push(seed); kinds.set(k, e);
  }
  console.log('ms', performance.now() - t, Object.fromEntries(counts));
  for (const [k, e] of [...kinds].sort((a, b) => b[1].n - a[1].n)) console.log(e.n, k, '|', e.seeds.slice(0, 8).join(), '|', e.text.slice(0, 200));
  const want = process.env['SHRINK'];
  for (const s of want ? want.split(',') : []) {
    const r = await playRandom(Number(s), new Map());
    const b = await shrink(r);
    console.log(`seed ${s} ${b.mode}\n  ` + b.lines.join('\n  ') + '\n  => ' + b.wrong.join('\n  => ').slice(0, 1500));
  }
});
