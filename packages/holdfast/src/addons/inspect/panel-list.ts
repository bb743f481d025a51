// A list that creates elements only for the visible lines and a few around them, however many lines it has.
import type { Child, MakeElement } from './panel-dom.ts';
import { LINE_HEIGHT } from './panel-style.ts';

/** How many invisible lines are drawn above the visible lines, and how many below. */
const SPARE_LINES = 8;

export interface ListLine {
  readonly id: string;
  /** The class of the line, which gives the line its colour. */
  readonly kind: string;
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
        const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' } as const;
        const sibling = step[event.key as keyof typeof step]; // cast: undefined for any other key
        if (!sibling) return;
        event.preventDefault();
        const from = (event.target as Element).closest('li'); // cast: the target of a key event is an element
        const next = (from ? from[sibling] : lines.firstElementChild)?.querySelector('button');
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
        const focused = (lines.querySelector(':focus') as HTMLElement | null)?.dataset['id']; // cast: a button has the focus
        lines.style.cssText = `height:${count * LINE_HEIGHT}px;padding-top:${first * LINE_HEIGHT}px`;
        lines.replaceChildren(
          ...from(first, drawnCount).map(({ id, kind, content }, at) =>
            make(
              'li',
              { 'aria-setsize': count, 'aria-posinset': first + at + 1 },
              make(
                'button.line',
                {
                  'class': `line ${kind}`,
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
        for (const line of lines.querySelectorAll('button')) if (line.dataset['id'] === focused) line.focus();
      };
      redraw();
    },
  };
}
