// The sentences of the inspector are filled by the names of members. The build shortens some members, and then a sentence has a gap
// that only the built package shows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { internalNames } from '../../../../scripts/internal-names.list.ts';

test('no word that a sentence leaves open is a name that the build shortens', () => {
  const texts = readFileSync(join(import.meta.dirname, '../../src/addons/inspect/sentences.ts'), 'utf8');
  const words = [...texts.matchAll(/\{([a-z]+)\}/gi)].map(([, word = '']) => word);

  expect(words.length).toBeGreaterThan(50);
  expect(words.filter((word) => internalNames.includes(word))).toEqual([]);
});
