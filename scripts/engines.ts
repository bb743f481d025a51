// Drives Firefox and WebKit as they are, without a patched build: Firefox over WebDriver BiDi, which it speaks by itself, and
// WebKitGTK by its WebDriver on a screen that nobody sees. vitest.engines.config.ts runs the tests on both. This file, run by
// `npm run check -- engines`, installs what is missing first: it is the only place that does.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright';
import { launchOptions } from './chromium.ts';

export interface Tab {
  /** Runs a function in the page and gives what it returns or resolves to. It sees its arguments and the page, and nothing of its file. */
  run<A extends readonly unknown[], R>(task: (...args: A) => R, ...args: A): Promise<Awaited<R>>;
}

export interface Engine {
  open(url: string): Promise<Tab>;
  close(): Promise<void>;
}

export type EngineName = 'firefox' | 'webkit';

// ── what is on this machine ──────────────────────────────────────────────────────────────────────

const PACKAGES: Readonly<Record<EngineName, readonly string[]>> = {
  firefox: ['firefox-esr'],
  webkit: ['webkit2gtk-driver', 'libwebkit2gtk-4.1-0', 'xvfb'],
};

function onPath(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

const findFirefox = (): string | undefined => onPath('firefox-esr', 'firefox');

function findWebKit(): { driver: string; browser: string; screen: string } | undefined {
  const driver = onPath('WebKitWebDriver');
  const screen = onPath('Xvfb');
  const browser = globSync('/usr/{lib,libexec}{,/*}/webkit2gtk-4.1/MiniBrowser')[0];
  return driver && screen && browser ? { driver, browser, screen } : undefined;
}

export const isInstalled: Readonly<Record<EngineName, () => boolean>> = {
  firefox: () => findFirefox() !== undefined,
  webkit: () => findWebKit() !== undefined,
};

export const engineNames = Object.keys(PACKAGES) as readonly EngineName[]; // cast: its keys are the names

// ── processes ────────────────────────────────────────────────────────────────────────────────────

/** Resolves to the first match in the lines of a stream. */
async function lineOf(stream: Readable, pattern: RegExp): Promise<string> {
  for await (const line of createInterface(stream)) {
    const found = pattern.exec(line)?.[1];
    // what follows is read too, or the process would wait for a reader
    if (found) return (void stream.resume(), found);
  }
  throw new Error(`the browser ended before it said ${pattern.source}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await Promise.race([ended, sleep(5_000).then(() => child.kill('SIGKILL'))]);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // cast: a TCP server has one
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// ── Firefox ──────────────────────────────────────────────────────────────────────────────────────

/** Nothing that calls home, asks, or greets. */
const QUIET = [
  ['app.update.disabledForTesting', true],
  ['browser.aboutwelcome.enabled', false],
  ['browser.shell.checkDefaultBrowser', false],
  ['datareporting.policy.dataSubmissionEnabled', false],
  ['network.captive-portal-service.enabled', false],
  ['network.connectivity-service.enabled', false],
  ['services.settings.server', 'data:,'],
  ['toolkit.telemetry.enabled', false],
] as const;

interface BidiAnswer {
  readonly id?: number;
  readonly type: string;
  readonly message?: string;
  readonly result?: Record<string, unknown>;
}

async function launchFirefox(): Promise<Engine> {
  const profile = mkdtempSync(join(tmpdir(), 'holdfast-firefox-'));
  const prefs = QUIET.map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
  writeFileSync(join(profile, 'user.js'), prefs.join('\n'));
  const args = ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', profile];
  const child = spawn(findFirefox()!, args, { stdio: ['ignore', 'ignore', 'pipe'] }); // isInstalled said so
  const address = await lineOf(child.stderr, /WebDriver BiDi listening on (ws:\S+)/);
  const socket = new WebSocket(`${address}/session`);
  const waiting = new Map<number, (answer: BidiAnswer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as BidiAnswer; // cast: what the protocol says
    waiting.get(answer.id ?? -1)?.(answer);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`no connection to ${address}`)));
  });
  const send = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const id = waiting.size + 1;
    const answered = new Promise<BidiAnswer>((resolve) => void waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { type, result, message } = await answered;
    if (type !== 'success') throw new Error(message);
    return result ?? {};
  };
  await send('session.new', { capabilities: {} });
  return {
    async open(url) {
      const { context } = await send('browsingContext.create', { type: 'tab' });
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
      return {
        async run(task, ...given) {
          // as text: the protocol has a notation of its own for values
          const { type, result, exceptionDetails } = (await send('script.evaluate', {
            expression: `Promise.resolve((${task})(...${JSON.stringify(given)})).then(JSON.stringify)`,
            target: { context },
            awaitPromise: true,
          })) as { type: string; result?: { value?: string }; exceptionDetails?: { text: string } };
          if (type === 'exception') throw new Error(exceptionDetails?.text);
          return result?.value === undefined ? undefined : JSON.parse(result.value);
        },
      };
    },
    async close() {
      socket.close();
      await end(child);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

// ── WebKit ───────────────────────────────────────────────────────────────────────────────────────

async function launchWebKit(): Promise<Engine> {
  const found = findWebKit()!; // isInstalled said so
  const size = ['-screen', '0', '1600x1000x24'];
  const screen = spawn(found.screen, ['-displayfd', '3', '-nolisten', 'tcp', ...size], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const display = await lineOf(screen.stdio[3] as Readable, /^(\d+)$/); // cast: a pipe, as asked
  const port = await freePort();
  const driver = spawn(found.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${display}` },
  });
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: { message?: string } | null };
    if (!response.ok) throw new Error(value?.message ?? `WebDriver answered ${response.status}`);
    return value;
  };
  const options = { binary: found.browser, args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  let session: string | undefined;
  for (let tries = 0; session === undefined; tries += 1) {
    try {
      ({ sessionId: session } = (await send('POST', '', { capabilities })) as { sessionId: string });
    } catch (error) {
      // the driver needs a moment until it listens
      if (tries === 100) throw error;
      await sleep(50);
    }
  }
  const base = `/${session}`;
  let current = (await send('GET', `${base}/window`)) as string;
  let free: string | undefined = current;
  // a command is for the window that was chosen last, so one waits for the other
  let last: Promise<unknown> = Promise.resolve();
  const inWindow = <T>(handle: string, task: () => Promise<T>): Promise<T> => {
    const turn = last.then(async () => {
      if (current !== handle) await send('POST', `${base}/window`, { handle });
      current = handle;
      return task();
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  const execute = (script: string): Promise<unknown> =>
    send('POST', `${base}/execute/sync`, { script, args: [] });
  let runs = 0;
  return {
    async open(url) {
      // windows, because a tab that is not in front is hidden, and its timers rest
      const handle =
        free ??
        (await inWindow(current, async () => {
          const made = await send('POST', `${base}/window/new`, { type: 'window' });
          return (made as { handle: string }).handle; // cast: what the protocol says
        }));
      free = undefined;
      await inWindow(handle, () => send('POST', `${base}/url`, { url }));
      return {
        async run(task, ...given) {
          const name = `__run${(runs += 1)}`;
          // the end is asked for later: a command that waits would hold the other windows up
          const start = `Promise.resolve().then(() => (${task})(...${JSON.stringify(given)})).then(
            (value) => { globalThis.${name} = { value } },
            (error) => { globalThis.${name} = { error: String(error) } },
          )`;
          await inWindow(handle, () => execute(`${start}; return null`));
          for (;;) {
            const text = await inWindow(handle, () =>
              execute(`return JSON.stringify(globalThis.${name} ?? null)`),
            );
            const ended = JSON.parse(String(text)) as { value?: never; error?: string } | null; // cast: written above
            if (ended?.error !== undefined) throw new Error(ended.error);
            if (ended) return ended.value as never; // cast: what the task gave, as JSON
            await sleep(20);
          }
        },
      };
    },
    async close() {
      await send('DELETE', base);
      await end(driver);
      await end(screen);
    },
  };
}

// ── Chromium ─────────────────────────────────────────────────────────────────────────────────────

async function launchChromium(): Promise<Engine> {
  const browser = await chromium.launch(launchOptions());
  const context = await browser.newContext();
  return {
    async open(url) {
      const page = await context.newPage();
      await page.goto(url);
      return { run: (task, ...given) => page.evaluate(`(${task})(...${JSON.stringify(given)})`) };
    },
    close: () => browser.close(),
  };
}

const launchers = { chromium: launchChromium, firefox: launchFirefox, webkit: launchWebKit };

/** A browser with a profile of its own: the one that is named, else the one that this run is about, else Chromium. */
export function launchEngine(name = process.env['HOLDFAST_ENGINE'] ?? 'chromium'): Promise<Engine> {
  return launchers[name as keyof typeof launchers](); // cast: vitest.engines.config.ts names no other
}

// ── the check ────────────────────────────────────────────────────────────────────────────────────

function isDone(command: string, ...args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio: 'ignore', env }).status === 0;
}

function install(name: EngineName): boolean {
  if (isInstalled[name]()) return true;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log(`installing ${PACKAGES[name].join(', ')}`);
  return (
    isDone('apt-get', 'update', '-qq') &&
    isDone('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...PACKAGES[name]) &&
    isInstalled[name]()
  );
}

if (import.meta.main) {
  const missing = engineNames.filter((name) => !install(name));
  for (const name of missing) console.log(`not run: ${name} cannot be installed here`);
  const tally = process.env['HOLDFAST_TALLY'];
  if (tally && missing.length > 0) appendFileSync(tally, `${missing.length} skipped\n`);
  if (missing.length < engineNames.length) {
    const args = ['run', '--config', 'vitest.engines.config.ts', ...process.argv.slice(2)];
    process.exitCode = spawnSync('vitest', args, { stdio: 'inherit' }).status ?? 1;
  }
}
