// Asks the compiler's language server what an editor would show over the names of a program.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readHovers } from '../../scripts/language-server.ts';
import type { HoverResult } from './result.ts';

/** Names of the generated program (types/generate) to point at, with the text that stands before each. */
const places: readonly { readonly symbol: string; readonly before: string; readonly name: string }[] = [
  { symbol: 'the resource', before: 'export const ', name: 'Thing1Resource' },
  { symbol: 'resource.get', before: 'useSuspense(Thing1Resource.', name: 'get' },
  { symbol: 'resource.getList', before: 'useSuspense(Thing1Resource.', name: 'getList' },
  { symbol: 'resource.archive (an extension)', before: 'controller.fetch(Thing1Resource.', name: 'archive' },
  { symbol: 'the value of useSuspense(get)', before: 'const ', name: 'thing = useSuspense(Thing1' },
  { symbol: 'the value of useSuspense(getList)', before: 'const ', name: 'list = useSuspense(Thing1' },
  { symbol: 'useSuspense', before: 'const thing = ', name: 'useSuspense(Thing1' },
  { symbol: 'controller', before: 'void ', name: 'controller.fetch(Thing1' },
  { symbol: 'controller.fetch', before: 'void controller.', name: 'fetch(Thing1' },
];

/** Hover over each place of `program.ts` in the folder. */
export async function hoverPlaces(folder: string): Promise<HoverResult[]> {
  const path = join(folder, 'program.ts');
  const text = readFileSync(path, 'utf8');
  const offsets = places.map(({ before, name }) => {
    const offset = text.indexOf(before + name) + before.length;
    if (offset < before.length) throw new Error(`the generated program has no ${before}${name}`);
    return offset;
  });
  const hovers = await readHovers(path, offsets);
  return hovers.map((hover, at) => ({
    symbol: places[at]?.symbol ?? '',
    lines: hover.split('\n').length,
    text: hover,
  }));
}
