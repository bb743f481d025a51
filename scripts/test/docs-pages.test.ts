// The documentation's code is what it says: every block compiles as a reader pastes it, shown messages are the compiler's, shown
// outputs are those of a run, and the table of default numbers has those of the sources.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaults } from '../../packages/holdfast/src/index.ts';
import { checkBlocks } from '../docs/check-blocks.ts';
import { docs, readBlocks, readPages } from '../docs/pages.ts';
import { runBlock } from '../docs/run-blocks.ts';
import { slugify } from '../docs/slugify.ts';

const pages = readPages('{*.md,decisions/*.md}');

test('every block of a page compiles when it is pasted, and wrong ones give the errors that the page shows', () => {
  const { problems, expected } = checkBlocks(pages);

  expect(problems).toEqual([]);
  expect(expected.size).toBeGreaterThan(2);
});

test('a block that lacks an import, and one that should fail and compiles, are reported with their place', () => {
  const text = '# x\n\n```ts\nconst row = new Todo();\n```\n\n```ts wrong\nconst id = 1;\n```\n';
  const page = { name: 'docs/x.md', text, blocks: readBlocks('docs/x.md', text) };

  const { problems } = checkBlocks([page]);

  expect(problems).toHaveLength(2);
  expect(problems[0]).toMatch(/^docs\/x\.md:3: error TS2304: Cannot find name 'Todo'/);
  expect(problems[1]).toBe('docs/x.md:7: compiles, and should not');
});

const running = pages.flatMap(({ blocks }) => blocks.filter(({ purpose }) => purpose === 'run'));

test.each(running.map((block) => [block.place, block] as const))(
  '%s prints the output that the page shows',
  async (_, block) => {
    expect(await runBlock(block)).toBe(block.shown);
  },
);

test('some pages show outputs', () => {
  expect(running.length).toBeGreaterThan(3);
});

test('the table of default numbers has the numbers of the sources', () => {
  const page = readFileSync(join(docs, 'freshness.md'), 'utf8');
  const told = [...page.matchAll(/\| ([\d,]+) \(`defaults\.(\w+\.\w+)`\)/g)].map(
    ([, number = '', name = '']) => [name, Number(number.replaceAll(',', ''))],
  );
  const numbers = Object.entries(defaults).flatMap(([owner, options]) =>
    Object.entries(options).map(([name, number]) => [`${owner}.${name}`, number]),
  );

  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(numbers));
});

test('an anchor equals the one that GitHub makes from its heading', () => {
  expect(slugify('ENTITY_WITHOUT_PK')).toBe('entity_without_pk');
  expect(slugify('holdfast/no-schema-in-component')).toBe('holdfastno-schema-in-component');
  expect(slugify('What an answer leaves on screen')).toBe('what-an-answer-leaves-on-screen');
});
