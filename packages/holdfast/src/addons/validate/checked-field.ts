// A field of `EntityOf` that a schema of another library parses. If the parsed value differs from the incoming one, both are
// stored as a pair; otherwise the incoming value is stored. The schema runs only when the incoming value has changed.
import { isEqual } from '../../store/fields.ts';
import { hasToJson, copyPlain, isObject } from '../../support/plain.ts';
import { FieldKind } from '../../schema/kinds/field-kind.ts';
import { INVALID } from '../../schema/protocol/protocol.ts';
import type { WriteContext } from '../../schema/protocol/protocol.ts';
import { consult } from '../../schema/protocol/standard-schema.ts';
import type { StandardIssue, StandardResult, StandardSchema } from '../../schema/protocol/standard-schema.ts';
import { Parsed } from '../../schema/protocol/stored-forms.ts';

/** The stored form of a value, or the issues of an invalid value. */
export type Judged =
  | { readonly stored: unknown; readonly issues?: undefined }
  | { readonly stored?: undefined; readonly issues: readonly StandardIssue[] };

// The stored pair of each parsed value: an optimistic update may contain a value that a reader got. Keyed by the values: a memo,
// not state.
const origins = new WeakMap<object, Parsed>();

export class CheckedField extends FieldKind {
  readonly #schema: StandardSchema;
  /** The field's name in errors: `Todo.dueAt`. */
  readonly #of: string;
  /** Whether an invalid value is stored unchanged. */
  readonly #passes: boolean;
  #absent: StandardResult<unknown> | null = null;

  constructor(schema: StandardSchema, of: string, passes: boolean) {
    super(() => undefined); // `open` runs the schema instead
    this.#schema = schema;
    this.#of = of;
    this.#passes = passes;
  }

  /** The schema's result for an absent field: its default, undefined if it is optional, or issues. */
  get absent(): StandardResult<unknown> {
    return (this.#absent ??= this.consult(undefined));
  }

  consult(value: unknown): StandardResult<unknown> {
    return consult(this.#schema, value, this.#of);
  }

  /** The issues of a value that is stored unparsed; undefined if it is valid. */
  look(value: unknown): readonly StandardIssue[] | undefined {
    const { issues } = this.consult(value);
    return issues && hasToJson(value) && !this.consult(value.toJSON()).issues ? undefined : issues;
  }

  /** The stored form of a value; `existing` is the present stored form. */
  judge(value: unknown, existing: unknown): Judged {
    if (value instanceof Parsed && value.mark === this) return { stored: value };
    if (existing instanceof Parsed && existing.mark === this) {
      const isSame = Object.is(existing.value, value) || isEqual(existing.inside, value);
      if (isSame) return { stored: existing };
    }
    const origin = isObject(value) ? origins.get(value) : undefined;
    if (origin?.mark === this) return { stored: origin };
    const result = this.consult(value);
    if (!result.issues) return { stored: this.#pair(value, result.value) };
    // a request body may contain a Date that is sent as a string: check the string
    const { issues } = result;
    if (!hasToJson(value)) return { issues };
    const written = value.toJSON();
    const again = this.consult(written);
    return again.issues ? { issues } : { stored: this.#pair(written, again.value) };
  }

  #pair(raw: unknown, value: unknown): unknown {
    if (Object.is(raw, value)) return raw;
    const pair = new Parsed(raw, value, this);
    if (isObject(value)) origins.set(value, pair);
    return pair;
  }

  override enter(value: unknown, at: WriteContext): unknown {
    const origin = isObject(value) ? origins.get(value) : undefined; // looked up before the value is copied
    if (origin?.mark === this) return origin;
    const raw = at.isOwned ? value : copyPlain(value);
    const judged = this.judge(raw, at.existing);
    if (!judged.issues) return judged.stored;
    if (this.#passes) return raw;
    // checked-kind.ts checks the fields of payloads before: only a value that a merge made is refused here
    return at.fail('ENTITY_INVALID', { entity: this.#of, reason: judged.issues[0]?.message });
  }

  override open(stored: unknown): unknown {
    if (stored instanceof Parsed && stored.mark === this) return stored.value;
    // from a saved state, or written by another class with the same key
    const raw = stored instanceof Parsed ? stored.inside : stored;
    const result = raw === undefined ? this.absent : this.consult(raw);
    if (!result.issues) return result.value;
    return this.#passes ? raw : INVALID;
  }
}
