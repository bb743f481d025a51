// A long list that creates elements only for the visible lines and a few around them, however many lines it has.
import type { Child, MakeElement } from './panel-dom.ts';
import { LINE_HEIGHT } from './panel-style.ts';

/** How many invisible lines are drawn above the visible ones, and how many below. */
const SPARE_LINES = 8;

export interface ListLine {
  readonly id: string;
  readonly content: readonly Child[];
}

/** The lines of a list: how many there are, and some of them. */
export interface Lines {
  readonly count: number;
  from(first: number, count: number): readonly ListLine[];
}

export interface WindowedList {
  readonly element: HTMLElement;
  /** Draws the visible lines. `chosen` is the id of the marked line. */
  draw(lines: Lines, chosen: string | undefined): void;
}

/** Calls `onChoose` with the id of a line that is clicked or reached by an arrow key. */
export function createWindowedList(make: MakeElement, onChoose: (id: string) => void): WindowedList {
  const lines = make('ul', { 'aria-label': 'Found' });
  let redraw = (): void => undefined;
  const onKey = (event: Event): void => {
    const { key, target } = event as KeyboardEvent; // cast: a listener of `keydown`
    const isDown = key === 'ArrowDown';
    if (!isDown && key !== 'ArrowUp') return;
    event.preventDefault();
    const from = (target as HTMLElement).closest('li'); // cast: the target of a key event is an element
    const near = isDown ? from?.nextElementSibling : from?.previousElementSibling;
    const next = (from ? near : lines.firstElementChild)?.querySelector('button');
    next?.focus();
    next?.click();
  };
  const attributes = {
    'class': 'window',
    'role': 'region',
    'aria-label': 'Found, scrolled',
    'tabindex': '0',
  };
  const element = make('div', { ...attributes, keydown: onKey, scroll: () => redraw() }, lines);
  return {
    element,
    draw({ count, from }, chosen) {
      redraw = () => {
        lines.style.height = `${count * LINE_HEIGHT}px`;
        const first = Math.max(0, Math.floor(element.scrollTop / LINE_HEIGHT) - SPARE_LINES);
        const inSight = Math.ceil((element.clientHeight || 400) / LINE_HEIGHT) + 2 * SPARE_LINES;
        const focused = (element.getRootNode() as ShadowRoot).activeElement?.getAttribute('data-id'); // cast: the panel's
        const drawn = from(first, Math.min(inSight, count - first)).map(({ id, content }, at) => {
          const isChosen = id === chosen;
          const button = make(
            'button',
            {
              'class': 'line',
              'type': 'button',
              // the Tab key stops at the chosen line only; the arrow keys reach the others
              'tabindex': isChosen ? '0' : '-1',
              'data-id': id,
              'aria-current': String(isChosen),
              'click': () => onChoose(id),
            },
            ...content,
          );
          const place = { 'aria-setsize': String(count), 'aria-posinset': String(first + at + 1) };
          const line = make('li', place, button);
          line.style.top = `${(first + at) * LINE_HEIGHT}px`;
          return line;
        });
        lines.replaceChildren(...drawn);
        for (const { firstElementChild: button } of drawn)
          if (focused && button?.getAttribute('data-id') === focused) (button as HTMLElement).focus(); // cast: made above
      };
      redraw();
    },
  };
}
