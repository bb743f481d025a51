// Where the page is: one address for the main pane and, after `side=`, one for the pane beside it.
// Both panes are ordinary views of the same data; the address bar holds all of it, so reload,
// back and sharing work.
import { createContext, useContext, useEffect, useState, useTransition } from 'react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';

interface Places {
  main: string;
  side: string | null;
}

interface Navigation extends Places {
  /** True while the next view is still being loaded and the old one stays on screen. */
  isPending: boolean;
  go(places: Partial<Places>, how?: { replace?: boolean }): void;
}

export type Slot = 'main' | 'side';

const NavigationContext = createContext<Navigation | null>(null);
const SlotContext = createContext<Slot>('main');

/** From this width on, an issue opens beside the view it was clicked in. */
const WIDE = '(width >= 1080px)';

function readPlaces(): Places {
  const url = new URL(window.location.href);
  const side = url.searchParams.get('side');
  url.searchParams.delete('side');
  return { main: url.pathname + url.search, side };
}

function toAddress({ main, side }: Places): string {
  const url = new URL(main, window.location.origin);
  if (side !== null) url.searchParams.set('side', side);
  return url.pathname + url.search;
}

export function NavigationProvider({ children }: { children: ReactNode }): ReactNode {
  const [places, setPlaces] = useState(readPlaces);
  const [isPending, startTransition] = useTransition();

  useEffect(() => {
    const follow = (): void => startTransition(() => setPlaces(readPlaces()));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);

  const navigation: Navigation = {
    ...places,
    isPending,
    go(changes, how) {
      const next = { ...readPlaces(), ...changes };
      window.history[how?.replace ? 'replaceState' : 'pushState'](null, '', toAddress(next));
      // what is closed must go at once: its data may be about to be deleted
      if (changes.side === null) setPlaces(next);
      else startTransition(() => setPlaces(next));
    },
  };
  return <NavigationContext value={navigation}>{children}</NavigationContext>;
}

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (!navigation) throw new Error('useNavigation needs a NavigationProvider above it');
  return navigation;
}

export function SlotProvider({ slot, children }: { slot: Slot; children: ReactNode }): ReactNode {
  return <SlotContext value={slot}>{children}</SlotContext>;
}

interface Pane {
  slot: Slot;
  path: string;
  search: URLSearchParams;
  navigate(to: string, how?: { replace?: boolean }): void;
}

/** Writes another address for the same view: nothing is mounted anew, and a reload finds it. */
export function useCorrectAddress(address: string): void {
  const slot = useContext(SlotContext);
  useEffect(() => {
    const places = readPlaces();
    if (places[slot] !== address)
      window.history.replaceState(null, '', toAddress({ ...places, [slot]: address }));
  }, [slot, address]);
}

/** The address of the pane that the component stands in. */
export function usePane(): Pane {
  const slot = useContext(SlotContext);
  const navigation = useNavigation();
  const url = new URL(navigation[slot] ?? '/', window.location.origin);
  return {
    slot,
    path: url.pathname,
    search: url.searchParams,
    navigate: (to, how) => navigation.go({ [slot]: to }, how),
  };
}

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: string;
  /** Where it opens: in this pane, in the main pane, or beside the main pane when there is room. */
  target?: 'here' | 'main' | 'beside';
}

export function Link({ to, target = 'here', onClick, ...rest }: LinkProps): ReactNode {
  const open = useOpen();
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || event.defaultPrevented) return;
    event.preventDefault();
    open(to, target);
  };
  return <a href={to} onClick={follow} {...rest} />;
}

export function useOpen(): (to: string, target?: LinkProps['target']) => void {
  const navigation = useNavigation();
  const slot = useContext(SlotContext);
  return (to, target = 'here') => {
    const isBeside = target === 'beside' && window.matchMedia(WIDE).matches;
    navigation.go({ [isBeside ? 'side' : target === 'main' ? 'main' : slot]: to });
  };
}
