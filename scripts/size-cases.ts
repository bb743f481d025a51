// What the size check bundles, and how: for production, minified, React outside.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const library = join(root, 'packages/holdfast');
const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
};

export interface Case {
  readonly name: string;
  readonly code: string;
  readonly target?: string;
  /** Bytes of gzip: what was reached when this was written, rounded up. */
  readonly limit?: number;
  /** The name of an earlier case: the limit is then for what this case adds to that one. */
  readonly above?: string;
}

const entries: Case[] = Object.keys(manifest.exports)
  .filter((path) => path !== './package.json')
  .map((path) => `holdfast${path.slice(1)}`)
  .map((name) => ({ name, code: `import * as all from '${name}'; console.log(all);` }));

const application = `import { Entity, createResource } from 'holdfast';
      import { DataProvider, useSuspense, useController } from 'holdfast/react';
      console.log(Entity, createResource, DataProvider, useSuspense, useController);`;

/** What an application pays for one more import. */
const parts: readonly Case[] = [
  { name: 'useMutation', entry: 'holdfast/react', limit: 650 },
  { name: 'errorText', entry: 'holdfast', limit: 505 },
  { name: 'withOptions', entry: 'holdfast', limit: 400 },
  { name: 'snakeCase', entry: 'holdfast', limit: 600 },
  { name: 'useIsFetching', entry: 'holdfast/react', limit: 180 },
  { name: 'useIsMutating', entry: 'holdfast/react', limit: 180 },
].map(({ name, entry, limit }) => ({
  name: `with ${name}`,
  code: `${application} import { ${name} } from '${entry}'; console.log(${name});`,
  above: 'an application',
  limit,
}));

const withRoles = `${application} import { byRole } from 'holdfast'; console.log(byRole({ q: 'search' }));`;

/** Roles of arguments, and what each preset adds to them. */
const roles: Case[] = [
  { name: 'with byRole', code: withRoles, above: 'an application', limit: 500 },
  ...['djangoRest', 'feathers', 'github', 'jsonServer017', 'jsonServer1'].map((preset) => ({
    name: `with the preset ${preset}`,
    code: `${withRoles} import { ${preset} } from 'holdfast/presets'; console.log(${preset});`,
    above: 'with byRole',
    limit: 320,
  })),
];

/** Those that have a limit stand first. */
export const cases: readonly Case[] = [
  {
    // 160 B of it halve what a write allocates (row W5), and 100 B are rules about late responses (decision 010)
    name: 'an application',
    code: application,
    target: '<= 30 kB gzip',
    limit: 41_065,
  },
  {
    name: 'schemas and store alone',
    code: `import { Cache, Entity, schema } from 'holdfast'; console.log(Cache, Entity, schema);`,
    target: '<= 17 kB gzip',
    limit: 22_985,
  },
  {
    // what is loaded with the page: the panel is a chunk of its own
    name: 'with the inspector',
    code: `${application} import { inspect } from 'holdfast/inspect'; console.log(inspect);`,
    above: 'an application',
    limit: 10_345,
  },
  {
    name: 'with its panel, once open',
    code: `${application} import { inspect, mountPanel } from 'holdfast/inspect'; console.log(inspect, mountPanel);`,
    above: 'an application',
    limit: 21_850,
  },
  {
    name: 'an application, signed in',
    code: `import { Entity, createResource } from 'holdfast';
      import { AuthManager, localSession } from 'holdfast/auth';
      import { DataProvider, useSuspense, useController } from 'holdfast/react';
      console.log(Entity, createResource, DataProvider, useSuspense, useController, AuthManager, localSession);`,
    limit: 43_510,
  },
  {
    name: 'an application that obeys headers',
    code: `${application} import { HttpSemantics, linked } from 'holdfast/http';
      console.log(HttpSemantics, linked);`,
    limit: 50_525,
  },
  {
    name: 'with failures by type',
    code: `${application} import { attempt, failedWith, failureOf } from 'holdfast/validate';
      console.log(attempt, failedWith, failureOf);`,
    limit: 41_690,
  },
  {
    name: 'with checked data',
    code: `${application} import { check, EntityOf, getRefused } from 'holdfast/validate';
      console.log(check, EntityOf, getRefused);`,
    limit: 44_870,
  },
  ...parts,
  {
    name: 'with edits',
    code: `${application} import { edit } from 'holdfast/edit';
      import { useEdit } from 'holdfast/edit/react';
      console.log(edit, useEdit);`,
    limit: 43_770,
  },
  {
    // 90 B of it for the changes that are found and placed by the items: a third of the time of Q3
    name: 'with local queries',
    code: `${application} import { local, watchLocal } from 'holdfast/local';
      import { useLocal } from 'holdfast/local/react';
      console.log(local, watchLocal, useLocal);`,
    above: 'an application',
    limit: 3_545,
  },
  {
    name: 'with summaries and details',
    code: `${application} import { pick } from 'holdfast/local'; import { useCovered } from 'holdfast/local/react';
      console.log(pick, useCovered);`,
    above: 'an application',
    limit: 2_920,
  },
  {
    name: 'with whyComplete',
    code: `${application} import { whyComplete } from 'holdfast/local'; console.log(whyComplete);`,
    above: 'an application',
    limit: 680,
  },
  {
    name: 'with inverse relations',
    code: `${application} import { inverse } from 'holdfast/local';
      console.log(inverse);`,
    above: 'an application',
    limit: 1_010,
  },
  {
    name: 'with all of holdfast/local',
    code: `${application} import { inverse, local, pick, watchLocal, whyComplete } from 'holdfast/local';
      import { useCovered, useLocal } from 'holdfast/local/react';
      console.log(inverse, local, pick, watchLocal, whyComplete, useCovered, useLocal);`,
    above: 'an application',
    limit: 7_745,
  },
  {
    name: 'with bulk requests',
    code: `${application} import { BatchManager, failure, success } from 'holdfast/edit';
      console.log(BatchManager, failure, success);`,
    limit: 41_960,
  },
  {
    name: 'with transactions',
    code: `${application} import { transaction, TransactionError } from 'holdfast/edit';
      console.log(transaction, TransactionError);`,
    above: 'an application',
    limit: 3_690,
  },
  {
    name: 'with undo',
    code: `${application} import { history } from 'holdfast/edit'; console.log(history);`,
    above: 'an application',
    limit: 4_260,
  },
  {
    name: 'with all of edit',
    code: `${application}
      import { BatchManager, edit, failure, history, success, transaction, TransactionError } from 'holdfast/edit';
      import { useEdit } from 'holdfast/edit/react';
      console.log(BatchManager, edit, failure, history, success, transaction, TransactionError, useEdit);`,
    above: 'an application',
    limit: 8_050,
  },
  ...roles,
  ...entries,
];

export async function bundle(code: string): Promise<string> {
  const result = await build({
    stdin: { contents: code, resolveDir: root, loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['production'],
    external: [
      'react',
      'react-dom',
      'react/*',
      'react-dom/*',
      'vue',
      'next',
      'next/*',
      '@testing-library/*',
      'node:*',
    ],
    // the repository's own paths would bundle the sources with their development half
    tsconfigRaw: {},
    logLevel: 'silent',
  });
  return result.outputFiles[0]?.text ?? '';
}
