// Entities whose fields are declared by schemas of other libraries: class, types and checks in one. How their rows are judged is
// checked-kind.ts; an application that does not import `holdfast/validate` has none of it.
import { tryRun } from '../../support/call-safely.ts';
import { ensure } from '../../support/ensure.ts';
import { setOwn } from '../../support/plain.ts';
import { canAssign, trapsOf } from '../../schema/entity/assign.ts';
import type { EntityHooks } from '../../schema/entity/entity-hooks.ts';
import { Entity } from '../../schema/entity/entity.ts';
import { KIND } from '../../schema/protocol/protocol.ts';
import type { AnswerSchema, Denormalize } from '../../schema/protocol/schema.types.ts';
import { isStandard } from '../../schema/protocol/standard-schema.ts';
import type { StandardOutput, StandardSchema } from '../../schema/protocol/standard-schema.ts';
import { CheckedField } from './checked-field.ts';
import { CheckedKind } from './checked-kind.ts';
import { requiredIn } from './checks.ts';
import type { Checks, Declared, OnInvalid } from './checks.ts';
import { Optional } from './optional.ts';

/**
 * A field that is only looked at. Made by {@link check}.
 *
 * @example
 * import { z } from 'zod';
 *
 * const title: check.Looked<z.ZodString> = check(z.string());
 */
export class Looked<S extends StandardSchema> {
  readonly schema: S;

  constructor(schema: S) {
    this.schema = schema;
  }
}

/**
 * Declares a field that its schema only looks at: what is stored is what came, whatever the schema makes of it. It costs no
 * memory, may be sampled, and reads as fast as a field without a schema.
 *
 * @example
 * import { z } from 'zod';
 *
 * class Article extends EntityOf('Article', { id: z.string(), title: check(z.string().max(200)) }) {}
 */
export function check<S extends StandardSchema>(schema: S): Looked<S> {
  return new Looked(schema);
}

/**
 * What the fields of an `EntityOf` may be: schemas of other libraries, the same inside `check`, and schemas of this one.
 *
 * @example
 * import { z } from 'zod';
 *
 * const fields = { id: z.string(), author: User, todos: [Todo] } satisfies EntityOf.FieldSchemas;
 */
export interface FieldSchemas {
  readonly [name: string]: StandardSchema | Looked<StandardSchema> | AnswerSchema;
}

/**
 * What a field of an `EntityOf` reads as.
 *
 * @example
 * import { z } from 'zod';
 *
 * const dueAt = z.coerce.date().nullable();
 * type DueAt = EntityOf.FieldValue<typeof dueAt>; // Date | null
 */
export type FieldValue<S> = S extends StandardSchema
  ? StandardOutput<S>
  : S extends Looked<infer Inner>
    ? StandardOutput<Inner>
    : Denormalize<S>;

/**
 * The instances of an `EntityOf`.
 *
 * @example
 * import { z } from 'zod';
 *
 * const fields = { id: z.string(), title: z.string() };
 * const titleOf = (article: EntityOf.Instance<typeof fields>) => article.title;
 */
export type CheckedInstance<F> = Entity & { -readonly [Name in keyof F]: FieldValue<F[Name]> };

/** Made once for all: what every class made by `EntityOf` has of Entity's own. */
interface EntityStatics extends Omit<typeof Entity, 'prototype' | 'fromJS'> {}

/**
 * The class that `EntityOf` gives.
 *
 * @example
 * import { z } from 'zod';
 *
 * const fields = { id: z.string(), title: z.string() };
 * const Article: EntityOf.Result<typeof fields> = EntityOf('Article', fields);
 */
export interface CheckedEntity<F> extends EntityStatics {
  new (): CheckedInstance<F>;
  readonly prototype: CheckedInstance<F>;
  /** An instance with the given fields over its defaults. Nothing is checked. */
  fromJS<T extends abstract new (...args: never) => unknown>(
    this: T,
    props?: Partial<InstanceType<T>>,
  ): InstanceType<T>;
}

/**
 * Options of {@link EntityOf}.
 *
 * @example
 * import { z } from 'zod';
 *
 * const options: EntityOf.Options = { onInvalid: 'drop', sample: 0.01 };
 * class Article extends EntityOf('Article', { id: z.string() }, options) {}
 */
export interface EntityOfOptions {
  /** What becomes of a row that its checks refuse. Default: `reject`. */
  readonly onInvalid?: OnInvalid;
  /** A schema over all fields, for checks between them. It gets what readers see; what it makes of it is not used. */
  readonly rules?: StandardSchema;
  /**
   * Which part of a payload's rows have their `check` fields looked at: 0.01 is the first and then every hundredth. Default: 1,
   * all of them.
   */
  readonly sample?: number;
}

const CHECKS: unique symbol = Symbol();

// keyed by the users' own classes: memos, no state
const checkedDefaults = new WeakMap<object, object>();
const areAssigned = new WeakMap<object, boolean>();
const checkedKinds = new WeakMap<object, CheckedKind>();

/**
 * Makes an entity class of a name and a schema for each field: of zod, valibot, arktype or whatever keeps to Standard Schema,
 * or of this library. A field is checked when its wire form has changed, whatever brings it: an answer, a guess, a stream, a
 * saved state. Fields whose schema takes `undefined` may be absent.
 *
 * @example
 * import { z } from 'zod';
 *
 * class Article extends EntityOf('Article', {
 *   id: z.string(),
 *   title: check(z.string().max(200)), // only looked at
 *   publishedAt: z.coerce.date().nullable(), // Date | null
 *   author: User,
 * }, { onInvalid: 'drop' }) {
 *   get isPublished() {
 *     return this.publishedAt !== null;
 *   }
 * }
 */
export function EntityOf<const F extends FieldSchemas>(
  key: string,
  fields: F,
  options: EntityOfOptions = {},
): CheckedEntity<F> {
  const { onInvalid = 'reject', rules, sample = 1 } = options;
  const declared = new Map<string, Declared>();
  const schema: Record<string, unknown> = {};
  for (const [name, given] of Object.entries<unknown>(fields)) {
    const isLooked = given instanceof Looked;
    const standard: unknown = isLooked ? given.schema : given;
    const field = isStandard(standard)
      ? new CheckedField(standard, `${key}.${name}`, onInvalid === 'pass')
      : null;
    declared.set(name, { field, isLooked, isOptional: given instanceof Optional });
    if (!field) schema[name] = given;
    else if (!isLooked) schema[name] = { [KIND]: field };
  }
  const stride = Math.max(1, Math.round(1 / sample));
  const checks: Checks = { key, fields: declared, rules, onInvalid, stride };
  /** What absent fields read as. Made on first use: a schema may say it by a function of the application. */
  let absents: Readonly<Record<string, unknown>> | undefined;
  const Class = class extends Entity {
    static readonly [CHECKS]: Checks = checks;

    constructor() {
      super();
      absents ??= Object.fromEntries(
        [...declared].map(([name, { field }]) => [name, field ? absentOf(field) : undefined]),
      );
      // fast: V1. An accessor of a class may stand in the way of an assignment
      const isPlain = ensure(areAssigned, new.target, () =>
        canAssign(absents!, trapsOf(new.target.prototype)),
      ); // made above
      if (isPlain) Object.assign(this, absents);
      else for (const [name, value] of Object.entries(absents)) setOwn(this, name, value);
    }

    /** A part without which a row is not what its type says has a mark here: as where a class gives an instance for a default. */
    static override get defaults(): object {
      return ensure(checkedDefaults, this, () => {
        const instance: object = new this();
        for (const name of requiredIn(instance, declared))
          if (!declared.get(name)?.field) setOwn(instance, name, true);
        return instance;
      });
    }

    static override get [KIND](): CheckedKind {
      let kind = checkedKinds.get(this);
      if (!kind?.isCurrent) {
        const entity = this as unknown as EntityHooks; // cast: a class of that shape
        checkedKinds.set(
          this,
          (kind = new CheckedKind(entity, Entity as unknown as EntityHooks, this[CHECKS])),
        ); // cast: as above
      }
      return kind;
    }
  };
  setOwn(Class, 'key', key);
  setOwn(Class, 'schema', schema);
  setOwn(Class, 'name', key);
  return Class as unknown as CheckedEntity<F>; // cast: made above, member by member
}

/** What an absent field reads as. A schema that cannot be used tells why when a value comes. */
function absentOf(field: CheckedField): unknown {
  const absent = tryRun(() => field.absent);
  return absent && !absent.issues ? absent.value : undefined;
}

export declare namespace EntityOf {
  export type {
    CheckedEntity as Result,
    CheckedInstance as Instance,
    EntityOfOptions as Options,
    FieldSchemas,
    FieldValue,
    OnInvalid,
  };
}

export declare namespace check {
  export type { Looked };
}
