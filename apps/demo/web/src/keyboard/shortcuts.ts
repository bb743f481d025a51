// Single keys that press the control which declares them (`aria-keyshortcuts`). So a key does the same as its control, and
// nothing where that control is not on screen. The help sheet can turn the keys off.
import { useLayoutEffect } from 'react';
import { ExternalValue } from '../external-value.ts';

export const SHORTCUTS = [
  { keys: 'Control+K', text: 'Ctrl K or ⌘ K', does: 'Find an issue, or anything to do' },
  { keys: '?', text: '?', does: 'Show this help' },
  { keys: 'C', text: 'C', does: 'Create an issue' },
  { keys: 'W', text: 'W', does: 'Go to my work' },
  { keys: 'T', text: 'T', does: 'Go to all issues' },
  { keys: '/', text: '/', does: 'Search in the table' },
  { keys: 'Z', text: 'Z', does: 'Undo a deletion, while it is offered' },
  { keys: 'Control+Z', text: 'Ctrl Z or ⌘ Z', does: 'Undo the last change; with Shift, do it again' },
  { keys: 'Escape', text: 'Esc', does: 'Close the view at the side' },
] as const;

const STORAGE_KEY = 'harbor:keys';
export const areKeysOn = new ExternalValue(localStorage.getItem(STORAGE_KEY) !== 'off');

export function turnKeys(isOn: boolean): void {
  localStorage.setItem(STORAGE_KEY, isOn ? 'on' : 'off');
  areKeysOn.write(isOn);
}

/** The name of a key event in `aria-keyshortcuts`; undefined for other keys. */
function nameOf(event: KeyboardEvent): string | undefined {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  if (key === 'K' && (event.ctrlKey || event.metaKey)) return 'Control+K';
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const name = SHORTCUTS.find(({ keys }) => keys === key)?.keys;
  const isTyped = event.target instanceof Element && event.target.closest('input, textarea, select, dialog');
  return isTyped || (name !== 'Escape' && !areKeysOn.read()) ? undefined : name;
}

function press(event: KeyboardEvent): void {
  const name = event.defaultPrevented ? undefined : nameOf(event);
  if (!name || document.querySelector('dialog[open], [popover]:popover-open')) return;
  const controls = document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts~="${CSS.escape(name)}"]`);
  const control = [...controls].findLast((element) => element.checkVisibility());
  if (!control) return;
  event.preventDefault();
  if (control instanceof HTMLInputElement) control.focus();
  else control.click();
}

export function useShortcuts(): void {
  // only visible controls can be pressed
  useLayoutEffect(() => {
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
