// The pages that ship inside the package: every link in them leads to a file, in an editor and in node_modules.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slugify } from '../../../../scripts/docs/slugify.ts';
import { packLibrary } from '../../../../scripts/pack.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-pages-'));
const root = join(folder, 'package');

beforeAll(() => {
  execFileSync('tar', ['-xzf', packLibrary(folder), '-C', folder]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const withoutCode = (text: string): string => text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');

function anchorsOf(file: string): Set<string> {
  const text = readFileSync(file, 'utf8').replace(/^```[^]*?^```$/gm, '');
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugify(heading)));
}

interface Link {
  readonly page: string;
  readonly target: string;
}

function readLinks(): Link[] {
  return globSync('**/*.md', { cwd: root }).flatMap((page) =>
    [...withoutCode(readFileSync(join(root, page), 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => ({ page, target }))
      .filter(({ target }) => !/^(?:https?|mailto):/.test(target)),
  );
}

function isBroken({ page, target }: Link): boolean {
  const [path = '', anchor = ''] = target.split('#');
  const file = path === '' ? join(root, page) : join(root, dirname(page), path);
  return !existsSync(file) || (anchor !== '' && !anchorsOf(file).has(anchor));
}

test('every link of a page in the package leads to a file and a heading of the package', () => {
  const links = readLinks();

  expect(links.filter(isBroken)).toEqual([]);
  expect(links.length).toBeGreaterThan(100);
});

test('no page in the package includes a file that only the site has', () => {
  const pages = globSync('dist/docs/*.md', { cwd: root });

  expect(pages.filter((page) => /^<<< /m.test(readFileSync(join(root, page), 'utf8')))).toEqual([]);
  expect(pages.length).toBeGreaterThan(20);
});
