// The kind of the classes that `pick` makes: the kind of the whole class, with some of its fields. `PickedKind` extends the class
// of the whole kind, so that the rows of an `EntityOf` are checked although this file does not import the checks.
import type { EntityKind } from '../../schema/entity/entity-kind.ts';
import type { EntityConstructor } from '../../schema/entity/entity-constructor.ts';
import type { QueryContext, ReadContext, WriteContext } from '../../schema/protocol/protocol.ts';
import type { Node, View } from '../../store/graph.ts';
import type { Fields, Row } from '../../store/nodes.ts';
import { rowOf } from '../../store/stored-form.ts';
import { ensure } from '../../support/ensure.ts';
import { isRecord } from '../../support/plain.ts';
import { recordCoverage, notePicked } from './row-coverage.ts';
import type { PickedFields, PickingKind } from './row-coverage.ts';

/** The picked fields, and the class from which they are picked. */
export interface PickRule extends PickedFields {
  readonly whole: EntityConstructor;
  /**
   * The fields of the class that are not stored: those that the picked class does not declare, except the version. Empty for a
   * class that sparse.ts or covered-row.ts makes.
   */
  readonly ignored: ReadonlySet<string>;
}

/** The class of the kind of an entity. Only the kind of an `EntityOf` has `enterAll`, which enters all items of an array at once. */
type RowKindClass = new (
  entity: EntityConstructor,
  base: EntityConstructor,
  checks: unknown,
) => EntityKind & {
  enterAll?(items: unknown[], at: WriteContext): number;
};
type PickedKindClass = new (
  rule: PickRule,
  ...given: ConstructorParameters<RowKindClass>
) => EntityKind & PickingKind;

/** The fields whose names are wanted; the same object if all names are wanted. */
export function keepFields(fields: Fields, isWanted: (name: string) => boolean): Fields {
  if (Object.keys(fields).every(isWanted)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));
}

// The keys are classes of the library: this map is a memo, not state.
const classes = new WeakMap<object, PickedKindClass>();

/** The class of picked kinds that extends the class of the kind `of`. */
export function pickedKindClassOver(of: EntityKind): PickedKindClass {
  const Base = of.constructor as RowKindClass; // cast: the constructor of a kind that is made for an entity class
  return ensure(classes, Base, () => {
    return class PickedKind extends Base implements PickingKind {
      readonly picked: PickRule;

      constructor(rule: PickRule, ...given: ConstructorParameters<RowKindClass>) {
        super(...given);
        this.picked = rule;
      }

      override fieldNames(): readonly string[] {
        return [...this.picked.names];
      }

      // ── writing ──────────────────────────────────────────────────────────────────────────────

      /** In addition to the renaming, leaves out the ignored fields. */
      override withOwnNames(value: unknown): unknown {
        const named = super.withOwnNames(value);
        return isRecord(named) ? keepFields(named, (name) => !this.picked.ignored.has(name)) : named;
      }

      override enter(value: unknown, at: WriteContext): unknown {
        const start = this.#start(at);
        const entered = super.enter(value, at);
        this.#noteFrom(start, at);
        return entered;
      }

      enterAll(items: unknown[], at: WriteContext): number {
        const start = this.#start(at);
        const count = super.enterAll?.(items, at) ?? 0;
        this.#noteFrom(start, at);
        return count;
      }

      override fill(
        source: unknown,
        fields: Record<string, unknown>,
        at: WriteContext,
        row: Row | null,
      ): void {
        super.fill(source, fields, at, row);
        if (row) notePicked(at.effects, row.payloadIndex, this.picked);
      }

      #start({ engine, effects }: WriteContext): number {
        recordCoverage(engine.tableOf(this), this.picked.whole);
        return effects.rows.length;
      }

      /**
       * A kind without nested fields does not call `fill` for an object that equals its stored row, so the rows of such objects are
       * noted here.
       */
      #noteFrom(start: number, { effects }: WriteContext): void {
        for (let index = start; this.isLeaf && index < effects.rows.length; index += 1)
          notePicked(effects, index, this.picked);
      }

      // ── reading ──────────────────────────────────────────────────────────────────────────────

      override build(view: View, at: ReadContext): void {
        recordCoverage((view.subject as Row).table, this.picked.whole); // cast: this kind makes views of rows only
        super.build(view, at);
      }

      override openNew(members: readonly unknown[], values: unknown[], views: Node[]): number {
        const row = rowOf(members[0]);
        if (row) recordCoverage(row.table, this.picked.whole);
        return super.openNew(members, values, views);
      }

      override query(args: readonly unknown[], at: QueryContext): unknown {
        recordCoverage(at.engine.tableOf(this), this.picked.whole);
        return super.query(args, at);
      }

      project(fields: Fields): Fields {
        return keepFields(fields, (name) => this.picked.names.has(name));
      }
    };
  });
}
