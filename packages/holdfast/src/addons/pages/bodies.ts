// The answers of a list's pages: where the list stands in them, their tokens, and several of them as one answer. Pure functions
// over payloads; rule.ts decides which pages are asked for.
import { Collection } from '../../schema/collection/collection.ts';
import { KIND } from '../../schema/protocol/protocol.ts';
import type { Given } from '../../schema/protocol/schema.types.ts';
import { INSIDE, isWalkable } from '../../schema/protocol/walkable.ts';
import { isObject, isRecord } from '../../support/plain.ts';

type BodyFields = Readonly<Record<string, unknown>>;

/**
 * Where a value stands in an answer: `'meta.next'`, or a function of the answer and the response.
 *
 * @example
 * const next: inPages.Finder<string> = (_answer, response) => response?.headers.get('x-next');
 * const pages = inPages({ next });
 */
export type Finder<T> = string | ((body: Given, response?: Response) => T | null | undefined);

/** What the finder finds; undefined where there is nothing. */
export function find(finder: Finder<unknown>, body: unknown, response?: Response): unknown {
  if (typeof finder === 'function') return finder(body, response);
  return finder.split('.').reduce((part: unknown, name) => (part as BodyFields | undefined)?.[name], body); // cast: read by name
}

/** A token that can be sent: a text or a number. */
export function toToken(found: unknown): string | undefined {
  const isNumber = typeof found === 'number' && Number.isFinite(found);
  return isNumber || (typeof found === 'string' && found !== '') ? String(found) : undefined;
}

/** The items of the first list in an answer, or in the data that was read of it. */
export function itemsIn(schema: unknown, body: unknown): readonly unknown[] {
  if (schema instanceof Collection || Array.isArray(schema)) return Array.isArray(body) ? body : [];
  for (const [name, part] of listParts(schema)) {
    if (!holdsList(part)) continue;
    return itemsIn(part, (body as BodyFields | undefined)?.[name]); // cast: read by name
  }
  return [];
}

/** Several answers as one: their lists one behind the other, totals as the latest one has them, everything else as the last one. */
export function joinBodies(schema: unknown, bodies: readonly unknown[], latest: unknown): unknown {
  const last = bodies.at(-1);
  if (schema instanceof Collection || Array.isArray(schema))
    return bodies.every(Array.isArray) ? bodies.flat() : Object.assign({}, ...bodies);
  // by its name: the schema itself comes with its own import
  if (isWalkable(schema) && schema[INSIDE].kind === 'Total') return latest;
  if (!isRecord(last)) return last;
  const joined: Record<string, unknown> = { ...last };
  for (const [name, part] of listParts(schema)) {
    if (!isObject(part) || !(name in joined)) continue;
    const [now, ...parts] = [latest, ...bodies].map((body) => (body as BodyFields | undefined)?.[name]); // cast: read by name
    joined[name] = joinBodies(part, parts, now);
  }
  return joined;
}

/** An answer with what another one has at a place; itself where neither has such a place. */
export function withPart(body: unknown, place: readonly string[], other: unknown): unknown {
  const [name, ...rest] = place;
  if (name === undefined) return other;
  if (!isRecord(body) || !isRecord(other) || !(name in body || name in other)) return body;
  return { ...body, [name]: withPart(body[name], rest, other[name]) };
}

function listParts(schema: unknown): [name: string, part: unknown][] {
  return isObject(schema) && !(KIND in schema) ? Object.entries(schema) : [];
}

function holdsList(schema: unknown): boolean {
  return (
    schema instanceof Collection ||
    Array.isArray(schema) ||
    listParts(schema).some(([, part]) => holdsList(part))
  );
}
