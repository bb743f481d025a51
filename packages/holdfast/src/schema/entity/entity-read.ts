// Builds instances from the rows of an entity class: it assigns the fields over the defaults, reads nested values, and keeps the
// previous instance when nothing differs. The instance is created before its nested values are read, so that rows which refer to
// each other get one instance each. EntityKind extends this class with the writing of rows.
import { checkFields, deepFreeze, inDevelopment } from '#env';
import { hasField, isEqual, fieldOf } from '../../store/fields.ts';
import { allowPatch, finishBuild, forbidPatch, NO_ARGS, View } from '../../store/graph.ts';
import { Row, stateShownTo } from '../../store/nodes.ts';
import type { Fields } from '../../store/nodes.ts';
import { plainFields, toPlain } from '../../store/stored-form.ts';
import type { Node } from '../../store/graph.ts';
import { ArrayKind } from '../kinds/array-kind.ts';
import { FieldKind } from '../kinds/field-kind.ts';
import { kindOf } from '../kinds/kind-of.ts';
import { isUnfinished } from '../kinds/list-read.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';
import { INVALID, isThere, KIND } from '../protocol/protocol.ts';
import type { Kind, ReadContext, ViewReader } from '../protocol/protocol.ts';
import { markInline, share } from '../protocol/share.ts';
import { canAssign, putOwn, unassignableNamesOf } from './assign.ts';
import type { EntityConstructor } from './entity-constructor.ts';

type Instance = Record<string, unknown>;

interface SchemaWithKind {
  readonly [KIND]: Kind;
}

/** A field with a schema. */
export interface NestedField {
  readonly name: string;
  readonly kind: Kind;
}

export class EntityReader implements ViewReader {
  readonly entity: EntityConstructor;
  /** True when no field has a schema. */
  readonly isLeaf: boolean;
  readonly hasOwnValidate: boolean;
  /** Whether the class overrides `pk`, which may return undefined to keep an object inline. */
  readonly hasOwnPk: boolean;
  /** The `static schema` at compile time. Classes that refer to each other assign it later: see `isCurrent`. */
  readonly #schema: Record<string, unknown>;
  /** Whether the class overrides a hook that creates instances. */
  readonly #hasOwnCreate: boolean;
  /**
   * True when an instance consists of the stored fields over the defaults: the class has no nested fields, and no hook is called.
   */
  readonly isBare: boolean;
  #parts: readonly NestedField[] | null = null;
  #unassignableNames: readonly string[] | null = null;
  #sharedDefaults: readonly (readonly [name: string, value: unknown])[] | null = null;
  #canPatch: boolean | null = null;

  protected constructor(entity: EntityConstructor, base: EntityConstructor) {
    this.entity = entity;
    this.#schema = entity.schema;
    this.isLeaf = !Object.keys(entity.schema).length;
    this.hasOwnPk = entity.pk !== base.pk || entity.prototype.pk !== base.prototype.pk;
    this.hasOwnValidate = entity.validate !== base.validate;
    this.#hasOwnCreate = entity.createIfValid !== base.createIfValid || entity.fromJS !== base.fromJS;
    this.isBare = this.isLeaf && !this.#hasOwnCreate && !this.hasOwnValidate;
  }

  /** False when the class has got another `static schema` since the kind was compiled, so that the kind must be compiled again. */
  get isCurrent(): boolean {
    return this.#schema === this.entity.schema;
  }

  /** The nested fields. They are created at first use, because schemas may refer to each other. */
  get parts(): readonly NestedField[] {
    inDevelopment(() => checkFields(this, HoldfastError));
    return (this.#parts ??= Object.entries(this.#schema).map(([name, schema]) => ({
      name,
      kind: kindOf(schema),
    })));
  }

  /** The names of the declared fields that are stored. */
  fieldNames(): readonly string[] {
    return Object.keys(this.entity.defaults).filter(
      (name) => !(this.#schema[name] as Partial<SchemaWithKind> | undefined)?.[KIND]?.isDerived,
    );
  }

  /**
   * Whether the fields contain all names of `fieldNames()`; false, for example, when the row came only from a list with fewer
   * fields.
   */
  covers(fields: Fields): boolean {
    return this.fieldNames().every((name) => hasField(fields, name));
  }

  build(view: View, at: ReadContext): void {
    const row = view.subject as Row; // cast: this kind makes views of rows only
    if (row.replacedBy) return at.finishView(view, at.readNode(row.replacedBy, this));
    const shown = at.stateOf(row, this);
    if (!shown) {
      forbidPatch(view);
      view.builtFrom = undefined;
      return at.finishView(view, shown === null ? INVALID : undefined);
    }
    if (this.isBare) {
      // The view may have been marked although its fields are the same as in the last build: then the view keeps its instance.
      const value = isEqual(view.builtFrom, shown)
        ? view.value
        : this.#newInstance(shown, row.table.isShared);
      deepFreeze(value);
      at.finishView(view, value);
      view.builtFrom = shown;
    } else if (!this.#patch(shown, view, at)) this.read(shown, view, at);
  }

  /** A fast path for rows that were never read, such as nearly all rows of a first response. It skips the steps of `at.open`. */
  // fast: D1, test/property/memo
  openNew(members: readonly unknown[], values: unknown[], views: Node[]): number {
    let at = 0;
    try {
      for (; this.isBare && at < members.length; at += 1) {
        const row = members[at];
        if (!(row instanceof Row) || row.dependents || !row.isUntouched) break;
        const shown = stateShownTo(this, row);
        if (!shown) break;
        const instance = this.#newInstance(shown, row.table.isShared);
        if (row.dependents) break; // the constructor itself has read this row
        deepFreeze(instance);
        const view = new View(row, this, NO_ARGS);
        view.builtFrom = shown;
        finishBuild(view, instance);
        row.dependents = view;
        // The array is filled by index, which is faster than push(): see `Effects.upsert`.
        views[views.length] = view;
        values[values.length] = instance;
      }
    } catch {
      // A constructor threw: `at.open` gets the same error and stores it in the view.
    }
    return at;
  }

  /** Builds the instance for the view of a row. If `view` is null, builds the instance of an inline entity. */
  read(fields: Fields, view: View | null, at: ReadContext): unknown {
    const previous = isObject(view?.value) ? (view.value as Instance) : null; // cast: the view's value is an instance
    const isSameRecord = view?.builtFrom === fields;
    const instance = ((view && at.unfinishedOf(view)) ?? this.#create(fields, view)) as Instance | undefined; // cast: `#create` made it, perhaps in an earlier attempt
    if (view) {
      view.builtFrom = fields;
      // A nested value that refers back to this row gets this instance.
      view.value = instance ?? INVALID;
    }
    let missing: string | null = null;
    let isKept = !!previous;
    for (const { name, kind } of instance ? this.parts : []) {
      const stored = kind.isDerived ? view?.subject : fieldOf(fields, name);
      if (stored === undefined && !Object.hasOwn(fields, name)) continue;
      let part = at.open(kind, stored);
      if (part === INVALID || (part === undefined && stored !== undefined)) {
        part = this.#defaultOf(name);
        if (part) missing ??= name;
      }
      const before = fieldOf(previous, name);
      if (previous && !isUnfinished(part)) part = share(before, part);
      isKept &&= Object.is(part, before);
      putOwn(instance!, name, part); // without an instance the loop has no parts
    }
    if (at.isWaiting) return INVALID;
    if (missing !== null)
      at.missing = {
        entity: this.entity.key,
        pk: String(view?.subject ?? ''), // a row gives its primary key
        field: missing,
      };
    let value: unknown = INVALID;
    if (instance && missing === null) {
      isKept &&= !(view && at.isInCycle(view)) && (isSameRecord || hasSameFields(previous!, instance)); // `previous` is not null while `isKept` is true
      value = isKept ? previous : instance;
    }
    inDevelopment(() => deepFreeze(value, isUnfinished));
    if (!view) markInline(instance ?? {});
    else {
      (this.#isPatchable && value !== INVALID ? allowPatch : forbidPatch)(view);
      at.finishView(view, value);
    }
    return value;
  }

  #create(fields: Fields, view: View | null): unknown {
    if (this.#hasOwnCreate) return this.entity.createIfValid(plainFields(fields));
    if (this.hasOwnValidate && this.entity.validate(plainFields(fields))) return undefined;
    return this.#newInstance(fields, (view?.subject as Row | undefined)?.table.isShared); // cast: this kind makes views of rows only
  }

  // ── instances ────────────────────────────────────────────────────────────────────────────────

  #newInstance(fields: Fields, isShared: boolean | undefined): Instance {
    const instance = new this.entity() as Instance; // cast: an entity's fields are read by name
    // A field initialiser creates a new [] or Date in each instance, so absent fields get one shared default instead.
    this.#sharedDefaults ??= Object.entries(this.entity.defaults).filter(([, value]) => isObject(value));
    for (const [name, value] of this.#sharedDefaults)
      if (!Object.hasOwn(fields, name)) instance[name] = value;
    if (!isShared && this.#canAssign(fields)) return Object.assign(instance, fields);
    for (const [name, value] of Object.entries(fields)) {
      // Another class with the same key may have stored a row in a field that has no schema here: its plain form is shown.
      putOwn(instance, name, isShared && !Object.hasOwn(this.#schema, name) ? toPlain(value) : value);
    }
    return instance;
  }

  #canAssign(fields: Fields): boolean {
    return canAssign(fields, (this.#unassignableNames ??= unassignableNamesOf(this.entity.prototype)));
  }

  /**
   * The default of a nested field whose value cannot be shown. A truthy default makes the field required, so the entity is invalid.
   */
  #defaultOf(name: string): unknown {
    return fieldOf(this.entity.defaults as Fields, name); // cast: lets a field be read by its name
  }

  // ── patches ──────────────────────────────────────────────────────────────────────────────────

  /** True when an instance can be copied, and nested rows are direct values of fields, or items of an array in a field. */
  get #isPatchable(): boolean {
    return (this.#canPatch ??=
      !this.#hasOwnCreate &&
      !this.hasOwnValidate &&
      this.#canAssign(this.#schema) && // a getter named like a nested field would be called
      Object.values(Object.getOwnPropertyDescriptors(this.entity.defaults)).every(
        ({ value, writable }) => writable && typeof value !== 'function',
      ) &&
      this.parts.every(({ kind }) => {
        const inner = kind instanceof ArrayKind ? kind.item() : kind;
        return inner instanceof EntityReader ? !inner.hasOwnPk : inner instanceof FieldKind;
      }));
  }

  /**
   * Builds the instance as a copy of the former instance when only nested rows have changed: if one comment of a post changes, only
   * that comment is read again. Returns false when no copy can be made, for example because the post's own fields have changed.
   */
  // fast: W2, test/property/memo
  #patch(fields: Fields, view: View, at: ReadContext): boolean {
    const { changes } = view;
    if (changes === undefined || view.builtFrom !== fields || !this.#canAssign(fields)) return false;
    const former = view.value as Instance; // cast: only instances allow patches
    const { parts } = this;
    for (let change = changes; change; change = change.earlier) {
      const reader = change.child.reader as EntityReader; // cast: only views of rows are children, see `#isPatchable`
      // The former instance does not contain `change.before` if another reader rebuilt the nested row between two changes of that
      // row: the instance then has the value from before that rebuild.
      if (typeof change.before !== 'object' || !reader.isCurrent || !holdsValue(parts, former, change.before))
        return false;
    }
    const instance = Object.assign((at.unfinishedOf(view) ?? new this.entity()) as Instance, former); // cast: an instance of this entity
    view.value = instance; // a nested part that refers back to this row gets this instance
    let isWhole = true;
    let isKept = !at.isInCycle(view);
    for (let change = changes; change; change = change.earlier) {
      const { before } = change;
      const value = at.readView(change.child);
      if (value === before) continue;
      isKept = false;
      const isGone = !isThere(value);
      for (const { name } of parts) {
        const part = instance[name];
        // A row that cannot be shown, such as a deleted row, is removed from arrays; a field with such a row gets its default.
        if (part === before) {
          instance[name] = isGone ? this.#defaultOf(name) : value;
          if (isGone && instance[name]) isWhole = false;
        }
        if (!Array.isArray(part)) continue;
        let items: unknown[] | undefined;
        for (let index = part.indexOf(before); index >= 0; index = part.indexOf(before, index + 1))
          (items ??= part.slice())[index] = value;
        if (items) instance[name] = isGone ? items.filter(isThere) : items;
      }
    }
    if (at.isWaiting) return true;
    const value = isWhole ? (isKept ? former : instance) : INVALID;
    inDevelopment(() => deepFreeze(value, isUnfinished));
    (isWhole ? allowPatch : forbidPatch)(view);
    // The range is empty, so the view keeps all its children.
    at.finishView(view, value, view.readNodes?.length ?? 0, 0);
    return true;
  }
}

/** Whether a nested field of the instance is the value, or an array that contains it. */
function holdsValue(parts: readonly NestedField[], instance: Instance, value: unknown): boolean {
  return parts.some(({ name }) => {
    const part = instance[name];
    return part === value || (Array.isArray(part) && part.includes(value));
  });
}

function hasSameFields(previous: Instance, instance: Instance): boolean {
  const names = Object.keys(instance);
  return (
    names.length === Object.keys(previous).length &&
    names.every((name) => Object.is(instance[name], previous[name]))
  );
}
