import { expect, test } from 'vitest';
import { mutationsOf } from '../faults/mutations.ts';
import { applyEdit, findEdit, readSource } from '../faults/place.ts';
import type { Spot } from '../faults/place.ts';

const store = `export function remove(row: Row, sent: number): void {
  if (sent < row.deletedAt) return;
  doubt(row);
}
export class Rows {
  #last = 0;
  has(row: Row): boolean {
    return row.isHere && row.at > this.#last;
  }
}
`;
const late: Spot = { file: 'store.ts', in: 'remove', the: 'condition', with: 'deletedAt', becomes: 'false' };

/** The text of the file that a fault changes, with the fault in it. */
function faulted(files: Readonly<Record<string, string>>, spot: Spot): string {
  const found = findEdit(
    Object.entries(files).map(([file, text]) => readSource(file, text)),
    spot,
  );
  return 'lost' in found ? found.lost : applyEdit(files[found.edit.file] ?? '', found.edit);
}

test.each<[string, Partial<Spot>, string]>([
  ['a condition', {}, 'if ((false)) return;'],
  ['a condition and more', { becomes: '_ && row' }, 'if (((sent < row.deletedAt) && row)) return;'],
  ['a statement', { the: 'statement', with: 'doubt', becomes: '' }, 'return;\n  {  }\n}'],
  ['an operand', { in: 'Rows.has', the: 'operand', with: '#last', becomes: 'true' }, 'row.isHere && (true);'],
  ['a value', { in: 'Rows.#last', the: 'value', with: '0', becomes: '1' }, '#last = (1);'],
  ['words', { the: 'text', with: 'sent<row', becomes: 'sent <= row' }, 'if (sent <= row.deletedAt) return;'],
])('a fault changes %s', (_, spot, text) => {
  expect(faulted({ 'store.ts': store }, { ...late, ...spot })).toContain(text);
});

test('a fault keeps its place when other names, other code, comments and the format of the line change', () => {
  const later = store
    .replaceAll(/\brow\b/g, 'entry')
    .replace(
      'sent < entry.deletedAt',
      '\n    // too late\n    isSent(sent) &&\n    sent <= entry.deletedAt\n  ',
    );

  expect(faulted({ 'store.ts': later }, late)).toContain('if (\n    // too late\n    (false)\n  ) return;');
});

test('a fault follows its function to another file', () => {
  const sources = [readSource('store.ts', 'export {};'), readSource('remove.ts', store)];

  expect(findEdit(sources, late)).toMatchObject({ movedTo: 'remove.ts', edit: { file: 'remove.ts' } });
});

test('a fault that has lost its function or its words is reported, with the closest match', () => {
  expect(faulted({ 'store.ts': store.replace('remove', 'removeRow') }, late)).toBe(
    'no function `remove`; the closest match is `removeRow`, store.ts:2: sent < row.deletedAt',
  );
  expect(faulted({ 'store.ts': store.replace('deletedAt', 'removedAt') }, late)).toBe(
    '0 times the condition with `deletedAt` in `remove`; the closest match is `remove`, store.ts:2: sent < row.removedAt',
  );
  expect(faulted({ 'store.ts': store }, { ...late, becomes: 'sent < row.goneAt' })).toBe(
    'what it puts there names `goneAt`, which is not known there',
  );
});

const source = readSource(
  'a.ts',
  `// a === b
import { a } from './a.ts';
interface B { readonly c: 0 }
export function f(b: string | undefined): boolean {
  if (b === undefined) return false; // never true
  return b.startsWith('order') && a;
}
`,
);

test('a mutation changes one place of executed code, and nothing in comments, imports and types', () => {
  const lines = mutationsOf(source).map((edit) => {
    const line = source.code.slice(0, edit.start).split('\n').length;
    return `${line} ${applyEdit(source.code, edit).split('\n')[line - 1]?.trim()}`;
  });

  expect(lines).toEqual([
    '5 if (!(b === undefined)) return false;',
    '5 if (b === undefined) return void (false);',
    '5 if (b === undefined) return true;',
    "6 return void (b.startsWith('order') && a);",
    "6 return b.includes('order') && a;",
    "6 return b.startsWith('') && a;",
    "6 return b.startsWith('order') || a;",
  ]);
});
