// Finds what guesses have changed on screen: the nodes that pending intents lie on are compared with what they showed at the last
// look. Looked at whenever the recorder is told something.
import { isEqual } from '../../store/fields.ts';
import type { List, Row } from '../../store/nodes.ts';
import type { Store } from '../../store/store.ts';

export class LayerWatch {
  #store: Store | undefined;
  #shown = new Map<Row | List, unknown>();

  /** Calls back for each node that shows something else since the last look. */
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
