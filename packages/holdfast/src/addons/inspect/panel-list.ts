// A long list of which only what is in sight is made: however many lines there are, some dozens of elements are.
import type { Make } from './panel-dom.ts';
import { LINE_HEIGHT } from './panel-style.ts';

/** Lines beyond those in sight, above and below. */
const SPARE_LINES = 8;

export interface Line {
  readonly id: string;
  readonly text: string;
}

export interface WindowedList {
  readonly element: HTMLElement;
  /** Shows the lines of a source of so many. */
  draw(
    count: number,
    linesFrom: (first: number, count: number) => readonly Line[],
    chosen: string | undefined,
  ): void;
}

/** `onChoose` is called with the id of a line that is clicked, or that an arrow key comes to. */
export function createWindowedList(make: Make, label: string, onChoose: (id: string) => void): WindowedList {
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
    const from = (event.target as HTMLElement).closest('li'); // cast: keys go to elements
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
        const focused = (element.getRootNode() as ShadowRoot).activeElement?.getAttribute('data-id'); // cast: it stands in one
        const drawn = linesFrom(first, Math.min(inSight, count - first)).map(({ id, text }, at) => {
          const button = make(
            'button',
            // one stop of the tab key; arrows go on from there
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
            const button = line.firstElementChild as HTMLElement; // cast: made above
            if (button.getAttribute('data-id') === focused) button.focus();
          }
      };
      redraw();
    },
  };
}
