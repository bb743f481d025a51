// Builds the site to docs/.vitepress/dist: writes the reference, the changelog and llms.txt, checks that no export lacks its text
// and that the reference's examples compile, has VitePress make the pages, and follows every link of them. Needs the built library.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { checkBlocks } from './check-blocks.ts';
import { checkLinks } from './check-links.ts';
import { findUndocumented, readExports } from './exports.ts';
import { findLongLines } from './format-blocks.ts';
import { writeMachineText } from './llms.ts';
import { docs, readPages, repository } from './pages.ts';
import { reference, writeReference } from './reference.ts';

const site = join(docs, '.vitepress/dist');

/** Changes that are not released yet, newest first as far as their files tell, in front of the released ones. */
function writeChangelog(): void {
  const notes = globSync('.changeset/*.md', { cwd: repository })
    .filter((file) => !file.endsWith('README.md'))
    .sort()
    .map((file) =>
      readFileSync(join(repository, file), 'utf8')
        .replace(/^---[\s\S]*?---\s*/, '')
        .trim(),
    )
    // a note keeps its paragraphs and its list
    .map((note) => note.replace(/`[^`]*`|</g, (found) => (found === '<' ? '&lt;' : found)));
  const text = [
    '# Changelog',
    'The library has no release yet. These changes will be in the first one.',
    ...notes,
    '',
  ];
  writeFileSync(join(reference, 'changelog.md'), text.join('\n\n'));
}

function fail(problems: readonly string[], what: string): void {
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) return;
  console.error(`${problems.length} ${what}`);
  process.exit(1);
}

const exports = readExports();
fail(findUndocumented(exports), 'exports that the reference cannot explain');
const pages = await writeReference(exports);
writeChangelog();
const written = readPages('reference/*.md');
fail(
  written.flatMap(({ name, text }) => findLongLines(name, text)),
  'lines that are too long to be seen whole',
);
fail(
  written.flatMap(({ name, text }) => (text.includes('{@link') ? [name] : [])),
  'pages that show the tag of a link',
);
fail((await checkBlocks(written)).problems, 'examples of doc comments that do not compile as printed');

const vitepress = createRequire(join(docs, 'package.json')).resolve('vitepress/package.json');
const built = spawnSync(process.execPath, [join(dirname(vitepress), 'bin/vitepress.js'), 'build', docs], {
  stdio: ['ignore', 'pipe', 'inherit'],
  encoding: 'utf8',
});
if (built.status !== 0) fail([built.stdout], 'failed build of the site');
writeMachineText(site, exports);
const { links, problems } = checkLinks(site);
fail(problems, 'links that lead nowhere');
console.log(
  `${exports.length} exports on ${pages} pages of the reference, ${links} links checked: docs/.vitepress/dist`,
);
