// The hook that delays a changing value, such as the text of a search field, until it has stopped changing.
import { useEffect, useState, useTransition } from 'react';
import { useController } from './controller-context.ts';

/**
 * Returns the first value at once, and a later value when it has not changed for `delayMs`; until then, it returns the previous
 * value. It also returns whether React is still rendering the last change of the returned value. This change is a transition: while
 * components suspend, the old screen stays. While `isUpdatable` is false, the returned value does not change.
 *
 * @example
 * function Results({ text }: { text: string }) {
 *   const [query, isPending] = useDebounce(text, 200);
 *   const todos = useSuspense(TodoResource.getList, { query });
 *   return <ul style={{ opacity: isPending ? 0.5 : 1 }}>{todos.map((todo) => <li key={todo.id}>{todo.title}</li>)}</ul>;
 * }
 */
export function useDebounce<T>(
  value: T,
  delayMs: number,
  isUpdatable = true,
): [settled: T, isPending: boolean] {
  const { timers } = useController().environment;
  const [settled, setSettled] = useState(value);
  const [isPending, startTransition] = useTransition();
  useEffect(() => {
    if (!isUpdatable || Object.is(value, settled)) return undefined;
    const timer = timers.set(() => startTransition(() => setSettled(() => value)), delayMs);
    return () => timers.clear(timer);
  }, [value, settled, delayMs, isUpdatable, timers]);
  return [settled, isPending];
}
