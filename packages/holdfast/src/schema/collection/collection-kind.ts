// Writes and reads a Collection. Its members are written like those of an array or a map, and stored as one list for each key.
// Readers get one view for each list, item schema and form (array, map or declared order).
import type { View } from '../../store/graph.ts';
import { findPage } from '../../store/list-members.ts';
import { provesServerMembership } from '../../store/membership.ts';
import { List } from '../../store/nodes.ts';
import type { ListIdentity, MergePage, Table } from '../../store/nodes.ts';
import { ensure } from '../../support/ensure.ts';
import { toPlain } from '../../store/stored-form.ts';
import { enterItems, inputItems, openItems } from '../kinds/array-kind.ts';
import { buildListView } from '../kinds/list-read.ts';
import { ownersOf, UNKNOWN } from '../protocol/protocol.ts';
import { memoizeMerge } from '../protocol/run-hook.ts';
import type {
  FormFiller,
  HasQuery,
  HasOwners,
  Kind,
  ListForm,
  QueryContext,
  ReadContext,
  TableOwner,
  ViewReader,
  WriteContext,
} from '../protocol/protocol.ts';

/** The parts that a Collection's own kind and the kinds of its creations, removals and moves share. */
export interface ListBasis {
  readonly form: ListForm;
  readonly item: () => Kind;
  readonly owners: () => readonly TableOwner[];
  readonly tableOf: (at: WriteContext | QueryContext) => Table;
}

export function createBasis(form: ListForm, item: () => Kind): ListBasis {
  const owners = (): readonly TableOwner[] => ownersOf(item());
  return { form, item, owners, tableOf: (at) => at.engine.listTable(owners()) };
}

/** Functions of a Collection that its kind calls. */
export interface CollectionHooks {
  readonly merge: MergePage | null;
  /** The cursor in the arguments of a Collection of further pages; undefined for other Collections. */
  cursorOf(args: readonly unknown[]): string | undefined;
  /** Whether the response is known to be the whole list. */
  isWhole(response: unknown): boolean;
  /** The identity of the list for these arguments. `at` describes the position of `value` in a payload. */
  identity(args: readonly unknown[], value?: unknown, at?: WriteContext): ListIdentity;
}

export function createCollectionKind(
  { form, item, owners, tableOf: table }: ListBasis,
  { merge, cursorOf, isWhole, identity }: CollectionHooks,
): Kind & FormFiller & HasQuery & HasOwners {
  return {
    form,
    owners,
    enter(value, at) {
      if (value === null || value === undefined) return value;
      const list = at.engine.store.list(table(at), identity(at.args, value, at));
      at.existing = list.base;
      at.fill(this, value, list);
      return list;
    },
    fill(value, list: List, at) {
      const whole = isWhole(at.wholePayload) && at.effects;
      const members = form.write(item(), value, at);
      at.effects.lists.push({
        list,
        members,
        cursor: cursorOf(at.args) ?? null,
        merge: merge && memoizeMerge(merge),
        hasServerMembership: provesServerMembership(list, members, at.effects),
        whole,
      });
    },
    open: (stored, at) => (stored instanceof List ? at.readNode(stored, memberReader(item(), form)) : stored),
    query(args, at) {
      const list = at.engine.store.list(table(at), identity(args));
      // A list that has further pages but no first page is not shown.
      if (list.exists && findPage(list, null)) return list;
      at.depend(list);
      return UNKNOWN;
    },
  };
}

/** A list's members as an array. */
export const arrayForm: ListForm = {
  isKeyed: false,
  readers: new WeakMap(),
  write: (item, value, at) => enterItems(item, inputItems(value, at), at),
  read: buildListView,
  toWriteInput: (value) => (Array.isArray(value) ? value : [value]),
  toStoredForm: (members) => members,
  openCreated: openItems,
  toPlain: (members) => members.map(toPlain),
};

/** The reader of a list's members with one item schema. */
export function memberReader(item: Kind, form: ListForm): ViewReader {
  return ensure(form.readers, item, () => ({
    build(view: View, at: ReadContext): void {
      const list = view.subject as List; // cast: this reader makes views of lists only
      if (list.exists || list.layers) form.read(view, item, list.shown, at);
      else at.finishView(view, undefined);
    },
  }));
}
