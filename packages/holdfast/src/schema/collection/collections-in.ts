// Finds and changes the Collections inside a schema, at any depth: what endpoints need to give lists their scope, their
// creation members and their next pages.
import { Collection } from './collection.ts';
import { textOf } from '../../store/loose-match.ts';
import { KIND } from '../protocol/protocol.ts';
import { isWalkable, INSIDE } from '../protocol/walkable.ts';
import { PagedArray } from './paged-array.ts';

type AnyCollection = Collection<unknown, readonly unknown[], unknown>;

/** The first Collection in the schema, depth first. */
export function findCollection(schema: unknown): AnyCollection | undefined {
  for (const found of collectionsIn(schema)) return found;
  return undefined;
}

function* collectionsIn(schema: unknown, seen = new Set<unknown>()): Generator<AnyCollection> {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return;
  seen.add(schema);
  if (schema instanceof Collection) yield schema as AnyCollection; // cast: the arguments do not matter here
  else for (const inner of schemasInside(schema)) yield* collectionsIn(inner, seen);
}

function schemasInside(schema: object): readonly unknown[] {
  if (isWalkable(schema)) return schema[INSIDE].schemas;
  return KIND in schema ? [] : Object.values(schema);
}

/** The same schema with each Collection replaced; unchanged parts are the same objects. */
export function mapCollections<S>(schema: S, change: (collection: AnyCollection) => unknown): S {
  return mapSchema(schema, (one) =>
    one instanceof Collection ? change(one as AnyCollection) : undefined,
  ) as S; // cast: same shape
}

function mapSchema(schema: unknown, change: (schema: object) => unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const changed = change(schema);
  if (changed !== undefined) return changed;
  const inner = (one: unknown): unknown => mapSchema(one, change);
  if (isWalkable(schema)) {
    const inside = schema[INSIDE];
    return inside.schemas.some((one) => inner(one) !== one) ? inside.with(inner) : schema;
  }
  if (KIND in schema) return schema;
  if (Array.isArray(schema)) return schema.map(inner);
  return Object.fromEntries(Object.entries(schema).map(([name, one]) => [name, inner(one)]));
}

/** Gives every Collection in the schema that has no scope yet this one. */
export function claimScope(schema: unknown, scope: string): void {
  for (const collection of collectionsIn(schema)) collection.claimScope(scope);
}

/** The schema with copies of its Collections under a new scope. */
export function rescope<S>(schema: S, scope: string): S {
  return mapCollections(schema, (collection) => collection.withScope(scope));
}

/**
 * The schema of a next-page endpoint: the same lists, found by the arguments without the cursor. Where there is no
 * Collection, plain arrays grow instead.
 */
export function paginateSchema<S>(
  schema: S,
  withoutCursor: (args: readonly unknown[]) => readonly unknown[],
): S {
  const page = {
    withoutCursor,
    cursorOf: (args: readonly unknown[]): string => cursorText(args, withoutCursor(args)),
  };
  if (findCollection(schema)) return mapCollections(schema, (collection) => collection.paginated(page));
  return mapSchema(schema, (one) => (Array.isArray(one) ? new PagedArray(one) : undefined)) as S; // cast: same shape
}

/** What the arguments say beyond those without the cursor: the page's name within the list. */
function cursorText(args: readonly unknown[], rest: readonly unknown[]): string {
  for (const [at, arg] of args.entries()) {
    if (typeof arg !== 'object' || arg === null) continue;
    const without = rest[at] ?? {};
    for (const [name, value] of Object.entries(arg)) if (!Object.hasOwn(without, name)) return textOf(value);
  }
  return textOf(args);
}
