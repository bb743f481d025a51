// `byRole`: what the arguments of a list mean to the server. Each role becomes a part of the list's rule (`ListRule` of
// store/nodes.ts): tests and searches decide whether a row belongs to a list, limits and pages decide when the list is full, and
// orders name what the server sorts by. Shipped only to applications that import `byRole` or a preset.
//
//   key of a list   { q: 'tea', since: '2026-01-01', sort: 'title', per_page: '10', expand: 'author' }
//   rule            search      test on a field      order          limit           shape: nothing
import { inDevelopment } from '#env';
import { isOrderName } from '../../store/nodes.ts';
import type { Fit, ListRule, ValuesOf } from '../../store/nodes.ts';
import { HoldfastError, toError } from '../../support/errors.ts';
import { toCamel, toSnake } from '../entity/snake-names.ts';
import { Parsed } from '../protocol/stored-forms.ts';

/**
 * A limit for a server that returns only so many rows: `limit` rows when the argument is absent, and never more than `most`.
 *
 * @example const rows: byRole.Limit = { limit: 30, most: 100 };
 */
export interface LimitRole {
  readonly limit?: number;
  readonly most?: number;
}

/**
 * A filter that the client decides by a function, which gets the value of a field and the argument as a string. It returns
 * undefined where only the server knows.
 *
 * @example
 * const since: byRole.Test = { field: 'updatedAt', test: (value: Date, text: string) => value >= new Date(text) };
 */
export interface TestRole {
  readonly field: string;
  readonly test: (value: never, argument: string) => boolean | undefined;
}

/**
 * An order whose names are not those of the fields: for each name of the server, the field that it sorts by.
 *
 * @example const sort: byRole.Order = { order: { newest: 'createdAt' } };
 */
export interface OrderRole {
  readonly order: Readonly<Record<string, string>>;
}

/**
 * What an argument of a list means: a filter (the default), a search, an order, a limit, a page, or only the shape of the rows.
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

const NO_FIELDS: OrderRole['order'] = {};

type RoleOf = (name: string, text: string) => ArgumentRole | undefined;

/** The object that {@link byRole} returns. */
export class CompiledRoles {
  readonly names: readonly string[];
  readonly roleOf: RoleOf;

  constructor(names: readonly string[], roleOf: RoleOf) {
    this.names = names;
    this.roleOf = roleOf;
  }

  /**
   * The rule of a list with this key. `names` are the arguments that filter, unless their role is another one. An argument may be
   * named as a class with `wireNames` names it: `perPage` has the role of `per_page`.
   */
  ruleOf(key: ReadonlyMap<string, string>, names: readonly string[]): ListRule & FilterNames {
    const roleOf: RoleOf = (name, text) => this.roleOf(name, text) ?? this.roleOf(toSnake(name), text);
    const orders: string[] = [];
    const tests: { readonly role: TestRole; readonly text: string }[] = [];
    let isSearch = false;
    let limit: number | undefined;
    const absent = this.names.filter((name) => !key.has(toCamel(name)));
    for (const name of new Set([...key.keys(), ...absent])) {
      const text = key.get(name);
      const role = roleOf(name, text ?? '') ?? (isOrderName(name) && 'order');
      if (role === 'limit' || isLimit(role)) limit = smallerOf(limit, countOf(role, text));
      if (text === undefined) continue;
      if (role === 'page') limit = 0;
      const fields = isOrder(role) ? role.order : role === 'order' && NO_FIELDS;
      if (fields)
        orders.push(
          text.replaceAll(/[a-z_]\w*/gi, (word) => (Object.hasOwn(fields, word) ? fields[word]! : word)),
        );
      if (role === 'search') isSearch = true;
      if (isTest(role)) tests.push({ role, text });
    }
    const fit = (valuesOf: ValuesOf): Fit => {
      const results = tests.map(({ role, text }) => testField(role, text, valuesOf));
      if (results.includes(false)) return 'out';
      return isSearch || results.includes(undefined) ? 'unknown' : 'in';
    };
    const filterNames = names.filter((name) => (roleOf(name, key.get(name)!) ?? 'filter') === 'filter');
    return {
      filterNames,
      testFit: isSearch || tests.length > 0 ? fit : undefined,
      fields: [...filterNames, ...tests.map(({ role }) => role.field)],
      limit,
      order: orders.join(),
    };
  }
}

type GivenRole = ArgumentRole | false | undefined;

function isTest(role: GivenRole): role is TestRole {
  return typeof role === 'object' && 'test' in role;
}

function isLimit(role: GivenRole): role is LimitRole {
  return typeof role === 'object' && !('test' in role || 'order' in role);
}

function isOrder(role: GivenRole): role is OrderRole {
  return typeof role === 'object' && 'order' in role;
}

/** How many rows a response has at most. For a text that is no count, only the server knows: 0, with which a list is always full. */
function countOf(role: 'limit' | LimitRole, text: string | undefined): number | undefined {
  const { limit, most } = role === 'limit' ? ({} as LimitRole) : role;
  return smallerOf(text === undefined ? limit : Math.max(0, Number(text)) || 0, most);
}

function smallerOf(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined ? right : right === undefined ? left : Math.min(left, right);
}

const reportedRoles = new WeakSet<TestRole>();

/** The result of the test for the field; undefined when the field is missing or the test throws. Development reports a throw once. */
function testField(role: TestRole, text: string, valuesOf: ValuesOf): boolean | undefined {
  const values = valuesOf(role.field).filter((value) => value !== undefined);
  try {
    const test = role.test as (value: unknown, text: string) => boolean | undefined; // cast: users declare the type of the field
    const results = values.map((value) => test(value instanceof Parsed ? value.value : value, text));
    // A request gives two values, one from its parameters and one from its body: one of them must fit.
    if (results.includes(true)) return true;
    return results.length === 0 || results.includes(undefined) ? undefined : false;
  } catch (error) {
    inDevelopment(() => {
      if (reportedRoles.has(role)) return;
      reportedRoles.add(role);
      const { message } = new HoldfastError('ROLE_TEST_THREW', {
        field: role.field,
        reason: toError(error).message,
      });
      // oxlint-disable-next-line no-console -- a warning of development
      console.warn(message);
    });
    return undefined;
  }
}

/**
 * Says what the arguments of a list mean to the server, so that a write makes only those lists stale that only the server can
 * decide. `otherwise` has the roles of all other arguments: the roles of a preset, or a function of the name and the value as a string.
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
  const base = otherwise as CompiledRoles | RoleOf | undefined; // cast: `byRole` makes all roles
  const roleOf: RoleOf = (name, text) =>
    Object.hasOwn(roles, name)
      ? roles[name]
      : base instanceof CompiledRoles
        ? base.roleOf(name, text)
        : base?.(name, text);
  const names = [...Object.keys(roles), ...(base instanceof CompiledRoles ? base.names : [])];
  return new CompiledRoles(names, roleOf) as unknown as ArgumentRoles; // cast: the symbol exists only as a type
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
