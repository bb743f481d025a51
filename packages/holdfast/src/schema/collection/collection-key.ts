// Which lists are one list. A list is known by its entity type, a scope, and a canonical key; this file makes the key
// from arguments or from the parent, and reads it back. Called by collection-kind.ts.
import { putField } from '../../store/fields.ts';
import { textOf } from '../../store/loose-match.ts';
import type { ListIdentity } from '../../store/list-identity.ts';

/** Names that do not filter by default: sort orders. */
export function isOrderName(name: string): boolean {
  return name.startsWith('order');
}

/** The object from `argsKey` or `nestKey` as text: undefined members left out, all others written as strings. */
export function keyText(key: object): string {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(key)) {
    if (value !== undefined) putField(texts, name, textOf(value));
  }
  return JSON.stringify(texts);
}

/** The members of a key text; null where a user's own `pk` made something else of it. */
function parseKey(text: string): Map<string, string> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return null;
    return new Map(Object.entries(parsed).map(([name, value]) => [name, textOf(value)]));
  } catch {
    return null;
  }
}

export interface IdentityOptions {
  readonly scope: string;
  readonly text: string;
  /** False for a list that belongs to its parent alone: it takes no part in filters. */
  readonly takesPart: boolean;
  readonly isExempt: (name: string) => boolean;
  readonly followsFields: boolean;
  readonly isKeyed: boolean;
}

export function identify(options: IdentityOptions): ListIdentity {
  const { scope, text, takesPart, isExempt, followsFields, isKeyed } = options;
  const key = parseKey(text);
  const names = key === null ? [] : [...key.keys()].toSorted();
  const canonical = key === null ? text : JSON.stringify(names.map((name) => [name, key.get(name)]));
  return {
    // as JSON: no text of a scope or a key can be taken for another's
    id: JSON.stringify([isKeyed ? '{}' : '[]', scope, canonical]),
    key: takesPart ? key : null,
    filterNames: takesPart ? names.filter((name) => !isExempt(name)) : [],
    hasOrder: names.some(isOrderName),
    followsFields: followsFields && takesPart && !isKeyed,
    isKeyed,
  };
}
