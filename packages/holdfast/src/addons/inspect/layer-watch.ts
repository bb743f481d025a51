// Finds the rows and lists whose shown value was changed by optimistic updates. Compares the shown value of each node that has a
// pending update with the shown value at the last call of `look`. recorder.ts calls `look` at each event.
import { isEqual } from '../../store/fields.ts';
import type { List, Row } from '../../store/nodes.ts';
import type { Store } from '../../store/store.ts';

export class LayerWatch {
  #store: Store | undefined;
  #shown = new Map<Row | List, unknown>();

  /** Calls `onChange` for each node whose shown value differs from that at the last call; at first, from base. */
  reportChanges(store: Store, onChange: (node: Row | List) => void): void {
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
