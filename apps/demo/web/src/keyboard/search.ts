// The search of the palette. Its code is loaded when the palette is opened first, while the first letters are typed.
import { useController } from 'holdfast/react';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { FunctionComponent } from 'react';
import { ExternalValue, useExternalValue } from '../external-value.ts';
import type { searchIssues } from '../resources/search.ts';

interface Search {
  readonly searchIssues: typeof searchIssues;
  /** Shows an issue of which a part is known. */
  readonly IssueSummary: FunctionComponent<{ id: string }>;
}

/** Null until it is loaded. */
export const search = new ExternalValue<Search | null>(null);

const MOST_ISSUES = 6;
const listenToNothing = (): (() => void) => () => undefined;
const readNothing = (): undefined => undefined;

/** The issues that a text finds; none for less than two letters. */
export function useSearch(text: string): {
  found: readonly { readonly id: string; readonly title: string }[];
  isSearching: boolean;
} {
  const controller = useController();
  const loaded = useExternalValue(search);
  useEffect(() => {
    if (!loaded) void import('./search-module.ts').then((module) => search.write(module));
  }, [loaded]);
  const isAsked = text.length > 1;
  const observer = useMemo(
    () => (loaded && isAsked ? controller.watch(loaded.searchIssues, { q: text, limit: MOST_ISSUES }) : null),
    [controller, loaded, isAsked, text],
  );
  const state = useSyncExternalStore(observer?.subscribe ?? listenToNothing, observer?.read ?? readNothing);
  return { found: state?.data ?? [], isSearching: isAsked && (!loaded || !!state?.isFetching) };
}
