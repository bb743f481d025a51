// What the build of the site refuses: an export without its text, a link that leads nowhere. And what it writes for readers.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkLinks } from '../docs/check-links.ts';
import { readComment } from '../docs/doc-comments.ts';
import { writeExample } from '../docs/example-imports.ts';
import { findUndocumented } from '../docs/exports.ts';
import type { Export } from '../docs/exports.ts';
import { colour } from '../docs/highlight.ts';
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

test('the server serves pages, and nothing outside the site', async () => {
  writeFileSync(join(site, '404.html'), 'lost');
  const { url, server } = await serveSite(site, 0);

  const there = await fetch(`${url}deep/a.html`);
  const outside = await fetch(`${url}..%2f..%2f..%2f..%2fetc/hostname`);

  expect([there.status, there.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect([outside.status, await outside.text()]).toEqual([404, 'lost']);
  server.close();
});
