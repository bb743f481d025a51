// What writeArrows writes as constants, and what it leaves.
import { expect, test } from 'vitest';
import { writeArrows } from '../arrow-functions.ts';

const LEFT = '';

test.each([
  ['export function a(x) {\n  return x;\n}', 'export const a = (x) => {\n  return x;\n};'],
  ['async function a({ x } = {}, ...rest) {}', 'const a = async ({ x } = {}, ...rest) => {};'],
  [
    'function a() { return () => b; }\nfunction b() {}',
    'const a = () => { return () => b; };\nconst b = () => {};',
  ],
  ['function a() { return this; }', LEFT],
  ['function a() { return () => this; }', LEFT],
  ['function a() { return arguments.length; }', LEFT],
  ['function* a() {}', LEFT],
  ['const made = new Map();\nfunction a() {}', 'const made = new Map();\nconst a = () => {};'],
  ['function a() {}\nconst made = a();', 'const a = () => {};\nconst made = a();'],
  ['const made = a();\nfunction a() {}', LEFT],
  ['const made = a();\nfunction a() { return b; }\nfunction b() {}', LEFT],
  ['class A { static made = a(); }\nfunction a() {}', LEFT],
  ['const table = { a };\nfunction a() {}', LEFT],
  [
    'const table = { a: () => a() };\nfunction a() {}',
    'const table = { a: () => a() };\nconst a = () => {};',
  ],
  ['export { a };\nfunction a() {}', 'export { a };\nconst a = () => {};'],
  ['class A extends a {}\nfunction a() {}', LEFT],
  ['class A { static { a(); } }\nfunction a() {}', LEFT],
  ['class A { static made = new this(); made = a(); }\nfunction a() {}', LEFT],
  ['class A { made = a(); }\nfunction a() {}', 'class A { made = a(); }\nconst a = () => {};'],
])('%j', (code, written) => {
  expect(writeArrows('file.js', code)).toBe(written || code);
});
