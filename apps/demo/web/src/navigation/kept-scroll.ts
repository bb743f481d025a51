// Where each scrolled part of the page was, for the way back: by history entry, pane and name.
import { useLayoutEffect } from 'react';
import type { RefObject } from 'react';
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
