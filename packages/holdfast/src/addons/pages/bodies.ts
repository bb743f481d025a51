// Reads the responses of a list's pages: finds the items and the tokens in a response, and joins several responses into one. The
// functions are pure. rule.ts decides which pages are requested.
import { Collection } from '../../schema/collection/collection.ts';
import { KIND } from '../../schema/protocol/protocol.ts';
import type { Given } from '../../schema/protocol/schema.types.ts';
import { INSIDE, isWalkable } from '../../schema/protocol/walkable.ts';
import { isObject, isRecord } from '../../support/plain.ts';

type BodyFields = Readonly<Record<string, unknown>>;

/**
 * The place of a value in a response: a path such as `'meta.next'`, or a function of the body and the `Response`.
 *
 * @example
 * const next: inPages.Finder<string> = (_body, response) => response?.headers.get('x-next');
 * const pages = inPages({ next });
 */
export type Finder<T> = string | ((body: Given, response?: Response) => T | null | undefined);

/** The value that the finder finds in a response; null or undefined if it finds no value. */
export function findInBody(finder: Finder<unknown>, body: unknown, response?: Response): unknown {
  if (typeof finder === 'function') return finder(body, response);
  return finder.split('.').reduce((part: unknown, name) => (part as BodyFields | undefined)?.[name], body); // cast: `?.` lets a property be read from any value
}

/** Converts a found value to a page token: a finite number or a non-empty string becomes a string. Undefined for all other values. */
export function toToken(found: unknown): string | undefined {
  const isNumber = typeof found === 'number' && Number.isFinite(found);
  return isNumber || (typeof found === 'string' && found !== '') ? String(found) : undefined;
}

/**
 * The items of the first list in a response, or in the data that the store shows for the response. Empty if there is no list, or if
 * it is a map.
 */
export function itemsIn(schema: unknown, body: unknown): readonly unknown[] {
  if (schema instanceof Collection || Array.isArray(schema)) return Array.isArray(body) ? body : [];
  for (const [name, part] of schemaEntries(schema)) {
    if (!holdsList(part)) continue;
    return itemsIn(part, (body as BodyFields | undefined)?.[name]); // cast: `?.` lets a property be read from any value
  }
  return [];
}

/**
 * Joins the responses of several pages, in the order of the list, into one response. Lists are concatenated, or merged if they are
 * objects. A total is taken from `latest`, the response that arrived last. All other values are taken from the last page.
 */
export function joinBodies(schema: unknown, bodies: readonly unknown[], latest: unknown): unknown {
  const last = bodies.at(-1);
  if (schema instanceof Collection || Array.isArray(schema))
    return bodies.every(Array.isArray) ? bodies.flat() : Object.assign({}, ...bodies);
  // The class is compared by name, because an import of the class Total would bundle it.
  if (isWalkable(schema) && schema[INSIDE].kind === 'Total') return latest;
  if (!isRecord(last)) return last;
  const joined: Record<string, unknown> = { ...last };
  for (const [name, part] of schemaEntries(schema)) {
    if (!isObject(part) || !(name in joined)) continue;
    const [latestPart, ...parts] = [latest, ...bodies].map(
      (body) => (body as BodyFields | undefined)?.[name],
    ); // cast: `?.` lets a property be read from any value
    joined[name] = joinBodies(part, parts, latestPart);
  }
  return joined;
}

/**
 * A copy of `body` with the value that `source` has at the path. If `body` or `source` lacks an object of the path, the value
 * stays.
 */
export function withValueFrom(body: unknown, path: readonly string[], source: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return source;
  if (!isRecord(body) || !isRecord(source) || !(name in body || name in source)) return body;
  return { ...body, [name]: withValueFrom(body[name], rest, source[name]) };
}

function schemaEntries(schema: unknown): [name: string, part: unknown][] {
  return isObject(schema) && !(KIND in schema) ? Object.entries(schema) : [];
}

function holdsList(schema: unknown): boolean {
  return (
    schema instanceof Collection ||
    Array.isArray(schema) ||
    schemaEntries(schema).some(([, part]) => holdsList(part))
  );
}
