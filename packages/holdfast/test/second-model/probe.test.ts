import { test } from 'vitest';
import { appendFileSync } from 'node:fs';
import { kindOf, playRandom, shrink } from './schedule.ts';
test('probe', async () => {
  const from = Number(process.env['FROM'] ?? 1),
    n = Number(process.env['N'] ?? 200),
    want = process.env['SHRINK'];
  const out = (line: string) => appendFileSync(process.env['OUT'] ?? '/tmp/second.out', line + '\n');
  const counts = new Map<string, number>();
  const t = performance.now();
  const seen = new Map<string, number>();
  let bad = 0;
  const seeds = want ? want.split(',').map(Number) : Array.from({ length: n }, (_, i) => from + i);
  for (const seed of seeds) {
    const r = await playRandom(seed, counts);
    if (!r.wrong.length) continue;
    bad++;
    const k = kindOf(r.wrong[0]!);
    const c = (seen.get(k) ?? 0) + 1;
    seen.set(k, c);
    if (c > Number(process.env['MAX'] ?? 1e9)) {
      out(`seed ${seed} not shrunk: ${r.wrong[0]}`);
      continue;
    }
    const b = await shrink(r);
    out(
      `seed ${seed} ${b.mode}\n  ` +
        b.lines.join('\n  ') +
        '\n  => ' +
        b.wrong.map((w) => w.slice(0, 250)).join('\n  => '),
    );
  }
  console.log('bad', bad, 'ms', performance.now() - t, JSON.stringify(Object.fromEntries(counts)));
  console.log(JSON.stringify([...seen]));
}, 1e7);
