// `snakeCase` and `wireNames`: the names that a server gives to the fields of a class. EntityKind converts incoming payloads, and
// endpoints convert the bodies and search parameters that they send. This code is shipped only to applications that import
// `snakeCase` or `wireNames`, because a class refers to its rule as `static wireNames`.
//
//   class   { createdAt: …, author: { firstName: … }, labels: { isOpen: … } }
//   wire    { created_at: …, author: { first_name: … }, labels: { isOpen: … } }     a nested row by its own class
import { ensure } from '../../support/ensure.ts';
import { HoldfastError } from '../../support/errors.ts';
import { hasToJson, isForm, isRecord, putField, tagOf } from '../../support/plain.ts';
import { kindOf } from '../kinds/kind-of.ts';
import { ObjectKind } from '../kinds/object-kind.ts';
import { isKeyed, ownersOf } from '../protocol/protocol.ts';
import type { Kind } from '../protocol/protocol.ts';
import type { EntityConstructor, WireRuleKind, WireRule } from './entity-constructor.ts';
import { toCamel, toSnake } from './snake-names.ts';

declare const NAMES: unique symbol;

/**
 * The names that a server gives to the fields of a class, for `static wireNames`: {@link snakeCase}, or a result of {@link
 * wireNames}.
 *
 * @example
 * class Article extends Entity {
 *   id = '';
 *   createdAt = '';
 *   static override key = 'Article';
 *   static override wireNames: WireNames = snakeCase;
 * }
 */
export interface WireNames {
  readonly [NAMES]: true;
}

type Rename = (name: string) => string;

class CompiledNames implements WireRule, WireNames {
  declare readonly [NAMES]: true;
  readonly wireOf: Rename;
  /** Returns the field's name for a name on the wire that belongs to no declared field. */
  readonly ownOf: Rename;
  /** The declared fields of each class, by their names on the wire and by their own names. */
  readonly #declared = new WeakMap<WireRuleKind, ReadonlyMap<string, string>>();

  constructor(wireOf: Rename, ownOf: Rename) {
    this.wireOf = wireOf;
    this.ownOf = ownOf;
  }

  toOwn(value: unknown, kind: WireRuleKind): unknown {
    if (Array.isArray(value)) return value.map((item) => this.toOwn(item, kind));
    if (!isRecord(value)) return value;
    const declared = ensure(this.#declared, kind, () => this.#declaredBy(kind));
    const ownOf: Rename = (name) => declared.get(name) ?? this.ownOf(name);
    const names = Object.keys(value);
    if (names.every((name) => ownOf(name) === name)) return value;
    const fields: Record<string, unknown> = {};
    for (const name of names) {
      const own = ownOf(name);
      // A payload may have both names, for example when `process` has added the name of the class. The value under the name of the
      // class then counts.
      if (own === name || !Object.hasOwn(value, own)) putField(fields, own, value[name]);
    }
    return fields;
  }

  #declaredBy(kind: WireRuleKind): ReadonlyMap<string, string> {
    const own = [...new Set([...kind.fieldNames(), ...Object.keys(kind.entity.schema)])];
    const fields = new Map(own.map((field) => [field, field]));
    for (const field of own) {
      const wire = this.wireOf(field);
      const other = fields.get(wire) ?? field;
      if (other !== field)
        throw new HoldfastError('WIRE_NAME_TAKEN', { entity: kind.key, field, wire, other });
      fields.set(wire, field);
    }
    return fields;
  }

  toWire(value: unknown, entity: EntityConstructor): unknown {
    return toWireBy(kindOf(entity), value, new Map());
  }
}

/** The kind of a body. If it is a kind of arrays or maps, `item` returns the kind of the items. */
type BodyKind = Kind & { readonly item?: () => Kind };

/** A copy of a body with the names of the wire. `copies` has the copies made so far, because a body may contain itself. */
function toWireBy(kind: BodyKind, value: unknown, copies: Map<unknown, object>): unknown {
  const members = kind instanceof ObjectKind ? kind.members : undefined;
  const item = kind.item?.();
  const convert = (part: Kind | undefined, inner: unknown): unknown =>
    part ? toWireBy(part, inner, copies) : inner;
  if (Array.isArray(value)) return value.map((inner) => convert(item ?? kind, inner));
  const [owner] = ownersOf(item ?? kind) as readonly unknown[] as readonly WireRuleKind[]; // cast: the owner of a table of rows is an EntityKind
  if (!owner) return value;
  const { entity, parts } = owner;
  const rule = entity.wireNames as CompiledNames | undefined; // cast: every rule is made by this file
  // cast: both are read by their entries
  if (isForm(value) || tagOf(value) === 'URLSearchParams')
    return rule ? renameEntries(value as FormData, rule) : value;
  // A value that is not a record of fields, such as an id, a Date or a Blob, is sent unchanged.
  if (!isRecord(value) || tagOf(value) !== 'Object' || hasToJson(value)) return value;
  const made = copies.get(value);
  if (made) return made;
  const copy: Record<string, unknown> = {};
  copies.set(value, copy);
  for (const [name, inner] of Object.entries(value)) {
    if (members) putField(copy, name, convert(members.get(name), inner));
    else if (isKeyed(kind)) putField(copy, name, convert(item ?? owner, inner));
    else {
      const part = parts.find((each) => each.name === name);
      if (!part?.kind.isDerived) putField(copy, rule ? rule.wireOf(name) : name, convert(part?.kind, inner));
    }
  }
  return copy;
}

/** Copies a form, or search parameters, and renames the entries. */
function renameEntries(form: FormData, { wireOf }: CompiledNames): FormData {
  const renamed = new (form.constructor as new () => FormData)(); // cast: made without arguments. Naming the class loads Node's network stack
  for (const [name, value] of form) renamed.append(wireOf(name), value as string); // cast: a file is accepted too
  return renamed;
}

/**
 * Maps the names of fields to the server's names. `names` maps single fields. `otherwise` maps all other names: it is a rule such
 * as {@link snakeCase}, or a function. Responses, messages and `set` may use either name of a field; bodies and search parameters
 * are sent with the server's name.
 *
 * @example
 * class Article extends Entity {
 *   id = '';
 *   createdAt = '';
 *   htmlUrl = '';
 *   static override key = 'Article';
 *   static override wireNames = wireNames({ htmlUrl: 'link' }, snakeCase);
 * }
 */
export function wireNames(
  names: Readonly<Record<string, string>>,
  otherwise: WireNames | ((field: string) => string) = (field) => field,
): WireNames {
  const base = otherwise as CompiledNames | Rename; // cast: every rule is made by this file
  const wireOf = typeof base === 'function' ? base : base.wireOf;
  const fields = new Map(Object.entries(names).map(([field, wire]) => [wire, field]));
  return new CompiledNames(
    (field) => (Object.hasOwn(names, field) ? names[field]! : wireOf(field)), // an own property
    (wire) => fields.get(wire) ?? (typeof base === 'function' ? wire : base.ownOf(wire)),
  );
}

/**
 * The names of a server that writes snake_case: the field `createdAt` is `created_at` on the wire, `htmlURL` is `html_url`.
 *
 * @example
 * class Article extends Entity {
 *   id = '';
 *   createdAt = '';
 *   static override key = 'Article';
 *   static override wireNames = snakeCase;
 * }
 */
export const snakeCase: WireNames = /* @__PURE__ */ new CompiledNames(toSnake, toCamel);
