// The kind of arrays: `[S]` and `schema.Array(S)`. An array is stored inside its parent and read as part of the parent's view;
// when no item has changed, readers get the same reference as before.
import { inDevelopment } from '#env';
import { fieldOf } from '../../store/fields.ts';
import type {
  FormFiller,
  HasOwners,
  Kind,
  ReadContext,
  TableOwner,
  WriteContext,
} from '../protocol/protocol.ts';
import { isThere, ownersOf } from '../protocol/protocol.ts';
import { describeType, warnOnce } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';

/** A copy of an array, or the values of an object. */
export function inputItems(value: unknown, at: WriteContext): unknown[] {
  if (Array.isArray(value)) return value.slice();
  if (!isObject(value)) {
    return at.fail('WRONG_SHAPE', { expected: 'an array', found: describeType(value) });
  }
  inDevelopment(() => {
    const incoming = ['error', 'message', 'detail'].find(
      (name) => typeof fieldOf({ ...value }, name) === 'string',
    );
    if (incoming) warnOnce(at.engine, 'LIST_NOT_SENT', incoming, { member: incoming, path: at.path() });
  });
  return Object.values(value);
}

export class ArrayKind implements Kind, FormFiller, HasOwners {
  readonly item: () => Kind;

  constructor(item: () => Kind) {
    this.item = item;
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    const stored = inputItems(value, at);
    at.fill(this, value, stored);
    return stored;
  }

  fill(_source: unknown, stored: unknown[], at: WriteContext): void {
    enterItems(this.item(), stored, at);
  }

  open(stored: unknown, at: ReadContext): unknown {
    return Array.isArray(stored) ? openItems(this.item(), stored, at) : stored;
  }

  owners(): readonly TableOwner[] {
    return ownersOf(this.item());
  }
}

const NO_ITEMS: readonly unknown[] = [];

/** Replaces the items by their stored forms, in place. Hooks of an item get the parent and the key of the array. */
export function enterItems(item: Kind, items: unknown[], at: WriteContext): unknown[] {
  const { existing, parent, keyInParent: key } = at;
  const present: readonly unknown[] = Array.isArray(existing) ? existing : NO_ITEMS;
  for (let index = item.enterAll?.(items, at) ?? 0; index < items.length; index += 1) {
    at.moveTo(index, parent, key, present[index]);
    items[index] = item.enter(items[index], at);
  }
  return items;
}

/** The values of an array of stored forms, without the values that cannot be shown; or the value of a single stored form. */
export function openItems(item: Kind, stored: unknown, at: ReadContext): unknown {
  if (!Array.isArray(stored)) return at.open(item, stored);
  const values: unknown[] = [];
  for (const part of stored) {
    const value = at.open(item, part);
    if (isThere(value)) values.push(value);
  }
  return values;
}
