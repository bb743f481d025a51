// The pages "Coming from …" show the files of the applications that a browser drives, and name every option of TanStack Query.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { options } from '../../bench/coming-from/options.ts';
import { fillBlocks, readComparedPages } from '../docs/coming-from.ts';
import { docs } from '../docs/pages.ts';

test.each(readComparedPages().map((page) => [page.peer, page] as const))(
  'the blocks of the page about %s are the files of the applications',
  (_, page) => {
    expect(fillBlocks(page)).toBe(page.text);
  },
);

test.each(Object.entries(options))(
  'the page about TanStack Query says what becomes of each option of %s',
  (hook, names) => {
    const page = readFileSync(join(docs, 'from-tanstack-query.md'), 'utf8');
    const [, part = ''] = new RegExp(`^## Options of \`${hook}\`\n([^]*?)^## `, 'm').exec(page) ?? [];
    const told = [...part.matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );

    expect(new Set(told)).toEqual(new Set(names));
  },
);
