// The types that some pages of the site show when the pointer is over a name: read from the compiler's language server when the site is
// built, so they are what an editor shows.
import { join } from 'node:path';
import { readHoversOf } from '../language-server.ts';
import { withPasted } from './check-blocks.ts';
import { findNames } from './highlight.ts';
import type { Hover } from './highlight.ts';
import { readPages } from './pages.ts';

/** The pages with types: where a reader asks what a call gives. */
const PAGES = '{index,typescript,reading,endpoints}.md';

/** A longer type explains nothing. */
const MOST_SIGNS = 400;

/** The hovers of each block, by its code. */
export async function readPageHovers(): Promise<ReadonlyMap<string, readonly Hover[]>> {
  return withPasted(readPages(PAGES), async (folder, pasted) => {
    const blocks = pasted.filter(({ block }) => block.purpose !== 'wrong');
    const names = blocks.map(({ block }) => findNames(block.text, block.language));
    const types = await readHoversOf(
      blocks.map(({ file }, at) => ({
        path: join(folder, file),
        offsets: names[at]?.map(({ start }) => start) ?? [],
      })),
    );
    return new Map(
      blocks.map(({ block }, at) => [
        block.text.trimEnd(),
        (names[at] ?? []).flatMap((name, index) => {
          const type = shorten(types[at]?.[index] ?? '');
          return type === '' ? [] : { ...name, type };
        }),
      ]),
    );
  });
}

/** An import is shown as the name that it stands for, and what else has the name is left out. */
function shorten(text: string): string {
  const shown = text.replace(/^\(alias\) /gm, '').replace(/\n(?:import|namespace|interface) [^\n]*$/gm, '');
  return shown.length > MOST_SIGNS ? `${shown.slice(0, MOST_SIGNS)}…` : shown;
}
