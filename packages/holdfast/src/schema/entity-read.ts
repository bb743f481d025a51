// Builds an entity's instance: fields over defaults, nested values resolved, the previous instance kept when nothing
// differs. The instance exists before its children are read, so that cycles close on it.
import { deepFreeze } from '#env';
import { ownValue } from '../store/fields.ts';
import { allowPatch, close, forbidPatch } from '../store/graph.ts';
import { Row } from '../store/nodes.ts';
import type { Fields } from '../store/nodes.ts';
import { NO_ARGS, View } from '../store/view.ts';
import type { Node } from '../store/view.ts';
import { openPart } from './array-kind.ts';
import type { EntityHooks } from './entity-hooks.ts';
import { NO_PARTS, partsIn } from './entity-parts.ts';
import type { Parts } from './entity-parts.ts';
import type { Kind, ReadContext } from './protocol.ts';
import { INVALID, ReadFrame } from './protocol.ts';
import { isUnfinished } from './list-read.ts';
import { plainFields, unwrap } from './plain-form.ts';
import type { SafeNames } from './safe-names.ts';
import { markInline, share } from './share.ts';

/** What a frame needs to know of an entity kind. */
export interface EntityReader {
  readonly entity: EntityHooks;
  readonly nested: Map<string, Kind>;
  readonly createsItself: boolean;
  readonly validates: boolean;
  readonly names: SafeNames;
  /** Whether its instances can be patched, see entity-patch.ts. */
  readonly canPatch: boolean;
  /** Whether it is the class's kind still: a schema that is assigned late makes another one. */
  readonly isCurrent: boolean;
  readonly parts: Parts;
}

export type Instance = Record<string, unknown>;

export function fillInstance(kind: EntityReader, fields: Fields, isShared: boolean): Instance {
  const instance = new kind.entity() as Instance; // cast: an entity's fields are read by name
  // an initialiser makes a new [] or Date each time: absent fields read as one and the same
  for (const [name, value] of kind.names.sharedDefaults)
    if (!Object.hasOwn(fields, name)) instance[name] = value;
  if (!isShared && kind.names.cover(fields)) {
    try {
      return Object.assign(instance, fields);
    } catch {
      // a frozen prototype has one of the names: they are put in one by one
    }
  }
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    // classes that share a key may differ in what they nest: nothing of the store's own shows through
    const isForeign = isShared && typeof value === 'object' && value !== null && !kind.nested.has(name);
    setField(kind, instance, name, isForeign ? unwrap(value) : value);
  }
  return instance;
}

/** An own field whatever the name; a getter of the class gives way to data the server sent under its name. */
function setField(kind: EntityReader, instance: Instance, name: string, value: unknown): void {
  if (kind.names.has(name)) instance[name] = value;
  else Object.defineProperty(instance, name, { value, writable: true, enumerable: true, configurable: true });
}

/** What stands for a part that is not there. A truthy one says that it is required: the whole is not what its type says. */
export function defaultOf(kind: EntityReader, name: string): unknown {
  const defaults = kind.entity.defaults as Instance; // cast: by name
  return Object.hasOwn(defaults, name) ? defaults[name] : undefined; // a method of that name is no default
}

/** Rows that nobody has read before, as nearly all of a first answer, need none of the steps of the walk. */
export function openNewRows(
  kind: EntityReader & Kind,
  members: readonly unknown[],
  from: number,
  values: unknown[],
  views: Node[],
): number {
  let at = from;
  try {
    // the last is the walk's own: it asks for a value
    for (; at < members.length - 1; at += 1) {
      const row = members[at];
      if (!(row instanceof Row) || row.dependents !== null || !row.isPlain || !row.shown) break;
      const instance = fillInstance(kind, row.shown, row.table.isShared);
      if (row.dependents !== null) break; // the constructor has read this very row
      deepFreeze(instance);
      const view = new View(row, kind, NO_ARGS);
      view.builtFrom = row.shown;
      close(view, instance);
      row.dependents = view;
      // not pushed, as in effects.ts
      views[views.length] = view;
      values[values.length] = instance;
    }
  } catch {
    // a constructor threw: the walk meets the same, and keeps it
  }
  return at;
}

export class EntityRead extends ReadFrame {
  static readonly specimen: object = new EntityRead({} as never, {}, undefined, null, NO_PARTS); // cast: never run
  readonly size: number;
  override readonly view: View | null;
  readonly #kind: EntityReader;
  readonly #fields: Fields;
  readonly #parts: Parts;
  readonly #instance: Instance;
  /** The value readers have had so far; its parts are reused where they did not change. */
  readonly #previous: Instance | null;
  #isInvalid: boolean;
  /** The frame of a part that turned out to need one. */
  #opened: ReadFrame | null = null;
  /** A required part that is not there. */
  #missing: string | null = null;
  /** Whether a nested part is another one than before. */
  #isChanged = false;
  /** Whether the fields are the very ones that the previous instance was built from. */
  readonly #isSameRecord: boolean;

  static start(kind: EntityReader, fields: Fields, view: View | null): EntityRead {
    let instance: Instance | undefined;
    if (kind.createsItself) instance = kind.entity.createIfValid(plainFields(fields)) as Instance | undefined; // cast: by name
    else if (!kind.validates || !kind.entity.validate(plainFields(fields)))
      instance = fillInstance(kind, fields, view !== null && (view.subject as Row).table.isShared); // cast: a row's view
    return new EntityRead(kind, fields, instance, view, instance ? partsIn(kind.parts, fields) : NO_PARTS);
  }

  private constructor(
    kind: EntityReader,
    fields: Fields,
    instance: Instance | undefined,
    view: View | null,
    parts: Parts,
  ) {
    super();
    this.#kind = kind;
    this.#fields = fields;
    this.view = view;
    this.#isInvalid = instance === undefined;
    this.#instance = instance ?? {};
    this.#parts = parts;
    this.size = parts.names.length;
    this.#previous = typeof view?.value === 'object' ? (view.value as Instance | null) : null; // cast: made here before
    this.#isSameRecord = view?.builtFrom === fields;
    if (view === null) return;
    view.builtFrom = fields;
    // cycles: whoever comes back here while the children are read gets this very instance
    view.value = instance ?? INVALID;
  }

  /**
   * Reads the first parts on the spot, up to one in which something is nested: nearly all of a page's rows hold nothing
   * else. Gives the value, or this frame where some parts are left.
   */
  readLeaves(view: View, at: ReadContext): unknown {
    at.begin(view);
    this.isBegun = true;
    const { leaves } = this.#parts;
    for (; this.index < leaves; this.index += 1) {
      const value = this.#open(at);
      if (value instanceof ReadFrame) {
        this.#opened = value;
        return this;
      }
      this.accept(value);
    }
    if (this.index < this.size) return this;
    const value = this.finish(at);
    at.end();
    return value;
  }

  #open(at: ReadContext): unknown {
    const { names, kinds } = this.#parts;
    const stored = this.#fields[names[this.index]!]; // index < size; the names are own ones
    return openPart(kinds[this.index]!, stored, at); // as long as names
  }

  next(at: ReadContext): unknown {
    const opened = this.#opened;
    if (opened !== null) {
      this.#opened = null;
      return opened;
    }
    // parts that need no frame are taken in one go
    for (;;) {
      const value = this.#open(at);
      if (value instanceof ReadFrame || this.index === this.size - 1) return value;
      this.accept(value);
      this.index += 1;
    }
  }

  accept(value: unknown): void {
    const name = this.#parts.names[this.index]!; // index < size
    const isAbsent = value === INVALID || (value === undefined && this.#fields[name] !== undefined);
    const next = isAbsent ? this.#defaultOf(name) : value;
    const before = this.#previous === null ? undefined : ownValue(this.#previous, name);
    const isKept = next === before || this.#previous === null || isUnfinished(next);
    const part = isKept ? next : share(before, next);
    if (!Object.is(part, before)) this.#isChanged = true;
    // filled from the fields, the instance has the field already
    if (this.#kind.createsItself) setField(this.#kind, this.#instance, name, part);
    else this.#instance[name] = part;
  }

  #defaultOf(name: string): unknown {
    const absent = defaultOf(this.#kind, name);
    if (absent) this.#missing ??= name;
    return absent;
  }

  finish(at: ReadContext): unknown {
    if (this.#missing !== null) {
      this.#isInvalid = true;
      const pk = this.view === null ? '' : (this.view.subject as Row).pk; // cast: a row's view
      at.miss({ entity: this.#kind.entity.key, pk, field: this.#missing });
    }
    const value = this.#isInvalid ? INVALID : this.#reuse();
    deepFreeze(value, isUnfinished);
    if (this.view === null) markInline(this.#instance);
    else {
      (this.#kind.canPatch && value !== INVALID ? allowPatch : forbidPatch)(this.view);
      at.complete(this.view, value);
    }
    return value;
  }

  #reuse(): Instance {
    const previous = this.#previous;
    const instance = this.#instance;
    if (previous === null || this.#isChanged || this.isShared) return instance;
    if (this.#isSameRecord) return previous;
    const names = Object.keys(instance);
    const isSame =
      names.length === Object.keys(previous).length &&
      names.every((name) => Object.is(instance[name], previous[name]));
    return isSame ? previous : instance;
  }
}
