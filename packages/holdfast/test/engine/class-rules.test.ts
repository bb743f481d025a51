// The rules of an entity class beside its fields: its name, its key from arguments, the age of merged rows.
import { Cache, Controller, Endpoint, Entity, EntityMixin, schema, validateRequired } from 'holdfast';
import { expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
}

test('a class is printed as its key', () => {
  expect(String(User)).toBe('User');
});

test('validateRequired returns the first missing field, and nothing where all are present', () => {
  expect(validateRequired({ id: '1', text: undefined }, { id: '', text: '' })).toBeUndefined();
  expect(validateRequired({ id: '1' }, { id: '', text: '', title: '' })).toBe('Missing key text');
});

test.each([
  ['a text', ['5'], 'Ada'],
  ['a number', [5], 'Ada'],
  ['the key among fields', [{ id: 5 }], 'Ada'],
  ['null, which is no text', [{ id: null }], undefined],
  ['true, which is none either', [true], undefined],
  ['a field that is no key', [{ name: 'another' }], undefined],
  ['nothing', [], undefined],
])('a row is looked up by %s', (_title, args, name) => {
  const cache = new Cache();
  cache.write(
    [User],
    ['5', 'null', 'true', 'undefined'].map((id) => ({ id, name: id === '5' ? 'Ada' : 'another' })),
  );

  expect(cache.read(User, args as [string])?.name).toBe(name); // cast: what JavaScript would pass
});

test('the pk function of a mixin gets the value, its parent and its key', () => {
  const seen: unknown[] = [];
  class Data {
    id = '';
  }
  const pk = (value: Data, parent?: unknown, key?: string): string => {
    seen.push([value.id, (parent as { id?: string } | undefined)?.id, key]); // cast: what is asked below
    return value.id;
  };
  class Part extends EntityMixin(Data, { key: 'Part', pk }) {}
  class Whole extends Entity {
    static override key = 'Whole';
    id = '';
    part = Part.fromJS();
    static override schema = { part: Part };
  }

  new Cache().write(Whole, { id: 'w', part: { id: 'p' } });

  expect(seen).toContainEqual(['p', 'w', 'part']);
});

test.each([
  [true, 60_000],
  [false, 110_000],
])('mergeMetaWithStore decides how old a merged row is; age of the existing row: %s', async (isKept, end) => {
  class Note extends Entity {
    static override key = 'Note';
    id = '';
    static override mergeMetaWithStore(...metas: Parameters<typeof Entity.mergeMetaWithStore>) {
      return isKept ? metas[0] : super.mergeMetaWithStore(...metas);
    }
  }
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  const readAll = new Endpoint(async () => [{ id: '1' }], { name: 'readAll', schema: [Note] });
  const readOne = new Endpoint(async ({ id }: { id: string }) => ({ id }), { name: 'readOne', schema: Note });
  const start = world.options.clock.now();

  await controller.fetch(readAll);
  await world.pass(50_000);
  await controller.fetch(readAll);

  expect(controller.getResponse(readOne, { id: '1' }).expiresAt - start).toBe(end);
});

test('the default mergeMetaWithStore keeps the age of the newer row', () => {
  const older = { fetchedAt: 1, date: 1 };
  const newer = { fetchedAt: 2, date: 2 };

  expect(User.mergeMetaWithStore(older, newer, {}, {})).toBe(newer);
  expect(User.mergeMetaWithStore(newer, older, {}, {})).toBe(newer);
});

test('schema.Object accepts further properties, which replace those of the same name', () => {
  const cache = new Cache();
  class Box extends Entity {
    static override key = 'Box';
    id = '';
    inside: unknown = undefined;
    static override schema = { inside: new schema.Object<Record<string, unknown>>({ user: '' }) };
  }
  cache.write(Box, { id: '1', inside: { user: 'plain' } });
  Box.schema.inside.define({ user: User, others: [User] });
  cache.write(Box, { id: '1', inside: { user: { id: 'u' }, others: [{ id: 'v' }] } });

  expect(cache.read(Box, ['1'])?.inside).toEqual({
    user: cache.read(User, ['u']),
    others: [cache.read(User, ['v'])],
  });
});
