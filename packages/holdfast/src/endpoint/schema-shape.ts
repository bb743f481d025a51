// The last word of a key: which form the result has. Two endpoints with one URL and different schemas must not read
// each other's result, and the text must be the same on server and client, so it is made of entity keys and names.
import { INSIDE, isWalkable } from '../schema/protocol/walkable.ts';
import { encodeText } from './encode-text.ts';

// keyed by the users' own schemas: a memo, not state
const shapes = new WeakMap<object, string>();
const MAX_DEPTH = 8;

/** The shape of an endpoint's result: that of its schema, and of a body that is not read as data. */
export function resultShape({
  schema,
  content,
}: {
  readonly schema?: unknown;
  readonly content?: unknown;
}): string {
  return schemaShape(schema) + (content === undefined || content === 'json' ? '' : ` (${String(content)})`);
}

/** ` [Todo]`, ` {cursor,results:[Todo]}`; nothing when there is no schema. */
export function schemaShape(schema: unknown): string {
  if (!isSchema(schema)) return '';
  let text = shapes.get(schema);
  if (text === undefined) shapes.set(schema, (text = ` ${shapeOf(schema, 0)}`));
  return text;
}

export function isSchema(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function shapeOf(schema: unknown, depth: number): string {
  if (!isSchema(schema) || depth > MAX_DEPTH) return '';
  const inside = (each: unknown): string => shapeOf(each, depth + 1);
  if (Array.isArray(schema)) return `[${inside(schema[0])}]`;
  const { key, name, schema: only } = schema as { key?: unknown; name?: unknown; schema?: unknown }; // cast: asking is the check
  if (isWalkable(schema)) {
    const { kind, schemas } = schema[INSIDE];
    return `${encodeText(kind)}(${(schemas.length > 0 ? schemas : [only]).map(inside).join('|')})`;
  }
  if (typeof key === 'string') return encodeText(key);
  if (typeof schema === 'function') return typeof name === 'string' ? encodeText(name) : '';
  const members = Object.entries(schema).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = members.map(([member, each]) => [encodeText(member), inside(each)].filter(Boolean).join(':'));
  return `{${parts.join()}}`;
}
