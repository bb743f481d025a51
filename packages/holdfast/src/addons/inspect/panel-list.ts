// A list that creates elements only for the visible lines and a few around them, however many lines it has.
import type { Child, MakeElement } from './panel-dom.ts';
import { LINE_HEIGHT } from './panel-style.ts';

/** How many invisible lines are drawn above the visible lines, and how many below. */
const SPARE_LINES = 8;

export interface ListLine {
  readonly id: string;
  readonly content: Child;
}

/** The lines of a list: their number, and some of the lines. */
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
  const lines = make('ul');
  let redraw = (): void => undefined;
  const element = make(
    'div.window',
    {
      'role': 'region',
      'aria-label': 'Found',
      'tabindex': 0,
      'scroll': () => redraw(),
      keydown(event: KeyboardEvent) {
        const isDown = event.key === 'ArrowDown';
        if (!isDown && event.key !== 'ArrowUp') return;
        event.preventDefault();
        const from = (event.target as Element).closest('li'); // cast: the target of a key event is an element
        const near = isDown ? from?.nextElementSibling : from?.previousElementSibling;
        const next = (from ? near : lines.firstElementChild)?.querySelector('button');
        next?.focus();
        next?.click();
      },
    },
    lines,
  );
  return {
    element,
    draw({ count, from }, chosen) {
      redraw = () => {
        const first = Math.max(0, Math.floor(element.scrollTop / LINE_HEIGHT) - SPARE_LINES);
        const drawnCount = Math.ceil((element.clientHeight || 400) / LINE_HEIGHT) + 2 * SPARE_LINES;
        const focused = (element.getRootNode() as ShadowRoot).activeElement as HTMLElement | null; // cast: the panel's root
        lines.style.height = `${count * LINE_HEIGHT}px`;
        lines.style.paddingTop = `${first * LINE_HEIGHT}px`;
        lines.replaceChildren(
          ...from(first, Math.min(drawnCount, count - first)).map(({ id, content }, at) =>
            make(
              'li',
              { 'aria-setsize': count, 'aria-posinset': first + at + 1 },
              make(
                'button.line',
                {
                  // The Tab key stops only at the chosen line; the arrow keys reach the other lines.
                  'tabindex': id === chosen ? 0 : -1,
                  'data-id': id,
                  'aria-current': id === chosen,
                  'click': () => onChoose(id),
                },
                content,
              ),
            ),
          ),
        );
        for (const line of focused?.dataset['id'] ? lines.querySelectorAll('button') : [])
          if (line.dataset['id'] === focused?.dataset['id']) line.focus();
      };
      redraw();
    },
  };
}
