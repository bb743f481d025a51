import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messages } from '../../src/support/messages.ts';
import { listSources, withoutComments } from './source-imports.ts';

const library = join(import.meta.dirname, '../..');
const pages = join(library, '../../docs/errors.md');
const code = /(['"`])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\1/g;

function codesIn(file: string): string[] {
  return [...withoutComments(readFileSync(file, 'utf8')).matchAll(code)].map((found) => found[2] ?? '');
}

/** The codes of failed requests: their classes have the sentences. */
const ofRequests = codesIn(join(library, 'src/support/network-errors.ts'));
const table = [...Object.keys(messages), ...ofRequests].sort();
const thrown = [
  ...new Set(
    listSources(join(library, 'src'))
      .filter((file) => file !== 'support/messages.ts')
      .flatMap((file) => codesIn(join(library, 'src', file))),
  ),
].sort();

test('every code in the sources has a message, and every message has a code in the sources', () => {
  expect(table.length).toBeGreaterThan(5);
  expect(thrown).toEqual(table);
});

test('every code has one heading in docs/errors.md, with a cause and a solution below it', () => {
  const text = existsSync(pages) ? readFileSync(pages, 'utf8') : '';
  const sections = text.split(/^## (?=[A-Z0-9_]+$)/m).slice(1);

  expect(sections.map((section) => section.split('\n')[0] ?? '').sort()).toEqual(table);
  const thin = sections.filter(
    (section) => !/\*\*Cause\.\*\* \S/.test(section) || !/\*\*Cure\.\*\* \S/.test(section),
  );
  expect(thin.map((section) => section.split('\n')[0] ?? '')).toEqual([]);
});

test('every code is triggered by a test', () => {
  const tests = readdirSync(join(library, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.startsWith('shape'))
    .map((file) => readFileSync(join(library, 'test', file), 'utf8'))
    .join('\n');

  expect(table.filter((each) => !tests.includes(each))).toEqual([]);
});
