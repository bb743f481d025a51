// `byRole`: the meaning of a list's arguments to the server. The roles give the list its rule (`ListRule` of store/nodes.ts):
// filters and tests decide whether a row belongs to the list, a search leaves this decision to the server, limits and pages decide
// when the list is full, and orders name the server's order. This file is shipped only to applications that import `byRole` or a
// preset.
//
//   key of a list   { q: 'tea', since: '2026-01-01', sort: 'title', per_page: '10', expand: 'author' }
//   rule            search      test on a field      order          limit           shape: nothing
import { inDevelopment } from '#env';
import { fieldOf } from '../../store/fields.ts';
import { isOrderName } from '../../store/nodes.ts';
import type { Fit, ListRule, ValuesOf } from '../../store/nodes.ts';
import { toError, warnOnce } from '../../support/errors.ts';
import { toSnake } from '../entity/snake-names.ts';
import { Parsed } from '../protocol/stored-forms.ts';

/**
 * A limit for a server that returns only a limited number of rows: `limit` rows when the argument is absent, and never more than
 * `most`.
 *
 * @example const rows: byRole.Limit = { limit: 30, most: 100 };
 */
export interface LimitRole {
  readonly limit?: number;
  readonly most?: number;
}

/**
 * A filter that the client decides by a function. The function gets the value of a field and the argument as a string, and returns
 * undefined when only the server knows.
 *
 * @example
 * const since: byRole.Test = { field: 'updatedAt', test: (value: Date, text: string) => value >= new Date(text) };
 */
export interface TestRole {
  readonly field: string;
  readonly test: (value: never, argument: string) => boolean | undefined;
}

/**
 * The order in an argument whose values are the server's own names: for each such name, the field by which the server then sorts.
 *
 * @example const sort: byRole.Order = { order: { newest: 'createdAt' } };
 */
export interface OrderRole {
  readonly order: Readonly<Record<string, string>>;
}

/**
 * The meaning of a list's argument: a filter, a test, a search, an order, a limit, a page, or only the shape of the rows. Without a
 * role, an argument is a filter unless `nonFilterArgumentKeys` excludes it.
 *
 * @example const roles: Record<string, byRole.Role> = { q: 'search', per_page: { limit: 30 } };
 */
export type ArgumentRole =
  | 'filter'
  | 'search'
  | 'order'
  | 'limit'
  | 'page'
  | 'shape'
  | LimitRole
  | OrderRole
  | TestRole;

/**
 * The roles of arguments by their names.
 *
 * @example const roles: byRole.Table = { q: 'search', sort: 'order', page: 'page' };
 */
export type RoleTable = Readonly<Record<string, ArgumentRole>>;

declare const ROLES: unique symbol;

/**
 * The declared roles of a list's arguments, made by {@link byRole}.
 *
 * @example
 * const roles: ArgumentRoles = byRole({ q: 'search' });
 * const list = new schema.Collection([Todo], { argumentRoles: roles });
 */
export interface ArgumentRoles {
  readonly [ROLES]: true;
}

interface FilterNames {
  readonly filterNames: readonly string[];
}

type RoleOf = (name: string, text: string) => ArgumentRole | undefined;

/** The object that {@link byRole} returns. */
export interface CompiledRoles extends ArgumentRoles {
  readonly names: readonly string[];
  readonly roleOf: RoleOf;
  /**
   * The rule of a list with this key. `names` are the arguments that filter unless they have another role. An argument whose name
   * has no role gets the role of the name in snake_case, for classes with `wireNames`: `perPage` gets the role of `per_page`. If
   * the name in snake_case has no role either, a name that starts with `order` gets the role `order`.
   */
  ruleOf(key: ReadonlyMap<string, string>, names: readonly string[]): ListRule & FilterNames;
}

type Test = (value: unknown, text: string) => boolean | undefined;
type LongRole = Partial<LimitRole & OrderRole & TestRole>;

/**
 * The long form of each short role; `filter` and `shape` have no long form. A search tests a field that no row has, so a search
 * decides nothing. A page is always full.
 */
const LONG_FORMS: Readonly<Record<string, LongRole>> = {
  order: { order: {} },
  limit: {},
  page: { most: 0 },
  search: { field: ' ' },
};

/**
 * Declares the meaning of a list's arguments to the server, so that a write makes a list stale only if the server alone can decide
 * about the row. `otherwise` has the roles of all other arguments: the roles of a preset, or a function of the name and the value
 * as a string.
 *
 * @example
 * const TodoResource = createResource({
 *   path: '/todos/:id',
 *   schema: Todo,
 *   argumentRoles: byRole({ q: 'search', sort: 'order', per_page: { limit: 30 }, page: 'page', expand: 'shape' }),
 * });
 */
export function byRole(
  roles: RoleTable,
  otherwise?: ArgumentRoles | ((name: string, text: string) => ArgumentRole | undefined),
): ArgumentRoles {
  // cast: `byRole` makes all roles, and a function has no such members
  const { names = [], roleOf: rest = otherwise as RoleOf | undefined } = (otherwise ??
    {}) as Partial<CompiledRoles>;
  const roleOf: RoleOf = (name, text) =>
    (fieldOf(roles, name) as ArgumentRole | undefined) ?? rest?.(name, text); // cast: a field of the table
  const declared = Object.keys(roles).concat(names);
  const ruleOf: CompiledRoles['ruleOf'] = (key, filters) => {
    const filterNames: string[] = [];
    const orders: string[] = [];
    const tests: (readonly [role: LongRole, text: string])[] = [];
    let limit = Infinity;
    for (const name of declared) {
      const { limit: count = Infinity, most = Infinity } = (roleOf(name, '') ?? {}) as LimitRole; // cast: other roles have no such members
      const isPresent = [...key.keys()].some((other) => other === name || toSnake(other) === name);
      if (!isPresent) limit = Math.min(limit, count, most);
    }
    for (const [name, text] of key) {
      const found = roleOf(name, text) ?? roleOf(toSnake(name), text);
      if ((!found || found === 'filter') && filters.includes(name)) filterNames.push(name);
      const short = found ?? (isOrderName(name) && 'order');
      const role = typeof short === 'object' ? short : LONG_FORMS[short as string]; // cast: there is no form of `false`
      if (!role) continue;
      const { field, order, most = Infinity }: LongRole = role;
      if (order) orders.push(text.replaceAll(/\w+/g, (word) => (fieldOf(order, word) ?? word) as string)); // cast: a name
      else if (field) tests.push([role, text]);
      // If the text is not a count, only the server knows the limit. The limit is then 0, with which a list is always full.
      else limit = Math.min(limit, Math.max(0, Number(text) || 0), most);
    }
    const testFit = (valuesOf: ValuesOf): Fit => {
      const results = tests.map(([{ field, test }, text]) => {
        try {
          const found = valuesOf(field!).flatMap((value) =>
            // cast: users declare the type of the field
            value === undefined ? [] : (test as Test)(value instanceof Parsed ? value.value : value, text),
          );
          // A request may give one value in its parameters and another in its body. One value that fits is enough.
          return [true, undefined, false].find((result) => found.includes(result));
        } catch (error) {
          inDevelopment(() => {
            const { message: reason } = toError(error);
            warnOnce(test!, 'ROLE_TEST_THREW', '', { field, reason });
          });
          return undefined;
        }
      });
      return results.includes(false) ? 'out' : results.includes(undefined) ? 'unknown' : 'in';
    };
    return {
      filterNames,
      testFit: tests[0] && testFit,
      fields: [...filterNames, ...tests.map(([role]) => role.field!)],
      limit,
      order: orders.join(),
    };
  };
  const compiled: Omit<CompiledRoles, typeof ROLES> = { names: declared, roleOf, ruleOf };
  return compiled as CompiledRoles; // cast: the symbol exists only as a type
}

export declare namespace byRole {
  export type {
    ArgumentRole as Role,
    LimitRole as Limit,
    OrderRole as Order,
    RoleTable as Table,
    TestRole as Test,
  };
}
