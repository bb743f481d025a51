// Builds an entity's instance: fields over defaults, nested values resolved, the previous instance kept when nothing
// differs. The instance exists before its children are read, so that cycles close on it.
import { deepFreeze } from '#env';
import { ownValue } from '../store/fields.ts';
import type { Fields, Row } from '../store/nodes.ts';
import type { View } from '../store/view.ts';
import type { EntityHooks } from './entity-hooks.ts';
import type { Kind, ReadContext } from './protocol.ts';
import { INVALID, ReadFrame } from './protocol.ts';
import { isUnfinished } from './list-read.ts';
import { unwrap } from './plain-form.ts';
import type { SafeNames } from './safe-names.ts';
import { share } from './share.ts';

/** What a frame needs to know of an entity kind. */
export interface EntityReader {
  readonly entity: EntityHooks;
  readonly nested: Map<string, Kind>;
  readonly createsItself: boolean;
  readonly validates: boolean;
  readonly names: SafeNames;
  /** The defaults that are objects. */
  readonly sharedDefaults: readonly (readonly [name: string, value: unknown])[];
  partsIn(fields: Fields): Parts;
  plain(fields: Fields): Record<string, unknown>;
}

/** Nested fields and their kinds, place by place. */
export interface Parts {
  readonly names: readonly string[];
  readonly kinds: readonly Kind[];
  /** Whether nothing is nested in any of them. */
  readonly areLeaves: boolean;
}

export const NO_PARTS: Parts = { names: [], kinds: [], areLeaves: true };

type Instance = Record<string, unknown>;

export function fillInstance(kind: EntityReader, fields: Fields, isShared: boolean): Instance {
  const instance = new kind.entity() as Instance; // cast: an entity's fields are read by name
  // an initialiser makes a new [] or Date each time: absent fields read as one and the same
  for (const [name, value] of kind.sharedDefaults) instance[name] = value;
  if (!isShared && kind.names.cover(fields)) return Object.assign(instance, fields);
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

export class EntityRead extends ReadFrame {
  static readonly specimen: object = new EntityRead({} as never, {}, undefined, null); // cast: never run
  readonly size: number;
  override readonly view: View | null;
  readonly #kind: EntityReader;
  readonly #fields: Fields;
  readonly #names: readonly string[];
  readonly #kinds: readonly Kind[];
  readonly #instance: Instance;
  /** The value readers have had so far; its parts are reused where they did not change. */
  readonly #previous: Instance | null;
  #isInvalid = false;
  /** A required part that is not there. */
  #missing: string | null = null;
  /** Whether a nested part is another one than before. */
  #isChanged = false;
  /** Whether the fields are the very ones that the previous instance was built from. */
  readonly #isSameRecord: boolean;

  /** A frame, or INVALID at once when the class says that the fields do not make an instance. */
  static start(kind: EntityReader, fields: Fields, view: View | null): EntityRead | typeof INVALID {
    let instance: Instance | undefined;
    if (kind.createsItself) instance = kind.entity.createIfValid(kind.plain(fields)) as Instance | undefined; // cast: by name
    else if (!kind.validates || !kind.entity.validate(kind.plain(fields)))
      instance = fillInstance(kind, fields, view !== null && (view.subject as Row).table.isShared); // cast: a row's view
    return new EntityRead(kind, fields, instance, view);
  }

  private constructor(kind: EntityReader, fields: Fields, instance: Instance | undefined, view: View | null) {
    super();
    this.#kind = kind;
    this.#fields = fields;
    this.view = view;
    this.#isInvalid = instance === undefined;
    this.#instance = instance ?? {};
    const parts = instance === undefined ? NO_PARTS : kind.partsIn(fields);
    this.#names = parts.names;
    this.#kinds = parts.kinds;
    this.size = parts.names.length;
    this.#previous = typeof view?.value === 'object' ? (view.value as Instance | null) : null; // cast: made here before
    this.#isSameRecord = view !== null && view.builtFrom === fields;
    if (view !== null) view.builtFrom = fields;
    // cycles: whoever comes back here while the children are read gets this very instance
    if (view !== null) view.value = this.#isInvalid ? INVALID : this.#instance;
  }

  next(at: ReadContext): unknown {
    // parts that need no frame are taken in one go
    for (;;) {
      const name = this.#names[this.index]!; // index < size
      const value = this.#kinds[this.index]!.open(ownValue(this.#fields, name), at); // as long as names
      if (value instanceof ReadFrame || this.index === this.size - 1) return value;
      this.accept(value);
      this.index += 1;
    }
  }

  accept(value: unknown): void {
    const name = this.#names[this.index]!; // index < size
    const isAbsent = value === INVALID || (value === undefined && this.#fields[name] !== undefined);
    const absent = (this.#kind.entity.defaults as Instance)[name]; // cast: by name
    // a truthy default says that the part is required: without it the whole is not what its type says
    if (isAbsent && absent) this.#missing ??= name;
    const next = isAbsent ? absent : value;
    const before = this.#previous === null ? undefined : ownValue(this.#previous, name);
    const part = this.#previous === null || isUnfinished(next) ? next : share(before, next);
    if (part !== before) this.#isChanged = true;
    setField(this.#kind, this.#instance, name, part);
  }

  finish(at: ReadContext): unknown {
    if (this.#missing !== null) {
      this.#isInvalid = true;
      const pk = this.view === null ? '' : (this.view.subject as Row).pk; // cast: a row's view
      at.miss({ entity: this.#kind.entity.key, pk, field: this.#missing });
    }
    const value = this.#isInvalid ? INVALID : this.#reuse();
    deepFreeze(value, isUnfinished);
    if (this.view !== null) at.complete(this.view, value);
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
