// A plain array in the schema of a next-page endpoint: its items join those that the list's own answer holds, each
// once. For lists that are no Collection.
import { putField } from '../../store/fields.ts';
import { enterItems, itemsOf } from '../kinds/array-kind.ts';
import { kindOf } from '../kinds/kind-of.ts';
import { KIND, UNKNOWN } from '../protocol/protocol.ts';
import type { Kind, ReadContext, WriteContext } from '../protocol/protocol.ts';

/** The stored form of a page that must still be joined to what is there; see `joinPages`. */
export class PageItems {
  readonly items: readonly unknown[];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }
}

export class PagedArray {
  readonly [KIND]: Kind;

  constructor(definition: readonly unknown[]) {
    const array = kindOf(definition);
    this[KIND] = {
      enter: (value: unknown, at: WriteContext) =>
        new PageItems(enterItems(kindOf(definition[0]), itemsOf(value, kindOf(definition[0]), at), at)),
      open: (stored: unknown, at: ReadContext) =>
        array.open(stored instanceof PageItems ? stored.items : stored, at),
      query: () => UNKNOWN,
    };
  }
}

/** The stored answer of a list with a page joined on: arrays grow, other members are the page's if it is the last. */
export function joinPages(existing: unknown, page: unknown, isLast: boolean): unknown {
  if (page instanceof PageItems) {
    const before: readonly unknown[] = Array.isArray(existing) ? (existing as unknown[]) : []; // cast: any[] to unknown[]
    return [...before, ...page.items.filter((item) => !before.includes(item))];
  }
  if (typeof page !== 'object' || page === null || Object.getPrototypeOf(page) !== Object.prototype) {
    return isLast ? page : existing;
  }
  const known = (typeof existing === 'object' && existing !== null ? existing : {}) as Record<
    string,
    unknown
  >; // cast: looked up by name
  const joined: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(page)) {
    putField(joined, name, joinPages(Object.hasOwn(known, name) ? known[name] : undefined, value, isLast));
  }
  return joined;
}
