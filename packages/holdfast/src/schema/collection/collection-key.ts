// Which lists are one list. A list is known by its entity type, a scope, and a canonical key; this file makes the key
// from arguments or from the parent, and reads it back. Called by collection.ts.
import { argumentText } from '../../store/membership.ts';
import { isOrderName } from '../../store/nodes.ts';
import type { ListIdentity } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { isObject } from '../../support/plain.ts';
import type { CollectionOptions, NonFilterKeys } from './collection.types.ts';
import type { DeclaredOrder } from './list-order.ts';

/** The object from `argsKey` or `nestKey` as text: undefined members left out, all others written as strings. */
export function keyText(key: object): string {
  return JSON.stringify(key, (_, value) =>
    value === key || value === undefined ? value : argumentText(value),
  );
}

function exemption(keys: NonFilterKeys = isOrderName): (name: string) => boolean {
  if (typeof keys === 'function') return keys;
  return keys instanceof RegExp ? (name) => keys.test(name) : (name) => keys.includes(name);
}

interface IdentityParts {
  readonly scope: string;
  readonly text: string;
  /** False for a list that belongs to its parent alone: it takes no part in filters. */
  readonly takesPart: boolean;
  readonly isKeyed: boolean;
}

export function identify(
  { scope, text, takesPart, isKeyed }: IdentityParts,
  {
    nonFilterArgumentKeys,
    membership,
    order,
  }: Pick<CollectionOptions, 'nonFilterArgumentKeys' | 'membership' | 'order'>,
): ListIdentity {
  // no members where a user's own `pk` made something else of the key
  const parsed = tryRun<unknown>(() => JSON.parse(text));
  const key = isObject(parsed)
    ? new Map(Object.entries(parsed).map(([name, value]) => [name, argumentText(value)]))
    : null;
  const names = [...(key?.keys() ?? [])].sort();
  const canonical = key ? JSON.stringify(names.map((name) => [name, key.get(name)])) : text;
  const isServers = membership === 'server';
  const isExempt = exemption(nonFilterArgumentKeys);
  const { argument } = (order ?? {}) as Partial<DeclaredOrder>; // cast: there is no other
  const filterNames = takesPart ? names.filter((name) => name !== argument && !isExempt(name)) : [];
  return {
    // as JSON: no text of a scope or a key can be taken for another's
    id: JSON.stringify([isKeyed ? '{}' : '[]', scope, canonical]),
    key: takesPart ? key : null,
    filterNames,
    followsFields: !isServers && filterNames.length > 0,
    isServers,
    isKeyed,
  };
}
