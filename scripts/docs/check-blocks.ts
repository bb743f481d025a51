// Compiles the blocks of pages as a reader pastes them: each is a module of its own, beside the files that its page names and the
// `api.ts` of the examples. A block that is wrong on purpose must give the messages that the page shows.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readExampleApi, repository } from './pages.ts';
import type { Block, Page } from './pages.ts';

/** Tests of their own paste these pages, whose blocks follow each other in time. */
const PASTED: ReadonlySet<string> = new Set(['docs/getting-started.md', 'docs/tutorial.md']);

const config = {
  extends: '../../../tsconfig.json',
  compilerOptions: { module: 'esnext', moduleResolution: 'bundler', noImplicitOverride: true },
  include: ['**/*'],
  exclude: [],
};

export interface Pasted {
  /** Relative to the folder of the compiler. */
  readonly file: string;
  readonly block: Block;
}

function paste(page: Page, folder: string): Pasted[] {
  const home = page.name.replace(/\W/g, '-');
  mkdirSync(join(folder, home), { recursive: true });
  writeFileSync(join(folder, home, 'api.ts'), readExampleApi());
  const code = page.blocks.filter(
    ({ language, purpose }) => /^tsx?$/.test(language) && purpose !== 'signature',
  );
  return code.map((block, index) => {
    const file = `${home}/${block.file ?? `block-${index}.${block.language}`}`;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    // a folder of the reader's application has the file of the examples too
    const api = join(folder, dirname(file), 'api.ts');
    if (block.file?.includes('/') && !existsSync(api)) writeFileSync(api, readExampleApi());
    const isModule = /^(?:import|export) /m.test(block.text);
    writeFileSync(join(folder, file), isModule ? block.text : `${block.text}export {};\n`);
    return { file, block };
  });
}

/** The compiler's messages by file; lines that are set in go on with the message before them. */
function compile(folder: string): Map<string, string[]> {
  const { stdout, status } = spawnSync('tsc', ['-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const messages = new Map<string, string[]>();
  let last: string[] = [];
  for (const line of stdout.split('\n')) {
    const found = /^(\S[^(]*)\(\d+,\d+\): (error .*)$/.exec(line);
    if (found) {
      const [, file = '', message = ''] = found;
      last = messages.get(file) ?? [];
      messages.set(file, last);
      last.push(message);
    } else if (/^\s+\S/.test(line)) last.push(`${last.pop() ?? ''}\n${line}`);
  }
  if (status === null || (status !== 0 && messages.size === 0)) throw new Error(`tsc did not run: ${stdout}`);
  return messages;
}

/** A page breaks the lines of a long message where it likes. */
export const unwrap = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Pastes the pages' blocks into a folder with a configuration of the compiler, calls the function, and takes the folder away. The folder is
 * below the repository, so that its packages are found, and of this process, so that two runs do not meet in it.
 */
export async function withPasted<T>(
  pages: readonly Page[],
  run: (folder: string, pasted: readonly Pasted[]) => T | Promise<T>,
): Promise<T> {
  const folder = join(repository, 'node_modules/.cache', `holdfast-pages-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const pasted = pages.filter(({ name }) => !PASTED.has(name)).flatMap((page) => paste(page, folder));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    return await run(folder, pasted);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is wrong with the pages' blocks, each problem with its place; `expected` gives the messages of the wrong ones. */
export function checkBlocks(
  pages: readonly Page[],
): Promise<{ problems: string[]; expected: Map<Block, string> }> {
  return withPasted(pages, (folder, pasted) => {
    const messages = compile(folder);
    const expected = new Map<Block, string>();
    const problems: string[] = [];
    for (const { file, block } of pasted) {
      const found = (messages.get(file) ?? []).join('\n');
      if (block.purpose === 'wrong') {
        expected.set(block, found);
        if (found === '') problems.push(`${block.place}: compiles, and should not`);
        else if (unwrap(found) !== unwrap(block.shown ?? ''))
          problems.push(`${block.place}: the compiler says\n${found}\nand the page\n${block.shown}`);
      } else if (found !== '') problems.push(`${block.place}: ${found}`);
    }
    return { problems, expected };
  });
}
