// Pending mutations over the known data: the oracle's view of optimistic updates. A layer is applied to the view that the layers
// before it have left.
import { membership } from './oracle-lists.ts';
import type { Values } from './oracle-lists.ts';
import type { Fields } from './subject.ts';

/** The effect of a pending mutation. `id` is a function, because a draft gets its server id while the layer exists. */
export type Layer =
  | { kind: 'create'; id: () => string; fields: Fields }
  | { kind: 'patch'; id: () => string; fields: Fields }
  | { kind: 'rename'; id: () => string; fields: Fields }
  | { kind: 'vote'; id: () => string }
  | { kind: 'remove'; id: () => string };

export interface OracleView {
  items: Map<string, Values>;
  users: Map<string, Values>;
  lists: Map<string, string[]>;
  /** Members whose order is defined; the client chooses the place of the others. */
  anchored: Map<string, string[]>;
  /** Members for which the rules do not decide whether they belong to the list. */
  optional: Map<string, ReadonlySet<string>>;
  /** When each list was requested; for a list in pages, its first page. */
  sends: Map<string, number>;
  /** Keys of the loaded pages behind the first. */
  pages: string[];
}

export function applyLayer(view: OracleView, layer: Layer): void {
  const id = layer.id();
  if (layer.kind === 'create') {
    view.items.set(id, layer.fields);
    for (const [key, ids] of view.lists) {
      if (membership(key, layer.fields) && !ids.includes(id)) view.lists.set(key, [...ids, id]);
    }
    return;
  }
  if (layer.kind === 'rename') {
    const user = view.users.get(id);
    if (user) view.users.set(id, { ...user, ...layer.fields });
    return;
  }
  const row = view.items.get(id);
  if (!row) return;
  if (layer.kind === 'remove') {
    view.items.delete(id);
    for (const [key, ids] of view.lists)
      view.lists.set(
        key,
        ids.filter((other) => other !== id),
      );
    return;
  }
  const changed =
    layer.kind === 'vote' ? { ...row, votes: Number(row['votes'] ?? 0) + 1 } : { ...row, ...layer.fields };
  view.items.set(id, changed);
  for (const [key, ids] of view.lists) {
    const isMember = membership(key, changed);
    const isHeld = ids.includes(id);
    if (isMember === undefined || isHeld === isMember) continue;
    if (membership(key, row) === isMember) {
      view.optional.set(key, new Set([...(view.optional.get(key) ?? []), id]));
    } else if (isMember) view.lists.set(key, [...ids, id]);
    else {
      view.lists.set(
        key,
        ids.filter((other) => other !== id),
      );
      view.anchored.set(
        key,
        view.anchored.get(key)!.filter((other) => other !== id),
      );
    }
  }
}
