// The panel as a custom element with a shadow root: its tabs, its keys, and when it draws. mount-panel.ts loads this file when
// the panel is first opened.
import { createElementMaker } from './panel-dom.ts';
import { STYLE } from './panel-style.ts';
import { createNowView, createRowView, createWritesView } from './panel-views.ts';
import type { PanelSource } from './panel-views.ts';

export interface OpenPanel {
  show(isShown: boolean): void;
  /** Shows the panel and focuses it, or hides it and restores the focus. */
  toggle(): void;
  close(): void;
}

const ELEMENT_NAME = 'holdfast-inspector';

/** Adds the panel to the page, hidden. */
export function createPanel(page: Document, source: PanelSource): OpenPanel {
  const view = page.defaultView!; // a document that is shown has a window
  const make = createElementMaker(page);
  // the element's class is empty and all code is in this function, so that several panels can share the definition
  if (!view.customElements.get(ELEMENT_NAME))
    view.customElements.define(ELEMENT_NAME, class extends view.HTMLElement {});
  const host = make(ELEMENT_NAME);
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];

  const views = [createNowView(make, source), createRowView(make, source), createWritesView(make, source)];
  let current = 0;
  const tabs = views.map(({ name }, at) =>
    make('button', { role: 'tab', type: 'button', id: `tab-${at}`, 'aria-controls': 'shown-view' }, name),
  );
  const body = make('div', { role: 'tabpanel', id: 'shown-view' });
  const close = make('button', { class: 'close', type: 'button' }, 'Hide');
  const bar = make('div', { role: 'tablist', 'aria-label': 'Views' }, ...tabs);
  const panel = make(
    'section',
    { class: 'panel', 'aria-label': 'Holdfast inspector' },
    make('header', {}, make('h2', {}, 'Inspector'), bar, close),
    body,
  );
  root.append(panel);

  let frame = 0;
  const draw = (): void => {
    frame = 0;
    views[current]?.draw();
  };
  /** Draws at most once per frame. */
  const schedule = (): void => {
    if (!panel.hidden && frame === 0) frame = view.requestAnimationFrame(draw);
  };
  const choose = (at: number): void => {
    current = at;
    for (const [place, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(place === at));
      tab.tabIndex = place === at ? 0 : -1;
    }
    body.setAttribute('aria-labelledby', `tab-${at}`);
    body.replaceChildren(views[at]!.element); // each tab has a view
    if (!panel.hidden) draw();
  };
  /** The element that had the focus before the panel was opened. */
  let focused: Element | null = null;
  const show = (isShown: boolean): void => {
    const isWithin = page.activeElement === host;
    panel.hidden = !isShown;
    if (isShown) draw();
    else if (isWithin) (focused as HTMLElement | null)?.focus?.(); // cast: `?.` skips an element without `focus`
  };
  const toggle = (): void => {
    const isShown = panel.hidden !== false;
    if (isShown) focused = page.activeElement;
    show(isShown);
    if (isShown) tabs[current]?.focus();
  };
  for (const [at, tab] of tabs.entries()) tab.addEventListener('click', () => choose(at));
  bar.addEventListener('keydown', (event) => {
    const places: Record<string, number> = {
      ArrowRight: (current + 1) % tabs.length,
      ArrowLeft: (current + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    tabs[next]?.focus();
  });
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') show(false);
  });
  close.addEventListener('click', () => show(false));

  panel.hidden = true;
  page.body.append(host);
  choose(0);
  const stop = source.listen(schedule);
  return {
    show,
    toggle,
    close() {
      stop();
      if (frame !== 0) view.cancelAnimationFrame(frame);
      host.remove();
    },
  };
}
