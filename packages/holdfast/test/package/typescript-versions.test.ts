import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installInto, packLibrary } from '../../../../scripts/pack.ts';
import { pinned, readExample, repository } from './readme-example.ts';

// The declarations are read by compilers older than the one that wrote them: the oldest supported one. Later ones are
// part of `npm run nightly`, which sets NIGHTLY.
const isNightly = process.env['NIGHTLY'] !== undefined;
const compilers = { 'ts-5.4': '5.4.5', ...(isNightly && { 'ts-5.9': '5.9.3', 'ts-6.0': '6.0.3' }) };
const app = mkdtempSync(join(tmpdir(), 'holdfast-typescript-'));
const typeTests = join(import.meta.dirname, '../types');
const patterns = join(repository, 'docs/patterns');

// our type tests, failing calls included, and the documented patterns, as an application would compile them
function writeConsumers(): string[] {
  const { version } = JSON.parse(
    readFileSync(join(repository, 'node_modules/expect-type/package.json'), 'utf8'),
  ) as { version: string };
  writeFileSync(
    join(app, 'vitest-names.ts'),
    `export { expectTypeOf } from 'expect-type';
     export declare function describe(name: string, run: () => void): void;
     export declare function test(name: string, run: () => unknown): void;`,
  );
  const files = [
    ...readdirSync(typeTests)
      .filter((name) => /^endpoint.*\.test-d\.ts$/.test(name))
      .map((name) => join(typeTests, name)),
    ...readdirSync(patterns).map((name) => join(patterns, name)),
  ].filter((file) => file.endsWith('.ts'));
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replace(`from 'vitest'`, `from './vitest-names.js'`);
    writeFileSync(join(app, basename(file)), text);
  }
  return [`expect-type@${version}`];
}

beforeAll(() => {
  installInto(app, packLibrary(join(app, 'packed')), [
    ...['react', '@types/react', 'react-dom', '@types/react-dom'].map(pinned),
    ...writeConsumers(),
    ...Object.entries(compilers).map(([alias, version]) => `${alias}@npm:typescript@${version}`),
  ]);
  writeFileSync(join(app, 'main.tsx'), readExample());
});
afterAll(() => rmSync(app, { recursive: true, force: true }));

function compile(alias: string, moduleResolution: 'bundler' | 'nodenext'): string {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable', ...(alias === 'ts-5.4' ? [] : ['esnext.disposable'])],
    module: moduleResolution === 'nodenext' ? 'nodenext' : 'esnext',
    moduleResolution,
    jsx: 'react-jsx',
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] }));
  try {
    return execFileSync(process.execPath, [join(app, 'node_modules', alias, 'bin/tsc'), '-p', app], {
      encoding: 'utf8',
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

test.each([
  ['ts-5.4', 'nodenext'],
  ...(isNightly
    ? ([
        ['ts-6.0', 'nodenext'],
        ['ts-6.0', 'bundler'],
        ['ts-5.9', 'bundler'],
      ] as const)
    : []),
] as const)('%s accepts the declarations in %s resolution', (alias, moduleResolution) => {
  const lines = compile(alias, moduleResolution).split('\n');

  // the declarations of React are not part of this test
  expect(lines.filter((line) => line !== '' && !line.includes('@types/'))).toEqual([]);
});
