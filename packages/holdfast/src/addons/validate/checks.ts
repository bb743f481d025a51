// The checks of a class of `EntityOf`, and functions that apply them to records. checked-kind.ts acts on the results.
import { fieldOf } from '../../store/fields.ts';
import type { Fields } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { validateStandard, issuePath } from '../../schema/protocol/standard-schema.ts';
import type { StandardIssue, StandardSchema } from '../../schema/protocol/standard-schema.ts';
import { Parsed } from '../../schema/protocol/stored-forms.ts';
import type { CheckedField } from './checked-field.ts';
import type { RefusedField } from './refused-rows.ts';

/**
 * What happens to a row that its checks refuse. `reject` refuses the whole payload. `drop` leaves the row out of its array, map or
 * `optional` field. If another row of an `EntityOf` requires the row, the same happens to that row. In any other place, the payload
 * is refused. `keep` keeps the stored values of the invalid fields, and acts like `drop` if one of them has no stored value, if
 * `rules` refuse the row, or if the class has its own `process`. `pass` stores the row unchanged. In all four cases the row is
 * reported.
 *
 * @example const policy: EntityOf.OnInvalid = 'drop';
 */
export type OnInvalid = 'reject' | 'drop' | 'keep' | 'pass';

export interface Declared {
  /** Checks or parses the field by a schema of another library; null if the field has a schema of this library. */
  readonly foreignSchema: CheckedField | null;
  /** Whether the field is checked and not converted: `check(…)`. */
  readonly isCheckOnly: boolean;
  /** Whether the field is declared with `optional(…)`. */
  readonly isOptional: boolean;
}

/**
 * The checks of a class: the compiled arguments of `EntityOf`. A picked class has only the checks of its own fields, and no
 * `rules`.
 */
export interface Checks {
  readonly key: string;
  readonly fields: ReadonlyMap<string, Declared>;
  readonly rules: StandardSchema | undefined;
  readonly onInvalid: OnInvalid;
  /** One divided by the option `sample`, rounded: 100 means that the `check` fields of every hundredth row of a payload are checked. */
  readonly stride: number;
}

/** The static property of a checked class that has its checks. */
export const CHECKS: unique symbol = Symbol();

export const MISSING = 'is missing';

/**
 * The fields that a row must have: they are not `optional`, have no default, and their schema does not accept undefined. `bare` is
 * an instance with only defaults.
 */
export function requiredIn(bare: object, declared: Checks['fields']): ReadonlySet<string> {
  const isRequired = ([name, { foreignSchema, isOptional }]: [string, Declared]): boolean =>
    !isOptional &&
    fieldOf(bare as Fields, name) === undefined &&
    !(foreignSchema && tryRun(() => !foreignSchema.absent.issues)); // cast: an instance is read like a record
  return new Set([...declared].filter(isRequired).map(([name]) => name));
}

/** Returns the invalid fields of a stored record or, if there is none, the breaches of `rules`. */
export function judgeRecord(
  checks: Checks,
  required: ReadonlySet<string>,
  record: Fields,
): readonly RefusedField[] {
  const found: RefusedField[] = [];
  for (const [name, { foreignSchema, isCheckOnly }] of checks.fields) {
    const stored = fieldOf(record, name);
    if (stored === undefined) {
      if (required.has(name)) found.push({ field: name, message: MISSING });
    } else if (
      foreignSchema &&
      !(stored instanceof Parsed && stored.qualifier === foreignSchema) &&
      !(isCheckOnly && checks.stride > 1)
    ) {
      const { issues = [] } = foreignSchema.runSchema(stored instanceof Parsed ? stored.inside : stored);
      found.push(...issues.map((issue) => refusedField(name, issue)));
    }
  }
  return found.length > 0 ? found : breachesIn(checks, required, record);
}

/** Applies the option `rules` to the values that readers see. The rules are not applied if a required field is absent. */
export function breachesIn(
  { rules, fields, key }: Checks,
  required: ReadonlySet<string>,
  stored: Fields,
): RefusedField[] {
  if (!rules) return [];
  const values: Record<string, unknown> = {};
  for (const [name, { foreignSchema, isCheckOnly }] of fields) {
    if (!foreignSchema) continue;
    const value = fieldOf(stored, name);
    if (value === undefined && required.has(name)) return [];
    values[name] = isCheckOnly ? value : foreignSchema.open(value);
  }
  const { issues = [] } = validateStandard(rules, values, `rules of ${key}`);
  return issues.map((issue) => refusedField('', issue));
}

export function refusedField(name: string, issue: StandardIssue): RefusedField {
  return { field: [name, issuePath(issue)].filter(Boolean).join('.'), message: issue.message };
}

/** The first name of a path: `address` for `address.street`. */
export function firstNameOf(path: string): string {
  return path.split('.')[0] ?? '';
}
