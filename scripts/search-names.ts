// `npx node scripts/search-names.ts [seconds]`: which short name each internal member gets decides how well the package compresses. Swaps
// two names at a time, or one with a name that nobody has, and keeps what makes the bundles of the size check smaller, those above
// their limits first; writes short-names.json, which the build reads.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundle, cases } from './size-cases.ts';

const list = join(import.meta.dirname, 'short-names.json');
const seconds = Number(process.argv[2] ?? 300);

const build = (env: Record<string, string>): string =>
  execFileSync('node', [join(import.meta.dirname, 'build-library.ts')], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
// a build in which no short name can be taken for anything else
const { names, free } = JSON.parse(build({ NAMES: 'marked' })) as {
  names: Record<string, string>;
  free: string[];
}; // cast: printed by the build
const marks = new Map(Object.keys(names).map((name, at) => [`Zq${String(at).padStart(3, '0')}`, name]));
const texts = await Promise.all(
  cases.flatMap(({ code, limit, above }) =>
    limit && !above ? bundle(code).then((text) => ({ limit, parts: text.split(/(Zq\d{3})/) })) : [],
  ),
);
/** What a byte above a limit counts. */
const WEIGHT_ABOVE = 20;

const sizeOf = (): number =>
  texts.reduce((sum, { limit, parts }) => {
    const text = parts.map((part) => names[marks.get(part) ?? ''] ?? part).join('');
    const size = gzipSync(text, { level: 9 }).length;
    return sum + size + Math.max(0, size - limit) * WEIGHT_ABOVE;
  }, 0);

const used = [...new Set(texts.flatMap(({ parts }) => parts).flatMap((part) => marks.get(part) ?? []))];
const any = (count: number): number => Math.floor(Math.random() * count);
const before = sizeOf();
let best = before;
for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
  const one = used[any(used.length)]!; // there are some
  const other = used[any(used.length * 2)];
  const place = any(free.length);
  const swap = (): void => {
    if (other) [names[one], names[other]] = [names[other]!, names[one]!]; // both are listed
    else [names[one], free[place]] = [free[place]!, names[one]!]; // there are hundreds
  };
  swap();
  const size = sizeOf();
  if (size > best) swap();
  else best = size;
}
console.log(
  `${before} bytes of gzip before, ${best} now; a byte above a limit counts as ${WEIGHT_ABOVE + 1}`,
);
writeFileSync(list, `${JSON.stringify(names, Object.keys(names).sort(), 2)}\n`);
build({});
