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
import { runHook, runOnce } from '../protocol/run-hook.ts';

export type Operation = 'push' | 'unshift' | 'assign' | 'remove' | 'move';

/** A list's key as a filter sees it. */
export type CollectionKey = Readonly<Record<string, string>>;
/** Whether a list takes part in a creation. */
export type CollectionFilter = (key: CollectionKey) => boolean;
/** Makes the filter of one creation from its parameters and its body. */
export type CreateCollectionFilter = (...args: never) => CollectionFilter;

/** A user's own merge, in plain form: what is in the list and what is added. */
export type MergeMembers = (collection: never, creation: never) => unknown;

interface PlacementOptions {
  readonly operation: Operation;
  readonly merge: MergeMembers | null;
  /** Null for the contract's own filter, which the index answers. */
  readonly createFilter: CreateCollectionFilter | null;
}

export function createPlacementKind(basis: ListBasis, options: PlacementOptions): Kind {
  const { form, item, owners } = basis;
  return {
    isPlacement: true,
    form,
    owners,
    enter(value, at) {
      if (value === null || value === undefined) return value;
      const members = at.create(() => form.write(item(), form.take(value), at));
      at.effects.placements.push(...placementsOf(basis, options, members, at));
      return form.keep(members, value);
    },
    open: (stored, at) => form.openKept(item(), stored, at),
  };
}

/** Of several that were sent together each goes into the lists that it belongs to. */
function placementsOf(
  basis: ListBasis,
  { operation, merge, createFilter }: PlacementOptions,
  members: readonly unknown[],
  at: WriteContext,
): Placement[] {
  const { sent } = at;
  const table = basis.table(at);
  const hasHooks = merge !== null || createFilter !== null;
  const isMove = operation === 'move';
  const isAtStart = operation === 'unshift';
  const placementOf = (placed: readonly unknown[], given: readonly unknown[]): Placement => {
    const args = given.map(asObject);
    const choice = (isMove ? chooseMoved : choose)(table, args, createFilter, placed, at);
    return {
      table,
      members: placed,
      place: isAtStart ? 'start' : 'end',
      merge: merge && mergeInPlainForm(basis, merge, at.engine),
      hasHooks,
      isByRow: createFilter === null && operation !== 'remove' && !isMove,
      leaves: null,
      ...choice,
      ...(operation === 'remove' && { select: () => [], leaves: choice.matches }),
    };
  };
  const body = sent.at(-1);
  const isEach = merge === null && (createFilter === null || isMove);
  if (!isEach || !Array.isArray(body) || body.length !== members.length) return [placementOf(members, sent)];
  const placements = members.map((member, nth) => placementOf([member], sent.with(-1, body[nth])));
  // each is put in front of those before it
  return isAtStart ? placements.toReversed() : placements;
}

/** Which lists take the members, and which let them go. */
type Choice = Pick<Placement, 'select' | 'matches'> & Partial<Placement>;

function choose(table: Table, args: readonly object[], createFilter: CreateCollectionFilter | null): Choice {
  if (createFilter === null) {
    const valuesOf: ValuesOf = (name) =>
      args
        .slice(0, 2)
        .flatMap((arg) => (Object.hasOwn(arg, name) ? [(arg as Record<string, unknown>)[name]] : [])); // cast: own member
    return { matches: (list) => matches(list, valuesOf), select: () => findLists(table, valuesOf) };
  }
  const create = createFilter as (...given: readonly unknown[]) => CollectionFilter; // cast: users say what they take
  const ask = <T>(run: () => T): T => runHook(table.key, 'createCollectionFilter', run);
  const filter = ask(() => create(args[0] ?? {}, ...args.slice(1)));
  return byScan(table, ({ identity: { key } }) => key !== null && ask(() => filter(Object.fromEntries(key))));
}

/** A move judges each row twice: by what it was and by what it becomes. */
function chooseMoved(
  table: Table,
  [params, ...rest]: readonly object[],
  createFilter: CreateCollectionFilter | null,
  members: readonly unknown[],
  { isGuess }: WriteContext,
): Choice {
  // the guesses of other mutations say nothing about where the server has the row
  const fieldsOf = ({ shown, base }: Row): object => ({
    ...(toPlain(isGuess ? shown : base) as object | null | undefined), // cast: fields are an object
  });
  const rows = members.map(rowOf).filter((row) => row !== undefined);
  const before = new Map(rows.map((row) => [row, fieldsOf(row)]));
  const fits = (list: List, now: object, body: object): boolean =>
    choose(table, [{ ...params, ...now }, body], createFilter).matches(list);
  const wasIn = (list: List, row: Row): boolean => {
    const old = before.get(row) ?? {};
    return fits(list, old, old);
  };
  const willBe = (list: List, row: Row): boolean => {
    const now = { ...(rest.at(-1) ?? params), ...fieldsOf(row) };
    return fits(list, now, { ...before.get(row), ...now });
  };
  return {
    // a list that it stays in may lack it for a reason that the move does not know
    ...byScan(table, (list) => rows.some((row) => willBe(list, row) && !wasIn(list, row))),
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
  { restore }: Host,
): NonNullable<Placement['merge']> {
  const call = merge as (collection: unknown, creation: unknown) => unknown; // cast: users say what they take
  return runOnce((present, added) =>
    runHook(owners()[0]?.key ?? '', 'addWith', () => {
      const merged = call(form.toPlain(present), form.toPlain(added));
      return toMembers(form, merged, [...present, ...added], (plain) => restore(item(), plain));
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
