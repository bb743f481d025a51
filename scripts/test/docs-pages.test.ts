// The documentation's code is what it says: every block compiles as a reader pastes it, shown messages are the compiler's, shown
// outputs are those of a run, and the page of defaults has the numbers of the sources.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaults } from '../../packages/holdfast/src/index.ts';
import { checkBlocks, unwrap } from '../docs/check-blocks.ts';
import { docs, readBlocks, readPages } from '../docs/pages.ts';
import { runBlock } from '../docs/run-blocks.ts';
import { slugify } from '../docs/slugify.ts';

const pages = readPages('{*.md,decisions/*.md}');

test('every block of a page compiles when it is pasted, and wrong ones give the errors that the page shows', async () => {
  const { problems, expected } = await checkBlocks(pages);

  expect(problems).toEqual([]);
  expect(expected.size).toBeGreaterThan(2);
});

test('a block that lacks an import, and one that should fail and compiles, are reported with their place', async () => {
  const text = '# x\n\n```ts\nconst row = new Todo();\n```\n\n```ts wrong\nconst id = 1;\n```\n';
  const page = { name: 'docs/x.md', text, blocks: readBlocks('docs/x.md', text) };

  const { problems } = await checkBlocks([page]);

  expect(problems).toHaveLength(2);
  expect(problems[0]).toMatch(/^docs\/x\.md:3: error TS2304: Cannot find name 'Todo'/);
  expect(problems[1]).toBe('docs/x.md:7: compiles, and should not');
});

const running = pages.flatMap(({ blocks }) => blocks.filter(({ purpose }) => purpose === 'run'));

test.each(running.map((block) => [block.place, block] as const))(
  '%s prints the output that the page shows',
  async (_, block) => {
    expect(unwrap(await runBlock(block))).toBe(unwrap(block.shown ?? ''));
  },
);

test('some pages show outputs', () => {
  expect(running.length).toBeGreaterThan(3);
});

const defaultsPage = readFileSync(join(docs, 'defaults.md'), 'utf8');
const library = join(docs, '../packages/holdfast/src');

test('the page of defaults has the numbers of `defaults`', () => {
  const told = [...defaultsPage.matchAll(/\| ([\d,]+) \(`defaults\.(\w+\.\w+)`\)/g)].map(
    ([, number = '', name = '']) => [name, Number(number.replaceAll(',', ''))],
  );
  const numbers = Object.entries(defaults).flatMap(([owner, options]) =>
    Object.entries(options).map(([name, number]) => [`${owner}.${name}`, number]),
  );

  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(numbers));
});

test('the page of entries names every entry of the package', () => {
  const page = readFileSync(join(docs, 'entries.md'), 'utf8');
  const { exports } = JSON.parse(readFileSync(join(library, '../package.json'), 'utf8')) as {
    exports: Readonly<Record<string, unknown>>;
  };
  const entries = Object.keys(exports).filter((path) => path !== './package.json');
  const missing = entries.filter((path) => !page.includes(`\`holdfast${path.slice(1)}\``));

  expect(entries.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

/** The numbers, or the words in capitals, of a cell or of the value of a constant. */
function valuesIn(text: string): readonly string[] {
  const plain = text.replaceAll(/(?<=\d)[,_](?=\d{3})/g, '');
  return plain.match(/\b(?:\d+|[A-Z]{2,})\b/g) ?? [];
}

/** The values of a constant of the library, as its source has them. */
function constantOf(file: string, name: string): readonly string[] {
  const source = readFileSync(join(library, file), 'utf8');
  return valuesIn(new RegExp(`const ${name} = (.*);`).exec(source)?.[1] ?? '');
}

/** A cell with the source of its values behind it: `1,000 <!-- controller/slot/decide.ts BACKOFF_MS -->`. */
const fixed = [...defaultsPage.matchAll(/\| ([^|]+) <!-- (\S+) (\w+) -->/g)].map(
  ([, cell = '', file = '', name = '']) => ({ cell, file, name }),
);

test('the page of defaults has the fixed numbers of the sources', () => {
  expect(fixed.length).toBeGreaterThan(20);
  for (const { cell, file, name } of fixed)
    expect([name, ...valuesIn(cell)]).toEqual([name, ...constantOf(file, name)]);
});

/** Lengths of time that no user notices: slices of idle time, steps and limits of clocks and timers. */
const UNNOTICED = [
  'TOLERATED_AHEAD_MS',
  'IDLE_SLICE_MS',
  'LONGEST_BETWEEN_RENDERS_MS',
  'LONGEST_TIMER_MS',
  'MIN_SLICE_MS',
  'SMALLEST_STEP_MS',
  'PAUSE_MS',
  'TICK_MS',
];

test('the page of defaults has every length of time in the sources', () => {
  const files = readdirSync(library, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const declared = files.flatMap((file) =>
    [
      ...readFileSync(join(library, file), 'utf8').matchAll(
        /^(?:export )?const (?!DEFAULT_)([A-Z_]+_MS) = /gm,
      ),
    ].map(([, name]) => `${file} ${name}`),
  );
  const missing = declared.filter((each) => !defaultsPage.includes(`<!-- ${each} -->`));

  expect(new Set(missing.map((each) => each.split(' ')[1]))).toEqual(new Set(UNNOTICED));
});

test('an anchor equals the one that GitHub makes from its heading', () => {
  expect(slugify('ENTITY_WITHOUT_PK')).toBe('entity_without_pk');
  expect(slugify('holdfast/no-schema-in-component')).toBe('holdfastno-schema-in-component');
  expect(slugify('What a response leaves on screen')).toBe('what-a-response-leaves-on-screen');
});
