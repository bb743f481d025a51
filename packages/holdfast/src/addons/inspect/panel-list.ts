// A long list that creates elements only for the visible lines and a few around them, however many lines it has.
import type { MakeElement } from './panel-dom.ts';
import { LINE_HEIGHT } from './panel-style.ts';

/** How many invisible lines are drawn above the visible ones, and how many below. */
const SPARE_LINES = 8;

export interface ListLine {
  readonly id: string;
  readonly text: string;
}

export interface WindowedList {
  readonly element: HTMLElement;
  /** Draws the visible lines of a list of `count` lines. `linesFrom` returns lines; `chosen` is the id of the marked line. */
  draw(
    count: number,
    linesFrom: (first: number, count: number) => readonly ListLine[],
    chosen: string | undefined,
  ): void;
}

/** Calls `onChoose` with the id of a line that is clicked or reached by an arrow key. */
export function createWindowedList(
  make: MakeElement,
  label: string,
  onChoose: (id: string) => void,
): WindowedList {
  const lines = make('ul', { 'aria-label': label });
  const element = make(
    'div',
    { class: 'window', role: 'region', 'aria-label': `${label}, scrolled`, tabindex: '0' },
    lines,
  );
  let redraw = (): void => undefined;
  element.addEventListener('scroll', () => redraw(), { passive: true });
  element.addEventListener('keydown', (event) => {
    const isDown = event.key === 'ArrowDown';
    if (!isDown && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const from = (event.target as HTMLElement).closest('li'); // cast: the target of a key event is an element
    const near = isDown ? from?.nextElementSibling : from?.previousElementSibling;
    const next = (from ? near : lines.firstElementChild)?.querySelector('button');
    next?.focus();
    next?.click();
  });
  return {
    element,
    draw(count, linesFrom, chosen) {
      redraw = () => {
        lines.style.height = `${count * LINE_HEIGHT}px`;
        const first = Math.max(0, Math.floor(element.scrollTop / LINE_HEIGHT) - SPARE_LINES);
        const inSight = Math.ceil((element.clientHeight || 400) / LINE_HEIGHT) + 2 * SPARE_LINES;
        const focused = (element.getRootNode() as ShadowRoot).activeElement?.getAttribute('data-id'); // cast: the panel's
        const drawn = linesFrom(first, Math.min(inSight, count - first)).map(({ id, text }, at) => {
          const button = make(
            'button',
            // the Tab key stops at the chosen line only; the arrow keys reach the others
            {
              class: 'line',
              type: 'button',
              tabindex: id === chosen ? '0' : '-1',
              'data-id': id,
              'aria-current': String(id === chosen),
            },
            text,
          );
          button.addEventListener('click', () => onChoose(id));
          const line = make(
            'li',
            { 'aria-setsize': String(count), 'aria-posinset': String(first + at + 1) },
            button,
          );
          line.style.top = `${(first + at) * LINE_HEIGHT}px`;
          return line;
        });
        lines.replaceChildren(...drawn);
        if (focused !== null && focused !== undefined)
          for (const line of drawn) {
            const button = line.firstElementChild as HTMLElement; // cast: the only child is the button made above
            if (button.getAttribute('data-id') === focused) button.focus();
          }
      };
      redraw();
    },
  };
}
