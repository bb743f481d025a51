// The title of the browser tab: the view that was opened last, which is the pane at the side where there is one.
import { useEffect } from 'react';
import { useNavigation, useSlot } from './navigation.tsx';

/** Undefined leaves the title unchanged. */
export function usePageTitle(text: string | undefined): void {
  const { side } = useNavigation();
  const isOpenedLast = useSlot() === (side === null ? 'main' : 'side');
  useEffect(() => {
    if (isOpenedLast && text !== undefined) document.title = `${text} · Harbor`;
  }, [isOpenedLast, text]);
}
