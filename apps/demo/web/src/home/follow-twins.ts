// The row below the pointer, or with the focus, lights up in every view that shows it. No view knows of the others: each element carries
// the id of its issue.
import { ExternalValue } from '../external-value.ts';

/** In how many views the row is shown; 0 for no row, or a row in one view. */
export const twins = new ExternalValue(0);

const idOf = (element: Element | null): string | undefined => {
  const { card, row, issue } = element instanceof HTMLElement ? element.dataset : {};
  return card ?? row ?? issue;
};

/** Follows the pointer and the focus until the returned function is called. */
export function followTwins(): () => void {
  let shownId: string | undefined;
  const show = (id: string | undefined): void => {
    if (id === shownId) return;
    shownId = id;
    for (const old of document.querySelectorAll('[data-twin]')) old.removeAttribute('data-twin');
    const name = id === undefined ? '' : CSS.escape(id);
    const found =
      id === undefined
        ? []
        : [
            ...document.querySelectorAll(
              `[data-card="${name}"], [data-row="${name}"], [data-issue="${name}"]`,
            ),
          ];
    const isShared = found.length > 1;
    if (isShared) for (const element of found) element.setAttribute('data-twin', '');
    twins.write(isShared ? found.length : 0);
  };
  const follow = ({ target }: Event): void => {
    const element =
      target instanceof Element ? target.closest('[data-card], [data-row], [data-issue]') : null;
    show(idOf(element));
  };
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener('pointerover', follow, { signal });
  document.addEventListener('focusin', follow, { signal });
  return () => {
    listening.abort();
    show(undefined);
  };
}
