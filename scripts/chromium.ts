// Finds the browser the tests drive, and installs one when there is none. Order of search: CHROMIUM_PATH,
// the PATH, the places installers use, Playwright's own download. vitest.config.ts and e2e/ ask findChromium;
// scripts/setup.mjs runs this file, which is the only place that installs.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const places = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** What Playwright turns off. A second list of features replaces the first, so ours holds them too; a test compares. */
const offByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];
/** The address bar of each new window is a page of its own, which takes a second of a core and is never seen. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** Flags for a browser inside containers: no sandbox of its own, no GPU, no calls home. */
export const chromiumArgs: string[] = [
  `--disable-features=${[...offByPlaywright, ...addressBar].join()}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The browser on this machine, or undefined when there is none. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  // a path that was named and is wrong must not be replaced by a guess in silence
  if (named) return existsSync(named) ? named : undefined;
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, ...places, chromium.executablePath()].find((path) => existsSync(path));
}

/** What `chromium.launch` needs on this machine. */
export function launchOptions(): { executablePath?: string; args: string[] } {
  const executablePath = findChromium();
  return { ...(executablePath ? { executablePath } : {}), args: chromiumArgs };
}

/** Runs an installer without its output: if all of them fail, one line says what to do. */
function run(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      shell: process.platform === 'win32',
    });
    return true;
  } catch {
    return false;
  }
}

function install(): void {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('no browser found: installing the system package "chromium"');
    const done =
      run('apt-get', 'update', '-qq') &&
      run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation');
    if (done && findChromium()) return;
  }
  console.log("no browser found: downloading Playwright's own");
  run('npx', 'playwright', 'install', 'chromium');
}

if (import.meta.main) {
  const named = process.env['CHROMIUM_PATH'];
  if (!findChromium() && !named) install();
  const found = findChromium();
  if (found) {
    console.log(`browser: ${found}`);
  } else {
    console.error(
      named
        ? `No browser at CHROMIUM_PATH=${named}: correct or unset that variable, then run the command again.`
        : 'No browser for the tests: install Chromium or Chrome, or set CHROMIUM_PATH to one, then run the command again.',
    );
    process.exitCode = 1;
  }
}
