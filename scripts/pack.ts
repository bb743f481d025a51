// Packs the built library as it would be published, and installs the tarball into a scratch folder.
// Used by the package checks, the tarball test run and the tests of test/package.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
// scripts off and no lock: a scratch application is made to be thrown away
const quiet = [
  '--no-audit',
  '--no-fund',
  '--no-package-lock',
  '--ignore-scripts',
  '--prefer-offline',
  '--loglevel=error',
];
const windows = process.platform === 'win32';

/** Where the tarball run installs the package: below node_modules, so that React is found above it. */
export const installedApp: string = join(root, 'node_modules/.cache/holdfast-tarball');

/** Packs into `folder` and gives the tarball's path. */
export function packLibrary(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(root, 'packages/holdfast'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: windows,
  });
  const packed: unknown = JSON.parse(output);
  // npm 11 prints a list; newer ones print an object by package name
  const [first] = Object.values(packed as Record<string, { filename: string }>);
  if (!first) throw new Error('npm pack named no tarball');
  return join(folder, first.filename);
}

/** Makes an empty application in `folder` with the tarball and the named packages installed in it. */
export function installInto(folder: string, tarball: string, packages: readonly string[] = []): void {
  mkdirSync(folder, { recursive: true });
  // the bundler's version is the repository's own: one whose binding for a platform is not published cannot start there
  const { overrides } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    overrides: { rolldown: string };
  };
  const scratch = {
    name: 'scratch',
    private: true,
    type: 'module',
    overrides: { rolldown: overrides.rolldown },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(scratch));
  execFileSync('npm', ['install', ...quiet, tarball, ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: windows,
  });
}

if (import.meta.main) {
  const tarballs = join(installedApp, '../holdfast-tarballs');
  for (const folder of [tarballs, installedApp]) rmSync(folder, { recursive: true, force: true });
  const tarball = packLibrary(tarballs);
  installInto(installedApp, tarball);
  console.log(`installed ${tarball.slice(root.length + 1)} into ${installedApp.slice(root.length + 1)}`);
}
