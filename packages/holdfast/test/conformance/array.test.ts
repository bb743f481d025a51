// Clauses L of the contract: schema.Array and schema.Values. Arrays have no key, so they are read as part of an entity here.
import { Cache, Entity, HoldfastError, schema } from 'holdfast';
import { expect, test, vi } from 'vitest';

class Dog extends Entity {
  static override key = 'Dog';
  id = '';
  type = 'dog';
}
class Cat extends Entity {
  static override key = 'Cat';
  id = '';
  type = 'cat';
}

/** An entity with one field of the given schema, and how to write and read that field. */
function field(inner: unknown): {
  cache: Cache;
  write: (value: unknown) => void;
  read: () => unknown;
} {
  class Box extends Entity {
    static override key = 'Box';
    id = '';
    inside: unknown = undefined;
    static override schema = { inside: inner };
  }
  const cache = new Cache();
  return {
    cache,
    write: (value) => cache.write(Box, { id: '1', inside: value }),
    read: () => cache.read(Box, ['1'])?.inside,
  };
}

test.each([
  ['new schema.Array(S)', new schema.Array(Dog)],
  ['the shorthand [S]', [Dog]],
])('L-1 %s normalizes an array of S', (_name, array) => {
  const { cache, write, read } = field(array);
  write([{ id: '1' }, { id: '2' }]);

  const dogs = read() as Dog[]; // cast: the schema says so

  expect(dogs.map((dog) => dog.id)).toEqual(['1', '2']);
  expect(dogs[0]).toBeInstanceOf(Dog);
  expect(cache.read(Dog, ['2'])).toBe(dogs[1]);
});

test('L-1 null keeps its place; deleted and unknown items are left out', () => {
  const { cache, write, read } = field([Dog]);
  write([{ id: '1' }, null, { id: '2' }, 'unknown']);
  cache.write(new schema.Invalidate(Dog), { id: '1' });

  expect(read()).toEqual([null, cache.read(Dog, ['2'])]);

  cache.write(Dog, { id: 'unknown' });
  expect(read()).toEqual([null, cache.read(Dog, ['2']), cache.read(Dog, ['unknown'])]);
});

test('L-2 a mapping is used with the name of an attribute', () => {
  const { read, write } = field(new schema.Array({ dog: Dog, cat: Cat }, 'type'));
  write([
    { id: '1', type: 'dog' },
    { id: '1', type: 'cat' },
  ]);

  const [dog, cat] = read() as unknown[]; // cast: an array
  expect(dog).toBeInstanceOf(Dog);
  expect(cat).toBeInstanceOf(Cat);
});

test('L-2 a mapping is used with a function of value, parent and key', () => {
  const seen: unknown[] = [];
  const { read, write } = field(
    new schema.Array({ dogs: Dog, cats: Cat }, (value: { id: string }, parent, key) => {
      seen.push([(parent as { id: string }).id, key]);
      return value.id === '1' ? 'dogs' : 'cats';
    }),
  );
  write([{ id: '1' }, { id: '2' }]);

  const [dog, cat] = read() as unknown[]; // cast: an array
  expect(dog).toBeInstanceOf(Dog);
  expect(cat).toBeInstanceOf(Cat);
  expect(seen).toEqual([
    ['1', 'inside'],
    ['1', 'inside'],
  ]);
});

test('L-2 a mapping without an attribute is refused', () => {
  // @ts-expect-error the attribute is required with a mapping
  expect(() => new schema.Array({ dog: Dog })).toThrow(HoldfastError);
});

test('L-3 an object given instead of an array becomes the array of its values', () => {
  const { read, write } = field([Dog]);
  write({ x: { id: '1' }, y: { id: '2' } });

  expect((read() as Dog[]).map((dog) => dog.id)).toEqual(['1', '2']); // cast: an array
});

test('L-4 define merges into the mapping', () => {
  const pets = new schema.Array<Record<string, typeof Dog | typeof Cat>>({ dog: Dog }, 'type');
  const { read, write } = field(pets);
  pets.define({ cat: Cat });
  write([
    { id: '1', type: 'dog' },
    { id: '2', type: 'cat' },
  ]);

  const [dog, cat] = read() as unknown[]; // cast: an array
  expect(dog).toBeInstanceOf(Dog);
  expect(cat).toBeInstanceOf(Cat);
});

test('L-5 an object with no entry in the mapping is returned unchanged, and no entity is made', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { cache, read, write } = field(new schema.Array({ dog: Dog, cat: Cat }, 'type'));
  const bird = { id: '9', type: 'bird', schema: 'dog', row: 'its own' };
  write([{ id: '1', type: 'dog' }, bird]);

  expect((read() as unknown[])[1]).toEqual(bird); // cast: an array
  expect(cache.read(Dog, ['9'])).toBeUndefined();
  warned.mockRestore();
});

test('L-6 schema.Values normalizes a map of one schema', () => {
  const { cache, read, write } = field(new schema.Values(Dog));
  write({ rex: { id: '1' }, fido: { id: '2' }, nobody: null });

  const dogs = read() as Record<string, Dog>; // cast: the schema says so
  expect(Object.keys(dogs)).toEqual(['rex', 'fido']);
  expect(dogs['rex']).toBe(cache.read(Dog, ['1']));
});

test('L-6 schema.Values takes a mapping with an attribute', () => {
  const { read, write } = field(new schema.Values({ dog: Dog, cat: Cat }, 'type'));
  write({ rex: { id: '1', type: 'dog' }, tom: { id: '2', type: 'cat' } });

  const pets = read() as Record<string, unknown>; // cast: the schema says so
  expect(pets['rex']).toBeInstanceOf(Dog);
  expect(pets['tom']).toBeInstanceOf(Cat);
});

test('L-6 schema.Values keeps 0, the empty string and false', () => {
  const { read, write } = field(new schema.Values(Number));
  write({ a: '0', b: '5' });
  expect(read()).toEqual({ a: 0, b: 5 });

  const text = field(new schema.Values(''));
  text.write({ a: '', b: false, c: 0 });
  expect(text.read()).toEqual({ a: '', b: false, c: 0 });
});
