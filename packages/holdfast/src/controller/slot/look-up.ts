// Looks up what a schema and arguments name in the store: what `get`, snapshots and the observers of queries stand on.
// What is looked up is made, absent, where it is not there, so that readers may wait on it.
import type { Kind } from '../../schema/protocol/protocol.ts';
import type { View } from '../../store/view.ts';
import type { Core } from '../state/core.ts';

export function lookUpView(core: Core, kind: Kind, args: readonly unknown[]): View {
  core.touch();
  return core.engine.cellView(kind, args);
}

/** What the store holds; undefined when it does not. */
export function lookUp(core: Core, kind: Kind, args: readonly unknown[]): unknown {
  return core.engine.read(lookUpView(core, kind, args));
}
