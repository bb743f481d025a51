// The pages that ship inside the package, beside the errors that name one of them. A page ships as it is, with three exceptions: a file
// that the site takes in is written into the page, a link to a page that does not ship becomes the name of that page, and of a
// screenshot, which would be larger than all pages together, the description ships.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { docs } from './pages.ts';

/** About the project, or made for the site: of no use beside the library. */
const UNSHIPPED: ReadonlySet<string> = new Set([
  'README.md',
  'architecture.md',
  'benchmarks.md',
  'comparison.md',
  'index.md',
]);

const taken = /^<<< (\S+)$/gm;
const link = /(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)#\s]+)(?:#[^)\s]*)?\)/g;
const screenshot = /!\[([^\]]+)\]\(\S+\.png\)/g;
const codeBlock = /(^```[^]*?^```$)/m;

/** The page's text as it ships, where `shipped` has the names of the pages beside it. */
export function toShipped(text: string, shipped: ReadonlySet<string>): string {
  const whole = text.replace(taken, (_, file: string) => {
    const code = readFileSync(join(docs, file), 'utf8').trimEnd();
    return `\`\`\`${extname(file).slice(1)}\n${code}\n\`\`\``;
  });
  const parts = whole.split(codeBlock);
  return parts
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(screenshot, '*$1*')
            .replace(link, (found, name: string, page: string) =>
              shipped.has(page) ? found : `${name} (\`docs/${page}\` of the repository)`,
            ),
    )
    .join('');
}

/** Writes the pages, and the pictures that they show, into the folder. */
export function shipPages(folder: string): void {
  const shipped = new Set(readdirSync(docs).filter((file) => file.endsWith('.md') && !UNSHIPPED.has(file)));
  mkdirSync(folder, { recursive: true });
  for (const page of shipped)
    writeFileSync(join(folder, page), toShipped(readFileSync(join(docs, page), 'utf8'), shipped));
  cpSync(join(docs, 'pictures'), join(folder, 'pictures'), {
    recursive: true,
    filter: (file) => !file.endsWith('.png'),
  });
}
