// A step of `npm run build -w demo`: packs the built library into dist, so that the install line of the first screen works: there is no
// release yet.
import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { resolve } from 'node:path';

const DIST = resolve(import.meta.dirname, 'dist');
const library = resolve(import.meta.dirname, '../../../packages/holdfast');
const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', DIST];
const file = execFileSync('npm', args, {
  cwd: library,
  encoding: 'utf8',
  shell: process.platform === 'win32',
}).trim();
renameSync(`${DIST}/${file.split('\n').at(-1)}`, `${DIST}/holdfast.tgz`);
