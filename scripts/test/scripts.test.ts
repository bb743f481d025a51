import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';
import { afterAll, expect, test } from 'vitest';
import { chromiumArgs } from '../chromium.ts';

const scripts = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'holdfast-scripts-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function runScript(
  name: string,
  options: { cwd?: string; env?: Record<string, string>; args?: string[] } = {},
): { status: number | null; lines: string[] } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(scripts, name), ...(options.args ?? [])],
    { cwd: options.cwd ?? scratch, encoding: 'utf8', env: { PATH: process.env['PATH'], ...options.env } },
  );
  return { status, lines: `${stdout}${stderr}`.split('\n').filter(Boolean) };
}

test('a configured browser that is missing ends in one line with the solution', () => {
  const { status, lines } = runScript('chromium.ts', { env: { CHROMIUM_PATH: '/nowhere/chromium' } });

  expect(status).toBe(1);
  expect(lines).toEqual([
    'No browser at CHROMIUM_PATH=/nowhere/chromium: correct or unset that variable, then run the command again.',
  ]);
});

test('a browser on the PATH takes precedence over any other place', () => {
  const browser = join(scratch, 'chromium');
  writeFileSync(browser, '#!/bin/sh\n');
  chmodSync(browser, 0o755);

  const { status, lines } = runScript('chromium.ts', {
    env: { PATH: `${scratch}${delimiter}${process.env['PATH']}` },
  });

  expect({ status, lines }).toEqual({ status: 0, lines: [`browser: ${browser}`] });
});

test('a launched browser has the flags of Playwright, beside the features that we turn off', async () => {
  const seen = join(scratch, 'flags');
  const browser = join(scratch, 'browser-that-ends');
  writeFileSync(browser, `#!/bin/sh\nfor flag in "$@"; do echo "$flag" >> '${seen}'; done\n`);
  chmodSync(browser, 0o755);

  await chromium.launch({ executablePath: browser, args: chromiumArgs }).catch(() => undefined);

  const lists = readFileSync(seen, 'utf8').matchAll(/^--disable-features=(.*)$/gm);
  const [ofPlaywright = [], ours = []] = [...lists].map(([, list = '']) => list.split(','));
  expect(ofPlaywright.length).toBeGreaterThan(5);
  expect(ours).toEqual(expect.arrayContaining(ofPlaywright));
  expect(ours).toContain('WebUIOmniboxPopup');
});

test('the lock check reports a download address and an optional package that is not locked', () => {
  const lock = {
    packages: {
      '': { optionalDependencies: { 'tool-linux': '1.0.0', 'tool-mac': '1.0.0' } },
      'node_modules/tool-linux': { version: '1.0.0', resolved: 'https://example.com/tool-linux.tgz' },
    },
  };
  writeFileSync(join(scratch, 'package-lock.json'), JSON.stringify(lock));

  const { status, lines } = runScript('check-lock.mjs');

  expect(status).toBe(1);
  expect(lines).toEqual([
    'the root needs tool-mac, which is not locked',
    'node_modules/tool-linux has a download address',
  ]);
});

test('the repository check reports a path of one machine, a host of a registry and a conflict mark', () => {
  const repository = join(scratch, 'repository');
  execFileSync('git', ['init', '-q', repository]);
  const planted = {
    'path.md': `see /${'home'}/someone/notes`,
    'host.json': `{ "from": "https://${'registry'}.example.com/x" }`,
    'conflict.ts': `${'<'.repeat(7)} mine`,
    'fine.ts': `fetch('/users/1/home/x'); // https://example.com/registry`,
  };
  for (const [name, text] of Object.entries(planted)) writeFileSync(join(repository, name), text);

  const { status, lines } = runScript('check-repository.ts', { cwd: repository });

  expect(status).toBe(1);
  expect(lines.map((line) => line.split(':')[0])).toEqual([
    '4 files looked at, 3 problems',
    'conflict.ts',
    'host.json',
    'path.md',
  ]);
});

test('the runner refuses an unknown step', () => {
  const { status, lines } = runScript('check.ts', { args: ['lint', 'lnt'] });

  expect(status).toBe(1);
  expect(lines.join('\n')).toContain('no such check: lnt');
});
