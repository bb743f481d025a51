// A table of three or more columns with sentences in it, and no figures. On a narrow screen each row stands by itself, cell below cell, with the head of
// its column before a cell: beside each other, the columns would be a word wide, or outside of the screen.
import type { MarkdownRenderer } from 'vitepress';

const COLUMNS = 3;
const SENTENCE = 45;

export function longTables(md: MarkdownRenderer): void {
  md.core.ruler.push('long-tables', ({ tokens }) => {
    for (const [start, table] of tokens.entries()) {
      if (table.type !== 'table_open') continue;
      const end = tokens.findIndex(({ type }, index) => index > start && type === 'table_close');
      const inside = tokens.slice(start, end);
      const textAfter = (at: number): string => inside[at + 1]?.content ?? '';
      const heads = inside.flatMap(({ type }, at) => (type === 'th_open' ? [textAfter(at)] : []));
      const isLong = inside.some(({ type }, at) => type === 'td_open' && textAfter(at).length > SENTENCE);
      const hasFigures = inside.some((token) => token.attrGet('style')?.includes('right'));
      if (!isLong || hasFigures || heads.length < COLUMNS) continue;
      table.attrJoin('class', 'is-long');
      let column = 0;
      for (const token of inside) {
        if (token.type === 'tr_open') column = 0;
        if (token.type !== 'td_open') continue;
        const head = heads[column++]?.replaceAll('`', '');
        if (head) token.attrSet('data-head', head);
      }
    }
  });
}
