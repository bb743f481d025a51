// Reads the pages of the documentation: their code blocks, in order, with the file name that stands above a block.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const repository: string = join(import.meta.dirname, '../..');
export const docs: string = join(repository, 'docs');

/** What the word behind a block's language says: `ts wrong` does not compile, `ts run` is run and prints the next block. */
export type Purpose = 'compiles' | 'wrong' | 'run' | 'signature';

export interface Block {
  /** `docs/lists.md:40`. */
  readonly place: string;
  readonly language: string;
  readonly purpose: Purpose;
  /** The file that the block is, where its name stands above it. */
  readonly file: string | undefined;
  readonly text: string;
  /** What the text block right behind it shows: an output, or the messages of the compiler. */
  readonly shown: string | undefined;
}

const fence =
  /(?:^`([\w./[\]-]+)`[^\n]*:\n\n)?^```(\w+)(?: (\w+))?\n([\s\S]*?)^```$(?:\n\n```text\n([\s\S]*?)^```$)?/gm;

export function readBlocks(page: string, text: string): Block[] {
  return [...text.matchAll(fence)].map((found) => {
    const [whole, file, language = '', purpose = 'compiles', code = '', shown] = found;
    const before = text.slice(0, found.index + whole.indexOf('```'));
    return {
      place: `${page}:${before.split('\n').length}`,
      language,
      purpose: purpose as Purpose,
      file,
      text: code,
      shown: shown?.trimEnd(),
    };
  });
}

export interface Page {
  /** `docs/lists.md`. */
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** The pages of the site that match, relative to docs/. README.md is for readers of the repository and has no code. */
export function readPages(pattern: string): Page[] {
  return globSync(pattern, { cwd: docs })
    .sort()
    .map((file) => {
      const name = `docs/${file}`;
      const text = readFileSync(join(docs, file), 'utf8');
      return { name, text, blocks: readBlocks(name, text) };
    });
}

/** The file that the examples import as `./api`. */
export function readExampleApi(): string {
  const [api] = readPages('example-api.md').flatMap(({ blocks }) =>
    blocks.filter(({ file }) => file === 'api.ts'),
  );
  if (!api) throw new Error('docs/example-api.md has no block for api.ts');
  return api.text;
}
