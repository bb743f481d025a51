// Makes docs/reference/ from what exports.ts has read: for every export its text, its signature, its members and an example that
// can be pasted.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeExample } from './example-imports.ts';
import { groupBy } from './exports.ts';
import { formatCode, shortenComments } from './format-blocks.ts';
import type { Export } from './exports.ts';
import { docs } from './pages.ts';
import { slugify } from './slugify.ts';

export const reference: string = join(docs, 'reference');

const TITLES: Readonly<Record<string, string>> = {
  schemas: 'Entities and schemas',
  endpoints: 'Resources and endpoints',
  managers: 'Managers',
  errors: 'Errors',
  environment: 'Environment',
  controller: 'Controller',
};

const compare = (left: Export, right: Export): number =>
  left.name.toLowerCase() < right.name.toLowerCase() ? -1 : 1;

/** `{@link X}` becomes a link where X is an export, and code where it is not. Signs that Markdown would take for HTML are escaped. */
function writeText(text: string, exports: readonly Export[], from: string): string {
  const parts = text.split(/(`[^`]*`)/);
  const escaped = parts
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/</g, '&lt;').replace(/\{(?!@link)/g, '&#123;'),
    )
    .join('');
  return escaped.replace(/\{@link\s+([\w.]+)\}/g, (_, name: string) => {
    const target = exports.find(
      (each) => each.name === name && (each.page === from || each.entry === 'holdfast'),
    );
    return target ? `[\`${name}\`](${target.page}.md#${slugify(name)})` : `\`${name}\``;
  });
}

const inCell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|');

async function writeExport(one: Export, exports: readonly Export[]): Promise<string> {
  const { name, comment, signature, members, page } = one;
  const rows = members.map(
    (member) =>
      `| \`${member.name}\` | \`${inCell(member.type)}\` | ${inCell(writeText(member.text, exports, page))} |`,
  );
  const examples = await Promise.all(
    comment.examples.map((example) =>
      formatCode(shortenComments(writeExample(example, one, exports)), 'tsx'),
    ),
  );
  return [
    `## ${name}`,
    writeText(comment.text, exports, page),
    ...examples.map((example) => `\`\`\`tsx\n${example.trimEnd()}\n\`\`\``),
    ...(rows.length > 0 ? [['| member | type | meaning |', '|---|---|---|', ...rows].join('\n')] : []),
    `\`\`\`ts signature\n${(await formatCode(signature, 'd.ts')).trimEnd()}\n\`\`\``,
  ].join('\n\n');
}

function writeIndex(exports: readonly Export[]): string {
  const entries = groupBy(exports, ({ entry }) => entry);
  const parts = [...entries].map(([entry, group]) => {
    const rows = group.toSorted(compare).map(({ name, page, comment }) => {
      const [sentence = ''] = comment.text.split(/(?<=\.)\s/);
      return `| [\`${name}\`](${page}.md#${slugify(name)}) | ${inCell(writeText(sentence, exports, page))} |`;
    });
    return [`## ${entry}`, ['| export | what it is |', '|---|---|', ...rows].join('\n')].join('\n\n');
  });
  return [
    '# All exports',
    'Every export of every entry of the package, made from the doc comments that your editor shows too. Each has a signature and an example. Examples import what they use from `./api`, which is [the API of the examples](../example-api.md).',
    ...parts,
    '',
  ].join('\n\n');
}

/** Writes the pages of the reference and gives their number. */
export async function writeReference(exports: readonly Export[]): Promise<number> {
  rmSync(reference, { recursive: true, force: true });
  mkdirSync(reference, { recursive: true });
  const pages = groupBy(exports, ({ page }) => page);
  for (const [page, group] of pages) {
    const entry = group[0]?.entry ?? '';
    const title = TITLES[page] ?? `\`${entry}\``;
    const body = await Promise.all(group.toSorted(compare).map((one) => writeExport(one, exports)));
    const text = [`# ${title}`, `All of it is imported from \`${entry}\`.`, ...body, ''].join('\n\n');
    writeFileSync(join(reference, `${page}.md`), text);
  }
  writeFileSync(join(reference, 'index.md'), writeIndex(exports));
  return pages.size + 1;
}
