// The deliberate faults of scripts/faults.list.ts are edits of texts: one whose text is no longer there could not be made.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAULTS } from '../../../../scripts/faults.list.ts';

test('every deliberate fault finds its place in the sources, exactly once', () => {
  const lost = FAULTS.filter(({ file, find }) => {
    const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
    return text.split(find).length !== 2;
  });
  expect(lost.map(({ name, file }) => `${file}: ${name}`)).toEqual([]);
});
