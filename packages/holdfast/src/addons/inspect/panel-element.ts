// The panel as a custom element with a shadow root: its tabs, its search, its buttons, its place on the page, and when it draws.
// mount-panel.ts loads this file when the panel is first opened.
import { DEV } from '#env';
import { tryRun } from '../../support/call-safely.ts';
import type { Inspector } from './inspector.ts';
import { createElementMaker } from './panel-dom.ts';
import { createWindowedList } from './panel-list.ts';
import { findPicked } from './panel-pick.ts';
import { STYLE } from './panel-style.ts';
import { createViews, rowIdOf } from './panel-views.ts';
import type { ViewName } from './panel-views.ts';

export interface OpenPanel {
  show(isShown: boolean): void;
  /** Shows the panel and focuses it, or hides it and restores the focus. */
  toggle(): void;
  close(): void;
}

const ELEMENT_NAME = 'holdfast-inspector';
const STORAGE_KEY = 'holdfast:inspector';

/** The shortest time between two drawings. */
const PAUSE_MS = 150;
/** How often an open panel draws by itself, for the bars of requests in flight and the times. */
const TICK_MS = 2_000;

/** Adds the panel to the page, hidden. */
export function createPanel(page: Document, source: Inspector): OpenPanel {
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

  const [dockBefore, sizeBefore, tabBefore] =
    tryRun(() => view.localStorage.getItem(STORAGE_KEY))?.split(' ') ?? [];
  let isAtSide = dockBefore === 'side';
  let size = Number(sizeBefore) || 400;
  let current = Number(tabBefore) || 0;
  /** A browser may have no storage, or a full one: then the panel remembers nothing. */
  const remember = (): void => {
    tryRun(() =>
      view.localStorage.setItem(STORAGE_KEY, `${isAtSide ? 'side' : 'bottom'} ${size} ${current}`),
    );
  };

  // ── parts ──────────────────────────────────────────────────────────────────────────────────

  let query = '';
  /** The chosen line of each view. */
  const chosen: (string | undefined)[] = [];
  const open = (name: ViewName, id: string | undefined, text = ''): void => {
    current = views.findIndex((one) => one.name === name);
    chosen[current] = id;
    search.value = query = text;
    list.element.scrollTop = 0;
    detail.scrollTop = 0;
    remember();
    draw();
  };
  const views = createViews({ make, source, hasButtons: DEV, open });
  current = views[current] ? current : 0;
  const list = createWindowedList(make, (id) => {
    chosen[current] = id;
    detail.scrollTop = 0;
    draw();
  });
  const search = make('input', {
    'type': 'search',
    'aria-label': 'Search by name, key or value',
    'placeholder': 'Search by name, key or value',
    'input': () => {
      query = search.value;
      draw();
    },
  }) as HTMLInputElement; // cast: the tag gives the type
  const detail = make('div', {
    'class': 'detail',
    'role': 'region',
    'aria-label': 'Answer',
    'tabindex': '0',
  });
  const tabs = views.map(({ name }, at) =>
    make(
      'button',
      {
        'role': 'tab',
        'type': 'button',
        'id': `tab-${at}`,
        'aria-controls': 'shown-view',
        'click': () => open(name, chosen[at]),
      },
      name,
    ),
  );
  const onTabKey = (event: Event): void => {
    const places: Record<string, number> = {
      ArrowRight: (current + 1) % tabs.length,
      ArrowLeft: (current + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = places[(event as KeyboardEvent).key]; // cast: a listener of `keydown`
    if (next === undefined) return;
    event.preventDefault();
    tabs[next]?.click();
    tabs[next]?.focus();
  };
  const button = (text: string, title: string, click: () => void): HTMLElement =>
    make('button', { type: 'button', title, click }, text);
  const pick = button('Pick', 'Choose something on the page, to see its row', () => setPicking(!isPicking));
  const hold = button('Hold', 'Hold the next response back; a second click lets it arrive', () => {
    const { isHolding, heldCount } = source.interference();
    if (isHolding || heldCount > 0) source.release();
    else source.holdNext();
    draw();
  });
  const fail = button('Fail', 'Let the next request fail, as if the network were gone', () => {
    if (source.interference().isFailing) source.release();
    else source.failNext();
    draw();
  });
  const save = button('Export', 'Save the trace as a file, for a bug report', () => {
    const file = new view.Blob([JSON.stringify(source.trace())], { type: 'application/json' });
    const href = view.URL.createObjectURL(file);
    make('a', { href, download: 'holdfast-trace.json' }).click();
    view.setTimeout(() => view.URL.revokeObjectURL(href), 1_000);
  });
  const dock = button('Dock', 'Move the panel to the side, or to the bottom', () => {
    isAtSide = !isAtSide;
    place();
    remember();
  });
  const bar = make('div', { 'role': 'tablist', 'aria-label': 'Views', 'keydown': onTabKey }, ...tabs);
  const tools = [
    pick,
    ...(DEV ? [hold, fail] : []),
    save,
    dock,
    button('Hide', 'Alt+Shift+H shows the panel again', () => show(false)),
  ];
  const grip = make('div', {
    'class': 'grip',
    'role': 'separator',
    'tabindex': '0',
    'aria-label': 'Size of the panel',
  });
  const body = make(
    'div',
    { class: 'body', role: 'tabpanel', id: 'shown-view' },
    make('div', { class: 'left' }, make('div', { class: 'find' }, search), list.element),
    detail,
  );
  const panel = make(
    'section',
    { 'class': 'panel', 'aria-label': 'Holdfast inspector' },
    grip,
    make('header', {}, make('h2', {}, 'Inspector'), bar, make('div', { class: 'tools' }, ...tools)),
    body,
  );
  const frame = make('div', { class: 'frame' });
  frame.hidden = true;
  root.append(panel, frame);

  // ── place and size ─────────────────────────────────────────────────────────────────────────

  const place = (): void => {
    panel.classList.toggle('side', isAtSide);
    panel.classList.toggle('bottom', !isAtSide);
    panel.style.setProperty('--size', `${size}px`);
    const most = isAtSide ? view.innerWidth : view.innerHeight;
    grip.setAttribute('aria-orientation', isAtSide ? 'vertical' : 'horizontal');
    grip.setAttribute('aria-valuenow', String(Math.round((size / most) * 100)));
  };
  const resize = (wanted: number): void => {
    size = Math.max(160, Math.round(wanted));
    place();
    remember();
  };
  grip.addEventListener('pointerdown', ({ pointerId }) => grip.setPointerCapture(pointerId));
  grip.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
    if (grip.hasPointerCapture(pointerId))
      resize(isAtSide ? view.innerWidth - clientX : view.innerHeight - clientY);
  });
  grip.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowUp' || key === 'ArrowLeft') resize(size + 24);
    if (key === 'ArrowDown' || key === 'ArrowRight') resize(size - 24);
  });

  // ── picking ────────────────────────────────────────────────────────────────────────────────

  let isPicking = false;
  const onPoint = (event: Event): void => {
    const [target] = event.composedPath();
    if (!(target instanceof view.Element) || target.getRootNode() === root) return;
    const isEnd = event.type === 'click';
    if (isEnd || event.type === 'pointerdown') event.preventDefault();
    event.stopPropagation();
    const { left, top, width, height } = target.getBoundingClientRect();
    Object.assign(frame.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
    frame.hidden = false;
    if (!isEnd) return;
    setPicking(false);
    const row = findPicked(source, target);
    // without a row, the search has the text, so that one sees what was searched for
    open('Rows', row && rowIdOf(row), row ? '' : (target.textContent ?? '').trim().slice(0, 60));
  };
  const POINTING = ['pointermove', 'pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click'];
  const setPicking = (isOn: boolean): void => {
    isPicking = isOn;
    frame.hidden = true;
    pick.setAttribute('aria-pressed', String(isOn));
    for (const type of POINTING)
      if (isOn) page.addEventListener(type, onPoint, true);
      else page.removeEventListener(type, onPoint, true);
  };

  // ── drawing ────────────────────────────────────────────────────────────────────────────────

  let timer: number | undefined;
  let drawnAt = 0;
  const draw = (): void => {
    view.clearTimeout(timer);
    timer = undefined;
    if (panel.hidden) return;
    drawnAt = source.now();
    for (const [at, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(at === current));
      tab.tabIndex = at === current ? 0 : -1;
    }
    body.setAttribute('aria-labelledby', `tab-${current}`);
    const { isHolding, heldCount, isFailing } = source.interference();
    hold.textContent = heldCount > 0 ? `Release ${heldCount}` : 'Hold';
    hold.setAttribute('aria-pressed', String(isHolding || heldCount > 0));
    fail.setAttribute('aria-pressed', String(isFailing));
    const shown = views[current]!; // a view that exists: see `open`
    list.draw(shown.lines(query), chosen[current]);
    const next = make('div', {}, ...shown.detail(chosen[current]));
    // an equal text stays, with its focus and what is selected in it
    if (!detail.firstChild?.isEqualNode(next)) detail.replaceChildren(next);
  };
  /** Draws soon, and not more often than the pause says. */
  const schedule = (): void => {
    if (!panel.hidden) timer ??= view.setTimeout(draw, Math.max(0, drawnAt + PAUSE_MS - source.now()));
  };
  const ticking = view.setInterval(schedule, TICK_MS);
  const stop = source.listen(schedule);

  /** The element that had the focus before the panel was opened. */
  let focused: Element | null = null;
  const show = (isShown: boolean): void => {
    const isWithin = page.activeElement === host;
    panel.hidden = !isShown;
    if (isShown) {
      draw();
      return;
    }
    setPicking(false);
    source.release();
    if (isWithin) (focused as HTMLElement | null)?.focus?.(); // cast: `?.` skips an element without `focus`
  };
  const onKey = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape') return;
    if (isPicking) setPicking(false);
    else if (page.activeElement === host) show(false);
  };
  page.addEventListener('keydown', onKey);

  panel.hidden = true;
  page.body.append(host);
  place();
  return {
    show,
    toggle() {
      const isShown = panel.hidden !== false;
      if (isShown) focused = page.activeElement;
      show(isShown);
      if (isShown) tabs[current]?.focus();
    },
    close() {
      show(false);
      stop();
      view.clearInterval(ticking);
      view.clearTimeout(timer);
      page.removeEventListener('keydown', onKey);
      host.remove();
    },
  };
}
