import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findCycles, findSharedFeatures, findWrongDirections, folderOf, subfolderOf } from './rules.ts';
import { listSources, readImports, readSpecifiers } from './source-imports.ts';

const sources = join(import.meta.dirname, '../../src');
const stages = [
  'addons',
  'bindings',
  'controller',
  'dispatch',
  'endpoint',
  'normalize',
  'schema',
  'store',
  'support',
];

const features = [
  'auth',
  'edit',
  'http',
  'inspect',
  'lint',
  'local',
  'next',
  'pages',
  'presets',
  'server',
  'state',
  'testing',
  'validate',
];

/** Writes files into a scratch folder and reads their graph, to see the rules fail on planted violations. */
function plant(files: Record<string, string>): ReturnType<typeof readImports> {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-shape-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const imports = readImports(root);
  rmSync(root, { recursive: true });
  return imports;
}

test('every folder of the sources is a stage of the data flow', () => {
  const folders = new Set(listSources(sources).flatMap((file) => folderOf(file) ?? []));

  expect(folders.size).toBeGreaterThan(5);
  expect(stages).toEqual(expect.arrayContaining([...folders]));
});

test('every file of addons but the table of defaults is in the folder of one feature, and features import each other only as listed', () => {
  const addons = listSources(sources).filter(
    (file) => folderOf(file) === 'addons' && file !== 'addons/defaults.ts',
  );

  expect([...new Set(addons.map(subfolderOf))]).toEqual(features);
  expect(findSharedFeatures(readImports(sources))).toEqual([
    'http → validate',
    'inspect → validate',
    'local → validate',
    'next → server',
    'server → state',
  ]);
});

test('imports follow the alphabetical order, by value and by type, and no file imports an entry', () => {
  const imports = readImports(sources);

  // with an empty graph every rule would pass
  expect(imports.length).toBeGreaterThan(20);
  expect(imports.filter(({ to }) => !existsSync(join(sources, to)))).toEqual([]);
  expect(findWrongDirections(imports)).toEqual([]);
});

test('the library depends only on an optional framework, which only bindings and addons import', () => {
  const foreign = listSources(sources).flatMap((file) =>
    readSpecifiers(readFileSync(join(sources, file), 'utf8'))
      .filter(({ name }) => !name.startsWith('.') && name !== '#env')
      .filter(
        ({ name }) => !(/^(addons|bindings)\//.test(file) && /^(react|react-dom|vue|next)(\/|$)/.test(name)),
      )
      // the testing kit renders with the library that every React test has
      .filter(({ name }) => !(file.startsWith('addons/testing/render-') && name === '@testing-library/react'))
      .map(({ name, line }) => `${file}:${line} imports ${name}`),
  );

  expect(foreign).toEqual([]);
});

test('no folder has an import cycle inside', () => {
  expect(findCycles(readImports(sources))).toEqual([]);
});

test('the direction rule reports planted values, types, inline types and entry imports', () => {
  const imports = plant({
    'index.ts': `export { read } from './store/read.ts';`,
    'store/read.ts': `import { walk } from '../normalize/walk.ts';\nexport const read = walk;`,
    'store/row.ts': `import type { Walk } from '../normalize/walk.ts';\nexport type Row = Walk;`,
    'schema/kind.ts': `export type Kind = import('../endpoint/rest.ts').Rest;`,
    'support/late.ts': `export const late = () => import('../store/read.ts');`,
    'normalize/walk.ts': `import { read } from '../index.ts';\n// import { x } from '../addons/x.ts';\nexport const walk = read;`,
    'endpoint/rest.ts': `import { late } from '../support/late.ts';\nexport type Rest = typeof late;`,
    'schema/kinds/array.ts': `import type { Entity } from '../entity/entity.ts';\nexport type Items = Entity[];`,
    'schema/entity/entity.ts': `import { all } from '../namespace.ts';\nexport type Entity = typeof all;`,
    'schema/namespace.ts': `import type { Entity } from './entity/entity.ts';\nexport const all: Entity[] = [];`,
    'addons/auth/session.ts': `import type { Saved } from '../state/saved.ts';\nexport type Session = Saved;`,
    'addons/state/saved.ts': `import { restart } from '../server/restart.ts';\nexport type Saved = typeof restart;`,
    'addons/server/restart.ts': `import { read } from '../../store/read.ts';\nexport const restart = read;`,
  });

  expect(findSharedFeatures(imports)).toEqual(['auth → state', 'state → server']);
  expect(findWrongDirections(imports)).toEqual([
    'addons/state/saved.ts:1 → addons/server/restart.ts goes against the alphabet',
    'normalize/walk.ts:1 imports the entry file index.ts',
    'schema/entity/entity.ts:1 → schema/namespace.ts goes against the alphabet',
    'schema/kind.ts:1 → endpoint/rest.ts goes against the alphabet',
    'schema/kinds/array.ts:1 → schema/entity/entity.ts goes against the alphabet',
    'store/read.ts:1 → normalize/walk.ts goes against the alphabet',
    'store/row.ts:1 → normalize/walk.ts goes against the alphabet',
    'support/late.ts:1 → store/read.ts goes against the alphabet',
  ]);
});

test('the cycle rule reports a planted cycle once', () => {
  const imports = plant({
    'store/a.ts': `import type { B } from './b.ts';\nexport type A = B;`,
    'store/b.ts': `import { c } from './c.ts';\nexport type B = typeof c;`,
    'store/c.ts': `import type { A } from './a.ts';\nexport const c: A | 0 = 0;`,
    'store/d.ts': `import { c } from './c.ts';\nexport const d = c;`,
  });

  expect(findCycles(imports)).toEqual(['store/a.ts → store/b.ts → store/c.ts → store/a.ts']);
});

test('specifiers are read from every form of import', () => {
  const text = [
    `import './effect.ts';`,
    `import type {\n  A,\n  B,\n} from "./types.ts";`,
    `export * as schema from './namespace.ts';`,
    `export type { C } from './c.ts';`,
    `const later = await import('./later.ts');`,
    `/* import './comment.ts' */ export const from = 'word';`,
  ].join('\n');

  expect(readSpecifiers(text).map(({ name }) => name)).toEqual([
    './effect.ts',
    './types.ts',
    './namespace.ts',
    './c.ts',
    './later.ts',
  ]);
});
