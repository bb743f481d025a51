// What the last move of a card has cost: the requests, the components that rendered, and the lists that were loaded again. All of it is
// counted: requests by the inspector, renders by the components.
import { ExternalValue } from '../external-value.ts';
import { readInspector } from '../inspector/load-inspector.ts';
import { renders } from '../xray/render-count.ts';

export interface MoveCost {
  readonly requests: number;
  readonly cards: number;
  readonly lists: number;
  readonly loadedAgain: number;
}

/** Null before the first move. */
export const moveCost = new ExternalValue<MoveCost | null>(null);

/** What follows a response, renders within this time. */
const AFTER_MS = 400;

/** Starts to count requests and renders. The count ends when the returned function was called and its renders are done. */
export function beginMove(): () => void {
  const inspector = readInspector();
  if (!inspector) return () => undefined;
  const before = inspector.requests().at(-1)?.id ?? 0;
  const rendered = renders.follow();
  return () =>
    void setTimeout(() => {
      const sent = inspector.requests().filter(({ id, kind }) => id > before && kind !== 'direct-write');
      const { card, list } = rendered();
      moveCost.write({
        requests: sent.filter(({ kind }) => kind === 'mutation').length,
        cards: card,
        lists: list,
        loadedAgain: sent.filter(({ kind }) => kind !== 'mutation').length,
      });
    }, AFTER_MS);
}

const count = (many: number, what: string): string => `${many} ${many === 1 ? what : `${what}s`}`;

export function describeCost({ requests, cards, lists, loadedAgain }: MoveCost): string {
  const again = loadedAgain === 0 ? 'nothing loaded again' : `${count(loadedAgain, 'list')} loaded again`;
  return `${count(requests, 'request')}, ${count(cards, 'card')} and ${count(lists, 'list')} rendered, ${again}`;
}
