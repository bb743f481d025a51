// One visit of the demo in the engine that HOLDFAST_ENGINE names: the first screen, and its races one after the other.
// first-screen.test.ts looks closer, in Chromium.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RACES } from '../../apps/demo/web/src/races/all-races.ts';
import { launchEngine } from '../../scripts/engines.ts';
import type { Engine } from '../../scripts/engines.ts';
import { openDemo } from '../support/demo.ts';
import type { Demo } from '../support/demo.ts';

let demo: Demo;
let engine: Engine;

beforeAll(async () => {
  [demo, engine] = await Promise.all([openDemo({ seed: { issues: 60 } }), launchEngine()]);
});
afterAll(async () => {
  await engine.close();
  await demo.close();
});

function hear(): void {
  const logged: string[] = [];
  addEventListener('error', ({ message }) => logged.push(message));
  addEventListener('unhandledrejection', ({ reason }) => logged.push(String(reason)));
  Object.assign(globalThis, { logged });
}

function isWhole(): boolean {
  return ['[data-card]', '[data-row]'].every((part) => document.querySelector(part) !== null);
}

/** Clicks the button or the label of that name, if it is there. */
function clickOn(name: string): boolean {
  const all = [...document.querySelectorAll<HTMLElement>('button, label')];
  const found = all.find((element) => element.textContent.trim() === name);
  found?.click();
  return found !== undefined;
}

function readStage() {
  const { verdict = 'open' } = document.querySelector<HTMLElement>('.stage')?.dataset ?? {};
  return { verdict, ends: [...document.querySelectorAll('.stage-end strong')].map((end) => end.textContent) };
}

test('a visitor plays every race, and each has the right end', async () => {
  const tab = await engine.open(demo.url);
  const click = async (name: string): Promise<void> => {
    await expect.poll(() => tab.run(clickOn, name)).toBe(true);
  };
  await tab.run(hear);
  await expect.poll(() => tab.run(isWhole)).toBe(true);

  await click(`Play a race: ${RACES[0]?.name.toLowerCase()}`);
  await click('Without pauses');
  for (const [index, { name }] of RACES.entries()) {
    const ended = { timeout: 60_000, message: name };
    await expect.poll(async () => (await tab.run(readStage)).verdict, ended).not.toBe('open');
    expect((await tab.run(readStage)).ends, name).toEqual(['Wrong', 'Right']);
    await click(`Next: ${RACES[(index + 1) % RACES.length]?.name}`);
  }
  expect(await tab.run(() => (globalThis as { logged?: string[] }).logged)).toEqual([]);
});
