// `pick`: a class for the responses that contain only some fields of a row, such as the rows of a list. The class shares the table
// and the key of the whole class, and its kind (picked-kind.ts) records that these responses declare only these fields.
import { asEntityConstructor } from '../../schema/entity/entity-constructor.ts';
import type { EntityConstructor } from '../../schema/entity/entity-constructor.ts';
import type { EntityKind } from '../../schema/entity/entity-kind.ts';
import { Entity } from '../../schema/entity/entity.ts';
import { KIND } from '../../schema/protocol/protocol.ts';
import type { EntityClass, EntityFields } from '../../schema/protocol/schema.types.ts';
import type { Fields } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { HoldfastError } from '../../support/errors.ts';
import { setOwn } from '../../support/plain.ts';
import { CHECKS } from '../validate/checks.ts';
import type { Checks } from '../validate/checks.ts';
import { keepFields, pickedKindClassOver } from './picked-kind.ts';
import type { PickRule } from './picked-kind.ts';
import type { PickingKind } from './row-coverage.ts';

/**
 * The class that {@link pick} returns: its instances have the named fields of `E`.
 *
 * @example
 * const TodoRow: pick.Result<typeof Todo, 'id' | 'title'> = pick(Todo, ['id', 'title']);
 */
export interface PickedEntity<E extends EntityClass, N extends PropertyKey> extends Omit<
  typeof Entity,
  'prototype' | 'fromJS'
> {
  new (): PickedInstance<E, N>;
  readonly prototype: PickedInstance<E, N>;
  /** Creates an instance with the given fields; all other fields have their defaults. */
  fromJS(props?: Partial<PickedInstance<E, N>>): PickedInstance<E, N>;
}

/**
 * An instance of a class that {@link pick} returns.
 *
 * @example const titleOf = (todo: pick.Instance<typeof Todo, 'id' | 'title'>) => todo.title;
 */
export type PickedInstance<E extends EntityClass, N extends PropertyKey> = Pick<
  E['prototype'],
  N & keyof E['prototype']
>;

/**
 * Declares which fields of a row the responses of a list, or of another endpoint, contain. The result is a class with these fields
 * and with the same rows. Readers of such responses get exactly these fields, and other fields of the class in them are ignored,
 * except the version. Readers of the whole class wait until responses have declared all fields; `useCovered` shows the stored
 * fields at once. The names must include the primary key.
 *
 * @example
 * import { pick } from 'holdfast/local';
 *
 * const TodoRow = pick(Todo, ['id', 'title', 'userId']);
 * const Todos = TodoResource.extend({ getList: { schema: new schema.Collection([TodoRow]) } });
 */
export function pick<E extends EntityClass, const N extends keyof EntityFields<E['prototype']>>(
  entity: E,
  names: readonly N[],
): PickedEntity<E, N> {
  const whole = wholeOf(asEntityConstructor(entity));
  const given = names as readonly string[]; // cast: names of fields
  for (const field of given)
    if (!Object.hasOwn(asEntityConstructor(entity).defaults, field))
      throw new HoldfastError('PICK_FIELD_UNKNOWN', { entity: whole.key, field });
  for (const field of fieldsOfKey(whole))
    if (!given.includes(field)) throw new HoldfastError('PICK_WITHOUT_KEY', { entity: whole.key, field });
  const ignored = Object.keys(whole.defaults).filter(
    (name) => !given.includes(name) && name !== whole.version?.field,
  );
  return createPicked(whole, given, new Set(ignored)) as unknown as PickedEntity<E, N>; // cast: typed by the names
}

/** The declared fields that the class reads to make its primary key. */
export function fieldsOfKey(entity: EntityConstructor): readonly string[] {
  const read = new Set<string>();
  const probe = new Proxy({}, { get: (_target, name: string) => void read.add(name) });
  tryRun(() => entity.pk(probe, undefined, '', []));
  return [...read].filter((name) => Object.hasOwn(entity.defaults, name));
}

/**
 * Makes the class. The class inherits the static members of the whole class, and its instances inherit the methods. A new instance
 * is made without the constructor of the whole class, which would set all fields.
 */
export function createPicked(
  whole: EntityConstructor,
  names: readonly string[],
  ignored: PickRule['ignored'],
): EntityConstructor {
  const set = new Set(names);
  const rule: PickRule = { whole, names: set, ignored, alone: { names: set, groups: [] } };
  const pickFrom = (from: object): Fields => keepFields({ ...from }, (name) => set.has(name));
  const initial = pickFrom(new whole());
  const Picked = function (this: object) {
    Object.assign(this, initial);
  } as unknown as EntityConstructor; // cast: called with `new` only
  const kinds = new Map<EntityConstructor, EntityKind>();
  let schemas: { readonly from: object; readonly own: Fields } | undefined;
  Object.setPrototypeOf(Picked, whole);
  const prototype: object = Object.create(whole.prototype, { constructor: { value: Picked } });
  Object.assign(Picked, { prototype });
  for (const name of ['name', 'key'] as const) setOwn(Picked, name, whole[name]);
  const checks = (whole as { [CHECKS]?: Checks })[CHECKS]; // cast: classes of `EntityOf` have it
  const declared = [...(checks?.fields ?? [])].filter(([name]) => set.has(name));
  // Rules over several fields are applied to whole rows only.
  const ownChecks = checks && { ...checks, fields: new Map(declared), rules: undefined };
  Object.defineProperties(Picked, {
    defaults: { get: () => pickFrom(whole.defaults) },
    // The getter reads the schema at each use, because a class may get its schema after its declaration.
    schema: {
      get() {
        if (schemas?.from !== whole.schema) schemas = { from: whole.schema, own: pickFrom(whole.schema) };
        return schemas.own;
      },
    },
    [KIND]: {
      // `this` may be a class that extends the picked class.
      get(this: EntityConstructor) {
        let kind = kinds.get(this);
        if (!kind?.isCurrent)
          kinds.set(
            this,
            (kind = new (pickedKindClassOver(kindOfClass(whole)))(
              rule,
              this,
              asEntityConstructor(Entity),
              ownChecks,
            )),
          );
        return kind;
      },
    },
  });
  return Picked;
}

/** The class itself; for a picked class, the whole class. */
export function wholeOf(entity: EntityConstructor): EntityConstructor {
  return (kindOfClass(entity) as PickingKind & { readonly picked?: PickRule }).picked?.whole ?? entity;
}

export function kindOfClass(entity: EntityConstructor): EntityKind {
  return (entity as unknown as { [KIND]: EntityKind })[KIND]; // cast: entity classes have it
}

export declare namespace pick {
  export type { PickedEntity as Result, PickedInstance as Instance };
}
