// Law: reading gives what was written, for generated schemas and payloads, and for graphs with cycles.
import { Cache, Entity, schema } from 'holdfast';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameGraph } from './same-graph.ts';

const RUNS = Number(process.env['RUNS'] ?? 1_000);
// the same runs every time; the nightly gives other seeds
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);
const TIME_LIMIT_MS = 600_000;

/** A schema with a matching payload, and the expected result of reading it, with entities as plain objects. */
interface Sample {
  readonly schema: unknown;
  readonly payload: unknown;
  readonly expected: unknown;
}

let count = 0;
const nextKey = (): string => `Made${(count += 1)}`;

// property names that are special for objects are among ordinary ones
const names = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'title',
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    'schema',
    'row',
    '',
  ),
  fc.string({ maxLength: 4 }),
);

function makeObject(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries);
}

/** A plain object as a schema would be a mapping, so it is wrapped. */
function single(kind: unknown): unknown {
  const isPlain =
    typeof kind === 'object' && kind !== null && Object.getPrototypeOf(kind) === Object.prototype;
  return isPlain ? new schema.Object(kind as Record<string, unknown>) : kind; // cast: a plain object
}

const json = fc.jsonValue({ maxDepth: 2, noUnicodeString: false });

const { sample } = fc.letrec<{ sample: Sample }>((tie) => {
  const inner = tie('sample');
  const plain = json.map((payload): Sample => ({ schema: null, payload, expected: payload }));
  const date = fc
    .date({ noInvalidDate: true, min: new Date(0) })
    .map((at): Sample => ({ schema: Date, payload: at.toISOString(), expected: at }));
  const number = fc
    .integer()
    .map((value): Sample => ({ schema: Number, payload: String(value), expected: value }));
  const object = fc
    .uniqueArray(fc.tuple(names, inner), { selector: ([name]) => name, maxLength: 4 })
    .map((entries): Sample => {
      const of = (part: keyof Sample): Record<string, unknown> =>
        makeObject(entries.map(([name, value]) => [name, value[part]]));
      return { schema: of('schema'), payload: of('payload'), expected: of('expected') };
    });
  const array = fc.tuple(inner, fc.nat(3), fc.boolean()).map(([item, size, isShort]): Sample => {
    // undefined and null are dropped or kept by their own rules: see the clauses of the contract
    const repeat = (value: unknown): unknown[] => Array.from({ length: size }, () => value);
    return {
      schema: isShort ? [item.schema] : new schema.Array(single(item.schema)),
      payload: repeat(item.payload),
      expected: repeat(item.expected),
    };
  });
  const values = fc.tuple(inner, fc.uniqueArray(names, { maxLength: 3 })).map(([item, keys]): Sample => {
    const of = (value: unknown): Record<string, unknown> =>
      value === null || value === undefined ? {} : makeObject(keys.map((key) => [key, value]));
    return {
      schema: new schema.Values(single(item.schema)),
      payload: of(item.payload),
      expected: of(item.expected),
    };
  });
  const entity = fc
    .tuple(
      fc.oneof(fc.string({ minLength: 1 }), fc.integer()),
      fc.uniqueArray(fc.tuple(names, inner), {
        selector: ([name]) => name,
        maxLength: 3,
      }),
    )
    .map(([id, entries]): Sample => {
      const own = entries.filter(([name]) => name !== 'id');
      class Made extends Entity {
        static override key = nextKey();
        static override schema = makeObject(own.map(([name, value]) => [name, value.schema]));
      }
      const of = (part: 'payload' | 'expected'): Record<string, unknown> =>
        makeObject([['id', id], ...own.map(([name, value]) => [name, value[part]] as const)]);
      return { schema: Made, payload: of('payload'), expected: of('expected') };
    });
  const union = fc.tuple(inner, inner, names).map(([first, second, tag]): Sample => {
    class Choice extends Entity {
      static override key = nextKey();
      static override schema = { first: first.schema, second: second.schema };
    }
    const of = (part: keyof Sample): object => ({ id: '1', tag, first: first[part], second: second[part] });
    return {
      schema: new schema.Union(makeObject([[tag, Choice]]), 'tag' as never), // cast: the attribute is not declared
      payload: of('payload'),
      expected: of('expected'),
    };
  });
  return {
    sample: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      plain,
      date,
      number,
      object,
      array,
      values,
      entity,
      union,
    ),
  };
});

/** Instances as plain objects with their fields; all other values unchanged. */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return makeObject(Object.entries(value).map(([name, inner]) => [name, strip(inner)]));
}

test(
  'written payloads are read back unchanged, for generated schemas and payloads',
  () => {
    fc.assert(
      fc.property(sample, fc.boolean(), ({ schema: kind, payload, expected }, isOwned) => {
        class Root extends Entity {
          static override key = 'Root';
          static override schema = { body: kind };
        }
        const cache = new Cache();
        cache.write(Root, { id: 'r', body: payload });
        const first = cache.read(Root, ['r']);
        // by a second object that the cache copies, or by one that is handed over to it
        const again = (): unknown => strip({ id: 'r', body: payload });
        cache.write(Root, again(), [], { isOwned });
        const other = new Cache();
        other.write(Root, again(), [], { isOwned });

        expect(cache.read(Root, ['r']) === first).toBe(true);
        // not toStrictEqual, which fails for a field named `constructor`
        expect(isSameGraph(strip(first), { id: 'r', body: expected })).toBe(true);
        expect(isSameGraph(strip(other.read(Root, ['r'])), { id: 'r', body: expected })).toBe(true);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  },
  TIME_LIMIT_MS,
);

class Node extends Entity {
  static override key = 'Node';
  id = '';
  next: Node | undefined = undefined;
  others: Node[] = [];
  named: Record<string, Node> = {};
  list: Node[] = [];
  either: Node | undefined = undefined;
  static override schema: Record<string, unknown> = {};
}
Node.schema = {
  next: Node,
  others: [Node],
  named: new schema.Values(Node),
  list: new schema.Collection([Node]),
  either: new schema.Union({ node: Node }, () => 'node' as never),
};

test(
  'every reference of a graph leads to the one instance of its row, cycles included',
  () => {
    const size = 8;
    const ref = fc.nat(size - 1).map(String);
    const row = fc.record(
      {
        next: ref,
        others: fc.array(ref),
        named: fc.dictionary(names, ref),
        list: fc.uniqueArray(ref),
        either: ref,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: size, maxLength: size }), fc.array(ref), (rows, order) => {
        const cache = new Cache();
        cache.write(
          [Node],
          rows.map((fields, at) => ({
            ...fields,
            id: String(at),
            ...(fields.either !== undefined && { either: { id: fields.either } }),
          })),
        );
        for (const id of order) cache.read(Node, [id]); // any order of reads gives the same graph

        const read = (id: string): Node | undefined => cache.read(Node, [id]);
        for (const [at, fields] of rows.entries()) {
          const node = read(String(at));
          expect(node?.next === (fields.next && read(fields.next))).toBe(true);
          expect(node?.either === (fields.either && read(fields.either))).toBe(true);
          const isSame = (seen: readonly unknown[], ids: readonly string[] = []): boolean =>
            seen.length === ids.length && ids.every((id, place) => seen[place] === read(id));
          expect(isSame(node?.others ?? [], fields.others)).toBe(true);
          expect(isSame(node?.list ?? [], fields.list)).toBe(true);
          expect(isSame(Object.values(node?.named ?? {}), Object.values(fields.named ?? {}))).toBe(true);
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  },
  TIME_LIMIT_MS,
);
