// One word per idea: a type is declared once, and the glossary stays short enough to be read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSources, withoutComments } from './source-imports.ts';

const sources = join(import.meta.dirname, '../../src');
const glossary = join(import.meta.dirname, '../../../../docs/glossary.md');

/** The names that are declared as a type in more than one file, each with its files. */
function declaredTwice(files: ReadonlyMap<string, string>): string[] {
  const places = new Map<string, Set<string>>();
  for (const [file, text] of files)
    for (const [, name = ''] of withoutComments(text).matchAll(
      /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm,
    ))
      places.set(name, (places.get(name) ?? new Set()).add(file));
  return [...places].filter(([, at]) => at.size > 1).map(([name, at]) => `${name}: ${[...at].join(', ')}`);
}

test('a type name is declared once', () => {
  const files = listSources(sources).map(
    (file) => [file, readFileSync(join(sources, file), 'utf8')] as const,
  );

  expect(declaredTwice(new Map(files))).toEqual([]);
});

test('the rule reports a type that two files declare, and ignores comments', () => {
  const files = new Map([
    ['store/a.ts', 'export interface Fields {}\n// type Rows\n'],
    ['store/b.ts', 'type Fields = object;\ntype Rows = object;'],
  ]);

  expect(declaredTwice(files)).toEqual(['Fields: store/a.ts, store/b.ts']);
});

test('the glossary has at most sixty words', () => {
  const words = new Set(readFileSync(glossary, 'utf8').match(/\*\*[^*]+\*\*/g));

  expect(words.size).toBeGreaterThan(40);
  expect(words.size).toBeLessThanOrEqual(60);
});
