// Looks at every file git would commit for what must not be there: paths of one machine, hosts of a registry,
// conflict marks, files too large to review. Part of `npm run check -- repository`.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { sep } from 'node:path';

/** What git would commit; in a copy without a repository, everything that no tool wrote. */
function listFiles(): string[] {
  try {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    return execFileSync('git', args, {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split('\0');
  } catch {
    const written = new Set(['node_modules', 'dist', 'coverage', '.git', '.next', '.data']);
    const skip = (path: string): boolean => path.split(sep).some((part) => written.has(part));
    return globSync('**/*', { exclude: (path) => skip(path) });
  }
}

const files = listFiles().filter((file) => file !== '' && existsSync(file) && statSync(file).isFile());

// built from parts, so that this file passes its own check
const rules: readonly { readonly name: string; readonly pattern: RegExp; readonly except?: RegExp }[] = [
  {
    name: 'a path of one machine',
    pattern: new RegExp(
      `(?<![\\w.$}*-])/(?:${['wo' + 'rk', 'ho' + 'me/\\w+', 'Us' + 'ers/\\w+', 'ro' + 'ot'].join('|')})/[\\w.-]`,
    ),
    // a REST path `/users/x` differs in case; tests of path handling may need such words
    except: /\.lock$/,
  },
  {
    name: 'a host of a registry',
    pattern: new RegExp(
      `https?://[\\w.-]*(?:${['regis' + 'try\\.', 'artifact' + 'ory', 'ver' + 'daccio', 'nex' + 'us\\.'].join('|')})`,
    ),
    except: /^package-lock\.json$/,
  },
  { name: 'a conflict mark', pattern: /^(?:<{7}|>{7}) /m },
];

const problems: string[] = [];
for (const file of files) {
  const { size } = statSync(file);
  if (size > 1_000_000 && file !== 'package-lock.json')
    problems.push(`${file} is ${size} bytes: too large to review`);
  const text = readFileSync(file, 'utf8');
  if (text.includes('\0')) continue; // a picture or the like
  for (const { name, pattern, except } of rules) {
    const found = except?.test(file) ? null : pattern.exec(text);
    if (found)
      problems.push(
        `${file}:${text.slice(0, found.index).split('\n').length} holds ${name}: ${found[0].trim()}`,
      );
  }
}
// the lock may only name packages by name: check-lock.mjs looks at its addresses
for (const problem of problems) console.error(problem);
console.log(`${files.length} files looked at, ${problems.length} problems`);
process.exitCode = problems.length > 0 || files.length === 0 ? 1 : 0;
