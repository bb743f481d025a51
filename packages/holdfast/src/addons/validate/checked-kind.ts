// How rows of a class made by `EntityOf` are judged: before the walk takes a payload's object in, and again when a record is read
// that no payload brought as it is, such as one of a saved state. All else is the entity's own kind.
import { forbidPatch } from '../../store/graph.ts';
import type { Node, View } from '../../store/graph.ts';
import { fieldOf, hasField } from '../../store/fields.ts';
import { Row } from '../../store/nodes.ts';
import type { Fields, RowState } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { ensure } from '../../support/ensure.ts';
import type { ValidationError } from '../../support/errors.ts';
import { isRecord } from '../../support/plain.ts';
import type { EntityHooks } from '../../schema/entity/entity-hooks.ts';
import { EntityKind, isShown } from '../../schema/entity/entity-kind.ts';
import { INVALID } from '../../schema/protocol/protocol.ts';
import type { Host, ReadContext, WriteContext } from '../../schema/protocol/protocol.ts';
import { judgeRecord, requiredIn, topOf } from './checks.ts';
import type { Checks } from './checks.ts';
import { FINE, judgePayload } from './judge-payload.ts';
import type { Entry, CheckRule, PayloadVerdict } from './judge-payload.ts';
import { Quarantine } from './quarantine.ts';
import type { RefusedField, RefusedRow } from './refused-rows.ts';

/** What stands for a row that its frame can do without. Never stored. */
export const REFUSED: unique symbol = Symbol();

export class CheckedKind extends EntityKind {
  /** `EntityOf` was given it. */
  override readonly hasDefaultKey: boolean = false;
  readonly #checks: Checks;
  readonly #processes: boolean;
  #required: ReadonlySet<string> | null = null;
  /** What payloads are judged by. Made on first use: schemas may refer to each other in a circle. */
  #rule: CheckRule | null = null;
  /** Records that were judged as they are. */
  readonly #sound = new WeakSet<Fields>();
  /** What was made of a payload's bad objects. */
  readonly #copies = new WeakMap<WriteContext, Map<Fields, Fields>>();
  /** How many rows of a payload were judged. */
  readonly #counts = new WeakMap<WriteContext, number>();

  constructor(entity: EntityHooks, base: EntityHooks, checks: Checks) {
    super(entity, base);
    this.#checks = checks;
    this.#processes = entity.process !== base.process;
  }

  /** The fields without which a row is not what its type says. */
  get required(): ReadonlySet<string> {
    return (this.#required ??= requiredIn(new this.entity(), this.#checks.fields));
  }

  /** The declared fields, with the kinds of parts that may be refused themselves. */
  #entries(): readonly Entry[] {
    return [...this.#checks.fields].map(([name, declared]) => {
      const kind = this.parts.find((part) => part.name === name)?.kind;
      return { name, ...declared, kind: kind instanceof CheckedKind ? kind : null };
    });
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────

  override enter(value: unknown, at: WriteContext): unknown {
    const stored = this.take(value, at, false);
    return stored === REFUSED ? undefined : stored;
  }

  /** The items of an array: what is refused leaves no gap. */
  override enterNew(items: unknown[], at: WriteContext): number {
    const { existing, parent, key } = at;
    const present: readonly unknown[] = Array.isArray(existing) ? existing : [];
    const start = this.#enterFine(items, at);
    let kept = start;
    for (let index = start; index < items.length; index += 1) {
      at.place(index, parent, key, present[index]);
      const stored = this.take(items[index], at, !isCreated(at));
      if (stored === REFUSED) continue;
      items[kept] = stored;
      kept += 1;
    }
    items.length = kept;
    return kept;
  }

  /** Hands the first rows of a table on as they are, if all of them are fine; gives the place where it stopped. */
  // fast: V1, test/property/checked-rows
  #enterFine(items: unknown[], at: WriteContext): number {
    const isFirst = this.isLeaf && at.isOwned && !this.#processes && at.engine.tableOf(this).rows.size === 0;
    if (!isFirst || !Quarantine.of(at.engine).isEmpty) return 0;
    const count = this.#counts.get(at);
    const isFine = (item: unknown): boolean => isRecord(item) && this.#judge(item, undefined, at) === FINE;
    if (items.every(isFine)) {
      for (const item of items) this.#sound.add(item as Fields); // cast: a record
      return super.enterNew(items, at);
    }
    // they are judged once more, one by one
    if (count === undefined) this.#counts.delete(at);
    else this.#counts.set(at, count);
    return 0;
  }

  /** The stored form of a value; REFUSED where it is refused and left out. `mayDrop`: the frame can do without it. */
  take(value: unknown, at: WriteContext, mayDrop: boolean): unknown {
    if (!isRecord(value) || at.metRow(value)) return super.enter(value, at);
    const input = this.#processes ? this.entity.process(value, at.parent, at.key, at.args) : value;
    if (!isRecord(input)) return super.enter(value, at);
    const row = this.#find(input, at);
    if (row && !at.isOwned && isShown(value, row)) return super.enter(value, at);
    if (row?.base === null && !at.isOptimistic && isNameOnly(input, at)) {
      // what the answer to a deletion is made of: it states nothing that could be judged
      const named = super.enter(value, at);
      this.#sound.add(at.effects.incomingOf(row) ?? input);
      return named;
    }
    const known = this.#stateOf(row, at);
    const verdict = this.#judge(input, known, at);
    if (verdict.fields.length === 0 && !verdict.isTorn) {
      const quarantine = Quarantine.of(at.engine);
      if (!quarantine.isEmpty) quarantine.clear(this.key, this.#pkOf(input, at));
      const stored = super.enter(value, at);
      if (at.isOwned && input === value && verdict === FINE) this.#sound.add(value);
      return stored;
    }
    const { onInvalid } = this.#checks;
    const error = this.#errorOf(verdict, at);
    const report = (outcome: RefusedRow['outcome']): void => {
      if (verdict.fields.length > 0)
        this.#report(input, at, String(error.params['path']), verdict.fields, outcome);
    };
    if (!verdict.isTorn && onInvalid === 'pass') {
      report('passed');
      return super.enter(value, at);
    }
    if (onInvalid === 'keep' && this.#canKeep(verdict, known)) {
      report('kept');
      return super.enter(this.#withoutBad(value, verdict, at), at);
    }
    const isDropped =
      (verdict.isTorn || onInvalid !== 'reject') && (mayDrop || canDoWithout(value, at, error));
    report(isDropped ? 'dropped' : 'refused');
    if (isDropped) return REFUSED;
    throw error;
  }

  /** Whether a row would be refused where its frame cannot do without it. It is reported: it will not be entered. */
  refuses(value: unknown, at: WriteContext, name: string, seen: Set<unknown>): boolean {
    const { onInvalid } = this.#checks;
    if (!isRecord(value) || this.#processes || onInvalid === 'reject' || seen.has(value)) return false;
    seen.add(value);
    const known = this.#stateOf(this.#find(value, at), at);
    const verdict = this.#judge(value, known, at, seen);
    if (verdict.fields.length === 0) return verdict.isTorn;
    if (!verdict.isTorn && (onInvalid === 'pass' || (onInvalid === 'keep' && this.#canKeep(verdict, known))))
      return false;
    const { path } = this.#errorOf(verdict, at).params;
    this.#report(value, at, `${String(path)}.${name}`, verdict.fields, 'dropped');
    return true;
  }

  #find(input: Fields, at: WriteContext): Row | undefined {
    const pk = this.#pkOf(input, at);
    if (pk === undefined) return undefined;
    const { rows, aliases } = at.engine.tableOf(this);
    const row = rows.get(pk) ?? aliases.get(pk);
    return row?.forward ?? row;
  }

  #pkOf(input: Fields, { parent, key, args }: WriteContext): string | undefined {
    const pk = this.hasOwnPk ? tryRun(() => this.entity.pk(input, parent, key, args)) : fieldOf(input, 'id');
    return pk === undefined || pk === null || pk === '' ? undefined : String(pk);
  }

  /** What the payload will be laid over. */
  #stateOf(row: Row | undefined, { isOptimistic }: WriteContext): RowState {
    return isOptimistic ? row?.shown : row?.base;
  }

  #canKeep({ fields, isTorn }: PayloadVerdict, known: RowState): boolean {
    // a class that reshapes its payloads would reshape this one twice
    return (
      !!known && !isTorn && !this.#processes && fields.every(({ field }) => hasField(known, topOf(field)))
    );
  }

  /** A copy without the bad fields. One for each object: a payload may hold itself. */
  #withoutBad(value: Fields, { fields }: PayloadVerdict, at: WriteContext): Fields {
    const bad = new Set(fields.map(({ field }) => topOf(field)));
    const copies = ensure(this.#copies, at, () => new Map<Fields, Fields>());
    return ensure(copies, value, () =>
      Object.fromEntries(Object.entries(value).filter(([name]) => !bad.has(name))),
    );
  }

  /** The refusal, made as the walk makes it: it knows where the row stands. */
  #errorOf({ fields }: PayloadVerdict, at: WriteContext): ValidationError {
    const reason = fields.map(fieldText).join('; ') || 'a row that it needs was refused';
    try {
      return at.fail('ENTITY_INVALID', { entity: this.key, reason });
    } catch (error) {
      return error as ValidationError; // cast: what `fail` throws
    }
  }

  #report(
    input: Fields,
    at: WriteContext,
    path: string,
    fields: readonly RefusedField[],
    outcome: RefusedRow['outcome'],
  ): void {
    const entity = this.key;
    const [first] = fields;
    // a refused payload is an error that says the same
    if (first && outcome !== 'refused')
      at.engine.warn('ROW_REFUSED', `${entity} ${topOf(first.field)}`, {
        entity,
        reason: fieldText(first),
        path,
        outcome,
      });
    Quarantine.of(at.engine).add(at.engine, { entity, pk: this.#pkOf(input, at), path, fields, outcome });
  }

  #judge(input: Fields, known: RowState, at: WriteContext, seen?: Set<unknown>): PayloadVerdict {
    const { entity, required } = this;
    this.#rule ??= { checks: this.#checks, entries: this.#entries(), entity, required };
    const isOwned = at.isOwned && !this.#processes;
    return judgePayload(this.#rule, { input, known, at, isOwned, isSkipped: this.#isSkipped(at), seen });
  }

  #isSkipped(at: WriteContext): boolean {
    const { stride } = this.#checks;
    if (stride === 1) return false;
    const count = this.#counts.get(at) ?? 0;
    this.#counts.set(at, count + 1);
    return count % stride !== 0;
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  override build(view: View, at: ReadContext): void {
    const row = view.subject as Row; // cast: this kind makes views of rows only
    const state = row.forward ? undefined : at.stateOf(row);
    if (!state || this.#isSound(row, state, at.engine)) return super.build(view, at);
    forbidPatch(view);
    view.builtFrom = undefined;
    at.complete(view, INVALID);
  }

  override openNew(members: readonly unknown[], values: unknown[], views: Node[]): number {
    const isJudged = (member: unknown): boolean =>
      member instanceof Row && !!member.shown && this.#sound.has(member.shown);
    const odd = members.findIndex((member) => !isJudged(member));
    return super.openNew(odd < 0 ? members : members.slice(0, odd), values, views);
  }

  /** Whether a record is what the type says. Payloads were judged when they came; a merge, a guess or a state made this one. */
  #isSound({ pk }: Row, record: Fields, host: Host): boolean {
    if (this.#checks.onInvalid === 'pass' || this.#sound.has(record)) return true;
    const found = judgeRecord(this.#checks, this.required, record);
    const [first] = found;
    if (first === undefined) {
      this.#sound.add(record);
      return true;
    }
    host.missing = { entity: this.key, pk, field: topOf(first.field) };
    Quarantine.of(host).add(host, { entity: this.key, pk, path: '', fields: found, outcome: 'dropped' });
    return false;
  }
}

function fieldText({ field, message }: RefusedField): string {
  return field === '' ? message : `${field}: ${message}`;
}

/** Whether an object says no more than the arguments of its call, which name the row. */
function isNameOnly(input: Fields, { args: [params] }: WriteContext): boolean {
  return isRecord(params) && Object.keys(input).every((name) => Object.is(params[name], input[name]));
}

/** Whether a row is what was created: without it the answer says nothing. */
function isCreated({ isCreation, enclosingRow }: WriteContext): boolean {
  return isCreation && enclosingRow === null;
}

/** Whether a value stands in an array, or in a map, which says so by giving itself for what is there. */
function canDoWithout(value: object, at: WriteContext, { params }: ValidationError): boolean {
  const { parent, key, existing } = at;
  if (isCreated(at)) return false;
  if (existing !== undefined && existing === parent) return true;
  const isMember = isRecord(parent) && fieldOf(parent, key) === value;
  return !isMember && /\[\d+\]$/.test(String(params['path']));
}
