// Finds and replaces the Collections inside a schema, at any depth, except inside entity classes and other Collections. Endpoints
// use it to give lists their scope, their creation endpoints and their further pages; `local` and `inverse` use it to find the list
// of an endpoint.
import { hasSameItems } from '../../store/graph.ts';
import { argumentText } from '../../store/filters.ts';
import { isObject } from '../../support/plain.ts';
import { Collection } from './collection.ts';
import type { ListArgumentOptions } from './collection.types.ts';
import { KIND } from '../protocol/protocol.ts';
import { INSIDE, isWalkable } from '../protocol/walkable.ts';

type AnyCollection = Collection<unknown, readonly unknown[], unknown>;

/** The Collections in the schema, depth first. */
export function collectionsIn(schema: unknown): AnyCollection[] {
  const found: AnyCollection[] = [];
  mapCollections(schema, (collection) => void found.push(collection));
  return found;
}

function mapCollections<S>(schema: S, change: (collection: AnyCollection) => unknown): S {
  return mapSchema(schema, (part) => part instanceof Collection && change(part as AnyCollection)) as S; // cast: the shape stays
}

/** A copy of the schema, in which the value of `change` replaces every part for which `change` returns a value. */
function mapSchema(
  schema: unknown,
  change: (schema: object) => unknown,
  made = new Map<unknown, unknown>(),
): unknown {
  if (!isObject(schema) || made.has(schema)) return made.get(schema) ?? schema;
  const inner = (part: unknown): unknown => mapSchema(part, change, made);
  made.set(schema, schema); // a schema may contain itself
  let next: unknown = change(schema) || schema;
  if (next === schema) {
    if (isWalkable(schema)) {
      const inside = schema[INSIDE];
      if (!hasSameItems(inside.schemas.map(inner), inside.schemas)) next = inside.with(inner);
    } else if (Array.isArray(schema)) next = schema.map(inner);
    else if (!(KIND in schema))
      next = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, inner(part)]));
  }
  made.set(schema, next);
  return next;
}

/** Gives the scope and the options for arguments to every Collection in the schema that has not got them yet. */
export function claimScope(schema: unknown, scope: string, options: ListArgumentOptions): void {
  for (const collection of collectionsIn(schema)) collection.claimScope(scope, options);
}

/** The schema with copies of its Collections under a new scope. */
export function rescope<S>(schema: S, scope: string): S {
  return mapCollections(schema, (collection) => collection.paginated(null, scope));
}

/**
 * The schema of an endpoint of further pages. Its Collections have the same lists: a list is identified by the arguments without
 * the cursor.
 */
export function paginateSchema<S>(
  schema: S,
  withoutCursor: (args: readonly unknown[]) => readonly unknown[],
): S {
  const cursorOf = (args: readonly unknown[]): string => cursorText(args, withoutCursor(args));
  return mapCollections(schema, (collection) => collection.paginated({ withoutCursor, cursorOf }));
}

/**
 * The cursor as a string: the value of the first property that `rest`, the arguments without the cursor, does not have. If there is
 * no such property, it is the string of all arguments.
 */
function cursorText(args: readonly unknown[], rest: readonly unknown[]): string {
  for (const [at, arg] of args.entries()) {
    if (!isObject(arg)) continue;
    const without = rest[at] ?? {};
    for (const [name, value] of Object.entries(arg))
      if (!Object.hasOwn(without, name)) return argumentText(value);
  }
  return argumentText(args);
}
