// The rows of a long list that are near the window. All rows have one height, so arithmetic is enough; measuring libraries keep
// mutable state that the React Compiler must not memoize.
import { useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';

export interface VisibleRows {
  first: number;
  /** One past the last. */
  end: number;
  rowHeight: number;
}

/** Rows kept ready above and below, so that a fast scroll does not show gaps. */
const OVERSCAN = 12;
/** Scrolling renders once per this many rows. */
const STEP = 4;
const ROW_HEIGHT = 42;
/** Below this width a row has two lines. */
const NARROW = 720;
const NARROW_ROW_HEIGHT = 76;

export function useVisibleRows(scroller: RefObject<HTMLElement | null>, count: number): VisibleRows {
  const [view, setView] = useState({ firstRow: 0, rowsInView: 40, rowHeight: ROW_HEIGHT });

  // before the first paint: rows that are painted once with another height jump
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = (): void => {
      const rowHeight = element.clientWidth < NARROW ? NARROW_ROW_HEIGHT : ROW_HEIGHT;
      const firstRow = Math.floor(element.scrollTop / rowHeight / STEP) * STEP;
      const rowsInView = Math.ceil(element.clientHeight / rowHeight) + STEP + 1;
      // the same object when no row was added or removed: most scroll events change nothing
      setView((before) =>
        before.firstRow === firstRow && before.rowsInView === rowsInView && before.rowHeight === rowHeight
          ? before
          : { firstRow, rowsInView, rowHeight },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller]);

  const first = Math.max(0, Math.min(view.firstRow, count) - OVERSCAN);
  const end = Math.min(count, view.firstRow + view.rowsInView + OVERSCAN);
  return { first, end, rowHeight: view.rowHeight };
}
