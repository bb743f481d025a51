// Checks one object of a payload field by field, together with the stored fields of its row. checked-kind.ts decides what happens
// to the row.
import { fieldOf, isEqual } from '../../store/fields.ts';
import type { Fields, RowState } from '../../store/nodes.ts';
import type { EntityConstructor } from '../../schema/entity/entity-constructor.ts';
import { pkFieldOf } from '../../schema/entity/pk-field.ts';
import type { WriteContext } from '../../schema/protocol/protocol.ts';
import { breachesIn, MISSING, refusedField } from './checks.ts';
import type { Checks, Declared } from './checks.ts';
import type { RefusedField } from './refused-rows.ts';

export interface PayloadVerdict {
  readonly fields: readonly RefusedField[];
  /** Whether a required nested row was refused. That row, or the row that it lacks, was reported already. */
  readonly lacksNestedRow: boolean;
}

export const FINE: PayloadVerdict = { fields: [], lacksNestedRow: false };
/** The object is valid, but the payload omits stored fields, so the merged record is not the payload's object. */
const FINE_PART: PayloadVerdict = { ...FINE };

export interface CheckedEntry extends Declared {
  readonly name: string;
  /** The kind of the nested row, if the kind belongs to a class of `EntityOf`; null for other fields. */
  readonly kind: RefusingKind | null;
}

interface RefusingKind {
  reportIfRefused(value: unknown, at: WriteContext, name: string, judged: JudgedObjects): boolean;
}

/**
 * The nested objects whose check has begun, by the kind that checks them. The value is true if the object is refused; it is false
 * while the check runs. With this map, each object is checked once by each kind, because a payload may contain itself.
 */
export type JudgedObjects = Map<RefusingKind, Map<unknown, boolean>>;

/** The checks of one class. */
export interface CheckRule {
  readonly checks: Checks;
  readonly entries: readonly CheckedEntry[];
  readonly entity: EntityConstructor;
  readonly required: ReadonlySet<string>;
}

/** What `judgePayload` must know of one object of a payload. */
interface PayloadObject {
  readonly input: Fields;
  /** The state into which the object will be merged. */
  readonly known: RowState;
  readonly context: WriteContext;
  /** Whether the object belongs to the store. The stored forms of its fields are then written into the object. */
  readonly isOwned: boolean;
  /** Whether `check` fields are skipped, because the row is not in the sample. */
  readonly isSkipped: boolean;
  readonly judged: JudgedObjects | undefined;
}

export function judgePayload(
  { checks, entries, entity, required }: CheckRule,
  { input, known, context: at, isOwned, isSkipped, judged }: PayloadObject,
): PayloadVerdict {
  const values: Record<string, unknown> | null = checks.rules ? {} : null;
  let found: RefusedField[] | null = null;
  let lacksNestedRow = false;
  let isComplete = true;
  for (const { name, foreignSchema, isCheckOnly, isOptional, kind } of entries) {
    const value = fieldOf(input, name);
    const existing = known ? fieldOf(known, name) : undefined;
    if (value === undefined) {
      const isMissing = existing === undefined && required.has(name);
      if (isMissing && !(at.isCreation && pkFieldOf(entity) === name))
        (found ??= []).push({ field: name, message: MISSING });
      isComplete &&= existing === undefined;
      if (values) values[name] = existing;
    } else if (!foreignSchema) {
      if (value === null && !isOptional) (found ??= []).push({ field: name, message: 'is null' });
      if (kind?.reportIfRefused(value, at, name, judged ?? new Map())) lacksNestedRow = true;
    } else if (isCheckOnly) {
      if (values) values[name] = value;
      if (isSkipped || (existing !== undefined && isEqual(existing, value))) continue;
      const issues = foreignSchema.issuesOf(value);
      if (issues) (found ??= []).push(...issues.map((issue) => refusedField(name, issue)));
    } else {
      const { issues, stored } = foreignSchema.judgeValue(value, existing);
      if (issues) (found ??= []).push(...issues.map((issue) => refusedField(name, issue)));
      else {
        if (values) values[name] = stored;
        if (isOwned) (input as Record<string, unknown>)[name] = stored; // cast: the object belongs to the store
      }
    }
  }
  if (values && !found && !lacksNestedRow) found = breachesIn(checks, required, values);
  if (found?.length || lacksNestedRow) return { fields: found ?? [], lacksNestedRow };
  return isComplete ? FINE : FINE_PART;
}
