// The list of a Collection with given arguments, even if no response has stored the list yet.
import { queryKind } from '../../schema/protocol/protocol.ts';
import type { Host, Kind } from '../../schema/protocol/protocol.ts';
import { List } from '../../store/nodes.ts';

export function listOf(kind: Kind, args: readonly unknown[], engine: Host): List {
  let own: unknown;
  // A look-up returns no list that was never stored, but it passes such a list to `depend`.
  const found = queryKind(kind, args, { engine, args, depend: (node) => void (own = node) });
  return (found instanceof List ? found : own) as List; // cast: the kind of a Collection looks up nothing else
}
