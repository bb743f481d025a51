// The tests of the contract show right programs, so a warning in one of them is a false alarm, unless the test listens for it.
import { afterEach, beforeEach, expect } from 'vitest';

const isOfContract = /test\/conformance\//.test(expect.getState().testPath ?? '');
const { warn } = console;
let warned: string[] = [];

if (isOfContract) {
  beforeEach(() => {
    warned = [];
    console.warn = (...words: unknown[]) => {
      warned.push(String(words[0]));
      warn(...words);
    };
  });
  afterEach(() => {
    console.warn = warn;
    expect(warned.filter((text) => /^\[[A-Z_]+\]/.test(text))).toEqual([]);
  });
}
