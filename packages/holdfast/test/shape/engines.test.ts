// The sources may use only features of every supported engine, that of React Native included. The compiler refuses unknown
// functions (`lib` in tsconfig.json), the linter refuses globals (.oxlintrc.json), and this file looks for Unicode properties in
// regular expressions.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const library = join(import.meta.dirname, '../..');
const folder = join(library, '../../node_modules/.cache', `holdfast-engines-${process.pid}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lacking = [
  '[1].toSorted()',
  '[1].toReversed()',
  '[1].with(0, 1)',
  '[1].findLast(Boolean)',
  'Object.groupBy([1], String)',
  'Promise.withResolvers()',
  'new Set([1]).union(new Set())',
  'new Map().values().map(String)',
  'Array.fromAsync([1])',
  '/[a]/v',
];

test('a function that an engine lacks does not compile in the sources', () => {
  mkdirSync(folder, { recursive: true });
  const lines = ['[1].at(-1)', "Object.hasOwn({}, 'a')", ...lacking];
  const code = lines.map((expression, at) => `export const value${at}: unknown = ${expression};`).join('\n');
  writeFileSync(join(folder, 'main.ts'), code);
  const config = { extends: join(library, 'tsconfig.json'), include: ['main.ts'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));

  const { stdout } = spawnSync('tsc', ['-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });

  const refused = [...stdout.matchAll(/^main\.ts\((\d+),/gm)].map(([, line]) => lines[Number(line) - 1]);
  expect(refused).toEqual(lacking);
});

test('no regular expression of the sources uses a Unicode property', () => {
  const found = globSync('src/**/*.ts', { cwd: library }).filter((file) =>
    /\\[pP]\{/.test(readFileSync(join(library, file), 'utf8')),
  );

  expect(found).toEqual([]);
});
