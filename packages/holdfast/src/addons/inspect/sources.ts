// Who said what stands in each field. When an answer is about to enter server truth, the rows it names are looked at as they
// are; when it is in, each field that it stated has either been taken or lost, by the rule that the store itself goes by. No
// memory of its own beside the rows: it goes with them.
import type { Effects } from '../../store/effects.ts';
import { isEqual } from '../../store/fields.ts';
import type { Fields, Row, RowPolicy, RowState, Slot } from '../../store/nodes.ts';
import { isMessage, isOlder, NEVER, nestedOrigin } from '../../store/stamp.ts';
import type { Origin, Stamp } from '../../store/stamp.ts';
import type { ExplainedAnswer, ExplainedField, LostRule } from './explanation.types.ts';
import type { KnownRequest } from './known-request.ts';

/** Who said a field, and how. */
export interface Source {
  readonly request: KnownRequest;
  readonly how: ExplainedField['how'];
}

/** A value that did not count. */
export interface Loss extends LostRule {
  readonly name: string;
  readonly value: unknown;
  readonly from: KnownRequest;
  readonly to: KnownRequest | undefined;
}

/** Losses that are remembered of one field, or of one call. */
export const MOST_LOSSES = 16;

/** What is remembered of one row. */
export class RowSources {
  /** Who said the fields that are not in `byField`; undefined where that came before the inspector, or with a saved state. */
  main: Source | undefined = undefined;
  byField: Map<string, Source | undefined> | null = null;
  losses: Map<string, Loss[]> | null = null;
  /** Answers that found the row deleted. */
  late: KnownRequest[] = [];
  deletedBy: KnownRequest | undefined = undefined;

  of(name: string): Source | undefined {
    return this.byField?.has(name) ? this.byField.get(name) : this.main;
  }

  lose(loss: Loss): void {
    const losses = (this.losses ??= new Map<string, Loss[]>()).get(loss.name) ?? [];
    this.losses.set(loss.name, [loss, ...losses].slice(0, MOST_LOSSES));
  }

  /** The fields are said by one source, whatever was before. */
  replace(main: Source): void {
    this.main = main;
    this.byField = null;
  }

  /** These fields are said by the source; of the others, which are in `base`, nothing changes. */
  take(source: Source, names: ReadonlySet<string>, base: Fields): void {
    const byField = new Map<string, Source | undefined>();
    for (const name of Object.keys(base)) if (!names.has(name)) byField.set(name, this.of(name));
    this.main = source;
    this.byField = byField.size > 0 ? byField : null;
  }
}

/** A row as it was before an answer. */
interface RowBefore {
  readonly base: RowState;
  readonly stamp: Stamp;
  readonly fieldStamps: ReadonlyMap<string, Stamp> | null;
  readonly deletedAt: number;
}

/** What an answer says of one row, all places where it stands together. */
interface Statement {
  readonly row: Row;
  readonly incoming: Fields;
  readonly origin: Origin;
  readonly policy: RowPolicy | undefined;
  readonly before: RowBefore;
}

/** Looks at all rows that the payload names, before it is written. */
export function readStatements({ rows, fields, policies, nested }: Effects, origin: Origin): Statement[] {
  const statements = new Map<Row, Statement>();
  for (const [at, row] of rows.entries()) {
    const known = statements.get(row);
    const { base, stamp, fieldStamps, deletedAt } = row;
    statements.set(row, {
      row,
      incoming: known ? { ...known.incoming, ...fields[at] } : fields[at]!, // grow together
      origin: nested?.has(row) ? nestedOrigin(origin) : origin,
      policy: policies?.get(at) ?? known?.policy,
      before: known?.before ?? { base, stamp, fieldStamps, deletedAt },
    });
  }
  return [...statements.values()];
}

/** Whether a mark of a stamp is a write's answer, else it is the sending of a read; undefined where that is forgotten. */
export type FindByMark = (mark: number) => { readonly isWrite: boolean } | undefined;

type LossRule = LostRule['rule'];

/** Notes what became of a statement. `howOf` tells answered fields from those that were sent; gives whether anything changed. */
export function judgeStatement(
  sources: RowSources,
  statement: Statement,
  request: KnownRequest,
  findByMark: FindByMark,
  howOf: (name: string) => ExplainedField['how'],
): boolean {
  const { row, incoming, origin, policy, before } = statement;
  if (origin.sent < before.deletedAt) {
    sources.late = [request, ...sources.late].slice(0, MOST_LOSSES);
    return false;
  }
  const after = row.base;
  const names = Object.keys(incoming);
  const responded: Source = { request, how: howOf('') };
  const sourceOf = (name: string): Source => {
    const how = howOf(name);
    return how === responded.how ? responded : { request, how };
  };
  if (!before.base || !after) {
    sources.losses = null;
    sources.late = [];
    sources.deletedBy = undefined;
    sources.replace(responded);
    for (const name of names)
      if (sourceOf(name) !== responded)
        (sources.byField ??= new Map<string, Source | undefined>()).set(name, sourceOf(name));
    return before.base !== after;
  }
  // a message that repeats what is known has no place in the order
  if (before.base === after && isMessage(origin.stamp) && !origin.isRead) return false;
  const taken = new Set<string>();
  for (const name of names) {
    const rule = ruleFor(name, statement, findByMark);
    if (rule === undefined) {
      taken.add(name);
      continue;
    }
    const to = rule === 'cannot-tell' ? undefined : sources.of(name)?.request;
    sources.lose({ name, value: incoming[name], from: request, to, rule });
  }
  const order = policy?.byVersion(before.base, incoming);
  // what a class's own merge has made of fields that the answer did not state
  const made = policy?.merge && order !== -1 ? changedBeside(before.base, after, incoming) : [];
  for (const name of made) taken.add(name);
  if (taken.size > 0) {
    sources.take(responded, taken, after);
    for (const name of taken) {
      const source = made.includes(name) ? { request, how: 'made-by-the-class' as const } : sourceOf(name);
      if (source !== responded) (sources.byField ??= new Map<string, Source | undefined>()).set(name, source);
    }
  }
  return before.base !== after;
}

function changedBeside(before: Fields, after: Fields, incoming: Fields): string[] {
  return Object.keys(after).filter(
    (name) => !Object.hasOwn(incoming, name) && !isEqual(before[name], after[name]),
  );
}

/** The rule by which the field lost; undefined where it was taken. */
function ruleFor(name: string, statement: Statement, findByMark: FindByMark): LossRule | undefined {
  const { row, incoming, before, policy, origin } = statement;
  const base = before.base as Fields; // cast: asked by the caller
  const after = row.base as Fields; // cast: as above
  const isIn = Object.hasOwn(after, name) && isEqual(after[name], incoming[name]);
  const order = policy?.byVersion(base, incoming);
  if (order !== undefined && order < 0) return 'lower-version';
  if (policy?.merge) {
    const isNewer = row.stamp.fetchedAt === origin.sent;
    const wasIn = Object.hasOwn(base, name) && isEqual(base[name], incoming[name]);
    return isIn && (isNewer || !wasIn) ? undefined : 'hook-of-the-class';
  }
  const hasOwnPlace = before.fieldStamps?.has(name) === true;
  const known = Object.hasOwn(base, name) ? (before.fieldStamps?.get(name) ?? before.stamp) : NEVER;
  const isOld = !(order! > 0) && isOlder(origin, known) && !(order === 0 && hasOwnPlace);
  // the store has decided otherwise than these rules: better no rule than a wrong one
  if (isOld === isIn && !isEqual(base[name], incoming[name])) return isIn ? undefined : 'cannot-tell';
  if (!isOld) return undefined;
  if (!origin.isRead) return 'write-sent-before-later-write';
  const fencedBy = findByMark(known.fence);
  if (!fencedBy) return 'older-than-what-is-stored';
  return fencedBy.isWrite ? 'read-sent-before-write-was-answered' : 'read-sent-before-later-read';
}

/** Why the answer does not become what is stored for its call; undefined where it does. */
export function lateRule(
  slot: Slot,
  isPage: boolean,
  origin: Origin,
): ExplainedAnswer['lost'][number] | undefined {
  if (!slot.hasResult) return undefined;
  if (isOlder(origin, slot.stamp)) return { rule: 'read-sent-before-later-read' };
  return isPage && slot.page && isOlder(origin, slot.page)
    ? { rule: 'page-asked-for-before-another' }
    : undefined;
}
