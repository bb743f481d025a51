// How rows of an entity class become instances: fields over defaults, nested parts opened, the previous instance kept where
// nothing differs. The instance exists before its parts are opened, so that circles close on it. EntityKind adds the writing.
import { checkFields, deepFreeze, inDevelopment } from '#env';
import { hasField, isEqual, fieldOf } from '../../store/fields.ts';
import { allowPatch, finishBuild, forbidPatch, NO_ARGS, View } from '../../store/graph.ts';
import { Row } from '../../store/nodes.ts';
import type { Fields } from '../../store/nodes.ts';
import { plainFields, toPlain } from '../../store/stored-form.ts';
import type { Node } from '../../store/graph.ts';
import { ArrayKind } from '../kinds/array-kind.ts';
import { FieldKind } from '../kinds/field-kind.ts';
import { kindOf } from '../kinds/kind-of.ts';
import { isUnfinished } from '../kinds/list-read.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';
import { INVALID, isThere } from '../protocol/protocol.ts';
import type { Kind, ReadContext, ViewReader } from '../protocol/protocol.ts';
import { markInline, share } from '../protocol/share.ts';
import { canAssign, putOwn, trapsOf } from './assign.ts';
import type { EntityHooks } from './entity-hooks.ts';

type Instance = Record<string, unknown>;

/** A field in which something is nested. */
export interface NestedField {
  readonly name: string;
  readonly kind: Kind;
}

export class EntityReader implements ViewReader {
  readonly entity: EntityHooks;
  /** Whether nothing is nested. */
  readonly isLeaf: boolean;
  readonly validates: boolean;
  /** Whether the class has a key of its own, which may say that an object stays where it stands. */
  readonly hasOwnPk: boolean;
  /** What this was compiled from: assigned late when classes refer to each other in a circle. */
  readonly #schema: Record<string, unknown>;
  /** Whether a hook takes part in making instances. */
  readonly #createsItself: boolean;
  /** Whether an instance is the stored fields over the defaults and nothing more. */
  readonly #isBare: boolean;
  #parts: readonly NestedField[] | null = null;
  #traps: readonly string[] | null = null;
  #sharedDefaults: readonly (readonly [name: string, value: unknown])[] | null = null;
  #canPatch: boolean | null = null;

  protected constructor(entity: EntityHooks, base: EntityHooks) {
    this.entity = entity;
    this.#schema = entity.schema;
    this.isLeaf = Object.keys(entity.schema).length === 0;
    this.hasOwnPk = entity.pk !== base.pk || entity.prototype.pk !== base.prototype.pk;
    this.validates = entity.validate !== base.validate;
    this.#createsItself = entity.createIfValid !== base.createIfValid || entity.fromJS !== base.fromJS;
    this.#isBare = this.isLeaf && !this.#createsItself && !this.validates;
  }

  get isCurrent(): boolean {
    return this.#schema === this.entity.schema;
  }

  /** Made on first use: schemas may refer to each other in a circle. */
  get parts(): readonly NestedField[] {
    inDevelopment(() => checkFields(this, HoldfastError));
    return (this.#parts ??= Object.entries(this.#schema).map(([name, schema]) => ({
      name,
      kind: kindOf(schema),
    })));
  }

  fieldNames(): readonly string[] {
    return Object.keys(this.entity.defaults);
  }

  /** Whether a row has every field that the class declares: a list may have brought a summary. */
  covers(fields: Fields): boolean {
    return this.fieldNames().every((name) => hasField(fields, name));
  }

  build(view: View, at: ReadContext): void {
    const row = view.subject as Row; // cast: this kind makes views of rows only
    if (row.forward) return at.complete(view, at.view(row.forward, this));
    const shown = at.stateOf(row);
    if (!shown) {
      forbidPatch(view);
      view.builtFrom = undefined;
      return at.complete(view, shown === null ? INVALID : undefined);
    }
    if (!this.#isBare) {
      if (!this.#patch(shown, view, at)) this.read(shown, view, at);
      return;
    }
    // marked, but with the fields it was built from: nothing to rebuild
    const value = isEqual(view.builtFrom, shown) ? view.value : this.#fill(shown, row.table.isShared);
    deepFreeze(value);
    at.complete(view, value);
    view.builtFrom = shown;
  }

  /** Rows that were never read, as nearly all of a first answer, need none of the steps of the walk. */
  // fast: D1, test/property/memo
  openNew(members: readonly unknown[], values: unknown[], views: Node[]): number {
    let at = 0;
    try {
      for (; this.#isBare && at < members.length; at += 1) {
        const row = members[at];
        if (!(row instanceof Row) || row.dependents || !row.isPlain || !row.shown) break;
        const instance = this.#fill(row.shown, row.table.isShared);
        if (row.dependents) break; // the constructor has read this very row
        deepFreeze(instance);
        const view = new View(row, this, NO_ARGS);
        view.builtFrom = row.shown;
        finishBuild(view, instance);
        row.dependents = view;
        // assigned by index, as in effects.ts
        views[views.length] = view;
        values[values.length] = instance;
      }
    } catch {
      // a constructor threw: the walk meets the same, and keeps it
    }
    return at;
  }

  /** Builds the instance of a row's view, or of fields that have none. */
  read(fields: Fields, view: View | null, at: ReadContext): unknown {
    const previous = typeof view?.value === 'object' ? (view.value as Instance | null) : null; // cast: readers have had instances
    const isSameRecord = view?.builtFrom === fields;
    const instance = ((view && at.madeOf(view)) ?? this.#create(fields, view)) as Instance | undefined; // cast: made here
    if (view) {
      view.builtFrom = fields;
      // circles: a part that leads back here gets this very instance
      view.value = instance ?? INVALID;
    }
    let missing: string | null = null;
    let isKept = !!previous;
    for (const { name, kind } of instance ? this.parts : []) {
      if (!hasField(fields, name)) continue;
      let part = at.open(kind, fields[name]);
      if (part === INVALID || (part === undefined && fields[name] !== undefined)) {
        part = this.#defaultOf(name);
        if (part) missing ??= name;
      }
      const before = fieldOf(previous, name);
      if (previous && !isUnfinished(part)) part = share(before, part);
      isKept &&= Object.is(part, before);
      putOwn(instance!, name, part); // parts are those of an instance
    }
    if (at.isWaiting) return INVALID;
    if (missing !== null)
      at.engine.missing = {
        entity: this.entity.key,
        pk: !view ? '' : (view.subject as Row).pk, // cast: as in `build`
        field: missing,
      };
    let value: unknown = INVALID;
    if (instance && missing === null) {
      isKept &&= !(view && at.isShared(view)) && (isSameRecord || hasSameFields(previous!, instance)); // kept: not null
      value = isKept ? previous : instance;
    }
    inDevelopment(() => deepFreeze(value, isUnfinished));
    if (!view) markInline(instance ?? {});
    else {
      (this.#isPatchable && value !== INVALID ? allowPatch : forbidPatch)(view);
      at.complete(view, value);
    }
    return value;
  }

  #create(fields: Fields, view: View | null): unknown {
    if (this.#createsItself) return this.entity.createIfValid(plainFields(fields));
    if (this.validates && this.entity.validate(plainFields(fields))) return undefined;
    return this.#fill(fields, (view?.subject as Row | undefined)?.table.isShared); // cast: as in `build`
  }

  // ── instances ────────────────────────────────────────────────────────────────────────────────

  #fill(fields: Fields, isShared: boolean | undefined): Instance {
    const instance = new this.entity() as Instance; // cast: an entity's fields are read by name
    // an initialiser makes a new [] or Date each time: absent fields read as one and the same
    this.#sharedDefaults ??= Object.entries(this.entity.defaults).filter(([, value]) => isObject(value));
    for (const [name, value] of this.#sharedDefaults)
      if (!Object.hasOwn(fields, name)) instance[name] = value;
    if (!isShared && this.#canAssign(fields)) return Object.assign(instance, fields);
    for (const [name, value] of Object.entries(fields)) {
      // classes that share a key may differ in what they nest: nothing of the store's own shows through
      putOwn(instance, name, isShared && !Object.hasOwn(this.#schema, name) ? toPlain(value) : value);
    }
    return instance;
  }

  #canAssign(fields: Fields): boolean {
    return canAssign(fields, (this.#traps ??= trapsOf(this.entity.prototype)));
  }

  /** What stands for a part that is not there. A truthy one says that it is required: the whole is not what its type says. */
  #defaultOf(name: string): unknown {
    const defaults = this.entity.defaults as Instance; // cast: by name
    return Object.hasOwn(defaults, name) ? defaults[name] : undefined; // a method of that name is no default
  }

  // ── patches ──────────────────────────────────────────────────────────────────────────────────

  /** Whether an instance can be copied, and every row nested in it stands in a field, or in an array there. */
  get #isPatchable(): boolean {
    return (this.#canPatch ??=
      !this.#createsItself &&
      !this.validates &&
      this.#canAssign(this.#schema) && // a getter in place of an absent part would be asked
      Object.values(Object.getOwnPropertyDescriptors(this.entity.defaults)).every(
        ({ value, writable }) => writable && typeof value !== 'function',
      ) &&
      this.parts.every(({ kind }) => {
        const inner = kind instanceof ArrayKind ? kind.item() : kind;
        return inner instanceof EntityReader ? !inner.hasOwnPk : inner instanceof FieldKind;
      }));
  }

  /**
   * Builds the instance as a copy of the former one where only rows nested in it have changed: of a post with sixteen parts,
   * one of whose comments has changed, that comment alone is read. False when the fields themselves have changed, or when a
   * changed row is not found in them.
   */
  // fast: W2, test/property/memo
  #patch(fields: Fields, view: View, at: ReadContext): boolean {
    const { changes } = view;
    if (changes === undefined || view.builtFrom !== fields || !this.#canAssign(fields)) return false;
    const former = view.value as Instance; // cast: what can be patched is an instance
    const { parts } = this;
    for (let change = changes; change; change = change.earlier) {
      const reader = change.child.reader as EntityReader; // cast: what is nested are rows of entities
      // not found: another reader rebuilt the row between two changes, so the instance holds an older value of it
      if (typeof change.before !== 'object' || !reader.isCurrent || !holdsValue(parts, former, change.before))
        return false;
    }
    const instance = Object.assign((at.madeOf(view) ?? new this.entity()) as Instance, former); // cast: made here
    view.value = instance; // circles, as in `read`
    let isWhole = true;
    let isKept = !at.isShared(view);
    for (let change = changes; change; change = change.earlier) {
      const { before } = change;
      const value = at.revisit(change.child);
      if (value === before) continue;
      isKept = false;
      const isGone = !isThere(value);
      for (const { name } of parts) {
        const part = instance[name];
        // what is gone leaves arrays; fields have their defaults again
        if (part === before && (instance[name] = isGone ? this.#defaultOf(name) : value) && isGone)
          isWhole = false;
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
    // the children are those it had
    at.complete(view, value, view.readNodes?.length ?? 0, 0);
    return true;
  }
}

/** Whether a part is the value, or an array that holds it. */
function holdsValue(parts: readonly NestedField[], instance: Instance, value: unknown): boolean {
  for (const { name } of parts) {
    const part = instance[name];
    if (part === value || (Array.isArray(part) && part.includes(value))) return true;
  }
  return false;
}

function hasSameFields(previous: Instance, instance: Instance): boolean {
  const names = Object.keys(instance);
  return (
    names.length === Object.keys(previous).length &&
    names.every((name) => Object.is(instance[name], previous[name]))
  );
}
