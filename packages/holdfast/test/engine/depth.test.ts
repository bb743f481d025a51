// Depth is limited only by memory for every kind and every caller: values that nest deep without an entity between their
// levels, in a worker, on a stack that is half used, and many of them in one list.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { Cache, Entity, schema } from 'holdfast';
import { describe, expect, test, vi } from 'vitest';
import { kindOf } from '../../src/schema/kinds/kind-of.ts';
import { ObjectKind } from '../../src/schema/kinds/object-kind.ts';
import { chain, checkChain, deepKinds, measure, withUsedStack } from '../support/deep.ts';
import { createBench } from '../support/engine.ts';

/** A stack of Node holds about 10,000 calls. The nightly run has 100,000 levels. */
const DEPTH = Number(process.env['HOLDFAST_DEPTH'] ?? 25_000);
/** On a much smaller stack: a worker with a normal stack takes a minute for 100,000 levels of all kinds. */
const WORKER_DEPTH = 15_000;
const WORKER_STACK_MB = 1;

const names = Object.keys(deepKinds);

describe(`${DEPTH} levels without an entity between them are written, read and kept`, () => {
  test.each(names)('%s', (name) => checkChain(name, DEPTH));
  test.each(names)('%s, parsed from JSON', (name) => checkChain(name, 10_000, true));
  test.each(names)('%s, with half of the stack used by the caller', (name) =>
    withUsedStack(0.5, () => checkChain(name, 10_000)),
  );

  test('each kind is read in a worker', async () => {
    const sources = join(import.meta.dirname, '../../src');
    const { outputFiles } = await build({
      stdin: {
        contents: `
          import { parentPort } from 'node:worker_threads';
          import { checkChain, deepKinds, withUsedStack } from './deep.ts';
          const failures = [];
          for (const name of Object.keys(deepKinds)) {
            try { checkChain(name, ${WORKER_DEPTH}); withUsedStack(0.5, () => checkChain(name, 10_000)); }
            catch (error) { failures.push(name + ': ' + error); }
          }
          parentPort.postMessage(failures);`,
        resolveDir: join(import.meta.dirname, '../support'),
      },
      alias: { holdfast: join(sources, 'index.ts'), '#env': join(sources, 'env.development.ts') },
      external: ['react'],
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'node',
      tsconfigRaw: {},
    });
    const worker = new Worker(outputFiles[0]!.text, {
      eval: true,
      resourceLimits: { stackSizeMb: WORKER_STACK_MB },
    }); // one entry, one file
    const failures = await new Promise((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
    });
    expect(failures).toEqual([]);
  });

  test.each(names)('%s, as the response of an endpoint', (name) => {
    const kind = deepKinds[name]!(); // a key of the table
    const { engine, read } = createBench();
    const wrapped = { data: kind.schema };
    const value = { data: chain(kind, DEPTH, 'end') };
    const { stored } = read({ sent: 1, settled: 2, schema: wrapped, value });

    const answer = engine.readStored(kindOf(wrapped), stored, [], null) as typeof value; // cast: the same shape

    expect(measure(kind, answer.data)).toEqual(measure(kind, value.data));
  });
});

test('a hook of an object below the depth of the call stack gets the property that contains the object', () => {
  const met = new Map<string, string>();
  class Branch extends Entity {
    id = '';
    down: Branch[] = [];
    last: Branch[] = [];
    static override key = 'Branch';
    static override process(input: object, _parent: unknown, key: string) {
      met.set((input as Branch).id, key); // cast: the payload below
      return { ...input };
    }
  }
  Branch.schema = { down: [Branch], last: [Branch] };
  let branch: object = { id: '300' };
  for (let level = 299; level > 0; level -= 1) branch = { id: `${level}`, down: [branch] };

  new Cache().write(Branch, { id: '0', down: [branch], last: [{ id: 'last' }] });

  expect([...met].filter(([, key]) => key !== 'down')).toEqual([
    ['0', ''],
    ['last', 'last'],
  ]);
});

class Leaf extends Entity {
  static override key = 'Leaf';
  id = '';
  name = '';
  root: unknown = null;
  other: unknown = null;
  trunk: unknown = null;
  static override schema: Record<string, unknown> = {};
}
const branch = new schema.Object<Record<string, unknown>>({});
branch.define({ next: branch, leaf: Leaf });
Leaf.schema = { root: Leaf, other: Leaf, trunk: branch };

interface Branch {
  readonly next?: Branch;
  readonly leaf?: Leaf;
}

function grow(depth: number, leaf: unknown): unknown {
  let value: unknown = { leaf };
  for (let level = 0; level < depth; level += 1) value = { next: value };
  return value;
}

function leafOf(trunk: unknown): Leaf | undefined {
  let level = trunk as Branch; // cast: as grown above
  while (level.next) level = level.next;
  return level.leaf;
}

test('a change at the end of 10,000 objects is shown at their head, and changes nothing beside it', () => {
  const cache = new Cache();
  cache.write(
    [Leaf],
    [
      { id: 'a', trunk: grow(10_000, { id: 'x', name: 'x' }) },
      { id: 'b', trunk: grow(10_000, { id: 'y', name: 'y' }) },
    ],
  );
  const b = cache.read(Leaf, ['b']);
  expect(leafOf(cache.read(Leaf, ['a'])?.trunk)?.name).toBe('x');
  const heard = vi.fn();
  cache.subscribe(Leaf, ['a'], heard);
  cache.subscribe(Leaf, ['b'], () => expect.unreachable('nothing of b changed'));

  cache.write(Leaf, { id: 'x', name: 'changed' });

  expect(heard).toHaveBeenCalledOnce();
  expect(leafOf(cache.read(Leaf, ['a'])?.trunk)?.name).toBe('changed');
  expect(cache.read(Leaf, ['b'])).toBe(b);
});

test('a row that is deleted at the end of 10,000 objects makes the whole value invalid', () => {
  const cache = new Cache();
  cache.write(Leaf, { id: 'a', trunk: grow(10_000, { id: 'x', name: 'x' }) });
  cache.read(Leaf, ['a']);

  cache.write(new schema.Invalidate(Leaf), { id: 'x' });
  expect(cache.read(Leaf, ['a'])?.trunk).toBe(null);

  cache.write(Leaf, { id: 'x', name: 'back' });
  expect(leafOf(cache.read(Leaf, ['a'])?.trunk)?.name).toBe('back');
});

test('an error at the end of 10,000 objects is thrown at their head until the row changes', () => {
  class Angry extends Leaf {
    static override key = 'Angry';
    static override fromJS<T extends typeof Entity>(
      this: T,
      props: Partial<InstanceType<T>> = {},
    ): InstanceType<T> {
      if ((props as Partial<Leaf>).name === 'angry') throw new Error('angry'); // cast: a leaf's fields
      return super.fromJS.call(this, props) as InstanceType<T>; // cast: the same class
    }
  }
  const trunk = new schema.Object<Record<string, unknown>>({});
  trunk.define({ next: trunk, leaf: Angry });
  class Tree extends Entity {
    static override key = 'Tree';
    id = '';
    trunk: unknown = null;
    static override schema: Record<string, unknown> = { trunk };
  }
  const cache = new Cache();
  cache.write(Tree, { id: '1', trunk: grow(10_000, { id: 'x', name: 'angry' }) });
  expect(() => cache.read(Tree, ['1'])).toThrow('angry');
  expect(() => cache.read(Tree, ['1'])).toThrow('angry');

  cache.write(Angry, { id: 'x', name: 'calm' });
  expect(leafOf(cache.read(Tree, ['1'])?.trunk)?.name).toBe('calm');
});

test.each([50, 250, 10_000])('a circle through %i objects closes on one instance', (depth) => {
  const cache = new Cache();
  cache.write(Leaf, { id: 'a', trunk: grow(depth, { id: 'b', root: 'a', trunk: grow(depth, 'a') }) });

  const a = cache.read(Leaf, ['a']);
  const b = leafOf(a?.trunk);
  expect(b?.root).toBe(a);
  expect(leafOf(b?.trunk)).toBe(a);
  expect(cache.read(Leaf, ['b'])).toBe(b);
});

test.each([50, 250, 1_000])('a circle through %i objects whose root is deleted is invalid', (depth) => {
  class Needy extends Entity {
    static override key = 'Needy';
    id = '';
    trunk: object = {};
    static override schema: Record<string, unknown> = {};
  }
  const trunk = new schema.Object<Record<string, unknown>>({});
  trunk.define({ next: trunk, leaf: Needy, need: Leaf });
  Needy.schema = { trunk };
  const cache = new Cache();
  cache.write(Needy, {
    id: 'a',
    trunk: { next: grow(depth, { id: 'b', trunk: grow(depth, 'a') }), need: { id: 'n' } },
  });
  expect(cache.read(Needy, ['a'])?.id).toBe('a');

  cache.write(new schema.Invalidate(Leaf), { id: 'n' });
  expect(cache.read(Needy, ['a'])).toBe(undefined);
  expect(cache.read(Needy, ['b'])).toBe(undefined);

  cache.write(Leaf, { id: 'n' });
  expect(cache.read(Needy, ['b'])?.id).toBe('b');
});

test('rows that wait beside each other are no circle: an object that two of them contain is one object', () => {
  const chainOf = (head: string, end: object): object => {
    let row: object = end;
    for (let at = 299; at > 0; at -= 1) row = { id: `${head}${at}`, root: row };
    return { id: head, root: row };
  };
  // the end of the chain of a contains b, whose own chain is as deep
  const both = { a: Leaf, b: Leaf };
  const { engine, read } = createBench();
  const answer = read({
    sent: 1,
    settled: 2,
    schema: both,
    value: { a: chainOf('a', { id: 'end of a', other: 'b' }), b: chainOf('b', { id: 'end of b' }) },
  });
  const slot = engine.store.slot('key');
  slot.stored = answer.stored;
  const view = engine.responseView(slot, kindOf(both), []);
  const before = engine.read(view) as { a: Leaf; b: Leaf }; // cast: as written
  const end = (from: Leaf): Leaf => {
    let leaf = from;
    while (leaf.root) leaf = leaf.root as Leaf; // cast: as written
    return leaf;
  };
  expect(end(before.a).other).toBe(before.b);

  // changed and changed back before anybody looks: everything is marked and nothing differs
  engine.store.batch(() => {
    for (const name of ['x', ''])
      read({ sent: 3, settled: 4, schema: [Leaf], value: [{ id: 'end of b', name }] });
  });
  const after = engine.read(view) as { a: Leaf; b: Leaf }; // cast: as written
  expect(end(after.a).other).toBe(after.b);
});

/** Counts the calls of a method until the returned function is called. A spy would keep the arguments of every call. */
function count<T extends object>(owner: T, name: keyof T): () => number {
  const method = owner[name] as (...args: unknown[]) => unknown; // cast: named by the test
  let calls = 0;
  Object.defineProperty(owner, name, {
    configurable: true,
    writable: true,
    value(this: unknown, ...args: unknown[]) {
      calls += 1;
      return method.apply(this, args);
    },
  });
  return () => {
    Object.defineProperty(owner, name, { configurable: true, writable: true, value: method });
    return calls;
  };
}

describe('many deep chains in one list are read in one pass', () => {
  const CHAINS = 1_000;
  const LEVELS = 250;

  test('as chains of entities', () => {
    const { engine, read, get } = createBench();
    const list = new schema.Collection([Leaf]);
    const value = Array.from({ length: CHAINS }, (_none, nth) => {
      let row: object = { id: `${nth} end`, name: 'end' };
      for (let at = LEVELS - 1; at > 0; at -= 1) row = { id: `${nth} ${at}`, root: row };
      return { id: String(nth), root: row };
    });
    read({ sent: 1, settled: 2, schema: list, value });
    const countCalls = count(engine, 'viewOf');

    const leaves = get(list) as Leaf[]; // cast: as written

    expect(leaves).toHaveLength(CHAINS);
    expect(countCalls()).toBeLessThan(3 * CHAINS * LEVELS);
  });

  test('as chains of objects', () => {
    const { engine, read } = createBench();
    const value = Array.from({ length: CHAINS }, () => grow(LEVELS, { id: 'x' }));
    const { stored } = read({ sent: 1, settled: 2, schema: [branch], value });
    const countCalls = count(ObjectKind.prototype, 'open');

    const trunks = engine.readStored(kindOf([branch]), stored, [], null) as unknown[]; // cast: as written

    expect(countCalls()).toBeLessThan(3 * CHAINS * LEVELS);
    expect(trunks.every((trunk) => leafOf(trunk)?.id === 'x')).toBe(true);
    expect(trunks).toHaveLength(CHAINS);
  });

  test('as rows that each contain the next one twice', () => {
    const cache = new Cache();
    const rows = Array.from({ length: 1_000 }, (_none, at) => ({
      id: String(at),
      root: String(at + 1),
      other: String(at + 1),
    }));
    cache.write([Leaf], [...rows, { id: '1000', name: 'end' }]);

    let leaf = cache.read(Leaf, ['0']);
    while (leaf?.root) {
      expect(leaf.root).toBe(leaf.other);
      leaf = leaf.root as Leaf; // cast: as written
    }
    expect(leaf?.name).toBe('end');
  });

  test('as rows at the end of one chain', () => {
    const cache = new Cache();
    const ends = Array.from({ length: 20_000 }, (_none, at) => ({ id: `end ${at}` }));
    class Bush extends Entity {
      static override key = 'Bush';
      id = '';
      trunk: unknown = null;
      static override schema: Record<string, unknown> = {};
    }
    const twig = new schema.Object<Record<string, unknown>>({});
    twig.define({ next: twig, leaf: [Leaf] });
    Bush.schema = { trunk: twig };
    cache.write(Bush, { id: '1', trunk: grow(150, ends) });

    expect(leafOf(cache.read(Bush, ['1'])?.trunk)).toHaveLength(ends.length);
  });
});

test('lists in rows of lists are read 20,000 deep', () => {
  class Comment extends Entity {
    static override key = 'Comment';
    id = '';
    replies: readonly Comment[] = [];
    static override schema: Record<string, unknown> = {};
  }
  Comment.schema = {
    replies: new schema.Collection([Comment], {
      nestKey: (parent: { id: string }) => ({ parent: parent.id }),
    }),
  };
  let value: object = { id: 'end', replies: [] };
  for (let at = 19_999; at > 0; at -= 1) value = { id: String(at), replies: [value] };
  const cache = new Cache();
  cache.write(Comment, value);

  let depth = 0;
  for (let comment = cache.read(Comment, ['1']); comment?.replies[0]; [comment] = comment.replies) depth += 1;
  expect(depth).toBe(19_999);
});

test('a lazy schema that nests 100,000 deep reads as plain ids', () => {
  const lazy = new schema.Lazy(branch);
  class Garden extends Entity {
    static override key = 'Garden';
    id = '';
    trunk: unknown = null;
    static override schema: Record<string, unknown> = { trunk: lazy };
  }
  const cache = new Cache();
  cache.write(Garden, { id: '1', trunk: grow(DEPTH, { id: 'x', name: 'end' }) });

  const plain = cache.read(Garden, ['1'])?.trunk;
  expect(leafOf(plain)).toBe('x');

  // as arguments: the platform has to write their canonical string
  cache.write(Garden, { id: '2', trunk: grow(300, 'x') });
  const ids = cache.read(Garden, ['2'])?.trunk;
  const resolved = cache.read(lazy.query, [ids] as never); // cast: the plain form of a schema that contains itself
  expect(leafOf(resolved)?.name).toBe('end');
});

test('objects that contain themselves are read in a list, and by arguments', () => {
  const node = new schema.Object<Record<string, unknown>>({});
  node.define({ next: node, leaf: Leaf });
  const list = new schema.Collection([node]);
  const cache = new Cache();
  cache.write(list, [grow(2, { id: 'x', name: 'end' })]);

  expect(leafOf((cache.read(list) ?? [])[0])?.name).toBe('end');
  expect(cache.read(node, [{ id: 'x' }] as never)).toBe(undefined); // cast: no arguments name such an object
});

test('an object that contains itself is refused where no entity closes the circle', () => {
  const circle: Record<string, unknown> = {};
  circle['next'] = { next: circle };
  const cache = new Cache();

  expect(() => cache.write(Leaf, { id: 'a', trunk: circle })).toThrow('found a cycle');
  expect(cache.read(Leaf, ['a'])).toBe(undefined);
  // held twice is no circle
  const twice = grow(250, 'x');
  cache.write(
    [Leaf],
    [
      { id: 'a', trunk: twice },
      { id: 'b', trunk: twice },
    ],
  );
  expect(cache.read(Leaf, ['b'])?.id).toBe('b');
});

test('look-ups with arguments that nest 20,000 deep are distinguished by their content, cycles included', () => {
  class Tag extends Entity {
    static override key = 'Tag';
    id = '';
  }
  const seen: unknown[] = [];
  const counted = new schema.Query(new schema.All(Tag), (_all: Tag[], given: object) => seen.push(given));
  const cache = new Cache();
  cache.write(Tag, { id: '1' });
  const nest = (inmost: object): object => {
    let outer = inmost;
    for (let level = 0; level < 20_000; level += 1) outer = { inside: outer, level };
    return outer;
  };
  const knot: { inside?: object } = {};
  knot.inside = nest(knot);

  cache.read(counted, [nest({ end: 1 })]);
  cache.read(counted, [nest({ end: 1 })]);
  cache.read(counted, [nest({ end: 2 })]);
  cache.read(counted, [knot]);
  cache.read(counted, [knot]);

  expect(seen).toHaveLength(3);
});
