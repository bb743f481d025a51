// The inspector of the page. It has to see the first request, so it is loaded before the store is made: on the first screen,
// whose X-ray needs it, and elsewhere once a visitor has opened it, for as long as the tab is open.
import type { Manager } from 'holdfast';
import type { Inspector, mountPanel } from 'holdfast/inspect';
import { ExternalValue } from '../external-value.ts';

const STORAGE_KEY = 'harbor:inspector';

/** True when the panel is requested. */
export const panel = new ExternalValue(sessionStorage.getItem(STORAGE_KEY) !== null);

interface Loaded {
  readonly inspector: Inspector;
  readonly mount: typeof mountPanel;
  takeAway: () => void;
}

let loaded: Loaded | null = null;

/** The inspector as a manager; undefined where no visitor has opened it. */
export async function loadInspector(): Promise<readonly Manager[]> {
  if (!panel.read() && window.location.pathname !== '/') return [];
  const { inspect, mountPanel: mount } = await import('holdfast/inspect');
  const inspector = inspect({ keep: 600 });
  loaded = { inspector, mount, takeAway: mount(inspector, { isOpen: panel.read() }) };
  return [inspector];
}

/** The page's inspector; null where it was opened without one. */
export function readInspector(): Inspector | null {
  return loaded?.inspector ?? null;
}

/** Opens the panel or hides it. Where there is no inspector yet, the page is loaded again with one. */
export function askForPanel(isAsked: boolean): void {
  if (isAsked) sessionStorage.setItem(STORAGE_KEY, 'on');
  else sessionStorage.removeItem(STORAGE_KEY);
  panel.write(isAsked);
  if (!loaded) {
    window.location.reload();
    return;
  }
  loaded.takeAway();
  loaded.takeAway = loaded.mount(loaded.inspector, { isOpen: isAsked });
}
