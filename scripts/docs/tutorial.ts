// Keeps docs/tutorial.md equal to the folders of examples/tutorial: `node scripts/docs/tutorial.ts --write` puts into each block what
// its step adds to the file that is named above the block. A new file is shown whole, a changed one as the difference.
import { createTwoFilesPatch } from 'diff';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { docs, repository } from './pages.ts';

export const steps: string = join(repository, 'examples/tutorial');
const file = join(docs, 'tutorial.md');

/** A line such as `` `src/app.tsx`: ``, and the block below it. */
const block = /^`([\w./-]+)`[^\n]*:\n\n```(\w+)\n([\s\S]*?)^```$/gm;

export interface ShownFile {
  /** The number of the step, from 1. */
  readonly step: number;
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

/** The parts of the page, one for each step, behind the introduction. */
const partsOf = (page: string): string[] => page.split(/^(?=## \d+\. )/m);

/** What the page shows of files, in order. */
export function readShown(page: string): ShownFile[] {
  return partsOf(page)
    .slice(1)
    .flatMap((part, index) =>
      [...part.matchAll(block)].map(([, path = '', language = '', text = '']) => ({
        step: index + 1,
        path,
        language,
        text,
      })),
    );
}

const readStep = (step: number, path: string): string | undefined => {
  const at = join(steps, `step-${step}`, path);
  return existsSync(at) ? readFileSync(at, 'utf8') : undefined;
};

/** The files of a step, relative to its folder. */
export function filesOf(step: number): string[] {
  return globSync('**/*.*', { cwd: join(steps, `step-${step}`), exclude: ['dist/**'] }).sort();
}

/** The block of a file, as the folders have it. */
function write(step: number, path: string): { language: string; text: string } {
  const after = readStep(step, path);
  if (after === undefined) throw new Error(`step ${step} has no ${path}`);
  const before = readStep(step - 1, path);
  if (before === undefined) return { language: extname(path).slice(1), text: after };
  const patch = createTwoFilesPatch('', '', before, after, '', '', { context: 2 });
  return { language: 'diff', text: patch.slice(patch.indexOf('@@')) };
}

/** The page, with its blocks as the folders have them. The server, in the introduction, is beside the folders. */
export function fill(page: string): string {
  const [introduction = '', ...parts] = partsOf(page);
  const begun = introduction.replace(block, (_found: string, path: string, language: string) => {
    const text = readFileSync(join(steps, path), 'utf8');
    return `\`${path}\`:\n\n\`\`\`${language}\n${text}\`\`\``;
  });
  const filled = parts.map((part, index) =>
    part.replace(block, (found: string, path: string) => {
      const { language, text } = write(index + 1, path);
      return `${found.slice(0, found.indexOf('```'))}\`\`\`${language}\n${text}\`\`\``;
    }),
  );
  return begun + filled.join('');
}

export const readTutorial = (): string => readFileSync(file, 'utf8');

if (import.meta.main) {
  const page = readTutorial();
  if (process.argv.includes('--write')) writeFileSync(file, fill(page));
  else if (fill(page) !== page) {
    console.error('docs/tutorial.md differs from examples/tutorial: run scripts/docs/tutorial.ts --write');
    process.exit(1);
  }
}
