import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutComments } from './source-imports.ts';

const library = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>;
  dependencies?: Record<string, string>;
  sideEffects: boolean;
};
// `react-server.ts` is the entry `react/server`: a folder `react` at the root of src would be a stage
const nested = new Set(['edit-react', 'inspect-react', 'local-react', 'react-server', 'testing-react']);
const entries = readdirSync(join(library, 'src'), { withFileTypes: true })
  .filter((file) => file.isFile() && file.name.endsWith('.ts') && !file.name.startsWith('env.'))
  .map((file) => file.name.slice(0, -'.ts'.length));

test('each file at the root of src is one subpath export, and there is no other', () => {
  const expected = Object.fromEntries(
    entries.map((entry) => [
      entry === 'index' ? '.' : `./${nested.has(entry) ? entry.replace('-', '/') : entry}`,
      { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` },
    ]),
  );

  expect(manifest.exports).toEqual({ ...expected, './package.json': './package.json' });
});

test('entry files only re-export, by name, and client entries begin with the directive', () => {
  for (const entry of entries) {
    const text = readFileSync(join(library, 'src', `${entry}.ts`), 'utf8');
    const client = ['edit-react', 'inspect-react', 'local-react', 'react', 'next'].includes(entry);
    const rest = withoutComments(text)
      .replace(/^\s*'use client';/, '')
      .replace(/export\s+(?:type\s+)?\{[^}]*\}\s+from\s+'[^']+';/g, '')
      .replace(/export\s+\*\s+as\s+schema\s+from\s+'[^']+';/, '');

    expect(rest.trim(), `${entry}.ts holds more than re-exports`).toBe('');
    expect(/^(?:\/\/[^\n]*\n|\s)*'use client';/.test(text), `'use client' in ${entry}.ts`).toBe(client);
  }
});

test('the README of the package has a line for each entry, and for no other', () => {
  const readme = readFileSync(join(library, 'README.md'), 'utf8');
  const told = [...readme.matchAll(/^\| `(holdfast[\w/-]*)` \| \S/gm)].map(([, entry = '']) => entry);
  const paths = Object.keys(manifest.exports).filter((path) => path !== './package.json');

  expect(told.toSorted()).toEqual(paths.map((path) => `holdfast${path.slice(1)}`).toSorted());
});

test('the package has no runtime dependency and no side effects', () => {
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.sideEffects).toBe(false);
});

test('every source file starts with a comment about its purpose', () => {
  const silent = readdirSync(join(library, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => {
      const lines = readFileSync(join(library, 'src', file), 'utf8').split('\n');
      return !/^\/[/*]/.test(lines.find((line) => line.trim() !== '' && line !== `'use client';`) ?? '');
    });

  expect(silent).toEqual([]);
});
