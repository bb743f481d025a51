// Keeps the code of the documentation within the 76 columns that a page of the site shows at once: `node scripts/docs/format-blocks.ts`
// formats every block of docs/, and with `--check` it only reports. Blocks that oxfmt does not read, such as diagrams and outputs, are
// wrapped by hand.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { docs } from './pages.ts';

/** What fits into a block of the site at 1440 px. */
export const COLUMNS = 76;

const FORMATTED: ReadonlySet<string> = new Set(['ts', 'd.ts', 'tsx', 'js', 'json', 'html']);

/** The code as oxfmt writes it; as it is, where oxfmt cannot read it. */
export async function formatCode(code: string, language: string): Promise<string> {
  if (!FORMATTED.has(language)) return code;
  const formatted = await format(`block.${language}`, code, {
    printWidth: COLUMNS,
    singleQuote: true,
    quoteProps: 'preserve',
  });
  return formatted.errors.length > 0 ? code : formatted.code;
}

/** Puts a comment that stands behind code above its line, and breaks a comment, where the line is too long. */
export function shortenComments(code: string): string {
  return code.replace(
    /^( *)(\S.*?)? *\/\/ (.*)$/gm,
    (line: string, indent: string, before: string | undefined, comment: string) => {
      if (line.length <= COLUMNS) return line;
      const room = COLUMNS - indent.length - '// '.length;
      const lines = comment.replace(new RegExp(`(.{1,${room}})(?: |$)`, 'g'), `${indent}// $1\n`);
      return before === undefined ? lines.trimEnd() : `${lines}${indent}${before}`;
    },
  );
}

const fence = /^(```(\w*)[^\n]*\n)([\s\S]*?)^```$/gm;

export async function formatPage(text: string): Promise<string> {
  const codes = await Promise.all(
    [...text.matchAll(fence)].map(([, , language = '', code = '']) => formatCode(code, language)),
  );
  return text.replace(fence, (_, head: string) => `${head}${codes.shift() ?? ''}\`\`\``);
}

/** The lines of a page's blocks that are too long to be seen whole. */
export function findLongLines(page: string, text: string): string[] {
  return [...text.matchAll(fence)].flatMap((found) => {
    const [, head = '', , code = ''] = found;
    const before = text.slice(0, found.index + head.length).split('\n').length;
    return code
      .split('\n')
      .map((line, index) => ({ line, place: `${page}:${before + index}` }))
      .filter(({ line }) => line.length > COLUMNS)
      .map(({ line, place }) => `${place}: ${line.length} columns: ${line.trim()}`);
  });
}

if (import.meta.main) {
  // whole files that a page shows; oxfmt formats them where they are
  const problems = globSync('patterns/*', { cwd: docs }).flatMap((file) =>
    findLongLines(`docs/${file}`, `\`\`\`\n${readFileSync(join(docs, file), 'utf8')}\`\`\``),
  );
  for (const file of globSync('{*.md,decisions/*.md}', { cwd: docs }).sort()) {
    const text = readFileSync(join(docs, file), 'utf8');
    const formatted = await formatPage(text);
    problems.push(...findLongLines(`docs/${file}`, formatted));
    if (formatted === text) continue;
    if (process.argv.includes('--check')) problems.push(`docs/${file}: its code is not formatted`);
    else writeFileSync(join(docs, file), formatted);
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
}
