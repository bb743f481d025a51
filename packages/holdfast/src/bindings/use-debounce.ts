// A value that settles down before it is used: the text of a search field, say.
import { useEffect, useState, useTransition } from 'react';
import { useController } from './controller-context.ts';

/**
 * The value as it was when it last stood still for `delayMs`, and whether newer content is on its way to the screen.
 * The change is a transition: readers that have to wait for it keep the old screen. `isUpdatable: false` holds it.
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
