import { expect, test } from 'vitest';
import { applyMutation, isReal, mutationsOf } from '../mutations.ts';

const source = `// a === b
import { a } from './a.ts';
interface B { readonly c: 0 }
export function f(b: string | undefined): boolean {
  if (b === undefined) return false; // never true
  return b.startsWith('order') && a;
}
`;

test('a mutation changes one place of code that runs, and nothing in comments, imports and types', () => {
  const mutations = mutationsOf(source).filter((mutation) => isReal(source, mutation));

  expect(mutations.map(({ line, after }) => `${line} ${after.trim()}`)).toEqual([
    '5 if (b !== undefined) return false; // never true',
    '5 if (b === undefined) return true; // never true',
    '5 if (!(b === undefined)) return false; // never true',
    '5 if (b === undefined) return void false; // never true',
    "6 return b.startsWith('order') || a;",
    "6 return void b.startsWith('order') && a;",
    "6 return b.includes('order') && a;",
    "6 return b.startsWith('') && a;",
  ]);
  expect(applyMutation(source, mutations[0]!)).toContain('b !== undefined'); // there are eight
});
