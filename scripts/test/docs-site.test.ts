// What the build of the site refuses: an export without its text, a link that leads nowhere. And what it writes for readers.
import { execSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkLinks } from '../docs/check-links.ts';
import { readComment } from '../docs/doc-comments.ts';
import { writeExample } from '../docs/example-imports.ts';
import { findUndocumented, readExports } from '../docs/exports.ts';
import type { Export } from '../docs/exports.ts';
import { colour, findNames } from '../docs/highlight.ts';
import { docs } from '../docs/pages.ts';
import { countRaces, countSchedules, writeProofs } from '../docs/proofs.ts';
import { serveSite } from '../docs/serve.ts';

const site = mkdtempSync(join(tmpdir(), 'holdfast-site-'));
afterAll(() => rmSync(site, { recursive: true, force: true }));

function makeExport(name: string, source: string): Export {
  const comment = readComment(source, source.indexOf('function'));
  return {
    name,
    entry: 'holdfast',
    isType: false,
    page: 'controller',
    comment,
    signature: '',
    members: [],
  };
}

test('an export without a doc comment, or without an example, is reported', () => {
  const whole = '/** Says it.\n *\n * @example say();\n */\nexport declare function say(): void;';
  const thin = '/** Says it. */\nexport declare function say(): void;';
  const bare = 'export declare function say(): void;';

  expect(findUndocumented([makeExport('say', whole)])).toEqual([]);
  expect(findUndocumented([makeExport('say', thin)])).toEqual(['say of holdfast has no @example']);
  expect(findUndocumented([makeExport('say', bare)])).toEqual([
    'say of holdfast has no doc comment',
    'say of holdfast has no @example',
  ]);
});

test('the reference imports each entry by a subpath of the package', () => {
  const { exports } = JSON.parse(readFileSync(join(docs, '../packages/holdfast/package.json'), 'utf8')) as {
    exports: object;
  };
  const named = new Set(readExports().map(({ entry }) => entry.replace(/^holdfast/, '.')));

  expect([...named].toSorted()).toEqual(
    Object.keys(exports)
      .filter((path) => !path.endsWith('.json'))
      .toSorted(),
  );
});

test('a comment that belongs to another declaration is not used', () => {
  const source =
    '/** Of the constant. */\nexport declare const word: string;\nexport declare function say(): void;';

  expect(readComment(source, source.indexOf('function')).text).toBe('');
});

test('an example is printed with its imports: from the package, and from the API of the examples', () => {
  const say = makeExport('say', '');
  const Controller = makeExport('Controller', '');
  const example = 'const { title } = await controller.fetch(TodoResource.get, { id: 5 });\nsay(title);';

  expect(writeExample(example, say, [say, Controller])).toBe(
    "import { Controller, say } from 'holdfast';\nimport { TodoResource } from './api';\n\n" +
      `const controller = new Controller();\n${example}`,
  );
});

test('a link to a missing page or heading is reported with its page', () => {
  mkdirSync(join(site, 'deep'));
  writeFileSync(join(site, 'index.html'), '<a href="/deep/a.html#there">a</a><a href="/gone.html">b</a>');
  writeFileSync(
    join(site, 'deep/a.html'),
    '<h2 id="there"></h2><a href="#here">c</a><a href="../index.html">d</a>',
  );

  expect(checkLinks(site)).toEqual({
    links: 4,
    problems: [
      'index.html links to /gone.html, which is not there',
      'deep/a.html links to #here, which has no such heading',
    ],
  });
});

test('code is highlighted, and none of it becomes HTML', () => {
  expect(colour(`if (a < b) say('<b>'); // "x"`, 'ts')).toBe(
    '<span class="t-keyword">if</span> (a &lt; b) <span class="t-call">say</span>(<span class="t-text">\'&lt;b&gt;\'</span>); ' +
      '<span class="t-comment">// &quot;x&quot;</span>',
  );
  expect(colour('<b>', 'text')).toBe('&lt;b&gt;');
});

test('words of texts and of JSX are no keywords, and the values in a template are code', () => {
  expect(colour('<p>return {`a ${b}`}</p>', 'tsx')).toBe(
    '&lt;<span class="t-tag">p</span>&gt;return {<span class="t-text">`a </span><span class="t-keyword">${</span>b' +
      '<span class="t-keyword">}</span><span class="t-text">`</span>}&lt;/<span class="t-tag">p</span>&gt;',
  );
});

test('a name in code carries its type, and none of it becomes HTML', () => {
  expect(findNames('read(id); // id', 'ts')).toEqual([
    { start: 0, end: 4 },
    { start: 5, end: 7 },
  ]);
  expect(colour('read(id)', 'ts', [{ start: 5, end: 7, type: 'const id: "<b>"' }])).toBe(
    '<span class="t-call">read</span>(<span data-type="const id: &quot;&lt;b&gt;&quot;">id</span>)',
  );
});

test('the proofs of the start page are what a run printed, with its date', () => {
  const races = countRaces(
    'late-read at 0 ms: 100 of 100 ended right (1 s)\ndraft at 1500 ms: 99 of 100 ended right (2 s)',
  );
  const schedules = countSchedules(
    'plain: seeds 1…25, 25 schedules of 50 steps (3 of them paired), 892 requests, 1 failed, 5/s',
  );
  const text = writeProofs({ date: '2026-01-02', races, schedules, cost: '1 request' });

  expect(text).toContain('**199 of 200** races end right');
  expect(text).toContain('**24 of 25** random schedules');
  expect(text).toContain('**1 request** moves a card');
  expect(text).toContain('Counted by the demo after one drag: 1 request.');
  expect(text).toContain('counted this on 2026-01-02');
  expect(text.match(/<td>[\d.]+ kB<\/td>/g)).toHaveLength(5);
  expect(text).toMatch(
    /\*\*([\d.]+ kB)\*\* is what[^]*TanStack Query[^]*class="is-ours"[^]*<td>\1<[^]*Apollo Client/,
  );
});

test('the install lines of the start page name the file that npm packs', () => {
  const [packed] = Object.values(
    JSON.parse(
      execSync('npm pack --dry-run --json --ignore-scripts -w holdfast', { encoding: 'utf8' }),
    ) as Record<string, { filename: string }>,
  );
  const lines =
    readFileSync(join(docs, 'index.md'), 'utf8').match(/^(?:npm|pnpm|yarn|bun) (?:install|add) .*$/gm) ?? [];

  expect(lines).toHaveLength(4);
  for (const line of lines) expect(line).toMatch(new RegExp(`/${packed?.filename}$`));
});

test('the server serves pages, and nothing outside the site', async () => {
  writeFileSync(join(site, '404.html'), 'lost');
  const { url, server } = await serveSite(site, 0);

  const there = await fetch(`${url}deep/a.html`);
  const outside = await fetch(`${url}..%2f..%2f..%2f..%2fetc/hostname`);

  expect([there.status, there.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect([outside.status, await outside.text()]).toEqual([404, 'lost']);
  server.close();
});
