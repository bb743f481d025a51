// Compiles one program of many statements, each with its own mistake, and returns the error of the compiler for each.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');
const sources = join(root, 'packages/holdfast/src');

/** The lines of the error of each statement: the last one says what is wrong, those above it where. One statement per line. */
export function compile(head: string, statements: readonly string[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-mistakes-'));
  const paths = {
    '#env': [join(sources, 'env.development.ts')],
    holdfast: [join(sources, 'index.ts')],
    'holdfast/*': [join(sources, '*.ts')],
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'program.ts'), [`${head} // `, ...statements].join('\n'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { paths, types: [] },
      files: ['program.ts'],
      include: [],
    }),
  );
  const { stdout } = spawnSync('npx', ['tsc', '-p', folder, '--pretty', 'false'], {
    cwd: root,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true, force: true });
  const said: string[][] = statements.map(() => []);
  let present: string[] = [];
  for (const line of stdout.split('\n').filter((text) => text !== '')) {
    const error = /program\.ts\((\d+),\d+\): error TS\d+: (.*)$/.exec(line);
    if (error) present = said[Number(error[1]) - 2] ?? (present = []);
    present.push(error?.[2] ?? line.trim());
  }
  return said;
}
