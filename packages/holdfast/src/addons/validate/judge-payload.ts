// What a payload's object says of one row, judged field by field over what is stored. checked-kind.ts decides what becomes of it.
import { fieldOf, isEqual } from '../../store/fields.ts';
import type { Fields, RowState } from '../../store/nodes.ts';
import type { EntityHooks } from '../../schema/entity/entity-hooks.ts';
import { pkFieldOf } from '../../schema/entity/pk-field.ts';
import type { WriteContext } from '../../schema/protocol/protocol.ts';
import { breachesIn, MISSING, refusedField } from './checks.ts';
import type { Checks, Declared } from './checks.ts';
import type { RefusedField } from './refused-rows.ts';

export interface PayloadVerdict {
  readonly fields: readonly RefusedField[];
  /** Whether a row that it needs was refused: that one is reported. */
  readonly isTorn: boolean;
}

export const FINE: PayloadVerdict = { fields: [], isTorn: false };
/** The same of a payload that leaves out what is stored. */
const FINE_PART: PayloadVerdict = { ...FINE };

export interface Entry extends Declared {
  readonly name: string;
  /** The kind of a part whose rows may be refused themselves. */
  readonly kind: Refusing | null;
}

interface Refusing {
  refuses(value: unknown, at: WriteContext, name: string, seen: Set<unknown>): boolean;
}

/** What payloads of a class are judged by. */
export interface CheckRule {
  readonly checks: Checks;
  readonly entries: readonly Entry[];
  readonly entity: EntityHooks;
  readonly required: ReadonlySet<string>;
}

/** One object of a payload. */
interface Case {
  readonly input: Fields;
  /** What it will be laid over. */
  readonly known: RowState;
  readonly at: WriteContext;
  /** Whether the object is the store's, so that what was made of a field need not be made again. */
  readonly isOwned: boolean;
  /** Whether fields that are only looked at are passed over. */
  readonly isSkipped: boolean;
  /** The objects around it: a payload may hold itself. */
  readonly seen: Set<unknown> | undefined;
}

export function judgePayload(
  { checks, entries, entity, required }: CheckRule,
  { input, known, at, isOwned, isSkipped, seen }: Case,
): PayloadVerdict {
  const values: Record<string, unknown> | null = checks.rules ? {} : null;
  let found: RefusedField[] | null = null;
  let isTorn = false;
  let isWhole = true;
  for (const { name, field, isLooked, isOptional, kind } of entries) {
    const value = fieldOf(input, name);
    const existing = known ? fieldOf(known, name) : undefined;
    if (value === undefined) {
      const isMissing = existing === undefined && required.has(name);
      if (isMissing && !(at.isCreation && pkFieldOf(entity) === name))
        (found ??= []).push({ field: name, message: MISSING });
      isWhole &&= existing === undefined;
      if (values) values[name] = existing;
    } else if (!field) {
      if (value === null && !isOptional) (found ??= []).push({ field: name, message: 'is null' });
      if (kind?.refuses(value, at, name, seen ?? new Set())) isTorn = true;
    } else if (isLooked) {
      if (values) values[name] = value;
      if (isSkipped || (existing !== undefined && isEqual(existing, value))) continue;
      const issues = field.look(value);
      if (issues) (found ??= []).push(...issues.map((issue) => refusedField(name, issue)));
    } else {
      const { issues, stored } = field.judge(value, existing);
      if (issues) (found ??= []).push(...issues.map((issue) => refusedField(name, issue)));
      else {
        if (values) values[name] = stored;
        if (isOwned) (input as Record<string, unknown>)[name] = stored; // cast: the store's own
      }
    }
  }
  if (values && !found && !isTorn) found = breachesIn(checks, required, values);
  if (found?.length || isTorn) return { fields: found ?? [], isTorn };
  return isWhole ? FINE : FINE_PART;
}
