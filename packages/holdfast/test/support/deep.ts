// Schemas that contain themselves without an entity in between, and one check for all of them: write, read, write again. The
// check uses loops only, so that it cannot overflow itself. It is also bundled for a worker, so it imports nothing of the tests.
import { Cache, Entity, schema } from 'holdfast';

export interface DeepKind {
  readonly schema: unknown;
  /** Wraps a value in one more level; in several where the kind alternates between schemas. */
  wrap(inner: unknown): unknown;
  readonly levels?: number;
  /** The value one level further in; undefined at the end. */
  inner(value: unknown): unknown;
  /** The innermost level, with the name of the chain. */
  end(text: string): unknown;
  textOf(end: unknown): unknown;
}

type Members = Record<string, unknown>;
const typeOf = ({ type }: { type: string }): string => type;
const member = (name: string) => (value: unknown) => (value as Members)[name]; // cast: levels are objects here

/** Levels that are objects with a property `next`. */
const objects = (of: unknown, more: Members = {}): DeepKind => ({
  schema: of,
  wrap: (inner) => ({ ...more, next: inner }),
  inner: member('next'),
  end: (text) => ({ ...more, text }),
  textOf: member('text'),
});

/** Levels that are arrays with one item; the innermost contains a string. */
const arrays = (of: unknown, wrap = (inner: unknown): unknown => [inner]): DeepKind => ({
  schema: of,
  wrap,
  inner: (value) => (Array.isArray((value as unknown[])[0]) ? (value as unknown[])[0] : undefined), // cast: levels are arrays
  end: (text) => [text],
  textOf: (end) => (end as unknown[])[0], // cast: as above
});

/** Created for each check, because a schema object caches its kind. */
export const deepKinds: Record<string, () => DeepKind> = {
  'schema.Object': () => {
    const node = new schema.Object<Members>({});
    node.define({ next: node });
    return objects(node);
  },
  'a plain object, assigned late': () => {
    const node: Members = {};
    node['next'] = node;
    return objects(node);
  },
  'a plain array, assigned late': () => {
    const node: unknown[] = [];
    node.push(node);
    return { ...arrays(node), end: () => [], textOf: () => undefined };
  },
  'schema.Array': () => {
    const node = new schema.Array<unknown>(String);
    const leaf = new schema.Array<Members>({ leaf: String, node }, (value: unknown) =>
      Array.isArray(value) ? 'node' : 'leaf',
    );
    node.define(leaf);
    // every level is two arrays: one of several schemas, one of a single schema
    return { ...arrays(leaf), wrap: (inner) => [inner] };
  },
  'schema.Values': () => {
    const node = new schema.Values<unknown>(String);
    node.define(node);
    return { ...objects(node), end: () => ({}), textOf: () => undefined };
  },
  'schema.Union': () => {
    const node = new schema.Object<Members>({});
    const union = new schema.Union<Members>({ node }, typeOf);
    node.define({ next: union });
    return objects(union, { type: 'node' });
  },
  'an entity without a key': () => {
    class Note extends Entity {
      static override key = 'Note';
      text = '';
      next: unknown = undefined;
      static override schema: Members = {};
      override pk(): undefined {
        return undefined;
      }
    }
    Note.schema = { next: Note };
    return objects(Note);
  },
  'schema.Query': () => {
    const node = new schema.Object<Members>({});
    node.define({ next: new schema.Query(node, (value) => value) });
    return objects(node);
  },
  'all of them by turns': () => {
    const object = new schema.Object<Members>({});
    const values = new schema.Values<unknown>(String);
    const union = new schema.Union<Members>({ object }, typeOf);
    class Note extends Entity {
      static override key = 'Note';
      next: unknown = undefined;
      static override schema: Members = { next: [values] };
      override pk(): undefined {
        return undefined;
      }
    }
    values.define(union);
    object.define({ next: Note });
    return {
      schema: union,
      levels: 5,
      wrap: (inner) => ({ type: 'object', next: { next: [{ one: inner }] } }),
      inner: (value) => {
        const note = (value as Members)['next'] as { next: [{ one: unknown }] } | undefined; // cast: as wrapped above
        return note?.next[0].one;
      },
      end: (text) => ({ type: 'object', text }),
      textOf: member('text'),
    };
  },
};

export function chain(kind: DeepKind, depth: number, text: string): unknown {
  let value = kind.end(text);
  for (let level = 0; level < depth; level += kind.levels ?? 1) value = kind.wrap(value);
  return value;
}

/** The number of levels, and the string at the end. */
export function measure(kind: DeepKind, value: unknown): { depth: number; text: unknown } {
  let depth = 0;
  let level = value;
  for (let inner = kind.inner(level); inner !== undefined; inner = kind.inner(level)) {
    level = inner;
    depth += 1;
  }
  return { depth, text: kind.textOf(level) };
}

/** Throws where a chain of this many levels is read back different from what was written. */
export function checkChain(name: string, depth: number, isOwned = false): void {
  const kind = deepKinds[name]!(); // a key of the table
  class Box extends Entity {
    static override key = 'Box';
    id = '';
    count = 0;
    part: unknown = null;
    static override schema: Members = { part: kind.schema };
  }
  const cache = new Cache();
  const write = (count: number, text: string): void =>
    cache.write(Box, { id: '1', count, part: chain(kind, depth, text) }, [], { isOwned });
  const expectChain = (text: string): Box => {
    const box = cache.read(Box, ['1']);
    if (!box) throw new Error('nothing is read');
    const found = measure(kind, box.part);
    const expected = measure(kind, chain(kind, depth, text));
    if (found.depth !== expected.depth) throw new Error(`${found.depth} levels of ${expected.depth}`);
    if (found.text !== expected.text) throw new Error(`${String(found.text)} at the end, not ${text}`);
    return box;
  };
  write(1, 'first');
  const first = expectChain('first');
  write(1, 'first');
  if (cache.read(Box, ['1']) !== first) throw new Error('an identical write changes the reference');
  write(2, 'first');
  if (expectChain('first').part !== first.part) throw new Error('a write beside it changes the reference');
  write(2, 'second');
  expectChain('second');
}

/** Runs the function while the caller has used up this share of the call stack. */
export function withUsedStack<T>(share: number, run: () => T): T {
  let most = 0;
  const measureStack = (depth: number): void => {
    most = depth;
    measureStack(depth + 1);
  };
  try {
    measureStack(1);
  } catch {
    // the stack is full: `most` frames fit
  }
  const descend = (left: number): T => (left > 0 ? descend(left - 1) : run());
  return descend(Math.floor(most * share));
}
