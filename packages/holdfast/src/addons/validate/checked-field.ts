// A field of `EntityOf` with a schema of another library, which parses the field or, inside `check`, only checks it. If parsing
// returns another value than the wire form, both are stored as a pair. A stored pair saves later runs of the schema: when the field
// is read, and when a payload contains the same value again.
import { isEqual } from '../../store/fields.ts';
import { hasToJson, copyPlain, isObject } from '../../support/plain.ts';
import { FieldKind } from '../../schema/kinds/field-kind.ts';
import { INVALID } from '../../schema/protocol/protocol.ts';
import type { WriteContext } from '../../schema/protocol/protocol.ts';
import { validateStandard } from '../../schema/protocol/standard-schema.ts';
import type { StandardIssue, StandardResult, StandardSchema } from '../../schema/protocol/standard-schema.ts';
import { Parsed } from '../../schema/protocol/stored-forms.ts';

/** The stored form of a value, or the issues of an invalid value. */
export type JudgedValue =
  | { readonly stored: unknown; readonly issues?: undefined }
  | { readonly stored?: undefined; readonly issues: readonly StandardIssue[] };

// The `Parsed` (wire form and value) of each parsed object, because an optimistic update may contain an object that was read from
// the store. This map is a memo: its entries can be computed again.
const parsedByValue = new WeakMap<object, Parsed>();

export class CheckedField extends FieldKind {
  readonly #schema: StandardSchema;
  /** The field's name in errors: `Todo.dueAt`. */
  readonly #fullName: string;
  /** Whether an invalid value is stored unchanged, by `onInvalid: 'pass'`. */
  readonly #storesInvalid: boolean;
  #absent: StandardResult<unknown> | null = null;

  constructor(schema: StandardSchema, of: string, passes: boolean) {
    super(() => undefined); // never called: `enter` and `open` run the schema
    this.#schema = schema;
    this.#fullName = of;
    this.#storesInvalid = passes;
  }

  /** The schema's result for undefined: a default value, undefined if the schema accepts undefined, or issues. */
  get absent(): StandardResult<unknown> {
    return (this.#absent ??= this.runSchema(undefined));
  }

  runSchema(value: unknown): StandardResult<unknown> {
    return validateStandard(this.#schema, value, this.#fullName);
  }

  /** The issues of a value of a `check` field. Undefined if the value is valid, or if the result of its `toJSON` is valid. */
  issuesOf(value: unknown): readonly StandardIssue[] | undefined {
    const { issues } = this.runSchema(value);
    return issues && hasToJson(value) && !this.runSchema(value.toJSON()).issues ? undefined : issues;
  }

  /** Returns the stored form of a value, or its issues. `existing` is the field's stored form before the payload. */
  judgeValue(value: unknown, existing: unknown): JudgedValue {
    if (value instanceof Parsed && value.qualifier === this) return { stored: value };
    if (existing instanceof Parsed && existing.qualifier === this) {
      const isSame = Object.is(existing.value, value) || isEqual(existing.inside, value);
      if (isSame) return { stored: existing };
    }
    const origin = isObject(value) ? parsedByValue.get(value) : undefined;
    if (origin?.qualifier === this) return { stored: origin };
    const result = this.runSchema(value);
    if (!result.issues) return { stored: this.#toStored(value, result.value) };
    // A request body may contain a Date, which is sent as a string, so the string is checked.
    const { issues } = result;
    if (!hasToJson(value)) return { issues };
    const written = value.toJSON();
    const again = this.runSchema(written);
    return again.issues ? { issues } : { stored: this.#toStored(written, again.value) };
  }

  #toStored(raw: unknown, value: unknown): unknown {
    if (Object.is(raw, value)) return raw;
    const pair = new Parsed(raw, value, this);
    if (isObject(value)) parsedByValue.set(value, pair);
    return pair;
  }

  override enter(value: unknown, at: WriteContext): unknown {
    const origin = isObject(value) ? parsedByValue.get(value) : undefined; // looked up by the original, because a copy is another object
    if (origin?.qualifier === this) return origin;
    const raw = at.isOwned ? value : copyPlain(value);
    const judged = this.judgeValue(raw, at.existing);
    if (!judged.issues) return judged.stored;
    if (this.#storesInvalid) return raw;
    // checked-kind.ts has checked the payload before, so that usually a hook of the class has made this value.
    return at.fail('ENTITY_INVALID', { entity: this.#fullName, reason: judged.issues[0]?.message });
  }

  override open(stored: unknown): unknown {
    if (stored instanceof Parsed && stored.qualifier === this) return stored.value;
    // The stored value is not a pair of this field, for example because the schema returned the value unchanged, or because another
    // class with the same key or a saved state stored it.
    const raw = stored instanceof Parsed ? stored.inside : stored;
    const result = raw === undefined ? this.absent : this.runSchema(raw);
    if (!result.issues) return result.value;
    return this.#storesInvalid ? raw : INVALID;
  }
}
