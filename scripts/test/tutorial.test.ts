// The tutorial shows the code of its steps: a reader who follows the page has the files of the last folder.
import { applyPatch } from 'diff';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fill, filesOf, readShown, readTutorial, steps } from '../docs/tutorial.ts';

const page = readTutorial();
const last = Math.max(...readShown(page).map(({ step }) => step));

test('the blocks of the page are those of the folders', () => {
  expect(fill(page)).toBe(page);
});

test('a reader who writes each file and applies each difference has every step, byte for byte', () => {
  const written = new Map<string, string>();
  for (let step = 1; step <= last; step += 1) {
    for (const { path, language, text } of readShown(page).filter((shown) => shown.step === step)) {
      const changed = language === 'diff' ? applyPatch(written.get(path) ?? '', text) : text;
      expect(changed, `${path} of step ${step}`).not.toBe(false);
      written.set(path, String(changed));
    }
    const folder = filesOf(step).map((path) => [
      path,
      readFileSync(join(steps, `step-${step}`, path), 'utf8'),
    ]);
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(folder));
  }
  expect(last).toBe(9);
});
