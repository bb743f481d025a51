// Builds an entity's instance anew where only rows nested in it have changed: of a post with sixteen parts, one of whose
// comments has another author now, that comment alone is looked at. Made by entity-kind.ts; what is not found at once, and
// entities with other parts, are read whole by entity-read.ts.
import { takeChanges } from '../store/graph.ts';
import type { Fields, Row } from '../store/nodes.ts';
import { NO_ARGS, View } from '../store/view.ts';
import type { ChangedChild } from '../store/view.ts';
import { EntityRead, fillInstance, NO_PARTS } from './entity-read.ts';
import type { EntityReader, Instance, Parts } from './entity-read.ts';
import { kindOf } from './kind-of.ts';
import { INVALID } from './protocol.ts';
import type { ReadContext } from './protocol.ts';

/** Where a changed child stands: in a field, or in the array there. */
interface Place {
  readonly child: View;
  readonly name: string;
  /** -1 for the field itself. */
  readonly index: number;
}

export class EntityPatch extends EntityRead {
  static override readonly specimen: object = new EntityPatch(
    {} as never,
    {},
    undefined,
    new View(null, null, NO_ARGS),
    NO_PARTS,
    [],
  ); // cast: never run
  override readonly size: number;
  readonly #places: readonly Place[];
  readonly #before: Instance;
  /** The arrays that have changed, by their fields. */
  #arrays: Map<string, unknown[]> | null = null;
  /** Whether something that stood there is gone. */
  #hasGap = false;

  /** Null when the fields themselves have changed, or when a changed child does not stand in them by itself. */
  static patch(kind: EntityReader, fields: Fields, view: View): EntityPatch | null {
    if (!view.canPatch || view.builtFrom !== fields) return null;
    const before = view.value as Instance; // cast: what can be patched is an instance
    const parts = kind.partsIn(fields);
    const places = placesOf(parts.names, before, takeChanges(view));
    if (places === null) return null;
    const instance = fillInstance(kind, fields, (view.subject as Row).table.isShared); // cast: a row's view
    for (const name of parts.names) instance[name] = before[name];
    return new EntityPatch(kind, fields, instance, view, parts, places);
  }

  private constructor(
    kind: EntityReader,
    fields: Fields,
    instance: Instance | undefined,
    view: View,
    parts: Parts,
    places: readonly Place[],
  ) {
    const before = view.value as Instance; // cast: as above; the base class puts the new one there
    super(kind, fields, instance, view, parts);
    this.#before = before;
    this.#places = places;
    this.size = places.length;
  }

  override next(at: ReadContext): unknown {
    return at.revisit(this.#places[this.index]!.child); // index < size
  }

  override accept(value: unknown): void {
    const { name, index } = this.#places[this.index]!; // index < size
    if (index < 0) {
      this.put(name, value);
      return;
    }
    this.#arrays ??= new Map<string, unknown[]>();
    let array = this.#arrays.get(name);
    if (array === undefined) this.#arrays.set(name, (array = (this.#before[name] as unknown[]).slice())); // cast: found in it
    array[index] = value;
    if (value === undefined || value === INVALID) this.#hasGap = true;
  }

  override finish(at: ReadContext): unknown {
    const isThere = (item: unknown): boolean => item !== undefined && item !== INVALID;
    for (const [name, array] of this.#arrays ?? [])
      this.put(name, this.#hasGap ? array.filter(isThere) : array);
    return super.finish(at);
  }

  /** The children are those it had. */
  protected override complete(view: View, value: unknown, at: ReadContext): void {
    at.completePatch(view, value, view.children?.length ?? 0, 0);
  }
}

function placesOf(
  names: readonly string[],
  previous: Instance,
  changes: readonly ChangedChild[],
): Place[] | null {
  const places: Place[] = [];
  for (const { child, before } of changes) {
    if (typeof before !== 'object') return null; // it was not there
    const { entity } = child.reader as EntityReader; // cast: what is nested are rows of entities
    if (kindOf(entity) !== child.reader) return null; // the class has got its schema since
    const found = places.length;
    for (const name of names) {
      const part = previous[name];
      if (part === before) places.push({ child, name, index: -1 });
      if (!Array.isArray(part)) continue;
      for (let index = part.indexOf(before); index >= 0; index = part.indexOf(before, index + 1))
        places.push({ child, name, index });
    }
    if (places.length === found) return null;
  }
  return places;
}
