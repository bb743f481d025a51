// How an entity class is written and read. Compiled once per class: which fields are nested, which hooks the class overrides.
// A hook that is not overridden is never called, so plain entities cost what a hand-written loop costs.
import { deepFreeze } from '#env';
import { hasField, isEqual, ownValue } from '../../store/fields.ts';
import { forbidPatch } from '../../store/graph.ts';
import { Row } from '../../store/nodes.ts';
import type { Fields, RowPolicy, Table } from '../../store/nodes.ts';
import type { Node, View } from '../../store/view.ts';
import { nameOf } from '../../support/errors.ts';
import { ArrayKind } from '../kinds/array-kind.ts';
import type { EntityHooks } from './entity-hooks.ts';
import { createPolicy, overridesMerge } from './entity-policy.ts';
import { openPatch } from './entity-patch.ts';
import { partsIn } from './entity-parts.ts';
import type { Parts } from './entity-parts.ts';
import { fillInstance, openNewRows, readEntity } from './entity-read.ts';
import {
  acceptKnown,
  copyFields,
  enterNewRows,
  enterParts,
  findRow,
  hasTextId,
  isShown,
} from './entity-write.ts';
import { FieldKind } from '../kinds/field-kind.ts';
import { InlineEntity } from '../protocol/inline-entity.ts';
import { kindOf } from '../kinds/kind-of.ts';
import { asksAround, lacksPart, textOfPk, withLocalId } from './pk-field.ts';
import type {
  Kind,
  QueryContext,
  ReadContext,
  Restore,
  TableOwner,
  ViewReader,
  WriteContext,
} from '../protocol/protocol.ts';
import { INVALID, UNKNOWN } from '../protocol/protocol.ts';
import { SafeNames } from './safe-names.ts';

const kinds = new WeakMap<object, EntityKind>();

export class EntityKind implements Kind, ViewReader {
  readonly entity: EntityHooks;
  readonly key: string;
  readonly owner: object;
  readonly hasDefaultKey: boolean;
  readonly isLeaf: boolean;
  /** Whether an instance is the stored fields over the defaults and nothing more. */
  readonly #isBare: boolean;
  /** Whether a hook takes part in making instances. */
  readonly createsItself: boolean;
  readonly validates: boolean;
  readonly isContextual: boolean;
  readonly names: SafeNames;
  /** What this was compiled from: assigned late when classes refer to each other in a circle. */
  readonly #schema: Record<string, unknown>;
  /** Whether the class has a key of its own, which may say that an object stays where it stands. */
  readonly #hasOwnPk: boolean;
  readonly #processes: boolean;
  readonly #hasPolicy: boolean;
  /** Whether no hook of the class takes part in writing. */
  readonly #isPlain: boolean;
  #nested: Map<string, Kind> | null = null;
  #canPatch: boolean | null = null;
  #parts: Parts | null = null;
  #declared: readonly string[] | null = null;

  static of(entity: EntityHooks, base: EntityHooks): EntityKind {
    const known = kinds.get(entity);
    if (known !== undefined && known.isCurrent) return known;
    const kind = new EntityKind(entity, base);
    kinds.set(entity, kind);
    return kind;
  }

  private constructor(entity: EntityHooks, base: EntityHooks) {
    this.entity = this.owner = entity;
    this.names = new SafeNames(entity);
    this.key = entity.key;
    this.hasDefaultKey = !Object.hasOwn(entity, 'key') && entity.key === entity.name;
    this.#schema = entity.schema;
    this.isLeaf = Object.keys(entity.schema).length === 0;
    this.#hasOwnPk = entity.pk !== base.pk || entity.prototype.pk !== base.prototype.pk;
    this.#processes = entity.process !== base.process;
    this.isContextual = this.#processes || (this.#hasOwnPk && asksAround(entity, base));
    this.validates = entity.validate !== base.validate;
    this.createsItself = entity.createIfValid !== base.createIfValid || entity.fromJS !== base.fromJS;
    this.#hasPolicy = overridesMerge(entity, base);
    this.#isPlain = !this.#hasOwnPk && !this.#processes && !this.validates && !this.#hasPolicy;
    this.#isBare = this.isLeaf && !this.createsItself && !this.validates;
  }

  get isCurrent(): boolean {
    return this.#schema === this.entity.schema;
  }

  /** Made on first use: schemas may refer to each other in a circle. */
  get nested(): Map<string, Kind> {
    const schema = this.#schema;
    return (this.#nested ??= new Map(Object.keys(schema).map((name) => [name, kindOf(schema[name])])));
  }

  /** Whether instances can be copied, and what is nested stands in a field, or in an array there: see entity-patch.ts. */
  get canPatch(): boolean {
    this.#canPatch ??=
      !this.createsItself &&
      !this.validates &&
      this.names.cover(this.#schema) && // a getter in place of an absent part would be asked
      this.names.areData &&
      this.parts.kinds.every(EntityKind.#isInSight);
    return this.#canPatch;
  }

  static #isInSight(this: void, kind: Kind): boolean {
    const inner = kind instanceof ArrayKind ? kind.item() : kind;
    return inner instanceof EntityKind ? !inner.#hasOwnPk : inner instanceof FieldKind;
  }

  get parts(): Parts {
    return (this.#parts ??= { names: [...this.nested.keys()], kinds: [...this.nested.values()] });
  }

  /** Whether a row has every field that the class declares: a list may have brought a summary. */
  covers(fields: Fields): boolean {
    this.#declared ??= Object.keys(this.entity.defaults);
    return this.#declared.every((name) => hasField(fields, name));
  }

  readonly pkOf = (args: readonly unknown[]): string | undefined => this.entity.queryKey(args);

  owners(): readonly TableOwner[] {
    return [this];
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    // an object off the wire under its own name, of a class without hooks: nearly all that is ever written
    if (this.#isPlain && at.isOwned && at.creation === null && hasTextId(value)) {
      const row = findRow(at.table(this), value.id, at);
      return this.isLeaf && acceptKnown(row, value, at) ? row : this.#enterParts(row, value, value, at);
    }
    const table = at.table(this);
    if (typeof value !== 'object') return at.row(table, textOfPk(value, this.key, at));
    if (Array.isArray(value)) {
      return at.fail('WRONG_SHAPE', { entity: this.key, expected: 'an object', found: 'an array' });
    }
    const met = this.isLeaf ? undefined : at.metRow(value);
    if (met?.table === table) return met;
    let fields = value as Fields; // cast: an object, checked above
    if (this.#processes) {
      const processed = this.entity.process(value, at.parent, at.key, at.args);
      if (processed === undefined) return this.#removed(value, table, at);
      fields = this.#fieldsOf(processed, at);
    }
    const row = this.#identify(fields, table, at);
    // what was read from here, and nobody changed, goes back as what it stands for
    if (!at.isOwned && row !== null && isShown(value, row)) return row;
    const canBeKnown = this.isLeaf && !this.#hasPolicy && !this.validates;
    if (row !== null && canBeKnown && acceptKnown(row, fields, at)) return row;
    // what process() gave is the class's own with all that is in it, however the payload came: parts are copied at once,
    // where they would be taken as they are when they are entered
    if (!at.isOwned || fields !== value)
      fields = copyFields(fields, at.isOwned || this.isLeaf ? null : this.nested);
    const reason = this.validates && this.entity.validate(fields);
    if (reason) at.fail('ENTITY_INVALID', { entity: this.key, reason });
    if (row?.localId && !row.base) fields = withLocalId(this.entity, fields, row.localId);
    return this.#enterParts(row, fields, value, at);
  }

  enterNew(items: readonly unknown[], from: number, stored: unknown[], at: WriteContext): number {
    const isSimple =
      this.#isPlain && this.isLeaf && at.isOwned && at.creation === null && at.engine.store.touched === null;
    return isSimple ? enterNewRows(at.table(this), items, from, stored, at.effects) : from;
  }

  /** Writes what is nested, then the whole. The stored form is the row, or the fields where the object has no key. */
  #enterParts(row: Row | null, fields: Fields, source: object, at: WriteContext): unknown {
    if (this.isLeaf) this.#store(row, fields, at);
    else {
      if (row !== null) at.meet(source, row);
      const fill = (): void => {
        enterParts(row, partsIn(this.parts, fields), fields, at);
        if (this.isContextual) at.forget(source);
        this.#store(row, fields, at);
      };
      at.fill(source, fill, row ?? at.around);
    }
    return row ?? new InlineEntity(fields, null);
  }

  #fieldsOf(processed: unknown, at: WriteContext): Fields {
    if (typeof processed === 'object' && processed !== null && !Array.isArray(processed))
      return processed as Fields; // cast: what users reshape is still fields by name
    return at.fail('WRONG_SHAPE', {
      entity: this.key,
      expected: `an object from ${this.key}.process()`,
      found: nameOf(processed),
    });
  }

  #store(row: Row | null, fields: Fields, at: WriteContext): void {
    if (row === null) return;
    const create = (restore: Restore): RowPolicy => createPolicy(this.entity, this.nested, restore);
    at.effects.upsert(row, fields, this.#hasPolicy ? at.engine.policy(this, create) : null);
  }

  #identify(fields: Fields, table: Table, at: WriteContext): Row | null {
    const pk = this.#pkOf(fields, at);
    if (at.creation !== null && (pk === undefined || lacksPart(String(pk), fields))) {
      const draft = at.creation.draft(table);
      if (draft !== undefined) return draft;
    }
    if (pk === undefined && this.#hasOwnPk) return null;
    const text = textOfPk(pk, this.key, at);
    return at.creation === null ? findRow(table, text, at) : at.creation.name(table, text);
  }

  #removed(input: object, table: Table, at: WriteContext): unknown {
    const row = at.row(table, textOfPk(this.entity.pk(input, at.parent, at.key, at.args), this.key, at));
    at.effects.removed.push(row);
    return row;
  }

  /** The row a payload stands for, without writing it: for schemas that only name entities. */
  identify(value: unknown, at: WriteContext): Row {
    const table = at.table(this);
    if (typeof value !== 'object' || value === null) return at.row(table, textOfPk(value, this.key, at));
    const processed = this.#processes ? this.entity.process(value, at.parent, at.key, at.args) : value;
    const fields = (processed ?? value) as Fields; // cast: as above
    return at.row(table, textOfPk(this.#pkOf(fields, at), this.key, at));
  }

  #pkOf(fields: Fields, at: WriteContext): unknown {
    return this.#hasOwnPk ? this.entity.pk(fields, at.parent, at.key, at.args) : ownValue(fields, 'id');
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  open(stored: unknown, at: ReadContext): unknown {
    if (stored instanceof Row) return at.view(stored, this);
    if (stored instanceof InlineEntity) return readEntity(this, stored.inside, null, at);
    // an id that a class without this schema wrote into the field
    const isId = (typeof stored === 'string' && stored !== '') || typeof stored === 'number';
    return isId ? at.view(at.engine.store.row(at.engine.tableOf(this), String(stored)), this) : stored;
  }

  build(view: View, at: ReadContext): void {
    const row = view.subject as Row; // cast: this kind makes views of rows only
    if (row.forward !== null) {
      at.begin(view);
      return at.complete(view, at.view(row.forward, this));
    }
    const shown = at.stateOf(row);
    if (!shown) {
      forbidPatch(view);
      view.builtFrom = undefined;
      return at.complete(view, shown === null ? INVALID : undefined);
    }
    if (!this.#isBare) {
      if (!openPatch(this, shown, view, at)) readEntity(this, shown, view, at);
      return;
    }
    // marked, but with the fields it was built from: nothing to rebuild
    if (view.builtFrom === shown || isEqual(view.builtFrom, shown)) at.complete(view, view.value);
    else {
      const instance = fillInstance(this, shown, row.table.isShared);
      deepFreeze(instance);
      at.complete(view, instance);
    }
    view.builtFrom = shown;
  }

  openNew(members: readonly unknown[], from: number, values: unknown[], views: Node[]): number {
    return this.#isBare ? openNewRows(this, members, from, values, views) : from;
  }

  query(args: readonly unknown[], at: QueryContext): unknown {
    const { store } = at.engine;
    const table = at.engine.tableOf(this);
    const pk = this.pkOf(args);
    const row = pk === undefined ? undefined : store.row(table, pk);
    const { indexes } = this.entity;
    if (indexes === undefined) return row ?? UNKNOWN;
    if (row !== undefined) at.depend(row);
    if (row?.shown) return row;
    const [first] = args;
    if (typeof first !== 'object' || first === null) return row ?? UNKNOWN;
    for (const field of indexes) {
      if (!Object.hasOwn(first, field)) continue;
      const entry = store.indexEntry(table, field, (first as Fields)[field]); // cast: an object, checked above
      at.depend(entry);
      for (const found of entry.rows) return found;
    }
    return row ?? UNKNOWN;
  }
}
