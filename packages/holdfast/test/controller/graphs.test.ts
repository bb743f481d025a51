// Values that contain one object twice, contain themselves, or were read from the store before they are written.
import { Cache, Controller, Endpoint, Entity } from 'holdfast';
import { expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class Person extends Entity {
  static override key = 'Person';
  id = '';
  name = '';
  friends: Person[] = [];
  best: Person | null = null;
}
Person.schema = { friends: [Person], best: Person };

interface Wire {
  id: string;
  name?: string;
  best?: Wire;
  friends: Wire[];
}

const create = () => new Controller(new FakeWorld().options);

function pair(): Wire {
  const a: Wire = { id: 'a', name: 'A', friends: [] };
  const b: Wire = { id: 'b', name: 'B', friends: [a], best: a };
  a.friends.push(b);
  a.best = b;
  return a;
}

test('a payload whose objects refer to each other by two fields is stored, and not changed', async () => {
  const controller = create();
  const given = pair();
  const readPair = new Endpoint(async () => given, { name: 'readPair', schema: Person });

  const person = await controller.fetch(readPair);

  expect(person.best?.best).toBe(person);
  expect(person.friends[0]).toBe(person.best);
  expect(given).toEqual(pair());
});

test('plain data with a circular reference that arrives a second time is stored', async () => {
  class Note extends Entity {
    static override key = 'Note';
    id = '';
    data: unknown = null;
  }
  interface Circle {
    next?: Circle;
    also?: Circle;
    title: string;
  }
  const circle = (title: string): Circle => {
    const first: Circle = { title: 'first' };
    first.next = { title, next: first, also: first };
    return first;
  };
  for (const schema of [undefined, Note]) {
    const answers = ['a', 'b'].map((title) => ({ id: '1', data: circle(title) }));
    const read = new Endpoint(async () => answers.shift(), { name: 'read', ...(schema && { schema }) });
    const controller = new Controller();
    const titles = [];
    for (let i = 0; i < 2; i += 1) {
      const { data } = (await controller.fetch(read)) as { data: Circle }; // cast: what the endpoint gives
      expect(data.next?.next).toBe(data);
      titles.push(data.next?.title);
    }

    expect(titles).toEqual(['a', 'b']);
  }
});

test('an object that a payload contains many times is written once', () => {
  const cache = new Cache();
  let top: Wire = { id: 'n0', friends: [] };
  for (let step = 1; step <= 200; step += 1) top = { id: `n${step}`, best: top, friends: [top] };

  cache.write(Person, top);

  expect(cache.read(Person, ['n200'])?.best?.friends[0]?.id).toBe('n198');
});

test('a row in a circle of rows can be updated by a function of its present value', async () => {
  const controller = create();
  await controller.set(Person, pair());
  const before = controller.get(Person, { id: 'b' });

  await controller.set(Person, { id: 'a' }, (present) => ({ ...present, name: 'new' }));

  expect(controller.get(Person, { id: 'a' })?.name).toBe('new');
  expect(controller.get(Person, { id: 'b' })?.name).toBe(before?.name);
  expect(controller.get(Person, { id: 'b' })?.best?.name).toBe('new');
});

test('rows that were read and are written back with a list keep their newer fields', async () => {
  const controller = create();
  await controller.set(Person, { id: 'a', name: 'A', friends: [] });
  await controller.set(Person, { id: 'b', name: 'B', best: 'a', friends: [] });
  const slow = new Endpoint(async () => answer, { name: 'slow', schema: Person });
  let tell: (value: object) => void = () => undefined;
  const answer = new Promise<object>((resolve) => (tell = resolve));
  const reading = controller.fetch(slow);

  // changes b, and contains an unchanged a
  await controller.set(Person, { id: 'b' }, (present) => ({ ...present, name: 'new' }));
  tell({ id: 'a', name: 'asked before, answered after', friends: [] });
  await reading;

  expect(controller.get(Person, { id: 'a' })?.name).toBe('asked before, answered after');
});
