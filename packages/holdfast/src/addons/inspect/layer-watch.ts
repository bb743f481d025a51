// Finds the rows and lists whose shown value was changed by optimistic updates. Compares the shown value of each node that has a
// pending update with the shown value at the last call of `reportChanges`, which recorder.ts calls at each event.
import { isEqual } from '../../store/fields.ts';
import type { List, Row } from '../../store/nodes.ts';
import { isRecord } from '../../support/plain.ts';
import type { Store } from '../../store/store.ts';

export class LayerWatch {
  #store: Store | undefined;
  #shown = new Map<Row | List, unknown>();

  /** Calls `onChange` for each node whose shown value differs from that at the last call; at first, from base. */
  reportChanges(store: Store, onChange: (node: Row | List, fields: readonly string[]) => void): void {
    const before = this.#store === store ? this.#shown : new Map<Row | List, unknown>();
    const now = new Map<Row | List, unknown>();
    const compare = (node: Row | List, from: unknown): void => {
      if (!isEqual(from, node.shown)) onChange(node, changedNames(from, node.shown));
    };
    for (const { appliedLayers } of store.intents)
      for (const node of appliedLayers.values()) now.set(node, node.shown);
    for (const node of now.keys()) compare(node, before.has(node) ? before.get(node) : node.base);
    for (const [node, shown] of before) if (!now.has(node)) compare(node, shown);
    this.#store = store;
    this.#shown = now;
  }
}

/** The names of the fields that differ; none for lists. */
function changedNames(before: unknown, after: unknown): string[] {
  const [one, other] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  return Object.keys({ ...one, ...other }).filter((name) => !isEqual(one[name], other[name]));
}
