// The schemas `push`, `unshift`, `assign`, `remove` and `move` of a Collection. The rows of a response are written as in any other
// response. Then they are added to the stored lists that the filter selects, removed from these lists, or moved between them.
import { isEqual } from '../../store/fields.ts';
import { matchesFilters } from '../../store/filters.ts';
import { findLists } from '../../store/list-index.ts';
import type { List, Placement, Row, Table, ValuesOf } from '../../store/nodes.ts';
import { rowOf, toPlain } from '../../store/stored-form.ts';
import { asObject } from '../../support/plain.ts';
import type { ListBasis } from './collection-kind.ts';
import type { HasOwners, Host, Kind, ListForm, WriteContext } from '../protocol/protocol.ts';
import type { Given } from '../protocol/schema.types.ts';
import { runHook, memoizeMerge } from '../protocol/run-hook.ts';

export type Operation = 'push' | 'unshift' | 'assign' | 'remove' | 'move';

/**
 * The key of a list, in the form that a filter gets.
 *
 * @example const isMine = (key: Collection.Key) => key['userId'] === '1';
 */
export type CollectionKey = Readonly<Record<string, string>>;
/**
 * Decides whether the list with this key matches a creation, a removal or a move.
 *
 * @example const ofUser: Collection.Filter = (key) => key['userId'] === '1';
 */
export type CollectionFilter = (key: CollectionKey) => boolean;
/**
 * Returns the filter of one creation, removal or move from its parameters and its body. For a move, the parameters and the body
 * also contain the fields of the row.
 *
 * @example
 * const byUser: Collection.CreateFilter = (params, body) => (key) => key['userId'] === (body?.userId ?? params?.userId);
 * const list = new schema.Collection([Todo], { createCollectionFilter: byUser });
 */
export type CreateCollectionFilter = (urlParams: Given, body: Given) => CollectionFilter;

/**
 * A user's own merge. It gets the list's members and the added members in plain form, usually as arrays of ids, and returns the new
 * members. With `schema.Values`, all three are objects of ids by name.
 *
 * @example
 * const newestFirst: Collection.MergeMembers = (existing, added) => [...added, ...existing];
 * const prepend = new schema.Collection([Todo]).addWith(newestFirst);
 */
export type MergeMembers = (collection: Given, creation: Given) => unknown;

interface PlacementOptions {
  readonly operation: Operation;
  readonly merge: MergeMembers | null;
  /** Returns the user's function that makes the filter; null for the default filter. */
  readonly filterOf: () => CreateCollectionFilter | null;
}

export function createPlacementKind(basis: ListBasis, options: PlacementOptions): Kind & HasOwners {
  const { form, item, owners } = basis;
  return {
    isPlacement: true,
    form,
    owners,
    enter(value, at) {
      if (value === null || value === undefined) return value;
      const input = form.toWriteInput(value, item(), at);
      const members = at.runInCreation(() => form.write(item(), input, at));
      at.effects.placements.push(...placementsOf(basis, options, members, at));
      const storedForm = form.toStoredForm(members);
      // A response with a single item is stored as that item, not as a list.
      return input === value ? storedForm : Object.values(storedForm)[0];
    },
    open: (stored, at) => form.openCreated(item(), stored, at),
  };
}

/**
 * The placements of a payload. If the request sent an array with one item for each member, each member is placed by its own item.
 * Otherwise all members are placed together. They are also placed together if a user's merge decides, or if a user's filter decides
 * about a creation or a removal.
 */
function placementsOf(
  basis: ListBasis,
  { operation, merge, filterOf }: PlacementOptions,
  members: readonly unknown[],
  at: WriteContext,
): Placement[] {
  const { sent } = at;
  const table = basis.tableOf(at);
  const createFilter = filterOf();
  const hasHooks = !!(merge ?? createFilter);
  const isMove = operation === 'move';
  const isAtStart = operation === 'unshift';
  const placementOf = (placed: readonly unknown[], given: readonly unknown[]): Placement => {
    const args = given.map(asObject);
    const choice = (isMove ? chooseListsOfMove : chooseLists)(table, args, createFilter, placed, at, merge);
    return {
      table,
      members: placed,
      place: isAtStart ? 'start' : 'end',
      merge: merge && mergeInPlainForm(basis, merge, at.engine),
      hasHooks,
      isByRow: !createFilter && operation !== 'remove' && !isMove,
      mustLeave: null,
      ...choice,
      ...(operation === 'remove' && { selectLists: () => [], mustLeave: choice.takes }),
    };
  };
  const body = sent.at(-1);
  const placesEach = !merge && (!createFilter || isMove);
  if (!placesEach || !Array.isArray(body) || body.length !== members.length)
    return [placementOf(members, sent)];
  const placements = members.map((member, nth) => placementOf([member], [...sent.slice(0, -1), body[nth]]));
  // With `unshift`, each placement adds its item at the start of the list. So the last item is placed first, and the items keep the
  // order of the body.
  return isAtStart ? placements.reverse() : placements;
}

/** The lists that take the members of a placement, as two functions. */
interface SelectedLists {
  readonly selectLists: Placement['selectLists'];
  readonly takes: (list: List) => boolean;
}

function chooseLists(
  table: Table,
  args: readonly object[],
  createFilter: CreateCollectionFilter | null,
): SelectedLists {
  if (!createFilter) {
    const valuesOf: ValuesOf = (name) =>
      args
        .slice(0, 2)
        .flatMap((arg) => (Object.hasOwn(arg, name) ? [(arg as Record<string, unknown>)[name]] : [])); // cast: has the property
    return {
      takes: (list) => matchesFilters(list, valuesOf),
      selectLists: () => findLists(table.listGroups.values(), valuesOf),
    };
  }
  const runFilter = <T>(run: () => T): T => runHook(table.key, 'createCollectionFilter', run);
  const [params = {}, ...rest] = args as readonly [Given, Given]; // cast: users declare the parameters
  const filter = runFilter(() => createFilter(params, ...rest));
  return chooseListsByScan(
    table,
    ({ identity: { key } }) => !!key && runFilter(() => filter(Object.fromEntries(key))),
  );
}

/** A move compares two states of each row: the fields before the move and after it. */
function chooseListsOfMove(
  table: Table,
  [params, ...rest]: readonly object[],
  createFilter: CreateCollectionFilter | null,
  members: readonly unknown[],
  { isOptimistic }: WriteContext,
  merge: MergeMembers | null,
): Pick<Placement, 'selectLists' | 'takes' | 'mustLeave'> {
  // The fields before and after an optimistic update are the shown fields. Those before and after a response are base, because
  // other pending updates do not change the lists on the server.
  const fieldsOf = ({ shown, base }: Row): object => ({
    ...(toPlain(isOptimistic ? shown : base) as object | null | undefined), // cast: fields are an object
  });
  const rows = members.flatMap((member) => rowOf(member) ?? []);
  const before = new Map(rows.map((row) => [row, fieldsOf(row)]));
  const matchesFields = (list: List, old?: object, now = old): boolean =>
    chooseLists(
      table,
      [
        { ...params, ...now },
        { ...old, ...now },
      ],
      createFilter,
    ).takes(list);
  const matchedBefore = (list: List, row: Row): boolean => matchesFields(list, before.get(row));
  const matchesAfter = (list: List, row: Row): boolean =>
    matchesFields(list, before.get(row), { ...(rest.at(-1) ?? params), ...fieldsOf(row) });
  // A list that matches before and after the move does not take the row, because the list may lack the row for another reason. With
  // a user's merge the list takes the row, because the merge also decides the position.
  const takesRow = (list: List, row: Row): boolean =>
    matchesAfter(list, row) && (!!merge || !matchedBefore(list, row));
  return {
    ...chooseListsByScan(table, (list) => rows.some((row) => takesRow(list, row))),
    takes: takesRow,
    mustLeave: (list, row) => matchedBefore(list, row) && !matchesAfter(list, row),
  };
}

function chooseListsByScan(table: Table, takesList: (list: List) => boolean): SelectedLists {
  return {
    takes: takesList,
    selectLists: () => [...table.lists.values()].filter((list) => list.exists && takesList(list)),
  };
}

/** Returns a merge of members. It calls the user's merge with the plain forms, usually ids, and converts the result to members. */
function mergeInPlainForm(
  { form, item, owners }: ListBasis,
  merge: MergeMembers,
  { toStored }: Host,
): NonNullable<Placement['merge']> {
  return memoizeMerge((present, added) =>
    runHook(owners()[0]?.key ?? '', 'addWith', () => {
      const merged = merge(form.toPlain(present), form.toPlain(added));
      return toMembers(form, merged, [...present, ...added], (plain) => toStored(item(), plain));
    }),
  );
}

/**
 * The members for the plain result of a user's merge. A plain value that equals a known member becomes that member; any other value
 * goes through `restore`.
 */
export function toMembers(
  { withName }: ListForm,
  merged: unknown,
  known: readonly unknown[],
  restore: (plain: unknown) => unknown,
): readonly unknown[] {
  return Object.entries(merged ?? {}).flatMap(([name, plain]) => {
    const found = known.find((member) => isEqual(toPlain(member), plain)) ?? restore(plain);
    return found === undefined ? [] : [withName?.(found, name) ?? found];
  });
}
