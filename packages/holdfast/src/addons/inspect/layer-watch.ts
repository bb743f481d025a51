// Finds the rows and lists whose shown value was changed by optimistic updates. It compares the shown value of each node that has
// or had a pending update with the shown value at the last call of `reportChanges`.
import { isEqual } from '../../store/fields.ts';
import type { List, Row } from '../../store/nodes.ts';
import { isRecord } from '../../support/plain.ts';
import type { Store } from '../../store/store.ts';

/**
 * How the optimistic updates of a row or a list have changed. `computed-again`: the number of applied updates is the same, but the
 * shown value has changed.
 */
export type LayerChange = 'applied' | 'rolled-back' | 'computed-again';

/** The shown value of a node, and the number of its optimistic updates. */
type Seen = readonly [shown: unknown, count: number];

export class LayerWatch {
  #store: Store | undefined;
  #seen = new Map<Row | List, Seen>();

  /**
   * Calls `onChange` for each node that has an optimistic update, or had one at the last call, and whose shown value differs from
   * its value at the last call. A node that had no optimistic update at the last call is compared with base.
   */
  reportChanges(
    store: Store,
    onChange: (node: Row | List, fields: readonly string[], how: LayerChange) => void,
  ): void {
    const before = this.#store === store ? this.#seen : new Map<Row | List, Seen>();
    const now = new Map<Row | List, Seen>();
    for (const { appliedLayers } of store.intents)
      for (const node of appliedLayers.values()) now.set(node, [node.shown, (now.get(node)?.[1] ?? 0) + 1]);
    for (const node of new Set([...now.keys(), ...before.keys()])) {
      const [from, earlier] = before.get(node) ?? [node.base, 0];
      const count = now.get(node)?.[1] ?? 0;
      if (!isEqual(from, node.shown))
        onChange(
          node,
          changedNames(from, node.shown),
          count === earlier ? 'computed-again' : count > earlier ? 'applied' : 'rolled-back',
        );
    }
    this.#store = store;
    this.#seen = now;
  }
}

function changedNames(before: unknown, after: unknown): string[] {
  const [one, other] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  return Object.keys({ ...one, ...other }).filter((name) => !isEqual(one[name], other[name]));
}
