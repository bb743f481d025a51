// From what a user writes to the kind that handles it. Schemas carry their kind; the shorthands [S], {k: S}, functions
// and defaults get one here, made once per object.
import { ObjectKind } from './object-kind.ts';
import { KIND } from '../protocol/protocol.ts';
import type { Kind } from '../protocol/protocol.ts';
import { FieldKind, PlainKind } from './field-kind.ts';
import { ensure } from '../../support/ensure.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';
import { ArrayKind } from './array-kind.ts';

// keyed by the user's own objects: a memo, not state
const made = new WeakMap<object, Kind>();

export function kindOf(schema: unknown): Kind {
  if (!isObject(schema) && typeof schema !== 'function') return new PlainKind(schema);
  const own = (schema as { [KIND]?: Kind })[KIND]; // cast: asking is the check
  if (own) return own;
  return ensure(made, schema, () => create(schema));
}

function create(schema: object): Kind {
  if (typeof schema === 'function') return new FieldKind(schema as (value: never) => unknown); // cast: typeof says so
  if (!Array.isArray(schema)) return new ObjectKind(schema as Record<string, unknown>, kindOf); // cast: a plain object
  if (schema.length !== 1) throw new HoldfastError('ARRAY_SHORTHAND');
  const [item] = schema as [unknown];
  return new ArrayKind(() => kindOf(item));
}
