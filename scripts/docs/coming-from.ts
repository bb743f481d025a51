// Keeps the pages docs/from-*.md equal to the applications of bench/coming-from: `node scripts/docs/coming-from.ts --write` puts their
// files into the blocks, drives all applications in a browser, and writes what that run measured into the tables.
import { createTwoFilesPatch } from 'diff';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { applications, drive, tasks } from '../../bench/coming-from/drive.ts';
import type { Driven } from '../../bench/coming-from/drive.ts';
import { launchOptions } from '../chromium.ts';
import { docs, repository } from './pages.ts';

const home = join(repository, 'bench/coming-from');

/** `` `swr/read-list.tsx`: `` or `` `app.tsx`, from `tanstack-query` to `holdfast`: ``, and the block below it. */
const block = /^(`[\w./-]+`(?:, from `([\w-]+)` to `([\w-]+)`)?:\n\n)```(\w+)\n[\s\S]*?^```$/gm;
const table = /^<!-- measured: (application|tasks) ([\w-]+) -->\n\n([\s\S]*?)\n\n<!-- end -->$/m;

export interface ComparedPage {
  readonly file: string;
  readonly text: string;
  readonly kind: 'application' | 'tasks';
  /** The folder of the other library. */
  readonly peer: string;
  /** The cells of the table, behind the head and the names of the rows. */
  readonly shown: readonly (readonly string[])[];
}

export function readComparedPages(): ComparedPage[] {
  return globSync('from-*.md', { cwd: docs })
    .sort()
    .map((name) => {
      const file = join(docs, name);
      const text = readFileSync(file, 'utf8');
      const [, kind, peer = '', rows = ''] = table.exec(text) ?? [];
      if (kind === undefined) throw new Error(`${name} has no table of a run`);
      const shown = rows
        .split('\n')
        .slice(2)
        .map((row) =>
          row
            .split('|')
            .slice(2, 4)
            .map((cell) => cell.trim()),
        );
      return { file, text, kind: kind as 'application' | 'tasks', peer, shown };
    });
}

/** The page with its blocks as the files of the applications are. */
export function fillBlocks({ text, kind, file }: ComparedPage): string {
  const read = (path: string): string => {
    const at = join(home, kind, path);
    if (!existsSync(at)) throw new Error(`${file} shows ${path}, which is not in ${kind}`);
    return readFileSync(at, 'utf8');
  };
  return text.replace(block, (found: string, head: string, from: string, to: string, language: string) => {
    const [, path = ''] = /^`([\w./-]+)`/.exec(head) ?? [];
    // a file of the reader's own, which no application has
    if (from === undefined && !existsSync(join(home, kind, path))) return found;
    if (from === undefined) return `${head}\`\`\`${language}\n${read(path)}\`\`\``;
    const before = read(`${from}/${path}`);
    const patch = createTwoFilesPatch('', '', before, read(`${to}/${path}`), '', '', { context: 1 });
    return `${head}\`\`\`${language}\n${patch.slice(patch.indexOf('@@'))}\`\`\``;
  });
}

const toKilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;

/** The cells of a page's table. */
export function cellsOf(ours: Driven, theirs: Driven): string[][] {
  return [
    [String(ours.lines), String(theirs.lines)],
    [toKilobytes(ours.bytes), toKilobytes(theirs.bytes)],
    [String(ours.requests.length), String(theirs.requests.length)],
  ];
}

function fillTable(page: ComparedPage, cells: readonly (readonly string[])[]): string {
  const [, , , rows = ''] = table.exec(page.text) ?? [];
  const [head = '', line = '', ...names] = rows.split('\n');
  const filled = names.map((row, at) => `| ${row.split('|')[1]?.trim()} | ${cells[at]?.join(' | ')} |`);
  return page.text.replace(rows, [head, line, ...filled].join('\n'));
}

if (import.meta.main) {
  const pages = readComparedPages();
  if (process.argv.includes('--write')) {
    const browser = await chromium.launch(launchOptions());
    const driven = new Map<string, Driven>();
    for (const name of applications)
      driven.set(`application ${name}`, await drive(browser, 'application', name));
    for (const name of tasks) driven.set(`tasks ${name}`, await drive(browser, 'tasks', name));
    await browser.close();
    for (const page of pages) {
      const ours = driven.get(`${page.kind} holdfast`);
      const theirs = driven.get(`${page.kind} ${page.peer}`);
      if (!ours || !theirs) throw new Error(`nothing was measured for ${page.file}`);
      writeFileSync(page.file, fillBlocks({ ...page, text: fillTable(page, cellsOf(ours, theirs)) }));
    }
  } else if (pages.some((page) => fillBlocks(page) !== page.text)) {
    console.error('docs/from-*.md differ from bench/coming-from: run scripts/docs/coming-from.ts --write');
    process.exit(1);
  }
}
