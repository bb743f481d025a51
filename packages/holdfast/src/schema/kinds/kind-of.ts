// Finds the kind of a schema. Entity classes and schema objects have their kind in `[KIND]`. The shorthands [S] and {k: S}, and
// functions, get a kind here, once per object. A value that is neither an object nor a function, such as `''` or undefined, gets a
// new PlainKind at each call.
import { ObjectKind } from './object-kind.ts';
import { inDevelopment } from '#env';
import { KIND } from '../protocol/protocol.ts';
import type { Kind } from '../protocol/protocol.ts';
import { FieldKind, PlainKind } from './field-kind.ts';
import { ensure } from '../../support/ensure.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';
import { ArrayKind } from './array-kind.ts';

// The keys are the users' objects: this map is a memo, not state.
const createdKinds = new WeakMap<object, Kind>();

export function kindOf(schema: unknown): Kind {
  if (!isObject(schema) && typeof schema !== 'function') return new PlainKind(schema);
  const own = (schema as { [KIND]?: Kind })[KIND]; // cast: checked below
  if (own) return own;
  return ensure(createdKinds, schema, createKind);
}

function createKind(schema: object): Kind {
  if (typeof schema === 'function') return new FieldKind(schema as (value: never) => unknown); // cast: checked by typeof
  if (!Array.isArray(schema)) return new ObjectKind(schema as Record<string, unknown>, kindOf); // cast: a plain object
  inDevelopment(() => {
    if (schema.length !== 1) throw new HoldfastError('ARRAY_SHORTHAND');
  });
  const [item] = schema as [unknown];
  return new ArrayKind(() => kindOf(item));
}
