// Writes llms.txt, a list of the pages with a sentence each, and llms-full.txt, the guides in one text: for machines that read the
// documentation.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Export } from './exports.ts';
import { docs } from './pages.ts';
import { sections } from './sections.ts';

/** The first sentence of a page that is neither heading, code nor table. */
function firstSentence(text: string): string {
  const prose = text.replace(/^---[\s\S]*?^---/m, '').replace(/^```[\s\S]*?^```/gm, '');
  const line = prose.split('\n').find((each) => /^[A-Z`]/.test(each) && !each.endsWith(':')) ?? '';
  const [sentence = ''] = line.split(/(?<=[.!?])\s/);
  return sentence.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

/** What the list of pages in the repository says of a page. */
function readAbout(page: string): string | undefined {
  const list = readFileSync(join(docs, 'README.md'), 'utf8');
  const row = list.split('\n').find((line) => line.includes(`](${page}.md)`));
  return row?.split('|').at(-2)?.trim();
}

export function writeMachineText(site: string, exports: readonly Export[]): void {
  const lines: string[] = [];
  const whole: string[] = [];
  for (const { title, pages } of sections) {
    lines.push(`## ${title}`, '');
    for (const { page, name } of pages) {
      const file = join(docs, `${page}.md`);
      if (!existsSync(file)) continue;
      const text = readFileSync(file, 'utf8');
      lines.push(`- [${name}](/${page}.html): ${readAbout(page) ?? firstSentence(text)}`);
      if (title !== 'Why and how' && !page.startsWith('reference/')) whole.push(text.trim());
    }
    lines.push('');
  }
  const head = [
    '# Holdfast',
    '',
    '> A TypeScript library for REST APIs: declare a resource once, get typed endpoints, a normalized cache and React hooks. Mutations are optimistic where asked for, lists follow changes by themselves, late responses cannot undo newer writes.',
    '',
    `The package is called \`holdfast\`. It has ${exports.length} exports in the entries ${[...new Set(exports.map(({ entry }) => `\`${entry}\``))].join(', ')}. The guides in one text: [llms-full.txt](/llms-full.txt).`,
    '',
  ];
  writeFileSync(join(site, 'llms.txt'), [...head, ...lines].join('\n'));
  writeFileSync(join(site, 'llms-full.txt'), `${[...head, ...whole].join('\n\n')}\n`);
}
