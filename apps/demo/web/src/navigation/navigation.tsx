// The address of the page: one part for the main pane and, after `side=`, one for the pane beside it. Both panes are ordinary
// views of the same data; the address bar contains all of it, so reload, back and sharing work.
import type { Controller } from 'holdfast';
import { useController } from 'holdfast/react';
import { createContext, useContext, useEffect, useState, useTransition } from 'react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { prefetchView } from './prefetch.ts';

interface Places {
  main: string;
  side: string | null;
  /** Identifies the entry in the history of the browser. */
  entry: string;
}

interface Navigation extends Places {
  /** True while the next view is still being loaded and the old one stays on screen. */
  isPending: boolean;
  /** The scroll positions of the page: see kept-scroll.tsx. */
  scrollPositions: Map<string, number>;
  go(places: Partial<Places>, how?: { replace?: boolean }): void;
  /** Closes the pane at the side; the focus returns to the link that opened it. */
  closeSide(): void;
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
  const { entry = 'first' } = (window.history.state ?? {}) as { entry?: string }; // cast: `go` wrote it
  return { main: url.pathname + url.search, side, entry };
}

/** Fetches the data of the panes. */
export function prefetchPlaces(controller: Controller): void {
  const { main, side } = readPlaces();
  prefetchView(controller, main, true);
  if (side !== null) prefetchView(controller, side, true);
}

function toAddress({ main, side }: Places): string {
  const url = new URL(main, window.location.origin);
  if (side !== null) url.searchParams.set('side', side);
  return url.pathname + url.search;
}

/** True when two places show the same views, possibly with other filters. */
function haveSameViews(one: Places, other: Places): boolean {
  return [one.main, one.side].every(
    (address, index) => address?.split('?')[0] === [other.main, other.side][index]?.split('?')[0],
  );
}

export function NavigationProvider({ children }: { children: ReactNode }): ReactNode {
  const controller = useController();
  const [places, setPlaces] = useState(readPlaces);
  const [scrollPositions] = useState(() => new Map<string, number>());
  const [isPending, startTransition] = useTransition();

  useEffect(() => {
    const follow = (): void => startTransition(() => setPlaces(readPlaces()));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);

  const go: Navigation['go'] = (changes, how) => {
    const before = readPlaces();
    const entry = how?.replace ? before.entry : crypto.randomUUID();
    const next = { ...before, ...changes, entry };
    window.history[how?.replace ? 'replaceState' : 'pushState']({ entry }, '', toAddress(next));
    for (const address of [changes.main, changes.side]) if (address) prefetchView(controller, address);
    // a closed view must disappear at once: its data may be about to be deleted. A filter responds at once, its list may take
    // longer
    if (changes.side === null || haveSameViews(next, before)) setPlaces(next);
    else startTransition(() => setPlaces(next));
  };
  const closeSide = (): void => {
    const { side } = readPlaces();
    if (side === null) return;
    go({ side: null });
    // the row may have been mounted again since: it is found by its link
    const opener = document.querySelector<HTMLElement>(`.pane.main a[href="${CSS.escape(side)}"]`);
    (opener ?? document.querySelector<HTMLElement>('.pane.main'))?.focus();
  };
  const navigation: Navigation = { ...places, isPending, scrollPositions, go, closeSide };
  return <NavigationContext value={navigation}>{children}</NavigationContext>;
}

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (!navigation) throw new Error('useNavigation needs a NavigationProvider above it');
  return navigation;
}

export function useSlot(): Slot {
  return useContext(SlotContext);
}

export function SlotProvider({ slot, children }: { slot: Slot; children: ReactNode }): ReactNode {
  return <SlotContext value={slot}>{children}</SlotContext>;
}

interface Pane {
  slot: Slot;
  address: string;
  path: string;
  search: URLSearchParams;
  navigate(to: string, how?: { replace?: boolean }): void;
}

/** Writes another address for the same view: nothing is mounted again, and a reload finds it. */
export function useCorrectAddress(address: string): void {
  const slot = useContext(SlotContext);
  useEffect(() => {
    const places = readPlaces();
    if (places[slot] !== address)
      window.history.replaceState(window.history.state, '', toAddress({ ...places, [slot]: address }));
  }, [slot, address]);
}

/** The address of the pane that contains the component. */
export function usePane(): Pane {
  const slot = useContext(SlotContext);
  const navigation = useNavigation();
  const address = navigation[slot] ?? '/';
  const url = new URL(address, window.location.origin);
  return {
    slot,
    address,
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
