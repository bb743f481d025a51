// Graphs that refer to themselves, and graphs that are deep: identity, invalid parts, and no limit but memory.
import { Cache, Entity, schema } from 'holdfast';
import { expect, test } from 'vitest';

class Person extends Entity {
  static override key = 'Person';
  id = '';
  name = '';
  friend: Person | undefined = undefined;
  boss: Person | null = null;
  static override schema: Record<string, unknown> = {};
}
Person.schema = { friend: Person, boss: Person };

/** Two types that need each other, and one of which needs a third. */
class Left extends Entity {
  static override key = 'Left';
  id = '';
  right: unknown = {};
  static override schema: Record<string, unknown> = {};
}
class Right extends Entity {
  static override key = 'Right';
  id = '';
  left: unknown = {};
  part: unknown = {};
  static override schema: Record<string, unknown> = {};
}
Left.schema = { right: Right };
Right.schema = { left: Left, part: Person };

test('a cycle closes on the same instance, from whichever row it is read', () => {
  const cache = new Cache();
  cache.write(
    [Person],
    [
      { id: '1', friend: { id: '2', friend: '3' } },
      { id: '3', friend: '1' },
    ],
  );

  const one = cache.read(Person, ['1']);
  expect(one?.friend?.friend?.friend).toBe(one);
  expect(cache.read(Person, ['2'])).toBe(one?.friend);
  expect(cache.read(Person, ['3'])).toBe(one?.friend?.friend);
});

test('a row may refer to itself', () => {
  const cache = new Cache();
  cache.write(Person, { id: '1', friend: '1' });

  const one = cache.read(Person, ['1']);
  expect(one?.friend).toBe(one);
});

test('a change in a cycle is shown by all of its rows, and an identical payload changes none', () => {
  const cache = new Cache();
  cache.write(
    [Person],
    [
      { id: '1', friend: '2' },
      { id: '2', friend: '1' },
    ],
  );
  const before = cache.read(Person, ['1']);
  cache.write([Person], [{ id: '1', friend: { id: '2', friend: '1' } }]);
  expect(cache.read(Person, ['1'])).toBe(before);

  cache.write(Person, { id: '2', name: 'new' });
  const after = cache.read(Person, ['1']);
  expect(after?.friend?.name).toBe('new');
  expect(after?.friend?.friend).toBe(after);
  expect(cache.read(Person, ['2'])).toBe(after?.friend);
});

test('a payload that contains itself is stored', () => {
  const cache = new Cache();
  const one: Record<string, unknown> = { id: '1', name: 'a' };
  const two = { id: '2', friend: one };
  one['friend'] = two;
  cache.write(Person, one);

  const read = cache.read(Person, ['1']);
  expect(read?.friend?.id).toBe('2');
  expect(read?.friend?.friend).toBe(read);
});

test.each(['Left', 'Right', 'a list'])(
  'an invalid row in a cycle of required fields hides all rows until it is back: %s first',
  (first) => {
    const cache = new Cache();
    const list = new schema.Collection([Left]);
    cache.write(list, [{ id: '1', right: { id: '1', left: '1', part: { id: 'p' } } }]);
    const order = { Left: [Left, Right], Right: [Right, Left], 'a list': [list, Left, Right] }[first] ?? [];
    const read = (): unknown[] =>
      order.map((kind) => (kind === list ? cache.read(list)?.[0] : cache.read(kind as typeof Left, ['1'])));
    const heard: string[] = [];
    cache.subscribe(Left, ['1'], () => heard.push('left'));
    cache.subscribe(Right, ['1'], () => heard.push('right'));

    cache.write(new schema.Invalidate(Person), 'p');
    expect(read().every((value) => value === undefined)).toBe(true);
    expect(heard.toSorted()).toEqual(['left', 'right']);

    cache.write(Person, { id: 'p' });
    expect(read().every((value) => value !== undefined)).toBe(true);
    expect(heard).toHaveLength(4);

    cache.write(new schema.Invalidate(Left), '1');
    expect(read().every((value) => value === undefined)).toBe(true);
  },
);

const DEPTH = 100_000;

test('a payload of 100,000 nested entities round-trips', () => {
  let payload: Record<string, unknown> = { id: String(DEPTH - 1), name: 'last' };
  for (let id = DEPTH - 2; id >= 0; id -= 1) payload = { id: String(id), friend: payload };
  const cache = new Cache();
  cache.write(Person, payload);

  let depth = 0;
  let person = cache.read(Person, ['0']);
  while (person?.friend) {
    person = person.friend;
    depth += 1;
  }
  expect(depth).toBe(DEPTH - 1);
  expect(person?.name).toBe('last');
});

test('a chain of 100,000 references in both directions is read, and a change at its end is shown at its head', () => {
  const cache = new Cache();
  const rows = Array.from({ length: DEPTH }, (_none, at) => ({
    id: String(at),
    ...(at + 1 < DEPTH && { friend: String(at + 1) }),
    ...(at > 0 && { boss: String(at - 1) }),
  }));
  cache.write([Person], rows);
  const last = (): Person | undefined => {
    let person = cache.read(Person, ['0']);
    while (person?.friend) person = person.friend;
    return person;
  };
  expect(last()?.id).toBe(String(DEPTH - 1));
  expect(last()?.boss?.id).toBe(String(DEPTH - 2));

  cache.write(Person, { id: String(DEPTH - 1), name: 'changed' });
  expect(last()?.name).toBe('changed');
});

test('plain JSON 5,000 deep inside a field is stored, compared and read', () => {
  const deep = (leaf: string): unknown => {
    let value: unknown = leaf;
    for (let at = 0; at < 5_000; at += 1) value = { inner: value };
    return value;
  };
  class Doc extends Entity {
    static override key = 'Doc';
    id = '';
    body: unknown = null;
  }
  const cache = new Cache();
  const wrapper = { doc: Doc, at: '' };
  cache.write(wrapper, { doc: { id: '1', body: deep('a') }, extra: deep('b') });
  const before = cache.read(Doc, ['1']);
  cache.write(Doc, { id: '1', body: deep('a') });
  // compared here, because the comparison of the test runner recurses into the values
  expect(cache.read(Doc, ['1']) === before).toBe(true);

  cache.write(Doc, { id: '1', body: deep('c') });
  expect(cache.read(Doc, ['1']) === before).toBe(false);
});

test('arrays may nest in each other without an end', () => {
  const branches: unknown[] = [];
  branches.push(branches);
  class Tree extends Entity {
    static override key = 'Tree';
    id = '';
    branches: unknown[] = [];
    static override schema = { branches };
  }
  const cache = new Cache();
  cache.write(Tree, { id: '1', branches: [[[]], []] });
  expect(cache.read(Tree, ['1'])?.branches).toEqual([[[]], []]);
});

// copying a list of the referring rows for each of them would take most of a minute
test('60,000 rows that refer back to their parent are read in linear time', { timeout: 10_000 }, () => {
  class Room extends Entity {
    static override key = 'Room';
    id = '';
    guests: readonly Guest[] = [];
    static override schema: Record<string, unknown> = {};
  }
  class Guest extends Entity {
    static override key = 'Guest';
    id = '';
    room: Room | undefined = undefined;
    static override schema = { room: Room };
  }
  Room.schema = { guests: [Guest] };
  const cache = new Cache();
  cache.write(Room, { id: 'r', guests: Array.from({ length: 60_000 }, (_, at) => ({ id: at, room: 'r' })) });

  const room = cache.read(Room, ['r']);

  expect(room?.guests.every((guest) => guest.room === room)).toBe(true);
});
