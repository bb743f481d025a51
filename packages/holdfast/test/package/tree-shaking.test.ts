import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { repository } from './readme-example.ts';

/** Modules of the built library that a production bundle of this code really contains, by path below dist. */
async function modulesOf(code: string, condition = 'production'): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: code, resolveDir: join(repository, 'apps/demo'), loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    conditions: [condition],
    external: ['react', 'react-dom', 'react/*', 'react-dom/*'],
    tsconfigRaw: {}, // the paths of the repository lead to the sources
    absWorkingDir: repository,
  });
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output?.inputs ?? {})
    .filter(([file, { bytesInOutput }]) => bytesInOutput > 0 && file.includes('holdfast/dist/'))
    .map(([file]) => file.replace(/^.*holdfast\/dist\//, ''))
    .sort();
}

const folders = (modules: readonly string[]): Set<string> =>
  new Set(modules.filter((file) => file.includes('/')).map((file) => file.split('/')[0] ?? ''));

test('schemas and store alone bundle no network, no controller and no React', async () => {
  const modules = await modulesOf(`import { Cache, Entity } from 'holdfast'; console.log(Cache, Entity);`);

  expect(folders(modules)).toContain('store');
  for (const folder of ['addons', 'bindings', 'dispatch', 'endpoint']) {
    expect(modules.filter((file) => file.startsWith(`${folder}/`))).toEqual([]);
  }
});

const application = `
  import { Entity, createResource } from 'holdfast';
  import { DataProvider, useSuspense, useController } from 'holdfast/react';
  console.log(Entity, createResource, DataProvider, useSuspense, useController);`;

test('an application that imports no add-on ships none', async () => {
  const modules = await modulesOf(application);

  expect(folders(modules)).toContain('bindings');
  expect(modules.filter((file) => file.startsWith('addons/'))).toEqual([]);
});

test('an application ships only the kinds of schema that it, or a resource, declares', async () => {
  const modules = await modulesOf(application);
  const kinds = ['all', 'choice-kind', 'lazy', 'map-form', 'polymorphic', 'query', 'union', 'values'];

  expect(modules).toContain('schema/collection/collection.js');
  expect(modules.filter((file) => kinds.some((kind) => file === `schema/kinds/${kind}.js`))).toEqual([]);
  expect(await modulesOf(`import { Values } from 'holdfast'; console.log(Values);`)).toContain(
    'schema/kinds/map-form.js',
  );
});

test('an application bundles nothing that only another import needs', async () => {
  const modules = await modulesOf(application);
  const elsewhere = [
    // the function that recognizes keys is bundled with mocks, or with a custom `testKey`
    'endpoint/test-key.js',
    // the poller is bundled with the hooks that subscribe
    'dispatch/polling-manager.js',
    'dispatch/default-managers.js',
    // managers are bundled with their names
    'dispatch/backoff.js',
    'dispatch/dev-tools-manager.js',
    'dispatch/log-manager.js',
    'dispatch/retry-manager.js',
    'dispatch/stream-manager.js',
    // the schemas of other libraries are bundled with `holdfast/validate`
    'schema/protocol/standard-schema.js',
    // resources of hooks, and endpoints around functions
    'endpoint/endpoint.js',
    'endpoint/hookify-resource.js',
    // a copy of an entity for forms
    'schema/entity/to-plain.js',
  ];

  expect(modules).toContain('endpoint/rest-pipeline.js');
  expect(modules.filter((file) => elsewhere.includes(file))).toEqual([]);
  const live = await modulesOf(`import { useLive } from 'holdfast/react'; console.log(useLive);`);
  expect(live).toContain('dispatch/polling-manager.js');
});

test('an application that distinguishes failures bundles no checked entities', async () => {
  const modules = await modulesOf(`import { attempt } from 'holdfast/validate'; console.log(attempt);`);

  expect(modules.filter((file) => file.startsWith('addons/'))).toEqual(['addons/validate/attempt.js']);
});

test('the message table is in a development bundle and not in a production one', async () => {
  const code = `import { HoldfastError } from 'holdfast'; console.log(HoldfastError);`;

  expect(await modulesOf(code, 'development')).toContain('support/messages.js');
  expect(await modulesOf(code, 'production')).not.toContain('support/messages.js');
});
