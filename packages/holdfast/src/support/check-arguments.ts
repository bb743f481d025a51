// Tells in development why a list becomes stale again and again: an argument is not a field of the list's rows, or the list has a
// row with another value in this field. This file is part of `#env`, so that production does not ship it. Each argument of a table
// is reported once.
import type { CodedError } from './check-resource.ts';
import { ensure } from './ensure.ts';

/** A list that has just become stale. */
interface StaleList {
  readonly table: object;
  readonly identity: {
    readonly key: ReadonlyMap<string, string> | null;
    readonly filterNames: readonly string[];
    /** Set when the list has declared roles. */
    readonly order?: string | undefined;
  };
  /** True while only the server decides which rows are in the list. */
  readonly hasServerMembership: boolean;
}

interface CheckedRows {
  readonly entity: string;
  readonly fields: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** The role that an argument of this name usually has. */
const USUAL_ROLES: readonly (readonly [name: RegExp, role: string])[] = [
  [/sort|order/i, `'order'`],
  [/limit|size|count|per_?page|^take$/i, `'limit'`],
  [/page|offset|skip|start|cursor/i, `'page'`],
  [/expand|embed|include|fields|select|populate/i, `'shape'`],
];

// The keys are the lists and tables of a controller.
const staleTimes = new WeakMap<object, number>();
const reportedNames = new WeakMap<object, Set<string>>();

export function checkArguments(
  list: StaleList,
  { entity, fields, rows }: CheckedRows,
  Coded: CodedError,
): void {
  const times = (staleTimes.get(list) ?? 0) + 1;
  staleTimes.set(list, times);
  if (times < 2) return;
  const reported = ensure(reportedNames, list.table, () => new Set<string>());
  for (const name of list.identity.filterNames) {
    const text = list.identity.key?.get(name) ?? '';
    const isField = fields.includes(name) || rows.some((row) => Object.hasOwn(row, name));
    const other = rows.find((row) => Object.hasOwn(row, name) && String(row[name]) !== text);
    if (reported.has(name) || (isField && !(list.hasServerMembership && other))) continue;
    reported.add(name);
    const found = isField
      ? `it has a row whose ${name} is ${String(other?.[name])}`
      : `no ${entity} has a field ${name}`;
    const [, usual = `'search'`] = USUAL_ROLES.find(([pattern]) => pattern.test(name)) ?? [];
    const role = isField
      ? `{ field: '${name}', test: (value, text) => text === '${text}' || value === text }`
      : usual;
    const named = /^[a-z_$][\w$]*$/i.test(name) ? name : `'${name}'`;
    // oxlint-disable-next-line no-console -- a warning of development
    console.warn(
      new Coded('ARGUMENT_WITHOUT_ROLE', {
        entity,
        argument: `${name}=${text}`,
        found,
        cure: `byRole({ ${named}: ${role} }${list.identity.order === undefined ? '' : ', roles'})`,
        rest:
          list.identity.order === undefined
            ? ''
            : ', where `roles` are those that it has now, such as github.argumentRoles',
      }).message,
    );
  }
}
