// `npm test` and `npm test -- --all`: installs what is missing, then hands its arguments on to scripts/check.ts. Plain JavaScript
// without dependencies, because nothing may be installed yet.
import { spawnSync } from 'node:child_process';

const args = process.argv.slice(2);
function run(...command) {
  const { status } = spawnSync('node', command, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!args.includes('--list')) run('scripts/setup.mjs', '--browser');
run('scripts/check.ts', ...args);
