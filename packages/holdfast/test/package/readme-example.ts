// Extracts the example from the README, so that the published text is the tested code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const repository: string = join(import.meta.dirname, '../../../..');

/** The code block that follows the mark in the README. */
export function readExample(): string {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const [, example] = /<!-- example:[^>]*-->\s*```tsx\n([\s\S]*?)```/.exec(readme) ?? [];
  if (!example) throw new Error('README.md has no marked example');
  return example;
}

/** The exact version that the root manifest pins, so that a scratch application uses the locked packages. */
export function pinned(name: string): string {
  const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const version = manifest.devDependencies[name];
  if (!version) throw new Error(`${name} is not pinned in the root manifest`);
  return `${name}@${version}`;
}
