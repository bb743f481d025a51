// Clauses A of the contract: schema.All, through the public cache.
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

const ids = (items: readonly { readonly id?: string }[] | undefined): unknown =>
  items?.map((item) => item.id);

test('A-1 All reads all cached entities of the type, wherever they came from', () => {
  const cache = new Cache();
  class Owner extends Entity {
    static override key = 'Owner';
    id = '';
    dog = Dog.fromJS();
    static override schema = { dog: Dog };
  }
  cache.write(Dog, { id: '1' });
  cache.write(new schema.Collection([Dog]), [{ id: '2' }]);
  cache.write(Owner, { id: 'o', dog: { id: '3' } });

  expect(ids(cache.read(new schema.All(Dog)))).toEqual(['1', '2', '3']);
});

test('A-1 All follows later additions and removals, and notifies its subscribers', () => {
  const cache = new Cache();
  const all = new schema.All(Dog);
  cache.write(all, [{ id: '1' }, { id: '2' }]);
  const heard = vi.fn();
  cache.subscribe(all, [], heard);

  cache.write(Dog, { id: '3' });
  expect(ids(cache.read(all))).toEqual(['1', '2', '3']);
  expect(heard).toHaveBeenCalledTimes(1);

  cache.write(new schema.Invalidate(Dog), { id: '2' });
  expect(ids(cache.read(all))).toEqual(['1', '3']);
  expect(heard).toHaveBeenCalledTimes(2);
});

test('A-1 All reads an empty list that the server sent as an empty array', () => {
  const cache = new Cache();
  const all = new schema.All(Dog);
  cache.write(all, []);

  expect(cache.read(all)).toEqual([]);
});

test('A-1 All gives the same array as long as no row changes', () => {
  const cache = new Cache();
  const all = new schema.All(Dog);
  cache.write(all, [{ id: '1' }, { id: '2' }]);
  const before = cache.read(all);

  cache.write(Cat, { id: '1' });
  cache.write(all, [{ id: '2' }, { id: '1' }]);

  expect(cache.read(all)).toBe(before);
});

test('A-1 the order is that of arrival, whoever has read before', () => {
  const cache = new Cache();
  expect(cache.read(Dog, ['2'])).toBeUndefined();
  cache.write([Dog], [{ id: '1' }, { id: '2' }]);

  expect(ids(cache.read(new schema.All(Dog)))).toEqual(['1', '2']);
});

test('A-2 the definition is one entity or a mapping of attribute values to entities', () => {
  const cache = new Cache();
  const pets = new schema.All({ dog: Dog, cat: Cat }, 'type');
  cache.write(pets, [
    { id: '1', type: 'dog' },
    { id: '1', type: 'cat' },
  ]);
  cache.write(Cat, { id: '2', type: 'cat' });

  const read = cache.read(pets);

  expect(read?.filter((pet) => pet instanceof Dog)).toHaveLength(1);
  expect(read?.filter((pet) => pet instanceof Cat)).toHaveLength(2);
});

test('A-3 a mapping needs a schemaAttribute', () => {
  // @ts-expect-error the attribute is required with a mapping
  expect(() => new schema.All({ dog: Dog, cat: Cat })).toThrow(HoldfastError);
});

test('A-3 a function gets the value, the parent of the input array and the key of the array in it', () => {
  const cache = new Cache();
  const seen: unknown[] = [];
  const pets = new schema.All({ dogs: Dog, cats: Cat }, (value: { kind: string }, parent, key) => {
    seen.push({ value, parent, key });
    return value.kind === 'd' ? 'dogs' : 'cats';
  });
  const payload = {
    pets: [
      { id: '1', kind: 'd' },
      { id: '2', kind: 'c' },
    ],
  };
  cache.write({ pets }, payload);

  expect(seen).toEqual([
    { value: payload.pets[0], parent: payload, key: 'pets' },
    { value: payload.pets[1], parent: payload, key: 'pets' },
  ]);
  expect(cache.read(Dog, ['1'])).toBeInstanceOf(Dog);
  expect(cache.read(Cat, ['2'])).toBeInstanceOf(Cat);
});

test('A-4 define merges into the constructor’s mapping', () => {
  const cache = new Cache();
  const pets = new schema.All<Record<string, typeof Dog | typeof Cat>>({ dog: Dog }, 'type');
  pets.define({ cat: Cat });
  cache.write(pets, [
    { id: '1', type: 'dog' },
    { id: '2', type: 'cat' },
  ]);

  expect(cache.read(Dog, ['1'])).toBeInstanceOf(Dog);
  expect(cache.read(Cat, ['2'])).toBeInstanceOf(Cat);
  expect(cache.read(pets)).toHaveLength(2);
});

test('A-5 an object with no entry in the mapping is returned unchanged, and no entity is made', () => {
  const cache = new Cache();
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const bird = { id: '9', type: 'bird', schema: 'its own', nested: { id: '1' } };
  const wrapper = { pets: new schema.All({ dog: Dog, cat: Cat }, 'type') };
  cache.write(wrapper, { pets: [{ id: '1', type: 'dog' }, bird] });

  expect(warned).toHaveBeenCalledOnce();
  expect(warned.mock.calls[0]?.[0]).toContain('bird');
  expect(cache.read(Dog, ['9'])).toBeUndefined();
  expect(cache.read(Cat, ['9'])).toBeUndefined();
  warned.mockRestore();
});
