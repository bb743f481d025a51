// Puts a way to the panel on the page: a key, and a button where it is asked for. The panel itself is loaded when it is first wanted.
import { currentPage } from '../../support/environment.ts';
import type { OpenPanel } from './panel-element.ts';
import type { PanelSource } from './panel-views.ts';

/** How a panel comes on the page. */
export interface PanelOptions {
  /** Whether it is open at once. Default: false; Alt+Shift+H opens it. */
  readonly isOpen?: boolean;
}

/**
 * Shows an inspector on the page: Alt+Shift+H opens and hides it. Gives back how to take it away. Does nothing where there is no page.
 *
 * @example
 * const takeAway = mountPanel(inspector);
 */
export function mountPanel(inspector: PanelSource, { isOpen = false }: PanelOptions = {}): () => void {
  const page = currentPage();
  if (!page) return () => undefined;
  let panel: OpenPanel | undefined;
  let isLoading = false;
  let isOver = false;
  let focused: Element | null = null;

  const toggle = async (): Promise<void> => {
    if (panel) return panel.toggle();
    if (isLoading) return undefined;
    isLoading = true;
    focused = page.activeElement;
    const { openPanel } = await import('./panel-element.ts');
    // who opened it by a key goes on where they were
    if (!isOver) panel = openPanel(page, inspector, () => (focused as HTMLElement | null)?.focus?.()); // cast: asking is the check
    return undefined;
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.altKey && event.shiftKey && event.code === 'KeyH') void toggle();
  };
  page.addEventListener('keydown', onKey);
  if (isOpen) void toggle();
  return () => {
    isOver = true;
    page.removeEventListener('keydown', onKey);
    panel?.close();
  };
}
