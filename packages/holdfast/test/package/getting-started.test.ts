// Builds the application of docs/getting-started.md from the code blocks of the page, and uses it as the page describes.
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { chromium } from 'playwright';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchOptions } from '../../../../scripts/chromium.ts';
import { packLibrary } from '../../../../scripts/pack.ts';
import { repository } from './readme-example.ts';

const page = readFileSync(join(repository, 'docs/getting-started.md'), 'utf8');
/** Files and commands in the order of the page; a file is a block below a line that starts with its name. */
const blocks = [...page.matchAll(/(?:^`([\w./-]+)`[^\n]*:\n\n)?^```(\w+)\n([\s\S]*?)^```/gm)].map(
  ([, file, language, text = '']) => ({ file, language, text }),
);
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.trim().split('\n'));

// outside of the repository, so that only the packages that the page installs are found
const app = mkdtempSync(join(tmpdir(), 'holdfast-start-'));
const { NODE_ENV: _, PORT: __, ...outer } = process.env;
const children: ChildProcess[] = [];
let browser: Browser;
let port = '';

/**
 * Installs the packages of the `npm install` lines of the page where npm would: the tarball, and the others from the repository.
 */
function install(): void {
  const names = commands
    .filter((line) => line.startsWith('npm install'))
    .flatMap((line) => line.split(' ').slice(2))
    .filter((name) => !name.startsWith('--'));
  for (const name of names) {
    const folder = join(app, 'node_modules', name);
    mkdirSync(dirname(folder), { recursive: true });
    if (name !== 'holdfast') symlinkSync(join(repository, 'node_modules', name), folder, 'junction');
  }
  const tarball = packLibrary(join(app, 'packed'));
  execFileSync('tar', ['-xzf', tarball, '-C', join(app, 'packed')]);
  cpSync(join(app, 'packed/package'), join(app, 'node_modules/holdfast'), { recursive: true });
  expect(names).toContain('holdfast');
}

/** The program and arguments of a line such as `npx vite`. */
function parse(line: string): [string, string[]] {
  const [program = '', name = '', ...rest] = line.split(' ');
  if (program === 'node') return [process.execPath, [name, ...rest]];
  const manifest = JSON.parse(
    readFileSync(join(app, 'node_modules', packageOf(name), 'package.json'), 'utf8'),
  ) as {
    bin: Record<string, string>;
  };
  return [process.execPath, [join(app, 'node_modules', packageOf(name), manifest.bin[name] ?? ''), ...rest]];
}
const packageOf = (program: string): string => (program === 'tsc' ? 'typescript' : program);

function run(line: string): string {
  try {
    return execFileSync(...parse(line), {
      cwd: app,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...outer, PORT: port },
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }; // cast: what execFileSync throws
    throw new Error(`${line}\n${stdout}${stderr}`, { cause: error });
  }
}

/** Starts a command that keeps running, and returns the address that it prints. */
async function start(
  line: string,
  env: Record<string, string>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(...parse(line), { cwd: app, env: { ...outer, ...env } });
  children.push(child);
  let output = '';
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += stripVTControlCharacters(String(chunk));
      const [found] = /http:\/\/\S+(?=\s)/.exec(output) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`${line}\n${output}`)));
  });
  return {
    url,
    async stop() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** Writes the files between two commands of the page, and returns the type errors. */
function paste(from: number, to: number): string {
  for (const { file, text } of blocks.slice(from, to)) {
    if (!file) continue;
    mkdirSync(dirname(join(app, file)), { recursive: true });
    writeFileSync(join(app, file), text);
  }
  return run('npx tsc');
}

beforeAll(async () => {
  install();
  browser = await chromium.launch(launchOptions());
});
afterAll(async () => {
  await browser?.close();
  for (const child of children) child.kill('SIGKILL');
  rmSync(app, { recursive: true, force: true });
});

test('the code of the page, pasted, is an application that reads, writes and shows failures', async () => {
  const firstStart = blocks.findIndex(({ text }) => text.includes('npx vite'));
  expect(paste(0, firstStart)).toBe('');
  const server = await start('node server.mjs', { PORT: '0' });
  ({ port } = new URL(server.url));
  const vite = await start('npx vite', { PORT: port });
  const tab = await browser.newPage();
  const problems: string[] = [];
  tab.on('pageerror', (error) => problems.push(error.message));
  await tab.goto(vite.url);
  await tab.getByRole('listitem').nth(1).waitFor();

  expect(await tab.getByRole('listitem').allInnerTexts()).toEqual(['Buy milk', 'Call Ada']);

  expect(paste(firstStart, blocks.length)).toBe('');
  await tab.getByText('1 open').waitFor(); // Vite has seen the file change and loaded the page again
  await tab.getByLabel('New todo').fill('Write');
  await tab.getByRole('button', { name: 'Add' }).click();
  await tab.getByText('2 open').waitFor();
  await tab.getByRole('checkbox', { name: 'Call Ada' }).check();
  await tab.getByRole('listitem').filter({ hasText: 'Buy milk' }).getByRole('button').click();
  await tab.getByText('1 open').waitFor();
  // optimistic updates are shown at once: the server has the change a moment later
  await expect
    .poll(async () => (await fetch(server.url)).json())
    .toEqual([
      { id: '2', title: 'Call Ada', done: true },
      { id: '3', title: 'Write', done: false },
    ]);
  expect(await tab.getByRole('listitem').locator('label').allInnerTexts()).toEqual([' Call Ada', ' Write']);

  await tab.getByRole('button', { name: 'Add' }).click();
  expect(await tab.getByRole('alert').innerText()).toBe('A todo needs a title.');
  expect(await tab.getByRole('listitem').count()).toBe(2);
  // the DELETE of an open todo is answered 409: the row comes back, and the server's sentence is shown
  await tab.getByRole('listitem').filter({ hasText: 'Write' }).getByRole('button').click();
  await tab.getByText('Only what is done can be deleted.').waitFor();
  expect(await tab.getByRole('listitem').locator('label').allInnerTexts()).toEqual([' Call Ada', ' Write']);
  expect(run('node print.mjs')).toBe('Call Ada\nWrite\n');

  await server.stop();
  await tab.reload();
  await tab.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
  expect(await tab.getByRole('alert').innerText()).toContain('The todos could not be loaded');
  expect(problems).toEqual([]);
});

test('the built application contains no development message', () => {
  run('npx vite build --logLevel error');
  const html = readFileSync(join(app, 'dist/index.html'), 'utf8');
  const [, script = ''] = /src="\/([^"]+)"/.exec(html) ?? [];
  const code = readFileSync(join(app, 'dist', script), 'utf8');

  expect(code).toContain('/api/todos/:id');
  expect(code).not.toContain('has no usable primary key');
  expect(code).not.toContain('docs/errors.md#');
});

test('every command of the page is run or replaced by this test', () => {
  expect(commands.filter((line) => !line.startsWith('npm install'))).toEqual([
    'mkdir todos && cd todos',
    'npm init -y',
    'node server.mjs',
    'npx tsc',
    'npx vite',
    'node print.mjs',
  ]);
});
