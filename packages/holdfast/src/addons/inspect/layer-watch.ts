// Finds the rows and lists that optimistic updates have changed on screen: compares what each node with a pending update shows
// with what it showed at the last look. recorder.ts looks whenever it is notified of something.
import { isEqual } from '../../store/fields.ts';
import type { List, Row } from '../../store/nodes.ts';
import type { Store } from '../../store/store.ts';

export class LayerWatch {
  #store: Store | undefined;
  #shown = new Map<Row | List, unknown>();

  /** Calls `onChange` for each node that shows something else than at the last look. */
  look(store: Store, onChange: (node: Row | List) => void): void {
    const before = this.#store === store ? this.#shown : new Map<Row | List, unknown>();
    const now = new Map<Row | List, unknown>();
    for (const { applied } of store.intents) for (const node of applied.values()) now.set(node, node.shown);
    for (const [node, shown] of now)
      if (!isEqual(before.has(node) ? before.get(node) : node.base, shown)) onChange(node);
    for (const [node, shown] of before) if (!now.has(node) && !isEqual(shown, node.shown)) onChange(node);
    this.#store = store;
    this.#shown = now;
  }
}
