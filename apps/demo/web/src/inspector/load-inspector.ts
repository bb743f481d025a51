// The inspector of the page, for visitors who want to know why: loaded when one asks for it, and for as long as the tab is open. It
// has to see the first request, so asking for it loads the page again.
import type { Manager } from 'holdfast';

const STORAGE_KEY = 'harbor:inspector';

export function isInspecting(): boolean {
  return sessionStorage.getItem(STORAGE_KEY) !== null;
}

/** The manager that sees what happens, with its panel open; none where nobody has asked. */
export async function loadInspector(): Promise<readonly Manager[]> {
  if (!isInspecting()) return [];
  const { inspect, mountPanel } = await import('holdfast/inspect');
  const inspector = inspect();
  mountPanel(inspector, { isOpen: true });
  return [inspector];
}

export function toggleInspector(): void {
  if (isInspecting()) sessionStorage.removeItem(STORAGE_KEY);
  else sessionStorage.setItem(STORAGE_KEY, 'on');
  location.reload();
}
