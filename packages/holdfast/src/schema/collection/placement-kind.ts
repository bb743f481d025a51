// What `push`, `unshift`, `assign`, `remove` and `move` of a Collection do with an answer. The items are written like any
// others; then they go into, or out of, every cached list that the filter picks.
import { isEqual } from '../../store/fields.ts';
import { findLists, matches } from '../../store/membership.ts';
import type { ValuesOf } from '../../store/membership.ts';
import type { List, Placement, Row, Table } from '../../store/nodes.ts';
import { rowOf, toPlain } from '../../store/stored-form.ts';
import { asObject } from '../../support/plain.ts';
import type { ListBasis } from './collection-kind.ts';
import type { Host, Kind, ListForm, WriteContext } from '../protocol/protocol.ts';
import type { Given } from '../protocol/schema.types.ts';
import { runHook, runOnce } from '../protocol/run-hook.ts';

export type Operation = 'push' | 'unshift' | 'assign' | 'remove' | 'move';

/**
 * A list's key as a filter sees it.
 *
 * @example const isMine = (key: Collection.Key) => key['userId'] === '1';
 */
export type CollectionKey = Readonly<Record<string, string>>;
/**
 * Whether a list takes part in a creation.
 *
 * @example const ofUser: Collection.Filter = (key) => key['userId'] === '1';
 */
export type CollectionFilter = (key: CollectionKey) => boolean;
/**
 * Makes the filter of one creation from its parameters and its body.
 *
 * @example
 * const byUser: Collection.CreateFilter = (params, body) => (key) => key['userId'] === (body?.userId ?? params?.userId);
 * const list = new schema.Collection([Todo], { createCollectionFilter: byUser });
 */
export type CreateCollectionFilter = (urlParams: Given, body: Given) => CollectionFilter;

/**
 * A user's own merge, in plain form: what is in the list and what is added.
 *
 * @example
 * const newestFirst: Collection.MergeMembers = (existing, added) => [...added, ...existing];
 * const prepend = new schema.Collection([Todo]).addWith(newestFirst);
 */
export type MergeMembers = (collection: Given, creation: Given) => unknown;

interface PlacementOptions {
  readonly operation: Operation;
  readonly merge: MergeMembers | null;
  /** Null for the contract's own filter, which the index answers. */
  readonly filterOf: () => CreateCollectionFilter | null;
}

export function createPlacementKind(basis: ListBasis, options: PlacementOptions): Kind {
  const { form, item, owners } = basis;
  return {
    isPlacement: true,
    form,
    owners,
    enter(value, at) {
      if (value === null || value === undefined) return value;
      const taken = form.toWriteInput(value, item(), at);
      const members = at.create(() => form.write(item(), taken, at));
      at.effects.placements.push(...placementsOf(basis, options, members, at));
      const kept = form.toStoredForm(members);
      // one item sent, one item read back
      return taken === value ? kept : Object.values(kept)[0];
    },
    open: (stored, at) => form.openCreated(item(), stored, at),
  };
}

/** Of several that were sent together each goes into the lists that it belongs to. */
function placementsOf(
  basis: ListBasis,
  { operation, merge, filterOf }: PlacementOptions,
  members: readonly unknown[],
  at: WriteContext,
): Placement[] {
  const { sent } = at;
  const table = basis.table(at);
  const createFilter = filterOf();
  const hasHooks = !!(merge ?? createFilter);
  const isMove = operation === 'move';
  const isAtStart = operation === 'unshift';
  const placementOf = (placed: readonly unknown[], given: readonly unknown[]): Placement => {
    const args = given.map(asObject);
    const choice = (isMove ? chooseMoved : choose)(table, args, createFilter, placed, at, merge);
    return {
      table,
      members: placed,
      place: isAtStart ? 'start' : 'end',
      merge: merge && mergeInPlainForm(basis, merge, at.engine),
      hasHooks,
      isByRow: !createFilter && operation !== 'remove' && !isMove,
      leaves: null,
      ...choice,
      ...(operation === 'remove' && { select: () => [], leaves: choice.matches }),
    };
  };
  const body = sent.at(-1);
  const isEach = !merge && (!createFilter || isMove);
  if (!isEach || !Array.isArray(body) || body.length !== members.length) return [placementOf(members, sent)];
  const placements = members.map((member, nth) => placementOf([member], [...sent.slice(0, -1), body[nth]]));
  // each is put in front of those before it
  return isAtStart ? placements.reverse() : placements;
}

/** Which lists take the members. */
interface Choice {
  readonly select: Placement['select'];
  readonly matches: (list: List) => boolean;
}

function choose(table: Table, args: readonly object[], createFilter: CreateCollectionFilter | null): Choice {
  if (!createFilter) {
    const valuesOf: ValuesOf = (name) =>
      args
        .slice(0, 2)
        .flatMap((arg) => (Object.hasOwn(arg, name) ? [(arg as Record<string, unknown>)[name]] : [])); // cast: own member
    return { matches: (list) => matches(list, valuesOf), select: () => findLists(table, valuesOf) };
  }
  const create = createFilter as (...given: readonly unknown[]) => CollectionFilter; // cast: users say what they take
  const runFilter = <T>(run: () => T): T => runHook(table.key, 'createCollectionFilter', run);
  const filter = runFilter(() => create(args[0] ?? {}, ...args.slice(1)));
  return byScan(table, ({ identity: { key } }) => !!key && runFilter(() => filter(Object.fromEntries(key))));
}

/** A move judges each row twice: by what it was and by what it becomes. */
function chooseMoved(
  table: Table,
  [params, ...rest]: readonly object[],
  createFilter: CreateCollectionFilter | null,
  members: readonly unknown[],
  { isOptimistic }: WriteContext,
  merge: MergeMembers | null,
): Pick<Placement, 'select' | 'matches' | 'leaves'> {
  // the guesses of other mutations say nothing about where the server has the row
  const fieldsOf = ({ shown, base }: Row): object => ({
    ...(toPlain(isOptimistic ? shown : base) as object | null | undefined), // cast: fields are an object
  });
  const rows = members.flatMap((member) => rowOf(member) ?? []);
  const before = new Map(rows.map((row) => [row, fieldsOf(row)]));
  const fits = (list: List, old?: object, now = old): boolean =>
    choose(
      table,
      [
        { ...params, ...now },
        { ...old, ...now },
      ],
      createFilter,
    ).matches(list);
  const wasIn = (list: List, row: Row): boolean => fits(list, before.get(row));
  const willBe = (list: List, row: Row): boolean =>
    fits(list, before.get(row), { ...(rest.at(-1) ?? params), ...fieldsOf(row) });
  // a list that it stays in may lack it for a reason that the move does not know; a merge decides the place there too
  const isTaken = (list: List, row: Row): boolean => willBe(list, row) && (!!merge || !wasIn(list, row));
  return {
    ...byScan(table, (list) => rows.some((row) => isTaken(list, row))),
    matches: isTaken,
    leaves: (list, row) => wasIn(list, row) && !willBe(list, row),
  };
}

function byScan(table: Table, isPicked: (list: List) => boolean): Choice {
  return {
    matches: isPicked,
    select: () => [...table.lists.values()].filter((list) => list.exists && isPicked(list)),
  };
}

/** A user's merge sees ids, or a map of ids; what it gives back is turned into members again. */
function mergeInPlainForm(
  { form, item, owners }: ListBasis,
  merge: MergeMembers,
  { toStored }: Host,
): NonNullable<Placement['merge']> {
  const call = merge as (collection: unknown, creation: unknown) => unknown; // cast: users say what they take
  return runOnce((present, added) =>
    runHook(owners()[0]?.key ?? '', 'addWith', () => {
      const merged = call(form.toPlain(present), form.toPlain(added));
      return toMembers(form, merged, [...present, ...added], (plain) => toStored(item(), plain));
    }),
  );
}

/** The members that a user's merge gave in plain form: those that are known, else what `restore` makes of them. */
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
