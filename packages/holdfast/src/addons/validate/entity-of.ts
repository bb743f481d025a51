// Entities whose fields are declared by schemas of other libraries: one declaration gives the class, the types and the checks.
// checked-kind.ts checks the rows. Only `holdfast/validate` loads this file.
import { tryRun } from '../../support/call-safely.ts';
import { ensure } from '../../support/ensure.ts';
import { setOwn } from '../../support/plain.ts';
import { canAssign, unassignableNamesOf } from '../../schema/entity/assign.ts';
import { asEntityConstructor } from '../../schema/entity/entity-constructor.ts';
import { Entity } from '../../schema/entity/entity.ts';
import { KIND } from '../../schema/protocol/protocol.ts';
import type { AnswerSchema, Denormalize } from '../../schema/protocol/schema.types.ts';
import { isStandard } from '../../schema/protocol/standard-schema.ts';
import type { StandardOutput, StandardSchema } from '../../schema/protocol/standard-schema.ts';
import { CheckedField } from './checked-field.ts';
import { CheckedKind } from './checked-kind.ts';
import { CHECKS, requiredIn } from './checks.ts';
import type { Checks, Declared, OnInvalid } from './checks.ts';
import { Optional } from './optional.ts';

/**
 * A field that its schema checks but does not convert. {@link check} makes it.
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
 * Declares a field that its schema checks but does not convert: the incoming value is stored, and the schema's output is not used.
 * Such a field needs no more memory than a field without a schema, and the option `sample` applies to it.
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
 * The fields of an `EntityOf`: schemas of other libraries, such schemas inside `check`, and schemas of this library.
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
 * The type of a field of an `EntityOf`, as readers get it.
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
 * The type of the instances of an `EntityOf`.
 *
 * @example
 * import { z } from 'zod';
 *
 * const fields = { id: z.string(), title: z.string() };
 * const titleOf = (article: EntityOf.Instance<typeof fields>) => article.title;
 */
export type CheckedInstance<F> = Entity & { -readonly [Name in keyof F]: FieldValue<F[Name]> };

/**
 * The static members of Entity that every class made by `EntityOf` has. It is an interface, because the compiler resolves an
 * interface only once.
 */
interface EntityStatics extends Omit<typeof Entity, 'prototype' | 'fromJS'> {}

/**
 * The class that `EntityOf` returns.
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
  /** Creates an instance with the given fields; all other fields have their defaults. The fields are not checked. */
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
  /** What happens to a row that its checks refuse. Default: `reject`. */
  readonly onInvalid?: OnInvalid;
  /**
   * A schema for several fields together. It gets the values that readers see, without the fields that have a schema of this
   * library. Its output is not used.
   */
  readonly rules?: StandardSchema;
  /**
   * The fraction of a payload's rows whose `check` fields are checked: 0.01 checks the first row and then every hundredth.
   * Default: 1, all rows.
   */
  readonly sample?: number;
}

// The keys are classes of the application: an entry is collected together with its class.
const checkedDefaults = new WeakMap<object, object>();
const areAssigned = new WeakMap<object, boolean>();
const checkedKinds = new WeakMap<object, CheckedKind>();

/**
 * Makes an entity class from a key and a schema for each field: of zod, valibot, arktype or another library that implements
 * Standard Schema, or of this library. The fields of a response, an optimistic update or a message are checked before they are
 * stored; the fields of a saved state are checked when they are read. Fields whose schema accepts `undefined` may be absent.
 *
 * @example
 * import { z } from 'zod';
 *
 * class Article extends EntityOf('Article', {
 *   id: z.string(),
 *   title: check(z.string().max(200)), // checked, not converted
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
    const isCheckOnly = given instanceof Looked;
    const standard: unknown = isCheckOnly ? given.schema : given;
    const foreignSchema = isStandard(standard)
      ? new CheckedField(standard, `${key}.${name}`, onInvalid === 'pass')
      : null;
    declared.set(name, { foreignSchema, isCheckOnly, isOptional: given instanceof Optional });
    if (!foreignSchema) schema[name] = given;
    else if (!isCheckOnly) schema[name] = { [KIND]: foreignSchema };
  }
  const stride = Math.max(1, Math.round(1 / sample));
  const checks: Checks = { key, fields: declared, rules, onInvalid, stride };
  /** The values of absent fields. They are made at first use, because a schema may call the application's code for its default. */
  let absents: Readonly<Record<string, unknown>> | undefined;
  const Class = class extends Entity {
    static readonly [CHECKS]: Checks = checks;

    constructor() {
      super();
      absents ??= Object.fromEntries(
        [...declared].map(([name, { foreignSchema }]) => [
          name,
          foreignSchema ? absentOf(foreignSchema) : undefined,
        ]),
      );
      // fast: V1. Assignment is faster, but it would call an accessor that the class has for a field.
      const isPlain = ensure(areAssigned, new.target, () =>
        canAssign(absents!, unassignableNamesOf(new.target.prototype)),
      ); // `absents` is set above
      if (isPlain) Object.assign(this, absents);
      else for (const [name, value] of Object.entries(absents)) setOwn(this, name, value);
    }

    /**
     * The default of each required field with a schema of this library is `true`, because EntityKind requires a nested row if its
     * default is truthy.
     */
    static override get defaults(): object {
      return ensure(checkedDefaults, this, () => {
        const instance: object = new this();
        for (const name of requiredIn(instance, declared))
          if (!declared.get(name)?.foreignSchema) setOwn(instance, name, true);
        return instance;
      });
    }

    static override get [KIND](): CheckedKind {
      let kind = checkedKinds.get(this);
      if (!kind?.isCurrent) {
        kind = new CheckedKind(asEntityConstructor(this), asEntityConstructor(Entity), this[CHECKS]);
        checkedKinds.set(this, kind);
      }
      return kind;
    }
  };
  setOwn(Class, 'key', key);
  setOwn(Class, 'schema', schema);
  setOwn(Class, 'name', key);
  return Class as CheckedEntity<F>; // cast: the constructor defines the fields, which the compiler cannot see
}

/** The schema's default for an absent field. Undefined if it has none, or if the schema throws. */
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
