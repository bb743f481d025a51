// The kind of the classes that `EntityOf` makes: an EntityKind that checks rows. It checks the objects of a payload before they are
// stored. Unless `onInvalid` is `pass`, it also checks a stored record when it is read, if the record was not found valid before.
import { forbidPatch } from '../../store/graph.ts';
import type { Node, View } from '../../store/graph.ts';
import { fieldOf, hasField } from '../../store/fields.ts';
import { Row } from '../../store/nodes.ts';
import type { Fields, RowState } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { ensure } from '../../support/ensure.ts';
import { warnOnce } from '../../support/errors.ts';
import type { ValidationError } from '../../support/errors.ts';
import { isRecord } from '../../support/plain.ts';
import type { EntityConstructor } from '../../schema/entity/entity-constructor.ts';
import { EntityKind, isShown } from '../../schema/entity/entity-kind.ts';
import { INVALID } from '../../schema/protocol/protocol.ts';
import type { ReadContext, WriteContext } from '../../schema/protocol/protocol.ts';
import { judgeRecord, requiredIn, firstNameOf } from './checks.ts';
import type { Checks } from './checks.ts';
import { FINE, judgePayload } from './judge-payload.ts';
import type { CheckedEntry, CheckRule, JudgedObjects, PayloadVerdict } from './judge-payload.ts';
import { RefusalReports } from './refusal-reports.ts';
import type { RefusedField, RefusedRow } from './refused-rows.ts';

/** The result for a refused row that its container can leave out. It is never stored. */
export const REFUSED: unique symbol = Symbol();

export class CheckedKind extends EntityKind {
  /** The value is false, because `EntityOf` takes the key as an argument. */
  override readonly hasDefaultKey: boolean = false;
  readonly #checks: Checks;
  readonly #hasOwnProcess: boolean;
  #required: ReadonlySet<string> | null = null;
  /** The rule by which payloads are checked. It is made at first use, because schemas may refer to each other in a circle. */
  #rule: CheckRule | null = null;
  /**
   * The records that are not checked when they are read, because they were checked in exactly this form or have nothing to check.
   */
  readonly #validRecords = new WeakSet<Fields>();
  /** For each payload, the objects whose invalid fields are left out, each with its copy without these fields. */
  readonly #copiesWithoutInvalid = new WeakMap<WriteContext, Map<Fields, Fields>>();
  /** For each payload, its objects, each with its copy whose fields have the class's names instead of the server's. */
  readonly #namedCopies = new WeakMap<WriteContext, Map<unknown, unknown>>();
  /** For each payload, the number of its objects that `#countObject` has counted. Not set if all rows are in the sample. */
  readonly #checkedCounts = new WeakMap<WriteContext, number>();

  constructor(entity: EntityConstructor, base: EntityConstructor, checks: Checks) {
    super(entity, base);
    this.#checks = checks;
    this.#hasOwnProcess = entity.process !== base.process;
  }

  /** The fields without which a row does not have its declared type. */
  get required(): ReadonlySet<string> {
    return (this.#required ??= requiredIn(new this.entity(), this.#checks.fields));
  }

  /** The declared fields. A field with a nested row of `EntityOf` also has the kind of that row. */
  #entries(): readonly CheckedEntry[] {
    return [...this.#checks.fields].map(([name, declared]) => {
      const kind = this.parts.find((part) => part.name === name)?.kind;
      return { name, ...declared, kind: kind instanceof CheckedKind ? kind : null };
    });
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────

  override enter(value: unknown, at: WriteContext): unknown {
    const stored = this.enterOrRefuse(value, at, false);
    return stored === REFUSED ? undefined : stored;
  }

  /** Enters the items of an array, and closes the gaps that refused items leave. */
  enterAll(items: unknown[], at: WriteContext): number {
    const { existing, parent, keyInParent: key } = at;
    const present: readonly unknown[] = Array.isArray(existing) ? existing : [];
    for (const [index, item] of items.entries()) items[index] = this.#ownNamesOf(item, at);
    const areValid = this.#checkAll(items, at);
    let kept = 0;
    for (const [index, item] of items.entries()) {
      at.moveTo(index, parent, key, present[index]);
      const stored = areValid ? super.enter(item, at) : this.enterOrRefuse(item, at, !isCreated(at));
      if (stored === REFUSED) continue;
      items[kept] = stored;
      kept += 1;
    }
    items.length = kept;
    return kept;
  }

  /**
   * Checks all items at once if the class has neither nested nor converted fields, its table has no rows and no refused row is
   * reported; `isFirst` has further conditions. Returns true if all items were checked and are valid; they are then entered without
   * another check.
   */
  // fast: V1, test/property/checked-rows
  #checkAll(items: readonly unknown[], at: WriteContext): boolean {
    const isFirst =
      this.isLeaf && at.isOwned && !this.#hasOwnProcess && at.engine.tableOf(this).rows.size === 0;
    if (!isFirst || !RefusalReports.of(at.engine).isEmpty(at.engine)) return false;
    const count = this.#checkedCounts.get(at);
    const isFine = (item: unknown): boolean => isRecord(item) && this.#judge(item, undefined, at) === FINE;
    if (items.every(isFine)) {
      for (const item of items) this.#validRecords.add(item as Fields); // cast: `isFine` accepts only records
      return true;
    }
    // The items will be checked and counted again one by one, so the count is restored.
    if (count === undefined) this.#checkedCounts.delete(at);
    else this.#checkedCounts.set(at, count);
    return false;
  }

  /** Returns the stored form of a value, or REFUSED if the value is left out. `mayDrop`: the caller can leave the value out. */
  enterOrRefuse(given: unknown, at: WriteContext, mayDrop: boolean): unknown {
    const value = this.#ownNamesOf(given, at);
    if (!isRecord(value) || at.rowOfObject(value)) return super.enter(value, at);
    const input = this.#hasOwnProcess
      ? this.withOwnNames(this.entity.process(value, at.parent, at.keyInParent, at.args))
      : value;
    if (!isRecord(input)) return super.enter(value, at);
    const row = this.#find(input, at);
    if (row && !at.isOwned && isShown(value, row)) return super.enter(value, at);
    if (row?.base === null && !at.isOptimistic && hasOnlyArguments(input, at)) {
      // The arguments of a deletion take the place of its response, so there are no fields to check.
      const named = super.enter(value, at);
      this.#validRecords.add(at.effects.incomingOf(row) ?? input);
      return named;
    }
    const known = this.#stateBeforeMerge(row, at);
    const verdict = this.#judge(input, known, at);
    if (verdict.fields.length === 0 && !verdict.lacksNestedRow) {
      const reports = RefusalReports.of(at.engine);
      if (!reports.isEmpty(at.engine)) reports.clear(this.key, this.#pkOf(input, at));
      const stored = super.enter(value, at);
      if (at.isOwned && input === value && verdict === FINE) this.#validRecords.add(value);
      return stored;
    }
    const { onInvalid } = this.#checks;
    const error = this.#errorOf(verdict, at);
    const report = (outcome: RefusedRow['outcome']): void => {
      if (verdict.fields.length > 0)
        this.#report(input, at, String(error.params['path']), verdict.fields, outcome);
    };
    if (!verdict.lacksNestedRow && onInvalid === 'pass') {
      report('passed');
      return super.enter(value, at);
    }
    if (onInvalid === 'keep' && this.#canKeep(verdict, known)) {
      report('kept');
      return super.enter(this.#withoutInvalid(value, verdict, at), at);
    }
    const isDropped =
      (verdict.lacksNestedRow || onInvalid !== 'reject') && (mayDrop || canDoWithout(value, at, error));
    report(isDropped ? 'dropped' : 'refused');
    // The refusal is noted even without a report: a row without invalid fields may be left out because of a nested row, which has
    // the report.
    RefusalReports.of(at.engine).noteRefusal(at.engine.store, this.key);
    if (isDropped) return REFUSED;
    throw error;
  }

  /**
   * Whether a nested row will be left out, because it is invalid or lacks a required nested row. An invalid row is reported here,
   * because `enterOrRefuse` does not get it.
   */
  reportIfRefused(given: unknown, at: WriteContext, name: string, judged: JudgedObjects): boolean {
    const value = this.#ownNamesOf(given, at);
    if (!isRecord(value) || this.#hasOwnProcess || this.#checks.onInvalid === 'reject') return false;
    const results = ensure(judged, this, () => new Map<unknown, boolean>());
    const earlier = results.get(value);
    if (earlier !== undefined) return earlier;
    results.set(value, false);
    const isRefused = this.#judgeNested(value, at, name, judged);
    results.set(value, isRefused);
    return isRefused;
  }

  #judgeNested(value: Fields, at: WriteContext, name: string, judged: JudgedObjects): boolean {
    const { onInvalid } = this.#checks;
    const known = this.#stateBeforeMerge(this.#find(value, at), at);
    const verdict = this.#judge(value, known, at, judged);
    if (verdict.fields.length === 0) return verdict.lacksNestedRow;
    if (
      !verdict.lacksNestedRow &&
      (onInvalid === 'pass' || (onInvalid === 'keep' && this.#canKeep(verdict, known)))
    )
      return false;
    const { path } = this.#errorOf(verdict, at).params;
    this.#report(value, at, `${String(path)}.${name}`, verdict.fields, 'dropped');
    return true;
  }

  /**
   * The object before it is checked, with the field names of the class instead of the server's. A class with its own `process` gets
   * the server's names, and the result of `process` is renamed. There is one copy per object, because a payload may contain itself.
   */
  #ownNamesOf(value: unknown, at: WriteContext): unknown {
    if (!this.entity.wireNames || this.#hasOwnProcess || !isRecord(value)) return value;
    const copies = ensure(this.#namedCopies, at, () => new Map<unknown, unknown>());
    return ensure(copies, value, () => this.withOwnNames(value));
  }

  #find(input: Fields, at: WriteContext): Row | undefined {
    const pk = this.#pkOf(input, at);
    if (pk === undefined) return undefined;
    const { rows, rowsByLocalId } = at.engine.tableOf(this);
    const row = rows.get(pk) ?? rowsByLocalId.get(pk);
    return row?.replacedBy ?? row;
  }

  #pkOf(input: Fields, { parent, keyInParent: key, args }: WriteContext): string | undefined {
    const pk = this.hasOwnPk ? tryRun(() => this.entity.pk(input, parent, key, args)) : fieldOf(input, 'id');
    return pk === undefined || pk === null || pk === '' ? undefined : String(pk);
  }

  /** The fields into which the payload will be merged. */
  #stateBeforeMerge(row: Row | undefined, { isOptimistic }: WriteContext): RowState {
    return isOptimistic ? row?.shown : row?.base;
  }

  #canKeep({ fields, lacksNestedRow }: PayloadVerdict, known: RowState): boolean {
    // A class with its own `process` is excluded, because `process` would run again on the copy.
    return (
      !!known &&
      !lacksNestedRow &&
      !this.#hasOwnProcess &&
      fields.every(({ field }) => hasField(known, firstNameOf(field)))
    );
  }

  /** A copy without the invalid fields. There is one copy per object, because a payload may contain itself. */
  #withoutInvalid(value: Fields, { fields }: PayloadVerdict, at: WriteContext): Fields {
    const invalid = new Set(fields.map(({ field }) => firstNameOf(field)));
    const copies = ensure(this.#copiesWithoutInvalid, at, () => new Map<Fields, Fields>());
    return ensure(copies, value, () =>
      Object.fromEntries(Object.entries(value).filter(([name]) => !invalid.has(name))),
    );
  }

  /** The error for a refused row. It is thrown by `at.fail`, which adds the path of the row, and caught here. */
  #errorOf({ fields }: PayloadVerdict, at: WriteContext): ValidationError {
    const reason = fields.map(fieldText).join('; ') || 'a row that it needs was refused';
    try {
      return at.fail('ENTITY_INVALID', { entity: this.key, reason });
    } catch (error) {
      return error as ValidationError; // cast: `fail` throws nothing else
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
    // A refused payload causes no warning, because its error has the same text.
    if (first && outcome !== 'refused')
      warnOnce(at.engine, 'ROW_REFUSED', `${entity} ${firstNameOf(first.field)}`, {
        entity,
        reason: fieldText(first),
        path,
        outcome,
      });
    RefusalReports.of(at.engine).add(at.engine, { entity, pk: this.#pkOf(input, at), path, fields, outcome });
  }

  #judge(input: Fields, known: RowState, at: WriteContext, judged?: JudgedObjects): PayloadVerdict {
    const { entity, required } = this;
    this.#rule ??= { checks: this.#checks, entries: this.#entries(), entity, required };
    const isOwned = at.isOwned && !this.#hasOwnProcess;
    return judgePayload(this.#rule, {
      input,
      known,
      context: at,
      isOwned,
      isSkipped: this.#countObject(at),
      judged,
    });
  }

  /** Counts an object of the payload. Returns true if its `check` fields are skipped, because it is not in the sample. */
  #countObject(at: WriteContext): boolean {
    const { stride } = this.#checks;
    if (stride === 1) return false;
    const count = this.#checkedCounts.get(at) ?? 0;
    this.#checkedCounts.set(at, count + 1);
    return count % stride !== 0;
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  override build(view: View, at: ReadContext): void {
    const row = view.subject as Row; // cast: the views of this kind are of rows only
    const state = row.replacedBy ? undefined : at.stateOf(row, this);
    if (!state || this.#checkRecord(row, state, at)) return super.build(view, at);
    forbidPatch(view);
    view.builtFrom = undefined;
    at.finishView(view, INVALID);
  }

  override openNew(members: readonly unknown[], values: unknown[], views: Node[]): number {
    const isJudged = (member: unknown): boolean =>
      member instanceof Row && !!member.shown && this.#validRecords.has(member.shown);
    const unchecked = members.findIndex((member) => !isJudged(member));
    return super.openNew(unchecked < 0 ? members : members.slice(0, unchecked), values, views);
  }

  /** Whether a stored record may be shown. A record that was found valid is not checked again. A merge makes a new record. */
  #checkRecord({ pk }: Row, record: Fields, at: ReadContext): boolean {
    if (this.#checks.onInvalid === 'pass' || this.#validRecords.has(record)) return true;
    const found = judgeRecord(this.#checks, this.required, record);
    const [first] = found;
    if (first === undefined) {
      this.#validRecords.add(record);
      return true;
    }
    at.missing = { entity: this.key, pk, field: firstNameOf(first.field) };
    RefusalReports.of(at.engine).add(at.engine, {
      entity: this.key,
      pk,
      path: '',
      fields: found,
      outcome: 'dropped',
    });
    return false;
  }
}

function fieldText({ field, message }: RefusedField): string {
  return field === '' ? message : `${field}: ${message}`;
}

/** Whether each field of an object has the value that the call's first argument has under this name. */
function hasOnlyArguments(input: Fields, { args: [params] }: WriteContext): boolean {
  return isRecord(params) && Object.keys(input).every((name) => Object.is(params[name], input[name]));
}

/** Whether the value is a row of a creation, a removal or a move. Such a row cannot be left out. */
function isCreated({ isCreation, enclosingRow }: WriteContext): boolean {
  return isCreation && enclosingRow === null;
}

/** Whether a value can be left out: it is an item of an array or of a map. A map passes itself as `parent` and `existing`. */
function canDoWithout(value: object, at: WriteContext, { params }: ValidationError): boolean {
  const { parent, keyInParent: key, existing } = at;
  if (isCreated(at)) return false;
  if (existing !== undefined && existing === parent) return true;
  const isProperty = isRecord(parent) && fieldOf(parent, key) === value;
  return !isProperty && /\[\d+\]$/.test(String(params['path']));
}
