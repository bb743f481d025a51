// The panel as an element with a shadow root: its tabs, its search, its buttons, its place on the page, and the times at which it
// draws. mount-panel.ts loads this file when the panel is first opened.
import { DEV } from '#env';
import type { Inspector } from './inspector.ts';
import { createElementMaker } from './panel-dom.ts';
import { createWindowedList } from './panel-list.ts';
import { findPicked } from './panel-pick.ts';
import { STYLE } from './panel-style.ts';
import { createViews, lineIdOf } from './panel-views.ts';
import type { ViewName } from './panel-views.ts';

export interface OpenPanel {
  show(isShown: boolean): void;
  /** Shows the panel and focuses it, or hides it and, if it has the focus, restores the former focus. */
  toggle(): void;
  close(): void;
}

const STORAGE_KEY = 'holdfast:inspector';

/** The shortest time between a drawing and the next drawing that an event of the controller causes. A click draws at once. */
const PAUSE_MS = 150;
/** How often an open panel draws by itself, for the bars of requests in flight and the times. */
const TICK_MS = 2_000;
/** How much an arrow key changes the size of the panel, in pixels. */
const SIZE_STEP = 24;

const POINTING = ['pointermove', 'pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click'];

/** A function of the core. It is passed to the panel, so that the panel's code, which is loaded later, imports nothing of the core. */
type TryRun = <T>(run: () => T) => T | undefined;

/** Adds the hidden panel to the page. */
export function createPanel(page: Document, source: Inspector, tryRun: TryRun): OpenPanel {
  const view = page.defaultView!; // a document that is shown has a window
  const make = createElementMaker(page);
  // An element whose name contains a hyphen may have a shadow root without being defined.
  const host = make('holdfast-inspector');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];

  const [dockBefore, sizeBefore, tabBefore] =
    tryRun(() => view.localStorage.getItem(STORAGE_KEY))?.split(' ') ?? [];
  let isAtSide = dockBefore === 'side';
  let size = Number(sizeBefore) || 400;
  let current = Number(tabBefore) || 0;
  /** A browser may have no storage, or a full storage. The panel then remembers nothing. */
  const remember = (): void => {
    tryRun(() => view.localStorage.setItem(STORAGE_KEY, `${panel.className} ${size} ${current}`));
  };

  // ── parts ──────────────────────────────────────────────────────────────────────────────────

  /** The chosen line of each view. */
  const chosen: (string | undefined)[] = [];
  const choose = (id: string | undefined): void => {
    chosen[current] = id;
    detail.scrollTop = 0;
    draw();
  };
  const open = (name: ViewName, id: string | undefined, query = ''): void => {
    current = views.findIndex((one) => one.name === name);
    search.value = query;
    list.element.scrollTop = 0;
    remember();
    choose(id);
  };
  const views = createViews({ make, source, open });
  current = views[current] ? current : 0;
  const list = createWindowedList(make, choose);
  const hint = 'Search by name, key or value';
  const search = make('input', {
    'type': 'search',
    'aria-label': hint,
    'placeholder': hint,
    'input': () => draw(),
  });
  const detail = make('div.detail', { 'role': 'region', 'aria-label': 'Answer', 'tabindex': 0 });
  const tabs = views.map(({ name }, at) =>
    make(
      'button',
      { 'role': 'tab', 'id': name, 'aria-controls': 'view', 'click': () => open(name, chosen[at]) },
      name,
    ),
  );
  const button = (text: string, title: string, click: () => void): HTMLElement =>
    make(
      'button',
      {
        title,
        click() {
          click();
          draw();
        },
      },
      text,
    );
  const pick = button('Pick', 'Choose something on the page, to see its row', () => setPicking(!isPicking));
  const hold =
    DEV &&
    button('Hold', 'Hold the next response back; a second click lets it arrive', () =>
      source.interference().isHolding || source.interference().heldCount
        ? source.release()
        : source.holdNext(),
    );
  const fail =
    DEV &&
    button('Fail', 'Let the next request fail, as if the network were gone', () =>
      source.interference().isFailing ? source.release() : source.failNext(),
    );
  const save = button('Export', 'Save the trace as a file, for a bug report', () => {
    const file = new Blob([JSON.stringify(source.trace())], { type: 'application/json' });
    const href = URL.createObjectURL(file);
    make('a', { href, download: 'holdfast-trace.json' }).click();
    view.setTimeout(() => URL.revokeObjectURL(href), 1_000);
  });
  const grip = make('div.grip', {
    'role': 'separator',
    'tabindex': 0,
    'aria-label': 'Size of the panel',
    pointerdown({ pointerId }: PointerEvent) {
      grip.setPointerCapture(pointerId);
    },
    pointermove({ pointerId, clientX, clientY }: PointerEvent) {
      if (grip.hasPointerCapture(pointerId)) resize(isAtSide ? innerWidth - clientX : innerHeight - clientY);
    },
    keydown({ key }: KeyboardEvent) {
      const steps: Record<string, number> = { ArrowUp: 1, ArrowLeft: 1, ArrowDown: -1, ArrowRight: -1 };
      resize(size + (steps[key] ?? 0) * SIZE_STEP);
    },
  });
  const body = make('div', { class: 'body', role: 'tabpanel', id: 'view' }, search, list.element, detail);
  const panel = make(
    'section',
    { 'aria-label': 'Holdfast inspector' },
    grip,
    make(
      'header',
      make(
        'div',
        {
          'role': 'tablist',
          'aria-label': 'Views',
          keydown({ key }: KeyboardEvent) {
            const places: Record<string, number> = {
              ArrowRight: (current + 1) % tabs.length,
              ArrowLeft: current - 1,
              Home: 0,
              End: -1,
            };
            const next = key in places && tabs.at(places[key]!); // just looked up
            if (!next) return;
            next.click();
            next.focus();
          },
        },
        tabs,
      ),
      make(
        'div',
        pick,
        hold,
        fail,
        save,
        button('Dock', 'Move the panel to the side, or to the bottom', () => {
          isAtSide = !isAtSide;
          resize(size);
        }),
        button('Hide', 'Alt+Shift+H shows the panel again', () => show(false)),
      ),
    ),
    body,
  );
  const frame = make('div.frame');
  root.append(panel, frame);

  // ── place and size ─────────────────────────────────────────────────────────────────────────

  const resize = (wanted: number): void => {
    size = Math.max(160, Math.round(wanted));
    panel.className = isAtSide ? 'side' : 'bottom';
    panel.style.setProperty('--size', `${size}px`);
    grip.ariaOrientation = isAtSide ? 'vertical' : 'horizontal';
    grip.ariaValueNow = String(Math.round((size / (isAtSide ? innerWidth : innerHeight)) * 100));
    remember();
  };

  // ── picking ────────────────────────────────────────────────────────────────────────────────

  let isPicking = false;
  const onPoint = (event: Event): void => {
    const [target] = event.composedPath();
    if (!(target instanceof Element) || target.getRootNode() === root) return;
    if (event.type !== 'pointermove') event.preventDefault();
    event.stopPropagation();
    const box = target.getBoundingClientRect();
    for (const name of ['left', 'top', 'width', 'height'] as const) frame.style[name] = `${box[name]}px`;
    frame.hidden = false;
    if (event.type !== 'click') return;
    setPicking(false);
    const row = findPicked(source, target);
    // If no row is found, the search field shows the text of the picked element.
    open('Rows', row && lineIdOf(row), row ? '' : (target.textContent ?? '').trim().slice(0, 60));
  };
  const setPicking = (isOn: boolean): void => {
    isPicking = isOn;
    frame.hidden = true;
    pick.ariaPressed = String(isOn);
    for (const type of POINTING) page[isOn ? 'addEventListener' : 'removeEventListener'](type, onPoint, true);
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
      tab.ariaSelected = String(at === current);
      tab.tabIndex = at === current ? 0 : -1;
    }
    const shown = views[current]!; // a view that exists: see `open`
    body.setAttribute('aria-labelledby', shown.name);
    if (hold && fail) {
      const { isHolding, heldCount, isFailing } = source.interference();
      hold.textContent = heldCount ? `Release ${heldCount}` : 'Hold';
      hold.ariaPressed = String(isHolding || heldCount > 0);
      fail.ariaPressed = String(isFailing);
    }
    list.draw(shown.lines(search.value), chosen[current]);
    const next = make('div', shown.detail(chosen[current], search.value.trim()));
    // An equal text stays in the page, with its focus and its selection.
    if (!detail.firstChild?.isEqualNode(next)) detail.replaceChildren(next);
  };
  /**
   * Draws soon, but at least PAUSE_MS after the previous drawing. Further calls until then have no effect. Nothing is drawn while
   * the panel is hidden.
   */
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

  frame.hidden = panel.hidden = true;
  page.body.append(host);
  resize(size);
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
