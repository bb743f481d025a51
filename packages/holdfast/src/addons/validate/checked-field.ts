// A field that a schema of another library reads: the field parser of `EntityOf`. Stored as the pair of wire form and value
// where the two differ, and as it came where they do not; consulted only when the wire form has changed.
import { isEqual } from '../../store/fields.ts';
import { hasToJson, copyPlain, isObject } from '../../support/plain.ts';
import { FieldKind } from '../../schema/kinds/field-kind.ts';
import { INVALID } from '../../schema/protocol/protocol.ts';
import type { WriteContext } from '../../schema/protocol/protocol.ts';
import { consult } from '../../schema/protocol/standard-schema.ts';
import type { StandardIssue, StandardResult, StandardSchema } from '../../schema/protocol/standard-schema.ts';
import { Parsed } from '../../schema/protocol/stored-forms.ts';

/** What is stored of a value, or what is wrong with it. */
export type Judged =
  | { readonly stored: unknown; readonly issues?: undefined }
  | { readonly stored?: undefined; readonly issues: readonly StandardIssue[] };

// What parsed values came from: a guess may hand back what a reader was given. Keyed by the values themselves: a memo, not state
const origins = new WeakMap<object, Parsed>();

export class CheckedField extends FieldKind {
  readonly #schema: StandardSchema;
  /** Whose schema it is, for errors: `Todo.dueAt`. */
  readonly #of: string;
  /** Whether what its schema refuses is kept as it came. */
  readonly #passes: boolean;
  #absent: StandardResult<unknown> | null = null;

  constructor(schema: StandardSchema, of: string, passes: boolean) {
    super(() => undefined); // reads by its schema instead
    this.#schema = schema;
    this.#of = of;
    this.#passes = passes;
  }

  /** What the schema says of a field that is not there: its default, undefined where it is optional, or issues. */
  get absent(): StandardResult<unknown> {
    return (this.#absent ??= this.consult(undefined));
  }

  consult(value: unknown): StandardResult<unknown> {
    return consult(this.#schema, value, this.#of);
  }

  /** What is wrong with a value that is stored as it came; undefined where nothing is. */
  look(value: unknown): readonly StandardIssue[] | undefined {
    const { issues } = this.consult(value);
    return issues && hasToJson(value) && !this.consult(value.toJSON()).issues ? undefined : issues;
  }

  /** What is stored of a value, given what is stored now. */
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
    // a body may hold a date where the wire has its text: what will be sent counts
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
    const origin = isObject(value) ? origins.get(value) : undefined; // by identity: before it is copied
    if (origin?.mark === this) return origin;
    const raw = at.isOwned ? value : copyPlain(value);
    const judged = this.judge(raw, at.existing);
    if (!judged.issues) return judged.stored;
    if (this.#passes) return raw;
    // through a class of its own a row was judged before: this is a value that a merge made
    return at.fail('ENTITY_INVALID', { entity: this.#of, reason: judged.issues[0]?.message });
  }

  override open(stored: unknown): unknown {
    if (stored instanceof Parsed && stored.mark === this) return stored.value;
    // restored, or written through another class of the same key
    const raw = stored instanceof Parsed ? stored.inside : stored;
    const result = raw === undefined ? this.absent : this.consult(raw);
    if (!result.issues) return result.value;
    return this.#passes ? raw : INVALID;
  }
}
