// Builds an entity's instance: fields over defaults, nested values resolved, the previous instance kept when nothing
// differs. The instance exists before its children are read, so that cycles close on it.
import { deepFreeze } from '#env';
import { ownValue } from '../../store/fields.ts';
import { allowPatch, close, forbidPatch } from '../../store/graph.ts';
import { Row } from '../../store/nodes.ts';
import type { Fields } from '../../store/nodes.ts';
import { NO_ARGS, View } from '../../store/view.ts';
import type { Node } from '../../store/view.ts';
import type { EntityHooks } from './entity-hooks.ts';
import { NO_PARTS, partsIn } from './entity-parts.ts';
import type { Parts } from './entity-parts.ts';
import type { Kind, ReadContext } from '../protocol/protocol.ts';
import { INVALID } from '../protocol/protocol.ts';
import { isUnfinished } from '../kinds/list-read.ts';
import { plainFields, toPlain } from '../../store/plain-form.ts';
import type { SafeNames } from './safe-names.ts';
import { markInline, share } from '../protocol/share.ts';

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
    setField(kind, instance, name, isForeign ? toPlain(value) : value);
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

/** Builds the instance of a row's view, or of fields that have none. */
export function readEntity(kind: EntityReader, fields: Fields, view: View | null, at: ReadContext): unknown {
  const previous = typeof view?.value === 'object' ? (view.value as Instance | null) : null; // cast: readers have had instances
  const isSameRecord = view?.builtFrom === fields;
  let instance = (view === null ? undefined : at.madeOf(view)) as Instance | undefined; // cast: made here before
  if (instance === undefined) {
    if (kind.createsItself) instance = kind.entity.createIfValid(plainFields(fields)) as Instance | undefined; // cast: as above
    else if (!kind.validates || !kind.entity.validate(plainFields(fields)))
      instance = fillInstance(kind, fields, view !== null && (view.subject as Row).table.isShared); // cast: views of rows
  }
  if (view !== null) {
    view.builtFrom = fields;
    // cycles: whoever comes back here while the parts are read gets this very instance
    view.value = instance ?? INVALID;
    at.begin(view);
  }
  const { names, kinds } = instance === undefined ? NO_PARTS : partsIn(kind.parts, fields);
  let missing: string | null = null;
  let isChanged = false;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index]!; // index < length
    let value = at.open(kinds[index]!, fields[name]);
    if (value === INVALID || (value === undefined && fields[name] !== undefined)) {
      value = defaultOf(kind, name);
      if (value) missing ??= name;
    }
    const before = previous === null ? undefined : ownValue(previous, name);
    const part = value === before || previous === null || isUnfinished(value) ? value : share(before, value);
    if (!Object.is(part, before)) isChanged = true;
    if (kind.createsItself) setField(kind, instance!, name, part);
    else instance![name] = part; // parts are those of an instance
  }
  if (at.isWaiting) return INVALID;
  if (missing !== null)
    at.engine.missing = {
      entity: kind.entity.key,
      pk: view === null ? '' : (view.subject as Row).pk, // cast: as above
      field: missing,
    };
  let value: unknown = INVALID;
  if (instance !== undefined && missing === null) {
    const isKept = previous !== null && !isChanged && !(view !== null && at.isShared(view));
    value = isKept && (isSameRecord || isSameInstance(previous, instance)) ? previous : instance;
  }
  deepFreeze(value, isUnfinished);
  if (view === null) markInline(instance ?? {});
  else {
    (kind.canPatch && value !== INVALID ? allowPatch : forbidPatch)(view);
    at.complete(view, value);
  }
  return value;
}

function isSameInstance(previous: Instance, instance: Instance): boolean {
  const names = Object.keys(instance);
  return (
    names.length === Object.keys(previous).length &&
    names.every((name) => Object.is(instance[name], previous[name]))
  );
}
