// The title of the browser's tab: what was opened last, which is the pane at the side where there is one.
import { useEffect } from 'react';
import { useNavigation, useSlot } from './navigation.tsx';

/** Undefined leaves the title to somebody else. */
export function usePageTitle(text: string | undefined): void {
  const { side } = useNavigation();
  const isOpenedLast = useSlot() === (side === null ? 'main' : 'side');
  useEffect(() => {
    if (isOpenedLast && text !== undefined) document.title = `${text} · Harbor`;
  }, [isOpenedLast, text]);
}
