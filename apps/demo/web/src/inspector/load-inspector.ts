// The inspector of the page. It has to see the first request, so it is loaded before the store is made: on the first screen,
// whose X-ray needs it, and elsewhere once a visitor has opened it, for as long as the tab is open. Its panel is loaded when it is shown.
import type { Manager } from 'holdfast';
import type { Inspector } from 'holdfast/inspect';
import { ExternalValue } from '../external-value.ts';

const STORAGE_KEY = 'harbor:inspector';

/** True when the panel is on screen. */
export const panel = new ExternalValue(sessionStorage.getItem(STORAGE_KEY) !== null);

let inspector: Inspector | null = null;
let takeAway: (() => void) | null = null;

/** The inspector as a manager; undefined where no visitor has opened it. */
export async function loadInspector(): Promise<readonly Manager[]> {
  if (!panel.read() && window.location.pathname !== '/') return [];
  const { inspect } = await import('./inspector-module.ts');
  inspector = inspect({ keep: 600 });
  if (panel.read()) void showPanel(inspector);
  else listenForKey();
  return [inspector];
}

/** The page's inspector; null where it was opened without one. */
export function readInspector(): Inspector | null {
  return inspector;
}

/** Opens the panel or hides it. Where there is no inspector yet, the page is loaded again with one. */
export function askForPanel(isAsked: boolean): void {
  note(isAsked);
  if (!inspector) {
    window.location.reload();
    return;
  }
  takeAway?.();
  takeAway = null;
  if (isAsked) void showPanel(inspector);
}

function note(isShown: boolean): void {
  if (isShown) sessionStorage.setItem(STORAGE_KEY, 'on');
  else sessionStorage.removeItem(STORAGE_KEY);
  panel.write(isShown);
}

async function showPanel(shown: Inspector): Promise<void> {
  const { mountPanel } = await import('./panel-module.ts');
  takeAway?.();
  takeAway = mountPanel(shown, { isOpen: true });
  followPanel();
}

/** The panel has keys and a button of its own. It is added to the page when its own code is loaded, and hides itself by an attribute. */
function followPanel(): void {
  const added = new MutationObserver(() => {
    const section = document
      .querySelector('holdfast-inspector')
      ?.shadowRoot?.querySelector<HTMLElement>('section');
    if (!section) return;
    added.disconnect();
    new MutationObserver(() => note(!section.hidden)).observe(section, { attributeFilter: ['hidden'] });
  });
  added.observe(document.body, { childList: true });
}

/** Until the panel is loaded, its key is heard here. */
function listenForKey(): void {
  window.addEventListener('keydown', ({ altKey, shiftKey, code }) => {
    if (altKey && shiftKey && code === 'KeyH' && !takeAway) askForPanel(true);
  });
}
