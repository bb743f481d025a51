// The kind of an entity class: turns payloads into rows, and arguments into the row that they identify. A kind is compiled once per
// class and `static schema`. It records which hooks the class overrides. If the class overrides no hook and has no version, no hook
// is called while its rows are written and read, so that a plain entity costs no more than a hand-written loop.
import { lacksPart, textOfPk, withLocalId } from './pk-field.ts';
import { itemsOf } from '../../store/graph.ts';
import { tryRun } from '../../support/call-safely.ts';
import { asObject, copyPlain, isObject, isPlain, isRecord, putField } from '../../support/plain.ts';
import type { Fields, Table } from '../../store/nodes.ts';
import { InlineEntity } from '../protocol/stored-forms.ts';
import { EntityReader } from './entity-read.ts';
import { Row } from '../../store/nodes.ts';
import type {
  FormFiller,
  Host,
  QueryContext,
  ReadContext,
  RowKind,
  TableOwner,
  WriteContext,
} from '../protocol/protocol.ts';
import { countNames, countIfSame, hasField, fieldOf } from '../../store/fields.ts';
import type { EntityConstructor, WireRule } from './entity-constructor.ts';
import { HoldfastError, describeType } from '../../support/errors.ts';
import { inDevelopment } from '#env';
import { UNKNOWN } from '../protocol/protocol.ts';
import type { NestedField } from './entity-read.ts';
import { createPolicy, overridesMerge } from './entity-policy.ts';

// The keys are the users' classes: this map is a memo, not state.
const kinds = new WeakMap<object, EntityKind>();

export class EntityKind extends EntityReader implements RowKind, FormFiller {
  readonly key: string;
  readonly owner: object;
  readonly hasDefaultKey: boolean;
  readonly #hasOwnProcess: boolean;
  readonly #wireRule: WireRule | undefined;
  readonly #hasPolicy: boolean;
  /** The class with the default hooks: Entity. */
  readonly #base: EntityConstructor;
  /** Whether `process` or `pk` may depend on the object's parent. */
  readonly isContextual: boolean;

  static of(entity: EntityConstructor, base: EntityConstructor): EntityKind {
    let kind = kinds.get(entity);
    if (!kind?.isCurrent) kinds.set(entity, (kind = new EntityKind(entity, base)));
    return kind;
  }

  protected constructor(entity: EntityConstructor, base: EntityConstructor) {
    super(entity, base);
    this.owner = entity;
    this.key = entity.key;
    this.hasDefaultKey = !Object.hasOwn(entity, 'key') && entity.key === entity.name;
    this.#hasOwnProcess = entity.process !== base.process;
    this.#wireRule = entity.wireNames;
    this.#base = base;
    this.#hasPolicy = !!entity.version || overridesMerge(entity, base);
    const mayReadParent = entity.pk !== base.pk || entity.prototype.pk.length > 0;
    inDevelopment(() => {
      if (this.#wireRule && !('toOwn' in Object(this.#wireRule)))
        throw new HoldfastError('WIRE_NAMES_INVALID', { entity: this.key });
    });
    this.isContextual = this.#hasOwnProcess || (this.hasOwnPk && mayReadParent);
  }

  owners(): readonly TableOwner[] {
    return [this];
  }

  /**
   * Returns a payload, or an array of payloads, with the field names of the class instead of the server's names. A payload that has
   * these names already stays the same object.
   */
  withOwnNames(value: unknown): unknown {
    return this.#wireRule?.toOwn(value, this) ?? value;
  }

  pkOf(args: readonly unknown[]): string | undefined {
    const [first, ...rest] = args;
    const call = (fields: unknown): string | undefined => this.entity.queryKey([fields, ...rest]);
    const pk = call(first);
    return isRecord(first) && lacksPart(pk, first, call) ? undefined : pk;
  }

  isAbsent(args: readonly unknown[], host: Host): boolean {
    const pk = this.pkOf(args);
    const { rows, rowsByLocalId } = host.tableOf(this);
    return !this.entity.indexes && !rows.has(pk!) && !rowsByLocalId.has(pk!); // an undefined pk is in neither map
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────

  enter(value: unknown, at: WriteContext): unknown {
    // Some servers send '' or false for "none".
    if (value === '' || value === false) return undefined;
    if (value === null || value === undefined) return value;
    const table = at.engine.tableOf(this);
    const met = this.isLeaf ? undefined : at.rowOfObject(value);
    if (met?.table === table) return met;
    const processed = this.withOwnNames(this.#hasOwnProcess ? this.#process(value, at) : value);
    if (processed === undefined) {
      // process() returned undefined, which means that the row was deleted. Without a primary key there is no row to remove.
      const gone = tryRun(() => this.#rowOf(value, at));
      if (gone) at.effects.removed.push(gone);
      return gone;
    }
    if (!isRecord(processed)) {
      if (!isObject(value)) return this.#rowOf(value, at);
      inDevelopment(() => {
        const found = `${describeType(processed)}, which ${this.key}.process() gave`;
        if (processed !== value) at.fail('WRONG_SHAPE', { entity: this.key, expected: 'an object', found });
      });
      return at.fail('WRONG_SHAPE', {
        entity: this.key,
        expected: 'an object',
        found: describeType(processed),
      });
    }
    let fields: Fields = processed;
    const row = this.#identify(fields, table, at);
    if (row) {
      // The payload contains the same instance that readers of the row have, so nothing is written.
      if (!isPlain(value) && !at.isOwned && isShown(value, row)) return row;
      if (this.isLeaf && !this.#hasPolicy && !this.hasOwnValidate && reuseIfUnchanged(row, fields, at))
        return row;
    }
    // The fields are also copied if process() returned another object, because the class may keep that object. If the payload is
    // owned, its nested objects must be copied here, because they are not copied when they are entered.
    if (!at.isOwned || fields !== value) fields = copyFields(fields, at.isOwned ? [] : this.parts);
    const reason = this.hasOwnValidate && this.entity.validate(fields);
    if (reason) at.fail('ENTITY_INVALID', { entity: this.key, reason });
    if (row?.localId && !row.base) fields = withLocalId(this.entity, fields, row.localId);
    if (this.isLeaf) this.fill(value, fields, at, row);
    else at.fill(this, value, fields, row);
    return row ?? new InlineEntity(fields, null);
  }

  /** Replaces nested values by their stored forms, then adds the row to the effects; an inline entity has no row. */
  fill(_source: unknown, fields: Record<string, unknown>, at: WriteContext, row: Row | null): void {
    for (const { name, kind } of this.parts) {
      if (!hasField(fields, name)) continue;
      at.moveTo(name, fields, name, row?.base ? fieldOf(row.base, name) : undefined);
      fields[name] = kind.enter(fields[name], at);
    }
    const policy = this.#hasPolicy ? createPolicy(this.entity, this.#base, this.parts, at.engine) : null;
    if (row) at.effects.upsert(row, fields, policy);
  }

  /**
   * Calls process() for an object. Any other value is a primary key. The key is returned unchanged, unless it is a string from
   * which process() makes a row.
   */
  #process(value: unknown, at: WriteContext): unknown {
    const process = (): unknown => this.entity.process(value as object, at.parent, at.keyInParent, at.args); // cast: process() is declared for objects; strings are tried too
    if (isObject(value)) return process();
    const made = typeof value === 'string' && tryRun(process);
    // A process() that expects objects spreads the string into its characters (`0 in made`). The result is not a row.
    return isRecord(made) && !(0 in made) && tryRun(() => this.#pkIn(made, at)) ? made : value;
  }

  /** The row of an object; null when an overridden `pk` returns undefined, so that the object stays inline. */
  #identify(fields: Fields, table: Table, at: WriteContext): Row | null {
    const pk = this.#pkIn(fields, at);
    const draft = at.isCreation && (pk === undefined || pk === null) && at.nextDraft(table);
    if (draft) return draft;
    if (pk === undefined && this.hasOwnPk) return null;
    const text = textOfPk(pk, this.key, at);
    return at.isCreation ? at.nextCreatedRow(table, text) : at.row(table, text);
  }

  /** The row that a payload identifies, without writing its fields. Schemas such as Invalidate use it. */
  identify(value: unknown, at: WriteContext): Row {
    return this.#rowOf((this.#hasOwnProcess && this.#process(value, at)) || value, at);
  }

  /** The row of a primary key, or of an object that must contain one. */
  #rowOf(value: unknown, at: WriteContext): Row {
    const pk = isObject(value) ? this.#pkIn(this.withOwnNames(value) as Fields, at) : value; // cast: any object may be a record of fields
    return at.row(at.engine.tableOf(this), textOfPk(pk, this.key, at));
  }

  /** The primary key of an object; null when an overridden `pk` puts an absent or null field into the key. */
  #pkIn(fields: Fields, at: WriteContext): unknown {
    if (!this.hasOwnPk) return fieldOf(fields, 'id');
    const call = (of: Fields): unknown => this.entity.pk(of, at.parent, at.keyInParent, at.args);
    const pk = call(fields);
    return lacksPart(pk, fields, call) ? null : pk;
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  open(stored: unknown, at: ReadContext): unknown {
    if (stored instanceof Row) return at.readNode(stored, this);
    if (stored instanceof InlineEntity) return this.read(stored.inside, null, at);
    // The row may have been stored through another class with the same key, which declares no schema for the field. Then the field
    // has a plain id.
    const isId = (typeof stored === 'string' && stored !== '') || typeof stored === 'number';
    return isId ? at.readNode(at.engine.store.row(at.engine.tableOf(this), String(stored)), this) : stored;
  }

  query(args: readonly unknown[], at: QueryContext): unknown {
    const { store } = at.engine;
    const table = at.engine.tableOf(this);
    const pk = this.pkOf(args);
    const row = pk === undefined ? undefined : store.row(table, pk);
    const { indexes } = this.entity;
    if (row && indexes) at.depend(row);
    if (row?.shown) return row;
    const given = asObject(args[0]) as Fields; // cast: read by the names of fields
    for (const field of indexes ?? []) {
      if (!Object.hasOwn(given, field)) continue;
      const entry = store.indexEntry(table, field, given[field]);
      at.depend(entry);
      for (const found of entry.rows) return found;
    }
    return row ?? UNKNOWN;
  }
}

/**
 * Whether the fields are already in this payload, or equal base. If they equal base, base itself is written instead of a new
 * record. This saves time for the same author under a hundred comments, and for a response that repeats the stored data.
 */
// fast: N3, test/property/order
function reuseIfUnchanged(row: Row, fields: Fields, { effects }: WriteContext): boolean {
  const incoming = effects.incomingOf(row);
  if (incoming && countIfSame(fields, incoming) >= 0) return true;
  const { base } = row;
  if (!base || countIfSame(fields, base) !== countNames(base)) return false;
  effects.upsert(row, base, null);
  return true;
}

/** Copies the fields of an object that other code may hold. The given `parts` are not copied here, but when they are entered. */
function copyFields(fields: Fields, parts: readonly NestedField[]): Fields {
  const copy: Record<string, unknown> = { ...fields };
  for (const name in copy)
    if (Object.hasOwn(copy, name) && isObject(copy[name]) && !parts.some((part) => part.name === name))
      putField(copy, name, copyPlain(copy[name]));
  return copy;
}

/** Whether the value is the instance that readers of the row have at present. */
export function isShown(value: unknown, row: Row): boolean {
  return itemsOf(row.dependents).some((view) => view.value === value);
}
