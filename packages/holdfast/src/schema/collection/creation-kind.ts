// Creation schemas: what `push`, `unshift`, `assign`, `remove` and `move` of a Collection do with a response. The items
// are written like any others; then they go into, or out of, every cached list that the filter picks.
import { findLists, passes } from '../../store/list-index.ts';
import { isLooselyEqual } from '../../store/loose-match.ts';
import type { List, Placement, Row, Table } from '../../store/nodes.ts';
import { rowOf } from '../../store/reference.ts';
import { isForm } from '../../support/value-kind.ts';
import { toPlain } from '../../store/plain-form.ts';
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

export interface CreationHooks {
  readonly form: ListForm;
  readonly item: () => Kind;
  readonly operation: Operation;
  readonly merge: MergeMembers | null;
  /** Null for the contract's own filter, which the index answers. */
  readonly createFilter: CreateCollectionFilter | null;
  table(at: WriteContext): Table;
}

export class CreationKind implements Kind {
  readonly #hooks: CreationHooks;

  constructor(hooks: CreationHooks) {
    this.#hooks = hooks;
  }

  owners(): readonly TableOwner[] {
    return this.#hooks.item().owners?.() ?? [];
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    const { form, item } = this.#hooks;
    const before = at.beginCreation();
    const members = form.write(item(), form.take(value), at);
    at.endCreation(before);
    at.effects.placements.push(...this.#creations(members, at));
    return form.keep(members, value);
  }

  open(stored: unknown, at: ReadContext): unknown {
    return this.#hooks.form.openKept(this.#hooks.item(), stored, at);
  }

  query(): unknown {
    return UNKNOWN;
  }

  /** Of several that were sent together each goes into the lists that it belongs to. */
  #creations(members: readonly unknown[], at: WriteContext): Placement[] {
    const { operation, merge, createFilter } = this.#hooks;
    const body = at.sent.at(-1);
    const isEach = merge === null && createFilter === null && operation !== 'move';
    if (!isEach || !Array.isArray(body) || body.length !== members.length)
      return [this.#creation(members, at, at.sent.map(asObject))];
    const creations = members.map((member, nth) =>
      this.#creation([member], at, [...at.sent.slice(0, -1), body[nth]].map(asObject)),
    );
    // each is put in front of those before it
    return operation === 'unshift' ? creations.toReversed() : creations;
  }

  #creation(members: readonly unknown[], at: WriteContext, args: readonly object[]): Placement {
    const { operation, merge } = this.#hooks;
    const table = this.#hooks.table(at);
    if (operation === 'move') return this.#move(members, table, args);
    const lookUp = this.#lookUp(table, args);
    const mergeStored = merge === null ? null : this.#mergeInPlainForm(merge, at);
    return {
      table,
      members,
      place: operation === 'unshift' ? 'start' : 'end',
      merge: mergeStored,
      ...lookUp,
      ...(operation === 'remove' && { select: () => [] }),
      leaves: operation === 'remove' ? lookUp.matches : null,
      hasHooks: mergeStored !== null || this.#hooks.createFilter !== null,
    };
  }

  /** A move judges each row twice: by what it was and by what it becomes. */
  #move(members: readonly unknown[], table: Table, args: readonly object[]): Placement {
    const last = args.at(-1) ?? {};
    const before = new Map<Row, object>();
    for (const member of members) {
      const row = rowOf(member);
      if (row) before.set(row, { ...(row.shown ? (toPlain(row.shown) as object) : {}) }); // cast: fields are an object
    }
    const wasIn = (list: List, row: Row): boolean => {
      const old = before.get(row) ?? {};
      return this.#lookUp(table, [{ ...args[0], ...old }, old]).matches(list);
    };
    const willBe = (list: List, row: Row): boolean => {
      const old = before.get(row) ?? {};
      const now = { ...last, ...(row.shown ? (toPlain(row.shown) as object) : {}) }; // cast: as above
      return this.#lookUp(table, [
        { ...args[0], ...now },
        { ...old, ...now },
      ]).matches(list);
    };
    const rows = [...before.keys()];
    return {
      table,
      members,
      place: 'end',
      merge: null,
      select: () =>
        [...table.lists.values()].filter(
          (list) => list.exists && rows.some((row) => willBe(list, row) && !wasIn(list, row)),
        ),
      matches: (list) => rows.some((row) => willBe(list, row)),
      leaves: (list, row) => wasIn(list, row) && !willBe(list, row),
      hasHooks: this.#hooks.createFilter !== null,
    };
  }

  #lookUp(table: Table, args: readonly object[]): Pick<Placement, 'select' | 'matches'> {
    const { createFilter } = this.#hooks;
    if (createFilter !== null) {
      const create = createFilter as (...given: readonly unknown[]) => CollectionFilter; // cast: users say what they take
      const ask = <T>(run: () => T): T => runHook(table.key, 'createCollectionFilter', run);
      const filter = ask(() => create(args[0] ?? {}, ...args.slice(1)));
      const matches = (list: List): boolean =>
        list.identity.key !== null && ask(() => filter(Object.fromEntries(list.identity.key ?? [])));
      return {
        matches,
        select: () => [...table.lists.values()].filter((list) => list.exists && matches(list)),
      };
    }
    const candidates = (name: string): unknown[] => [member(args[0], name), member(args[1], name)];
    return {
      matches: (list) =>
        passes(list, (name, text) => candidates(name).some((value) => isLooselyEqual(value, text))),
      select: () => [...table.listGroups.values()].flatMap((group) => findLists(group, candidates)),
    };
  }

  /** A user's merge sees ids, or a map of ids; what it gives back is turned into members again. */
  #mergeInPlainForm(merge: MergeMembers, at: WriteContext): NonNullable<Placement['merge']> {
    const { form, item } = this.#hooks;
    const call = merge as (collection: unknown, creation: unknown) => unknown; // cast: users say what they take
    const { restore } = at;
    return runOnce((present, added) =>
      runHook(this.owners()[0]?.key ?? '', 'addWith', () => {
        const merged = call(form.toPlain(present), form.toPlain(added));
        return toMembers(merged, [...present, ...added], (plain) => restore(item(), plain));
      }),
    );
  }
}

function toMembers(
  merged: unknown,
  known: readonly unknown[],
  restore: (plain: unknown) => unknown,
): readonly unknown[] {
  const plains: readonly unknown[] = Array.isArray(merged)
    ? (merged as unknown[])
    : Object.values(merged ?? {}); // cast: any[]
  return plains.map((plain) => known.find((one) => toPlain(one) === plain) ?? restore(plain));
}

function member(object: object | undefined, name: string): unknown {
  return object && Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined; // cast: own member
}

/** Arguments as the filter reads them: a FormData is an object of its fields. */
function asObject(arg: unknown): object {
  if (isForm(arg)) return Object.fromEntries(arg.entries());
  return typeof arg === 'object' && arg !== null ? arg : {};
}
