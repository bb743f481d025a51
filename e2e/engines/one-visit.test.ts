// One visit of the demo in the engine that HOLDFAST_ENGINE names: the first screen, and its races one after the other.
// first-screen.test.ts looks closer, in Chromium.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RACES } from '../../apps/demo/web/src/races/all-races.ts';
import { launchEngine } from '../../scripts/engines.ts';
import type { Engine } from '../../scripts/engines.ts';
import { openDemo } from '../support/demo.ts';
import type { Demo } from '../support/demo.ts';
import { compareEnd } from '../support/first-screen.ts';

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
  const { verdict = 'open', of: card = '' } = document.querySelector<HTMLElement>('.stage')?.dataset ?? {};
  const wrong = [...document.querySelectorAll('.stage-checks .is-wrong')].map((check) => check.textContent);
  return { verdict, card, wrong };
}

test('a visitor plays every race, and each has the right end', async () => {
  const tab = await engine.open(demo.url);
  const click = async (name: string): Promise<void> => {
    await expect.poll(() => tab.run(clickOn, name)).toBe(true);
  };
  await tab.run(hear);
  await expect.poll(() => tab.run(isWhole)).toBe(true);
  await click('Play them quickly');

  for (const { id, name } of RACES) {
    await click(name);
    const ended = { timeout: 60_000, message: name };
    await expect.poll(async () => (await tab.run(readStage)).verdict, ended).not.toBe('open');
    const { card, wrong } = await tab.run(readStage);
    expect(wrong, name).toEqual([]);
    // after a log-out the views are being read again
    await expect
      .poll(() => compareEnd(demo, (look) => tab.run(look, card), id, card), { message: name })
      .toEqual([]);
    await click('All races');
  }
  expect(await tab.run(() => (globalThis as { logged?: string[] }).logged)).toEqual([]);
});
