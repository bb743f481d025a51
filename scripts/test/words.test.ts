// The pages and the texts of errors use the words of the glossary, and none that the glossary replaces.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { docs } from '../docs/pages.ts';
import { findReplacedWords, ordinary, readReplacedWords, readTexts, refused } from '../docs/words.ts';

test('no page and no text of an error has a word that the glossary replaces', () => {
  expect(readTexts().flatMap(findReplacedWords)).toEqual([]);
});

test('each word that the glossary replaces is refused, or is ordinary English too', () => {
  const replaced = readReplacedWords(readFileSync(join(docs, 'glossary.md'), 'utf8'));

  expect(replaced.length).toBeGreaterThan(10);
  expect(replaced.filter((word) => !(word in refused) && !ordinary.includes(word))).toEqual([]);
});

test('a replaced word is found in a sentence, and not in code, in an address or in an anchor', () => {
  const text = [
    'The answer is stored.',
    '`answer()` and [a link](writes.md#answers) <a id="an-answer"></a>',
    '```ts',
    'const answer = 1;',
    '```',
    'It takes the row back.',
  ].join('\n');

  expect(findReplacedWords({ name: 'docs/x.md', text })).toEqual([
    'docs/x.md:1: answer: The answer is stored.',
    'docs/x.md:6: take back: It takes the row back.',
  ]);
});
