import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readEntryNames, readExamples, writeModule } from './read-examples.ts';

const repository = join(import.meta.dirname, '../../../..');
// below the repository, so that its packages are found; of this process, so that two runs do not meet in it
const folder = join(repository, 'node_modules/.cache', `holdfast-examples-${process.pid}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const preludeFile = join(import.meta.dirname, 'prelude.ts');
const preludeNames = [
  ...readFileSync(preludeFile, 'utf8').matchAll(/^export (?:declare )?(?:const|class|function|\{) (\w+)/gm),
].map((found) => found[1] ?? '');

/** Compiles the modules in one program and returns the errors, each with the place of its example. */
function compile(modules: ReadonlyMap<string, string>): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(preludeFile, join(folder, 'prelude.ts'));
  const files = [...modules].map(([place, text], index) => ({ name: `example-${index}.tsx`, place, text }));
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
  const config = {
    extends: '../../../tsconfig.json',
    compilerOptions: { verbatimModuleSyntax: false, noImplicitAny: false },
    include: ['*.tsx'],
    exclude: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout, status } = spawnSync('tsc', ['-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  // another check covers the errors in the files of the library
  const problems = stdout.split('\n').flatMap((line) => {
    const file = files.find(({ name }) => line.startsWith(`${name}(`));
    return file
      ? [line.replace(/^\S+: error /, `${file.place}: `)]
      : line.startsWith('prelude.ts')
        ? [line]
        : [];
  });
  if (status === null || (status !== 0 && stdout === '')) problems.push('the compiler did not run');
  return problems;
}

test('every example in a comment or in a README compiles', () => {
  const examples = readExamples();
  const entryNames = readEntryNames();
  const modules = examples.map(
    (example) => [example.place, writeModule(example, entryNames, preludeNames)] as const,
  );

  expect(examples.length).toBeGreaterThan(10);
  expect(compile(new Map(modules))).toEqual([]);
});

test('the report of a wrong example contains its place', () => {
  const wrong = {
    place: 'docs/wrong.md:7',
    code: `const title: number = (await TodoResource.get({ id })).title;`,
  };

  const problems = compile(new Map([[wrong.place, writeModule(wrong, readEntryNames(), preludeNames)]]));

  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^docs\/wrong\.md:7: TS2322/);
});
