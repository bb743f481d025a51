// What the commands of the README run, on the real command line: npm keeps options for itself that are not behind two dashes, and
// a script between may lose the others.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STEPS, stepsOf } from '../check.list.ts';
import { PARTS } from '../nightly.list.ts';
import { readPage } from '../what-runs.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const namesOf = (run: 'test' | 'all'): string[] => stepsOf(run).map(({ name }) => name);

/** The lines of a command as it is typed, npm's own left out. */
function type(command: string): { status: number | null; lines: string[] } {
  const { npm_config_all: _, ...env } = process.env;
  const { status, stdout } = spawnSync(command, { cwd: root, shell: true, encoding: 'utf8', env });
  return { status, lines: stdout.split('\n').filter((line) => line !== '' && !line.startsWith('>')) };
}

test.each([
  ['npm test -- --list', namesOf('test')],
  ['npm test -- --all --list', namesOf('all')],
  ['npm run check -- --list', namesOf('test')],
  ['npm run check -- --all --list', namesOf('all')],
  // npm keeps this one, and hands it on in the environment
  ['npm test --all -- --list', namesOf('all')],
  ['npm run check -- types lint --list', ['lint', 'types']],
])('%s runs what it declares', (command, wanted) => {
  expect(type(command)).toEqual({ status: 0, lines: wanted });
});

test('the quick run leaves out only parts of the whole run, and the whole run has every test', () => {
  const whole = namesOf('all');
  const short = stepsOf('test').filter(({ when }) => when !== 'quick');

  expect(short.filter(({ name }) => !whole.includes(name))).toEqual([]);
  expect(whole).toEqual(STEPS.filter(({ when }) => ['test', 'all'].includes(when)).map(({ name }) => name));
});

test('a step starts after the steps that it needs, and is listed once', () => {
  const names = STEPS.map(({ name }) => name);
  const early = STEPS.flatMap(({ name, needs = [] }, at) =>
    needs.filter((other) => !names.slice(0, at).includes(other)).map((other) => `${name} before ${other}`),
  );

  expect(early).toEqual([]);
  expect(new Set([...names, ...PARTS.map(({ name }) => name)]).size).toBe(names.length + PARTS.length);
});

test('the README prints both commands, and the checks of each change run the second', () => {
  const printed = [...read('README.md').matchAll(/^(npm test[^#]*?) +#.*\d minutes/gm)].map(
    ([, command]) => command,
  );

  expect(printed).toEqual(['npm test', 'npm test -- --all']);
  expect(read('.ci/run')).toMatch(/^npm test -- --all <\/dev\/null/m);
});

test('the table of CONTRIBUTING.md equals the list of what runs', () => {
  const { is, wanted } = readPage();

  expect(is, 'npx node scripts/what-runs.ts writes it').toBe(wanted);
  expect(is.split('\n').length).toBeLessThanOrEqual(92);
});

test('every npm script that a page mentions exists, and there are at most 20', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const { stdout } = spawnSync('git', ['grep', '-hoIE', 'npm run (--silent )?[a-z:]+( -w)?'], {
    cwd: root,
    encoding: 'utf8',
  });
  const named = new Set(
    stdout
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith(' -w'))
      .map((line) => line.replace(/^npm run (--silent )?/, '')),
  );

  expect([...named].filter((name) => !(name in scripts))).toEqual([]);
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(20);
});

test('every step and part that a page mentions exists', () => {
  const { stdout } = spawnSync('git', ['grep', '-hoIE', 'npm run (check|nightly) -- [a-z][a-z: -]*'], {
    cwd: root,
    encoding: 'utf8',
  });
  const known = [...STEPS, ...PARTS].map(({ name }) => name);
  const named = stdout
    .split('\n')
    .filter(Boolean)
    .flatMap((line) =>
      line
        .replace(/^npm run \w+ -- /, '')
        .replace(/ -.*/, '')
        .trim()
        .split(' '),
    );

  expect([...new Set(named)].filter((name) => !known.includes(name))).toEqual([]);
});
