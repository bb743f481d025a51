// Builds an entity's instance: fields over defaults, nested values resolved, the previous instance kept when nothing
// differs. The instance exists before its children are read, so that cycles close on it.
import { DEV } from '#env';
import { ownValue } from '../store/fields.ts';
import type { Fields, Row, View } from '../store/nodes.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import type { EntityHooks } from './entity-hooks.ts';
import type { Kind, ReadContext } from './protocol.ts';
import { INVALID, ReadFrame } from './protocol.ts';
import { isUnfinished } from './list-read.ts';
import { unwrap } from './plain-form.ts';
import { share } from './share.ts';

/** What a frame needs to know of an entity kind. */
export interface EntityReader {
  readonly entity: EntityHooks;
  readonly nested: Map<string, Kind>;
  readonly createsItself: boolean;
  readonly validates: boolean;
  isSafeName(name: string): boolean;
  plain(fields: Fields): Record<string, unknown>;
}

type Instance = Record<string, unknown>;

export function fillInstance(kind: EntityReader, fields: Fields, isShared: boolean): Instance {
  const instance = new kind.entity() as Instance; // cast: an entity's fields are read by name
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
  if (kind.isSafeName(name)) instance[name] = value;
  else Object.defineProperty(instance, name, { value, writable: true, enumerable: true, configurable: true });
}

export class EntityRead extends ReadFrame {
  readonly size: number;
  override readonly view: View | null;
  readonly #kind: EntityReader;
  readonly #fields: Fields;
  readonly #names: readonly string[];
  readonly #instance: Instance;
  /** The value readers have had so far; its parts are reused where they did not change. */
  readonly #previous: Instance | null;
  #isInvalid = false;

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
    this.#names =
      instance === undefined ? [] : [...kind.nested.keys()].filter((name) => Object.hasOwn(fields, name));
    this.size = this.#names.length;
    this.#previous = typeof view?.value === 'object' ? (view.value as Instance | null) : null; // cast: made here before
    // cycles: whoever comes back here while the children are read gets this very instance
    if (view !== null) view.value = this.#isInvalid ? INVALID : this.#instance;
  }

  next(at: ReadContext): unknown {
    const name = this.#names[this.index]!; // index < size
    return this.#kind.nested.get(name)!.open(ownValue(this.#fields, name), at); // names come from nested
  }

  accept(value: unknown): void {
    const name = this.#names[this.index]!; // index < size
    const isAbsent = value === INVALID || (value === undefined && this.#fields[name] !== undefined);
    // a truthy default says that the part is required: without it the whole is not what its type says
    if (isAbsent && (this.#kind.entity.defaults as Instance)[name]) this.#isInvalid = true; // cast: by name
    const next = value === INVALID ? undefined : value;
    const isNew = this.#previous === null || isUnfinished(next);
    setField(this.#kind, this.#instance, name, isNew ? next : share(ownValue(this.#previous!, name), next)); // see isNew
  }

  finish(at: ReadContext): unknown {
    const value = this.#isInvalid ? INVALID : this.#reuse();
    if (DEV && value !== INVALID) deepFreeze(value, isUnfinished);
    if (this.view !== null) at.complete(this.view, value);
    return value;
  }

  #reuse(): Instance {
    const previous = this.#previous;
    const instance = this.#instance;
    if (previous === null || this.isShared) return instance;
    const names = Object.keys(instance);
    const isSame =
      names.length === Object.keys(previous).length &&
      names.every((name) => Object.is(instance[name], previous[name]));
    return isSame ? previous : instance;
  }
}
