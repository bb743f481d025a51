// A thousand texts that want out of the page, as values, names, keys and error names, through the streamed page and a real
// parser with scripts on: nothing runs, nothing is swallowed, and every text arrives as it was.
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createElement as h } from 'react';
import { renderToReadableStream } from 'react-dom/server';
import { Controller, createResource, Entity, savedState } from 'holdfast';
import { DataProvider, useSuspense } from 'holdfast/react';
import { createServerRender } from 'holdfast/react/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from './support/browser.ts';

const TEXTS = 1_000;
const PER_PAGE = 50;

class Note extends Entity {
  id = '';
  text = '';
  static override key = '</script><script>run()</script>';
}
const NoteResource = createResource({ path: '/notes/:id', schema: Note });

// ── the texts ────────────────────────────────────────────────────────────────────────────────────

const endings = [
  '',
  '</script>',
  '</ScRiPt >',
  '</script/x>',
  '</script\n>',
  '<!--',
  '<!--<script>',
  '-->',
  ']]>',
  '</title>',
  '</textarea>',
  '</style>',
  '</noscript>',
  '</template>',
  '</head><body>',
  '</body></html>',
  '"',
  "'",
  '`',
  '\\',
  '\\u003c/script>',
  '\u2028',
  '\u2029',
  '\0',
  '\ud800',
  '\ufeff',
  '&lt;/script&gt;',
  '&quot;>',
  '${',
  '\r\n',
];
const attacks = [
  '<script>run()</script>',
  '<script src="/run.js"></script>',
  '<img src=/none onerror=run()>',
  '<svg onload=run()>',
  '<iframe srcdoc="<script>parent.run()</script>"></iframe>',
  '<body onload=run()>',
  '<style>@import "javascript:run()"</style>',
  '<base href="https://example.test/">',
  '<meta http-equiv=refresh content="0;url=/run">',
  '<details open ontoggle=run()>',
  '<math><mtext><style><img src=/none onerror=run()></style></mtext></math>',
  '<object data="javascript:run()"></object>',
  '<input autofocus onfocus=run()>',
  '<a href="javascript:run()" id=x>',
  '<script type=module>run()</script>',
  '");run();//',
  "';run();//",
  '<%= run() %>',
  '{{run()}}',
  '<template><script>run()</script></template>',
  '<plaintext>',
  '<script type="application/json" data-holdfast="">{}</script>',
];

/** The same ones in every run. */
function createTexts(): string[] {
  let seed = 7;
  const pick = (from: readonly string[]): string => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return from[Math.floor((seed / 2_147_483_648) * from.length)] ?? '';
  };
  const pairs = endings.flatMap((ending) => attacks.map((attack) => ending + attack));
  while (pairs.length < TEXTS) pairs.push(pick(endings) + pick(attacks) + pick(endings) + pick(attacks));
  return pairs;
}
const texts = createTexts();
const pageTexts = (page: number): string[] => texts.slice(page * PER_PAGE, (page + 1) * PER_PAGE);
const noteOf = (text: string, at: number) => ({ id: `${at} ${text}`, text, [text]: text });

// ── the pages ────────────────────────────────────────────────────────────────────────────────────

function Notes() {
  const notes = useSuspense(NoteResource.getList);
  return h('ol', null, ...notes.map((note, at) => h('li', { key: at, title: note.text }, note.text)));
}

/** A page with fifty of the texts in every place that a text can have. */
async function sendPage(page: number): Promise<ReadableStream<Uint8Array>> {
  const notes = pageTexts(page).map(noteOf);
  const render = createServerRender({
    origins: [],
    baseUrl: 'http://api.test',
    fetch: async () => Response.json(notes),
  });
  for (const { text } of notes) {
    // arguments are part of a key; a name is what an error is called
    const error = Object.assign(new Error(text), { name: text });
    await render.controller.setError(NoteResource.getList, { [text || 'none']: text } as never, error);
  }
  const body = h('body', null, h('h1', null, 'start'), h(Notes), h('p', { id: 'end' }, 'end'));
  const document = h('html', null, h('head', null, h('title', null, 'hostile')), body);
  const html = await renderToReadableStream(h(DataProvider, { controller: render.controller }, document), {
    bootstrapScriptContent: 'window.isAlive = true',
  });
  return render.stream(html);
}

const browsing = startBrowser();
let server: Server;
let url = '';
const asked: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    const page = /^\/page\/(\d+)$/.exec(request.url ?? '')?.[1];
    if (page === undefined) {
      asked.push(request.url ?? '');
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    void sendPage(Number(page)).then(async (html) => {
      for await (const chunk of html as unknown as AsyncIterable<Uint8Array>) response.write(chunk); // cast: Node's streams can be iterated
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // cast: it listens on a port
});
afterAll(() => void server.close());

test('a thousand hostile strings run no script, hide no content and are displayed unchanged', async () => {
  expect(new Set(texts).size).toBeGreaterThanOrEqual(TEXTS * 0.95);
  const { page, problems } = await browsing.open(`${url}/page/0`);
  await page.addInitScript(() => {
    Object.assign(window, { ran: 0, run: () => ((window as unknown as { ran: number }).ran += 1) }); // cast: the test's own
  });

  for (let at = 0; at < TEXTS / PER_PAGE; at += 1) {
    await page.goto(`${url}/page/${at}`, { waitUntil: 'load' });
    const found = await page.evaluate(() => ({
      ran: (window as unknown as { ran: unknown }).ran, // cast: the test's own
      isAlive: (window as unknown as { isAlive: unknown }).isAlive, // cast: as above
      items: [...document.querySelectorAll('li')].map((item) => item.textContent),
      blocks: [...document.querySelectorAll('script[data-holdfast]')].map((block) => block.textContent ?? ''),
      tags: [...new Set([...document.querySelectorAll('*')].map((element) => element.localName))].sort(),
      children: [...document.body.children].map(({ localName, id }) => localName + (id && `#${id}`)),
      childNodes: Math.max(
        ...[...document.querySelectorAll('script')].map(({ childNodes }) => childNodes.length),
      ),
    }));

    expect(found.ran, `page ${at}`).toBe(0);
    expect(found.isAlive).toBe(true);
    expect(found.tags).toEqual(['body', 'h1', 'head', 'html', 'li', 'ol', 'p', 'script', 'title']);
    expect(found.children.slice(0, 3)).toEqual(['h1', 'ol', 'p#end']);
    expect(found.childNodes).toBe(1);
    const controller = new Controller({ initialState: savedState(found.blocks[0]) });
    const wanted = pageTexts(at).map(noteOf);
    const notes = controller.getResponse(NoteResource.getList).data ?? [];
    expect(notes.map((note) => ({ ...note }))).toEqual(wanted.map((note) => ({ ...new Note(), ...note })));
    for (const { text } of wanted) {
      const error = controller.getError(NoteResource.getList, { [text || 'none']: text } as never);
      expect(error).toMatchObject({
        name: text === 'Error' ? 'Error' : text,
        message: 'Failed on the server.',
      });
    }
  }
  expect(asked.filter((path) => path !== '/favicon.ico')).toEqual([]);
  expect(problems).toEqual([]);
});
