// Plain JavaScript without dependencies: runs on whatever Node started npm, before anything is installed.
// Installs the npm packages when package-lock.json is newer than they are, and with `--browser` a browser when
// there is none. Called by `npm start` and `npm test`.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

const changed = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function run(command, ...args) {
  try {
    execFileSync(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    });
  } catch (error) {
    // the command has already said what is wrong: a stack trace of this script would only hide it
    process.exit(error.status || 1);
  }
}

if (changed('node_modules/.package-lock.json') < changed('package-lock.json')) {
  run('npm', 'ci', '--loglevel=error');
}
if (process.argv.includes('--browser')) run('node', 'scripts/chromium.ts');
