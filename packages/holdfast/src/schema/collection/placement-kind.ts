// What `push`, `unshift`, `assign`, `remove` and `move` of a Collection do with a response. The items are written like any
// others; then they go into, or out of, every cached list that the filter picks.
import { isEqual } from '../../store/fields.ts';
import { findLists, passes } from '../../store/list-index.ts';
import { isLooselyEqual } from '../../store/loose-match.ts';
import type { List, Placement, Row, Table } from '../../store/nodes.ts';
import { toPlain } from '../../store/plain-form.ts';
import { rowOf } from '../../store/reference.ts';
import { isForm } from '../../support/value-kind.ts';
import { UNKNOWN } from '../protocol/protocol.ts';
import { runHook, runOnce } from '../protocol/run-hook.ts';
import type { Kind, ListForm, ReadContext, TableOwner, WriteContext } from '../protocol/protocol.ts';

export type Operation = 'push' | 'unshift' | 'assign' | 'remove' | 'move';

/** A list's key as a filter sees it. */
export type CollectionKey = Readonly<Record<string, string>>;
/** Whether a list takes part in a creation. */
export type CollectionFilter = (key: CollectionKey) => boolean;
/** Makes the filter of one creation from its parameters and its body. */
export type CreateCollectionFilter = (...args: never) => CollectionFilter;

/** A user's own merge, in plain form: what is in the list and what is added. */
export type MergeMembers = (collection: never, creation: never) => unknown;

export interface PlacementHooks {
  readonly form: ListForm;
  readonly item: () => Kind;
  readonly operation: Operation;
  readonly merge: MergeMembers | null;
  /** Null for the contract's own filter, which the index answers. */
  readonly createFilter: CreateCollectionFilter | null;
  table(at: WriteContext): Table;
}

/** Which lists take the members, and which let them go. */
type Choice = Pick<Placement, 'select' | 'matches' | 'leaves'>;

export class PlacementKind implements Kind {
  readonly #hooks: PlacementHooks;

  constructor(hooks: PlacementHooks) {
    this.#hooks = hooks;
  }

  owners(): readonly TableOwner[] {
    return this.#hooks.item().owners?.() ?? [];
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    const { form, item } = this.#hooks;
    let members: readonly unknown[] = [];
    at.create(() => {
      members = form.write(item(), form.take(value), at);
    });
    at.effects.placements.push(...this.#placements(members, at));
    return form.keep(members, value);
  }

  open(stored: unknown, at: ReadContext): unknown {
    return this.#hooks.form.openKept(this.#hooks.item(), stored, at);
  }

  query(): unknown {
    return UNKNOWN;
  }

  /** Of several that were sent together each goes into the lists that it belongs to. */
  #placements(members: readonly unknown[], at: WriteContext): Placement[] {
    const { operation, merge, createFilter } = this.#hooks;
    const { sent } = at;
    const body = sent.at(-1);
    const isEach = merge === null && (createFilter === null || operation === 'move');
    if (!isEach || !Array.isArray(body) || body.length !== members.length)
      return [this.#placement(members, at, sent)];
    const placements = members.map((member, nth) => this.#placement([member], at, sent.with(-1, body[nth])));
    // each is put in front of those before it
    return operation === 'unshift' ? placements.toReversed() : placements;
  }

  #placement(members: readonly unknown[], at: WriteContext, sent: readonly unknown[]): Placement {
    const { operation, merge, createFilter } = this.#hooks;
    const table = this.#hooks.table(at);
    const args = sent.map(asObject);
    const choice = operation === 'move' ? this.#move(members, table, args, at) : this.#lookUp(table, args);
    return {
      table,
      members,
      place: operation === 'unshift' ? 'start' : 'end',
      merge: merge && this.#mergeInPlainForm(merge, at),
      hasHooks: merge !== null || createFilter !== null,
      ...choice,
      ...(operation === 'remove' && { select: () => [], leaves: choice.matches }),
    };
  }

  /** A move judges each row twice: by what it was and by what it becomes. */
  #move(
    members: readonly unknown[],
    table: Table,
    [params, ...rest]: readonly object[],
    { isGuess }: WriteContext,
  ): Choice {
    // the guesses of other mutations say nothing about where the server has the row
    const fieldsOf = ({ shown, base }: Row): object => ({
      ...(toPlain(isGuess ? shown : base) as object | null | undefined), // cast: fields are an object
    });
    const before = new Map<Row, object>();
    for (const row of members.map(rowOf)) if (row) before.set(row, fieldsOf(row));
    const fits = (list: List, now: object, body: object): boolean =>
      this.#lookUp(table, [{ ...params, ...now }, body]).matches(list);
    const wasIn = (list: List, row: Row): boolean => {
      const old = before.get(row) ?? {};
      return fits(list, old, old);
    };
    const willBe = (list: List, row: Row): boolean => {
      const now = { ...(rest.at(-1) ?? params), ...fieldsOf(row) };
      return fits(list, now, { ...before.get(row), ...now });
    };
    // a list that it stays in may lack it for a reason that the move does not know
    const matches = (list: List): boolean =>
      [...before.keys()].some((row) => willBe(list, row) && !wasIn(list, row));
    return {
      matches,
      select: () => [...table.lists.values()].filter((list) => list.exists && matches(list)),
      leaves: (list, row) => wasIn(list, row) && !willBe(list, row),
    };
  }

  #lookUp(table: Table, args: readonly object[]): Choice {
    const { createFilter } = this.#hooks;
    if (createFilter !== null) {
      const create = createFilter as (...given: readonly unknown[]) => CollectionFilter; // cast: users say what they take
      const ask = <T>(run: () => T): T => runHook(table.key, 'createCollectionFilter', run);
      const filter = ask(() => create(args[0] ?? {}, ...args.slice(1)));
      const matches = ({ identity: { key } }: List): boolean =>
        key !== null && ask(() => filter(Object.fromEntries(key)));
      return {
        matches,
        select: () => [...table.lists.values()].filter((list) => list.exists && matches(list)),
        leaves: null,
      };
    }
    const candidates = (name: string): unknown[] =>
      args
        .slice(0, 2)
        .map((arg) => (Object.hasOwn(arg, name) ? (arg as Record<string, unknown>)[name] : undefined)); // cast: own member
    return {
      matches: (list) =>
        passes(list, (name, text) => candidates(name).some((value) => isLooselyEqual(value, text))),
      select: () => [...table.listGroups.values()].flatMap((group) => findLists(group, candidates)),
      leaves: null,
    };
  }

  /** A user's merge sees ids, or a map of ids; what it gives back is turned into members again. */
  #mergeInPlainForm(
    merge: MergeMembers,
    { engine: { restore } }: WriteContext,
  ): NonNullable<Placement['merge']> {
    const { form, item } = this.#hooks;
    const call = merge as (collection: unknown, creation: unknown) => unknown; // cast: users say what they take
    return runOnce((present, added) =>
      runHook(this.owners()[0]?.key ?? '', 'addWith', () => {
        const merged = call(form.toPlain(present), form.toPlain(added));
        return toMembers(merged, [...present, ...added], (plain) => restore(item(), plain));
      }),
    );
  }
}

/** The members that a user's merge gave in plain form: those that are known, else what `restore` makes of them. */
export function toMembers(
  merged: unknown,
  known: readonly unknown[],
  restore: (plain: unknown) => unknown,
): readonly unknown[] {
  const plains: readonly unknown[] = Object.values(merged ?? {});
  return plains
    .map((plain) => known.find((member) => isEqual(toPlain(member), plain)) ?? restore(plain))
    .filter((member) => member !== undefined);
}

/** Arguments as the filter reads them: a FormData is an object of its fields. */
function asObject(arg: unknown): object {
  if (isForm(arg)) return Object.fromEntries(arg.entries());
  return typeof arg === 'object' && arg !== null ? arg : {};
}
