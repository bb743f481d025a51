// What the two walkers ask of the engine that runs them. Declared here so that they need not import it.
import type { Kind, MissingPart, Restore, TableOwner } from '../schema/protocol/protocol.ts';
import type { Row, RowPolicy, Table } from '../store/nodes.ts';
import type { Node, View } from '../store/view.ts';
import type { Store } from '../store/store.ts';

export interface WalkHost {
  readonly store: Store;
  readonly restore: Restore;
  /** The last part that a read found missing. */
  missing: MissingPart | null;
  tableOf(owner: TableOwner): Table;
  listTable(owners: readonly TableOwner[]): Table;
  createDraft(table: Table): Row;
  policy(kind: Kind, create: (restore: Restore) => RowPolicy): RowPolicy;
  viewOf(subject: Node, kind: Kind): View;
  warn(code: string, subject: string, params: Record<string, unknown>): void;
}
