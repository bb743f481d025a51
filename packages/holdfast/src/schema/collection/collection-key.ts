// Decides which Collections share one list: Collections with the same entity type, form (array or map), scope and canonical key.
// This file makes the key string from the key object, and parses the string into filters for collection.ts.
import { argumentText } from '../../store/filters.ts';
import { isOrderName } from '../../store/nodes.ts';
import type { ListIdentity, ListRule } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { isObject } from '../../support/plain.ts';
import type { CompiledRoles } from './argument-roles.ts';
import type { CollectionOptions, NonFilterKeys } from './collection.types.ts';
import type { DeclaredOrder } from './list-order.ts';

/** The key object of a list as JSON: undefined properties are omitted, all other values become strings. */
export function keyText(key: object): string {
  return JSON.stringify(key, (_, value) =>
    value === key || value === undefined ? value : argumentText(value),
  );
}

export function exemptionTest(keys: NonFilterKeys = isOrderName): (name: string) => boolean {
  if (typeof keys === 'function') return keys;
  return keys instanceof RegExp ? (name) => keys.test(name) : (name) => keys.includes(name);
}

interface IdentityParts {
  readonly scope: string;
  readonly text: string;
  /** False for a list that belongs to one parent row: filters never select such a list. */
  readonly isSelectable: boolean;
  readonly isKeyed: boolean;
}

export function createIdentity(
  { scope, text, isSelectable, isKeyed }: IdentityParts,
  {
    nonFilterArgumentKeys,
    argumentRoles,
    membership,
    order,
  }: Pick<CollectionOptions, 'nonFilterArgumentKeys' | 'argumentRoles' | 'membership' | 'order'>,
): ListIdentity {
  // A user's own `pk` may return a string that is not a JSON object: the list then has no filters.
  const parsed = tryRun(() => JSON.parse(text) as Record<string, unknown>); // cast: read only when it is an object
  const entries = isObject(parsed)
    ? Object.keys(parsed)
        .sort()
        .map((name) => [name, argumentText(parsed[name])] as const)
    : null;
  const key = isSelectable && entries ? new Map(entries) : null;
  const declaresServerMembership = membership === 'server';
  const isExempt = exemptionTest(nonFilterArgumentKeys);
  const argument = (order as DeclaredOrder | undefined)?.argument; // cast: `orderBy` makes every order
  const filtering = [...(key?.keys() ?? [])].filter((name) => name !== argument && !isExempt(name));
  // cast: `byRole` makes all roles
  const declared = key && (argumentRoles as CompiledRoles | undefined)?.ruleOf(key, filtering);
  const rule: ListRule & { filterNames: readonly string[] } = declared || { filterNames: filtering };
  return {
    // The id is JSON, so that two different scopes and keys never give the same string.
    id: JSON.stringify([isKeyed ? '{}' : '[]', scope, entries ? JSON.stringify(entries) : text]),
    key,
    followsFields: !declaresServerMembership && !!(rule.testFit || rule.filterNames.length),
    declaresServerMembership,
    isKeyed,
    ...rule,
  };
}
