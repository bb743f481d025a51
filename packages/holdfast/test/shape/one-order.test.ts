// The order of the store is decided in one file: no other file compares two of its times.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSources, withoutComments } from './source-imports.ts';

const sources = join(import.meta.dirname, '../../src');

/** The files that may compare times. */
const ORDER = [
  'store/order.ts',
  // the clock that gives the times out
  'store/timeline.ts',
  // the default of the hook `shouldReorder`, which compares two metas of the contract
  'schema/collection/collection.ts',
  'schema/entity/entity.ts',
  // the header `Date`
  'addons/http/expiry-headers.ts',
  'support/header-values.ts',
];
const MARK =
  '(?:sent|settled|fence|writeSent|unknownWriteSent|fetchedAt|date|deletedAt|changedByReadAt|staleSince|staleAt|listsStaleAt|tablesStaleAt|unnamedWriteAt|writtenAt|firstPageChangedAt|invalidatedAt|oldestOpen(?:\\(\\))?|afterCall|timeline\\.last)';
const COMPARED = new RegExp(
  `\\b${MARK}[\\])!]*\\s+[<>]=?\\s|\\s[<>]=?\\s+[\\w.?!(]*\\b${MARK}\\b|Math\\.(?:max|min)\\([^()]*\\b${MARK}\\b`,
);

function comparisonsIn(text: string): string[] {
  return withoutComments(text)
    .split('\n')
    .filter((line) => COMPARED.test(line));
}

test('no file but the order compares two times of the store', () => {
  const found = listSources(sources)
    .filter((file) => !ORDER.includes(file) && !file.startsWith('addons/lint/'))
    .flatMap((file) =>
      comparisonsIn(readFileSync(join(sources, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

test('the check sees comparisons of every form, and no type parameter', () => {
  expect(comparisonsIn('if (origin.sent < row.deletedAt) return;')).toHaveLength(1);
  expect(comparisonsIn('const is = stamps.get(name)!.fence >= since;')).toHaveLength(1);
  expect(comparisonsIn('const later = Math.max(at, list.staleSince);')).toHaveLength(1);
  expect(comparisonsIn('if (since > timeline.oldestOpen()) return;')).toHaveLength(1);
  expect(comparisonsIn('const found: Map<string, number> = new Map<string, number>();')).toEqual([]);
});
