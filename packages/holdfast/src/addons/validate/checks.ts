// What `EntityOf` was given, and what it says of fields and records: pure. checked-kind.ts does what follows from it.
import { fieldOf } from '../../store/fields.ts';
import type { Fields } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { consult, issuePath } from '../../schema/protocol/standard-schema.ts';
import type { StandardIssue, StandardSchema } from '../../schema/protocol/standard-schema.ts';
import { Parsed } from '../../schema/protocol/stored-forms.ts';
import type { CheckedField } from './checked-field.ts';
import type { RefusedField } from './refused-rows.ts';

/**
 * What becomes of a row that its checks refuse. `reject` refuses the payload, `drop` leaves the row out of its list, `keep` keeps
 * what is stored of the field, `pass` stores the row as it came. All of them report it.
 *
 * @example const policy: EntityOf.OnInvalid = 'drop';
 */
export type OnInvalid = 'reject' | 'drop' | 'keep' | 'pass';

/** One declared field. */
export interface Declared {
  /** The schema of another library; null for one of this, which judges for itself. */
  readonly field: CheckedField | null;
  /** Whether it is only looked at: `check(…)`. */
  readonly isLooked: boolean;
  /** For a schema of this library: whether it may be absent. */
  readonly isOptional: boolean;
}

/** What `EntityOf` was given. */
export interface Checks {
  /** The name of the type. */
  readonly key: string;
  readonly fields: ReadonlyMap<string, Declared>;
  readonly rules: StandardSchema | undefined;
  readonly onInvalid: OnInvalid;
  /** Of each payload, every how-manieth row has the fields looked at that are only looked at. */
  readonly stride: number;
}

export const MISSING = 'is missing';

/** The fields whose schemas refuse undefined, and for which the class has no default: `bare` is an instance without fields. */
export function requiredIn(bare: object, declared: Checks['fields']): ReadonlySet<string> {
  const isRequired = ([name, { field, isOptional }]: [string, Declared]): boolean =>
    !isOptional &&
    fieldOf(bare as Fields, name) === undefined &&
    !(field && tryRun(() => !field.absent.issues)); // cast: by name
  return new Set([...declared].filter(isRequired).map(([name]) => name));
}

/** What is wrong with a record that no payload brought as it is: of a merge, a guess, a saved state. */
export function judgeRecord(
  checks: Checks,
  required: ReadonlySet<string>,
  record: Fields,
): readonly RefusedField[] {
  const found: RefusedField[] = [];
  for (const [name, { field, isLooked }] of checks.fields) {
    const stored = fieldOf(record, name);
    if (stored === undefined) {
      if (required.has(name)) found.push({ field: name, message: MISSING });
    } else if (
      field &&
      !(stored instanceof Parsed && stored.mark === field) &&
      !(isLooked && checks.stride > 1)
    ) {
      const { issues = [] } = field.consult(stored instanceof Parsed ? stored.inside : stored);
      found.push(...issues.map((issue) => refusedField(name, issue)));
    }
  }
  return found.length > 0 ? found : breachesIn(checks, required, record);
}

/** What the rules say of the fields together, as readers see them. A row that lacks one is no case for them yet. */
export function breachesIn(
  { rules, fields, key }: Checks,
  required: ReadonlySet<string>,
  stored: Fields,
): RefusedField[] {
  if (!rules) return [];
  const values: Record<string, unknown> = {};
  for (const [name, { field, isLooked }] of fields) {
    if (!field) continue;
    const value = fieldOf(stored, name);
    if (value === undefined && required.has(name)) return [];
    values[name] = isLooked ? value : field.open(value);
  }
  const { issues = [] } = consult(rules, values, `rules of ${key}`);
  return issues.map((issue) => refusedField('', issue));
}

export function refusedField(name: string, issue: StandardIssue): RefusedField {
  return { field: [name, issuePath(issue)].filter(Boolean).join('.'), message: issue.message };
}

/** The field of a place inside it. */
export function topOf(place: string): string {
  return place.split('.')[0] ?? '';
}
