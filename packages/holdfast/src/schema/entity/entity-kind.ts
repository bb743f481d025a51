// How payloads become rows of an entity class, and which row arguments name. Compiled once per class: which hooks the class
// overrides. A hook that is not overridden is never called, so plain entities cost what a hand-written loop costs.
import { lacksPart, textOfPk, withLocalId } from './pk-field.ts';
import { itemsOf, View } from '../../store/graph.ts';
import { tryRun } from '../../support/call-safely.ts';
import { copyPlain, isObject, isRecord, putField } from '../../support/plain.ts';
import type { Fields, Table } from '../../store/nodes.ts';
import { InlineEntity } from '../protocol/stored-forms.ts';
import { EntityReader } from './entity-read.ts';
import { Row } from '../../store/nodes.ts';
import type {
  Filler,
  Host,
  Kind,
  QueryContext,
  ReadContext,
  TableOwner,
  WriteContext,
} from '../protocol/protocol.ts';
import { countNames, countSame, hasField, fieldOf } from '../../store/fields.ts';
import type { EntityHooks } from './entity-hooks.ts';
import { nameOf } from '../../support/errors.ts';
import { inDevelopment } from '#env';
import { UNKNOWN } from '../protocol/protocol.ts';
import type { NestedField } from './entity-read.ts';
import { createPolicy, overridesMerge } from './entity-policy.ts';

// keyed by the users' own classes: a memo, not state
const kinds = new WeakMap<object, EntityKind>();

export class EntityKind extends EntityReader implements Kind, Filler {
  readonly key: string;
  readonly owner: object;
  readonly hasDefaultKey: boolean;
  readonly #processes: boolean;
  readonly #hasPolicy: boolean;
  /** The class whose hooks are the default ones. */
  readonly #base: EntityHooks;
  /** Whether `process` or `pk` may look at what is around the object. */
  readonly isContextual: boolean;
  /** Whether no hook of the class takes part in writing. */
  readonly #isPlain: boolean;

  static of(entity: EntityHooks, base: EntityHooks): EntityKind {
    let kind = kinds.get(entity);
    if (!kind?.isCurrent) kinds.set(entity, (kind = new EntityKind(entity, base)));
    return kind;
  }

  protected constructor(entity: EntityHooks, base: EntityHooks) {
    super(entity, base);
    this.owner = entity;
    this.key = entity.key;
    this.hasDefaultKey = !Object.hasOwn(entity, 'key') && entity.key === entity.name;
    this.#processes = entity.process !== base.process;
    this.#base = base;
    this.#hasPolicy = !!entity.version || overridesMerge(entity, base);
    const asksAround = entity.pk !== base.pk || entity.prototype.pk.length > 0;
    this.isContextual = this.#processes || (this.hasOwnPk && asksAround);
    this.#isPlain = !this.hasOwnPk && !this.#processes && !this.validates && !this.#hasPolicy;
  }

  owners(): readonly TableOwner[] {
    return [this];
  }

  pkOf(args: readonly unknown[]): string | undefined {
    const [first, ...rest] = args;
    const call = (fields: unknown): string | undefined => this.entity.queryKey([fields, ...rest]);
    const pk = call(first);
    return isRecord(first) && lacksPart(pk, first, call) ? undefined : pk;
  }

  isAbsent(args: readonly unknown[], host: Host): boolean {
    const pk = this.pkOf(args);
    const { rows, aliases } = host.tableOf(this);
    return !this.entity.indexes && !rows.has(pk!) && !aliases.has(pk!); // no row is called undefined
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────

  enter(value: unknown, at: WriteContext): unknown {
    // so some servers say that there is none
    if (value === '' || value === false) return undefined;
    if (value === null || value === undefined) return value;
    const table = at.engine.tableOf(this);
    const met = this.isLeaf ? undefined : at.metRow(value);
    if (met?.table === table) return met;
    const processed = this.#processes ? this.#process(value, at) : value;
    if (processed === undefined) {
      // without a key nobody can be gone: nothing stands here
      const gone = tryRun(() => this.#rowOf(value, at));
      if (gone) at.effects.removed.push(gone);
      return gone;
    }
    if (!isRecord(processed)) {
      if (!isObject(value)) return this.#rowOf(value, at);
      inDevelopment(() => {
        const found = `${nameOf(processed)}, which ${this.key}.process() gave`;
        if (processed !== value) at.fail('WRONG_SHAPE', { entity: this.key, expected: 'an object', found });
      });
      return at.fail('WRONG_SHAPE', { entity: this.key, expected: 'an object', found: nameOf(processed) });
    }
    let fields: Fields = processed;
    const row = this.#identify(fields, table, at);
    if (row) {
      // what was read from here and not changed goes back as what it stands for
      if (!at.isOwned && isShown(value, row)) return row;
      if (this.isLeaf && !this.#hasPolicy && !this.validates && acceptKnown(row, fields, at)) return row;
    }
    // what process() gave is the class's own with all that is in it, however the payload came: parts are copied at once,
    // where they would be taken as they are when they are entered
    if (!at.isOwned || fields !== value) fields = copyFields(fields, at.isOwned ? [] : this.parts);
    const reason = this.validates && this.entity.validate(fields);
    if (reason) at.fail('ENTITY_INVALID', { entity: this.key, reason });
    if (row?.localId && !row.base) fields = withLocalId(this.entity, fields, row.localId);
    if (this.isLeaf) this.fill(value, fields, at, row);
    else at.fill(this, value, fields, row);
    return row ?? new InlineEntity(fields, null);
  }

  /** Writes what is nested, in its place among the fields, and then the whole. */
  fill(_source: unknown, fields: Record<string, unknown>, at: WriteContext, row: Row | null): void {
    for (const { name, kind } of this.parts) {
      if (!hasField(fields, name)) continue;
      at.place(name, fields, name, row?.base ? fieldOf(row.base, name) : undefined);
      fields[name] = kind.enter(fields[name], at);
    }
    const policy = this.#hasPolicy ? createPolicy(this.entity, this.#base, this.parts, at.engine) : null;
    if (row) at.effects.upsert(row, fields, policy);
  }

  /** What process() makes of a payload. A text of which it makes no row is a key. */
  #process(value: unknown, at: WriteContext): unknown {
    const process = (): unknown => this.entity.process(value as object, at.parent, at.key, at.args); // cast: or what else a server sends for one
    if (isObject(value)) return process();
    const made = typeof value === 'string' && tryRun(process);
    // a process() that knows no texts has taken it apart
    return isRecord(made) && !(0 in made) && tryRun(() => this.#pkIn(made, at)) ? made : value;
  }

  /** The row of an object; null where it has no key and stays where it stands. */
  #identify(fields: Fields, table: Table, at: WriteContext): Row | null {
    const pk = this.#pkIn(fields, at);
    const draft = at.isCreation && (pk === undefined || pk === null) && at.draft(table);
    if (draft) return draft;
    if (pk === undefined && this.hasOwnPk) return null;
    const text = textOfPk(pk, this.key, at);
    return at.isCreation ? at.name(table, text) : at.row(table, text);
  }

  /** The row a payload stands for, without writing it: for schemas that only name entities. */
  identify(value: unknown, at: WriteContext): Row {
    return this.#rowOf((this.#processes && this.#process(value, at)) || value, at);
  }

  /** The row of a key, or of an object that must have one. */
  #rowOf(value: unknown, at: WriteContext): Row {
    const pk = isObject(value) ? this.#pkIn(value as Fields, at) : value; // cast: an object
    return at.row(at.engine.tableOf(this), textOfPk(pk, this.key, at));
  }

  /** Null where it has no key though it needs one. */
  #pkIn(fields: Fields, at: WriteContext): unknown {
    if (!this.hasOwnPk) return fieldOf(fields, 'id');
    const call = (of: Fields): unknown => this.entity.pk(of, at.parent, at.key, at.args);
    const pk = call(fields);
    return lacksPart(pk, fields, call) ? null : pk;
  }

  /**
   * Writes the items of a payload off the wire into a table without rows, as it is at nearly every first answer. There a
   * name need not be looked up before it is put in: if the table does not grow by it, it was there. Gives the place of the
   * first item with which there is more to it.
   */
  // fast: N1, test/property/round-trip
  enterNew(items: unknown[], at: WriteContext): number {
    const table = at.engine.tableOf(this);
    const { rows } = table;
    // a collection under way has to hear of every row
    const isSimple = this.#isPlain && this.isLeaf && at.isOwned && !at.isCreation && rows.size === 0;
    if (!isSimple || at.engine.store.touched) return 0;
    let index = 0;
    for (; index < items.length; index += 1) {
      const fields = items[index];
      if (!isObject(fields) || Array.isArray(fields)) break;
      const { id } = fields as Fields; // cast: asked by name
      if (typeof id !== 'string' || id === '') break;
      const row = new Row(table, id);
      rows.set(id, row);
      if (rows.size === index) {
        // it comes a second time: the first row gets its place back
        const first = items.find((one) => one instanceof Row && one.pk === id);
        rows.set(id, first as Row); // cast: stored by this loop
        break;
      }
      at.effects.upsert(row, fields as Fields, null); // cast: as above
      items[index] = row;
    }
    return index;
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  open(stored: unknown, at: ReadContext): unknown {
    if (stored instanceof Row) return at.view(stored, this);
    if (stored instanceof InlineEntity) return this.read(stored.inside, null, at);
    // an id that a class without this schema wrote into the field
    const isId = (typeof stored === 'string' && stored !== '') || typeof stored === 'number';
    return isId ? at.view(at.engine.store.row(at.engine.tableOf(this), String(stored)), this) : stored;
  }

  query(args: readonly unknown[], at: QueryContext): unknown {
    const { store } = at.engine;
    const table = at.engine.tableOf(this);
    const pk = this.pkOf(args);
    const row = pk === undefined ? undefined : store.row(table, pk);
    const { indexes } = this.entity;
    if (row && indexes) at.depend(row);
    const [first] = args;
    if (!row?.shown && isObject(first)) {
      for (const field of indexes ?? []) {
        if (!Object.hasOwn(first, field)) continue;
        const entry = store.indexEntry(table, field, (first as Fields)[field]); // cast: an object, checked above
        at.depend(entry);
        for (const found of entry.rows) return found;
      }
    }
    return row ?? UNKNOWN;
  }
}

/** Whether all of it was said before, and so is taken as said: an author under each of a hundred comments, a refetch. */
// fast: N3, test/property/order
function acceptKnown(row: Row, fields: Fields, { effects }: WriteContext): boolean {
  const incoming = effects.incomingOf(row);
  if (incoming && countSame(fields, incoming) >= 0) return true;
  const { base } = row;
  if (!base || countSame(fields, base) !== countNames(base)) return false;
  effects.upsert(row, base, null);
  return true;
}

/** The payload is the caller's: what is stored of it is a copy. Nested parts are copied when they are entered. */
function copyFields(fields: Fields, parts: readonly NestedField[]): Fields {
  const copy: Record<string, unknown> = { ...fields };
  for (const name of Object.keys(copy))
    if (isObject(copy[name]) && !parts.some((part) => part.name === name))
      putField(copy, name, copyPlain(copy[name]));
  return copy;
}

/** Whether the value is the instance that readers of the row have now. */
export function isShown(value: unknown, row: Row): boolean {
  const { dependents } = row;
  // asked of every object of a payload: no list is made for the usual none or one
  if (!dependents || dependents instanceof View) return dependents?.value === value;
  return itemsOf(dependents).some((view) => view.value === value);
}
