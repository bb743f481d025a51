// Finds the rows and lists whose shown value was changed by optimistic updates. Compares the shown value of each node that has a
// pending update with the shown value at the last call of `reportChanges`, which recorder.ts calls at each event.
import { isEqual } from '../../store/fields.ts';
import type { List, Row } from '../../store/nodes.ts';
import { isRecord } from '../../support/plain.ts';
import { ensure } from '../../support/ensure.ts';
import type { Intent } from '../../store/intent.ts';
import type { Store } from '../../store/store.ts';

/** How the optimistic updates of a row or a list have changed. `replaced`: some were applied and others rolled back, or computed again. */
export type LayerChange = 'applied' | 'rolled-back' | 'replaced';

interface Seen {
  readonly shown: unknown;
  readonly intents: ReadonlySet<Intent>;
}

export class LayerWatch {
  #store: Store | undefined;
  #seen = new Map<Row | List, Seen>();

  /** Calls `onChange` for each node whose shown value differs from that at the last call; at first, from base. */
  reportChanges(
    store: Store,
    onChange: (node: Row | List, fields: readonly string[], how: LayerChange) => void,
  ): void {
    const before = this.#store === store ? this.#seen : new Map<Row | List, Seen>();
    const now = new Map<Row | List, Seen & { readonly intents: Set<Intent> }>();
    for (const intent of store.intents)
      for (const node of intent.appliedLayers.values())
        ensure(now, node, () => ({ shown: node.shown, intents: new Set<Intent>() })).intents.add(intent);
    for (const node of new Set([...now.keys(), ...before.keys()])) {
      const from = before.has(node) ? before.get(node)!.shown : node.base; // set: just tested
      if (isEqual(from, node.shown)) continue;
      const then = before.get(node)?.intents ?? new Set<Intent>();
      const pending = now.get(node)?.intents ?? new Set<Intent>();
      const isApplied = [...pending].some((intent) => !then.has(intent));
      const isEnded = [...then].some((intent) => !pending.has(intent));
      const how = isApplied === isEnded ? 'replaced' : isApplied ? 'applied' : 'rolled-back';
      onChange(node, changedNames(from, node.shown), how);
    }
    this.#store = store;
    this.#seen = now;
  }
}

/** The names of the fields that differ; none for lists. */
function changedNames(before: unknown, after: unknown): string[] {
  const [one, other] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  return Object.keys({ ...one, ...other }).filter((name) => !isEqual(one[name], other[name]));
}
