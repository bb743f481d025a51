// Listens for the key that opens the panel. The panel's code is loaded when the panel is first opened.
import { tryRun } from '../../support/call-safely.ts';
import { currentPage } from '../../support/environment.ts';
import type { Inspector } from './inspector.ts';
import type { OpenPanel } from './panel-element.ts';

/**
 * Options of {@link mountPanel}.
 *
 * @example
 * const options: mountPanel.Options = { isOpen: true };
 * mountPanel(inspect(), options);
 */
export interface PanelOptions {
  /** Whether the panel is open at once. Default: false; Alt+Shift+H opens it. */
  readonly isOpen?: boolean;
}

/**
 * Shows an inspector in a panel on the page, which Alt+Shift+H opens and hides. Returns a function that removes the panel. Where
 * there is no page, as on a server, nothing is shown.
 *
 * @example
 * const inspector = inspect();
 * const removePanel = mountPanel(inspector);
 */
export function mountPanel(inspector: Inspector, { isOpen = false }: PanelOptions = {}): () => void {
  const page = currentPage();
  if (!page) return () => undefined;
  let panel: OpenPanel | undefined;
  let isLoading = false;
  let isOver = false;

  const load = async (): Promise<OpenPanel | undefined> => {
    if (isLoading) return undefined;
    isLoading = true;
    try {
      const { createPanel } = await import('./panel-element.ts');
      if (!isOver) panel = createPanel(page, inspector, tryRun);
      return panel;
    } finally {
      isLoading = false;
    }
  };
  const onKey = (event: KeyboardEvent): void => {
    if (!event.altKey || !event.shiftKey || event.code !== 'KeyH') return;
    // `toggle` also moves the focus, because a user who opens the panel by a key continues with the keyboard.
    if (panel) panel.toggle();
    else void load().then((loaded) => loaded?.toggle());
  };
  page.addEventListener('keydown', onKey);
  if (isOpen) void load().then((loaded) => loaded?.show(true));
  return () => {
    isOver = true;
    page.removeEventListener('keydown', onKey);
    panel?.close();
  };
}

export declare namespace mountPanel {
  export type { PanelOptions as Options };
}
