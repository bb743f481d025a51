// The build answers the questions of store/order.ts in place: the same answer, each argument evaluated once.
import { expect, test } from 'vitest';
import { inlineQuestions } from '../inline-questions.ts';

const module = 'dist/store/order.js';
const source = [
  'export function isAfter(moment, other) { return moment > other; }',
  'export function isStale({ staleSince }, since = 0) { return staleSince > since; }',
  'export function latest(...moments) { return Math.max(...moments); }',
  'export function isMessage({ sent, settled }) { return sent === settled && settled > 0; }',
  'export function isTwice(moment) { return moment > moment; }',
].join('\n');
const imports = `import { isAfter, isStale, isMessage, isTwice, latest } from './order.js';`;
const inline = (code: string, head = imports): string =>
  inlineQuestions('dist/store/x.js', `${head}\n${code}`, module, source).slice(head.length + 1);

test.each([
  ['isAfter(a, b.c);', '(a > b.c);'],
  ['isAfter(a ?? 0, -b);', '((a ?? 0) > (-b));'],
  ['isStale(row) && isStale(row, row.sent);', '(row.staleSince > 0) && (row.staleSince > row.sent);'],
  ['isAfter(latest(a, f(b)), c);', '(((Math.max(a, f(b)))) > c);'],
])('%s becomes %s', (code, expected) => {
  expect(inline(code)).toBe(expected);
});

test.each(['isStale(find());', 'isTwice(find());', 'latest(...all);', 'isMessage(stamp);', 'isAfter;'])(
  '%s stays',
  (code) => {
    expect(inline(code)).toBe(code);
  },
);

test('a function of the same name from another module stays', () => {
  const head = `import { isAfter } from './clock.js';`;
  expect(inline('isAfter(a, b);', head)).toBe('isAfter(a, b);');
});
