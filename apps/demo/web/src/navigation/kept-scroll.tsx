// The scroll position of each part of the page, for the way back: by history entry, pane and name.
import { useLayoutEffect } from 'react';
import type { ReactNode, RefObject } from 'react';
import { useNavigation, useSlot } from './navigation.tsx';

export function useKeptScroll(scroller: RefObject<HTMLElement | null>, name: string): void {
  const { entry, scrollPositions } = useNavigation();
  const slot = useSlot();
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const key = `${entry} ${slot} ${name}`;
    const kept = scrollPositions.get(key);
    if (kept !== undefined) element.scrollTo(0, kept);
    const keep = (): void => void scrollPositions.set(key, element.scrollTop);
    keep();
    element.addEventListener('scroll', keep, { passive: true });
    return () => element.removeEventListener('scroll', keep);
  }, [scroller, entry, scrollPositions, slot, name]);
}

interface KeptPlaceProps {
  scroller: RefObject<HTMLElement | null>;
  name: string;
  /** How many items are shown. */
  shown: number;
  /** Shows as many as there were before. */
  onReturn: (shown: number) => void;
}

/**
 * The same for a list that shows more while the user scrolls. A component, so that the list itself does not render when the
 * address changes.
 */
export function KeptPlace({ scroller, name, shown, onReturn }: KeptPlaceProps): ReactNode {
  const { entry, scrollPositions } = useNavigation();
  const key = `${entry} ${useSlot()} ${name} shown`;
  const before = scrollPositions.get(key) ?? 0;
  useLayoutEffect(() => {
    if (before > shown) onReturn(before);
    else scrollPositions.set(key, shown);
  }, [before, key, onReturn, scrollPositions, shown]);
  return before > shown ? null : <KeptScroll scroller={scroller} name={name} />;
}

function KeptScroll({ scroller, name }: Pick<KeptPlaceProps, 'scroller' | 'name'>): ReactNode {
  useKeptScroll(scroller, name);
  return null;
}
