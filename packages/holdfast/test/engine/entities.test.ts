// Entities in the cache beyond the clauses of the contract: indexes, deletion, missing relations, lifecycle hooks, immutability,
// and references that change only when data does.
import { Cache, Entity, schema, validateRequired } from 'holdfast';
import { describe, expect, test, vi } from 'vitest';

class User extends Entity {
  static override key = 'User';
  static override indexes = ['email', 'handle'] as const;
  id = '';
  email = '';
  handle = '';
  name = '';
}

describe('indexes', () => {
  test('a look-up by an indexed field finds its row after other rows of the type were written', () => {
    const cache = new Cache();
    cache.write(User, { id: '1', email: 'a@x' });
    expect(cache.read(User, [{ email: 'a@x' }])?.id).toBe('1');

    cache.write([User], [{ id: '2', email: 'b@x' }]);

    expect(cache.read(User, [{ email: 'a@x' }])?.id).toBe('1');
    expect(cache.read(User, [{ email: 'b@x' }])?.id).toBe('2');
  });

  test('a look-up from before the row existed finds it when it arrives, and is notified of its change and removal', () => {
    const cache = new Cache();
    const heard = vi.fn();
    cache.subscribe(User, [{ handle: 'ada' }], heard);
    expect(cache.read(User, [{ handle: 'ada' }])).toBeUndefined();

    cache.write(User, { id: '1', handle: 'ada' });
    expect(cache.read(User, [{ handle: 'ada' }])?.id).toBe('1');
    expect(heard).toHaveBeenCalledTimes(1);

    cache.write(User, { id: '1', handle: 'grace' });
    expect(cache.read(User, [{ handle: 'ada' }])).toBeUndefined();
    expect(cache.read(User, [{ handle: 'grace' }])?.id).toBe('1');
    expect(heard).toHaveBeenCalledTimes(2);

    cache.write(new schema.Invalidate(User), '1');
    expect(cache.read(User, [{ handle: 'grace' }])).toBeUndefined();
  });

  test('a deleted row leaves the index to another with the same value', () => {
    const cache = new Cache();
    cache.write([User], [{ id: '1', email: 'a@x' }]);
    cache.read(User, [{ email: 'a@x' }]);
    cache.write(new schema.Invalidate(User), { id: '1' });
    cache.write(User, { id: '2', email: 'a@x' });

    expect(cache.read(User, [{ email: 'a@x' }])?.id).toBe('2');
  });

  test('the primary key takes precedence over an index, and an index is used where the key finds no row', () => {
    const cache = new Cache();
    cache.write([User], [{ id: '1', email: 'a@x' }]);

    expect(cache.read(User, [{ id: '1', email: 'other' }])?.id).toBe('1');
    expect(cache.read(User, [{ id: 'unknown', email: 'a@x' }])?.id).toBe('1');
  });
});

describe('deletion', () => {
  test.each([
    ['an object', { id: '1' }, ['2', '3']],
    ['a plain id', '1', ['2', '3']],
    ['a number', 1, ['2', '3']],
    ['objects', [{ id: '1' }, { id: '2' }], ['3']],
    ['plain ids', ['1', 2], ['3']],
  ])('by %s removes the rows from every list', (_name, payload, left) => {
    const cache = new Cache();
    const list = new schema.Collection([User]);
    cache.write(list, [{ id: '1' }, { id: '2' }, { id: '3' }]);

    cache.write(new schema.Invalidate(User), payload);

    expect(cache.read(list)?.map((user) => user.id)).toEqual(left);
    expect(cache.read(User, ['1'])).toBeUndefined();
  });

  test('over a union removes the row of the type that the attribute names', () => {
    class Team extends Entity {
      static override key = 'Team';
      id = '';
      type = 'team';
    }
    const cache = new Cache();
    cache.write([Team], [{ id: '1' }]);
    cache.write([User], [{ id: '1' }]);

    cache.write(new schema.Invalidate({ user: User, team: Team }, 'type'), { id: '1', type: 'team' });

    expect(cache.read(Team, ['1'])).toBeUndefined();
    expect(cache.read(User, ['1'])?.id).toBe('1');
  });

  test('a process() that returns undefined deletes the row', () => {
    class Item extends Entity {
      static override key = 'Item';
      id = '';
      static override process(input: { id: string; deleted?: boolean }): object | undefined {
        return input.deleted ? undefined : { ...input };
      }
    }
    const cache = new Cache();
    const list = new schema.Collection([Item]);
    cache.write(list, [{ id: '1' }, { id: '2' }]);

    cache.write([Item], [{ id: '1', deleted: true }]);

    expect(cache.read(list)?.map((item) => item.id)).toEqual(['2']);
  });

  test('a row that is written again after its deletion is stored again', () => {
    const cache = new Cache();
    cache.write(User, { id: '1', name: 'a', handle: 'x' });
    cache.write(new schema.Invalidate(User), '1');
    cache.write(User, { id: '1', name: 'b' });

    expect(cache.read(User, ['1'])).toMatchObject({ name: 'b', handle: '' });
  });
});

describe('relations', () => {
  class Post extends Entity {
    static override key = 'Post';
    id = '';
    author = User.fromJS();
    reviewer: User | undefined = undefined;
    likes: User[] = [];
    static override schema = { author: User, reviewer: User, likes: [User] };
  }

  test('a required relation that is missing makes its parent incomplete until the related row arrives', () => {
    const cache = new Cache();
    const heard = vi.fn();
    cache.subscribe(Post, ['1'], heard);
    cache.write(Post, { id: '1', author: 'u' });
    expect(cache.read(Post, ['1'])).toBeUndefined();

    cache.write(User, { id: 'u', name: 'Ada' });
    expect(cache.read(Post, ['1'])?.author.name).toBe('Ada');
    expect(heard).toHaveBeenCalledTimes(1);

    cache.write(new schema.Invalidate(User), 'u');
    expect(cache.read(Post, ['1'])).toBeUndefined();
    expect(heard).toHaveBeenCalledTimes(2);
  });

  test('an optional relation that is missing or deleted reads as undefined', () => {
    const cache = new Cache();
    cache.write(Post, { id: '1', reviewer: 'u' });
    expect(cache.read(Post, ['1'])).toHaveProperty('reviewer', undefined);

    cache.write(User, { id: 'u', name: 'Ada' });
    expect(cache.read(Post, ['1'])?.reviewer?.name).toBe('Ada');

    cache.write(new schema.Invalidate(User), 'u');
    expect(cache.read(Post, ['1'])).toHaveProperty('reviewer', undefined);
  });

  test('null is a value: the relation is not missing', () => {
    const cache = new Cache();
    cache.write(Post, { id: '1', author: null });

    expect(cache.read(Post, ['1'])?.author).toBeNull();
  });

  test('an incomplete entity is left out of lists', () => {
    const cache = new Cache();
    const list = new schema.Collection([Post]);
    cache.write(list, [
      { id: '1', author: 'gone' },
      { id: '2', author: { id: 'u' } },
    ]);

    expect(cache.read(list)?.map((post) => post.id)).toEqual(['2']);
    cache.write(User, { id: 'gone' });
    expect(cache.read(list)?.map((post) => post.id)).toEqual(['1', '2']);
  });
});

describe('lifecycle hooks', () => {
  const metaShape = { fetchedAt: expect.any(Number) as number, date: expect.any(Number) as number };

  test('merge gets whole rows and decides what is stored', () => {
    class Cart extends Entity {
      static override key = 'Cart';
      id = '';
      items: string[] = [];
      static override merge(existing: { items?: string[] }, incoming: { items?: string[] }): object {
        return { ...existing, ...incoming, items: [...(existing.items ?? []), ...(incoming.items ?? [])] };
      }
    }
    const cache = new Cache();
    cache.write(Cart, { id: '1', items: ['a'] });
    cache.write(Cart, { id: '1', items: ['b'] });

    expect(cache.read(Cart, ['1'])?.items).toEqual(['a', 'b']);
  });

  test('merge gets ids for entities and wire forms for parsed fields', () => {
    const seen: unknown[] = [];
    class Event extends Entity {
      static override key = 'Event';
      id = '';
      at = new Date(0);
      host: User | undefined = undefined;
      static override schema = { at: Date, host: User };
      static override merge(existing: object, incoming: object): object {
        seen.push(existing, incoming);
        return { ...existing, ...incoming };
      }
    }
    const cache = new Cache();
    cache.write(Event, { id: '1', at: '2020-01-01', host: { id: 'u' } });
    cache.write(Event, { id: '1', at: '2021-01-01', host: { id: 'v', name: 'V' } });

    expect(seen).toEqual([
      { id: '1', at: '2020-01-01', host: 'u' },
      { id: '1', at: '2021-01-01', host: 'v' },
    ]);
    expect(cache.read(Event, ['1'])?.host?.name).toBe('V');
    expect(cache.read(Event, ['1'])?.at).toEqual(new Date('2021-01-01'));
  });

  test('shouldUpdate false keeps the stored row; shouldReorder true lets the stored row win field by field', () => {
    class Old extends User {
      static override key = 'Old';
      static override shouldUpdate(...[existingMeta]: Parameters<typeof Entity.shouldUpdate>): boolean {
        expect(existingMeta).toMatchObject(metaShape);
        return false;
      }
    }
    class Reordered extends User {
      static override key = 'Reordered';
      static override shouldReorder(): boolean {
        return true;
      }
    }
    const cache = new Cache();
    for (const kind of [Old, Reordered]) {
      cache.write(kind, { id: '1', name: 'first' });
      cache.write(kind, { id: '1', name: 'second', handle: 'new' });
    }

    expect(cache.read(Old, ['1'])).toMatchObject({ name: 'first', handle: '' });
    expect(cache.read(Reordered, ['1'])).toMatchObject({ name: 'first', handle: 'new' });
  });

  test('createIfValid and fromJS make the instances; validate on read hides incomplete rows', () => {
    class Full extends Entity {
      static override key = 'Doc';
      id = '';
      text = '';
      static override validate(processed: object): string | undefined {
        return validateRequired(processed, { text: '' });
      }
    }
    class Summary extends Entity {
      static override key = 'Doc';
      id = '';
      title = '';
    }
    const cache = new Cache();
    cache.write(Summary, { id: '1', title: 'a' });
    expect(cache.read(Full, ['1'])).toBeUndefined();
    expect(() => cache.write(Full, { id: '2' })).toThrow('ENTITY_INVALID');

    cache.write(Full, { id: '1', text: 'long' });
    expect(cache.read(Full, ['1'])).toMatchObject({ title: 'a', text: 'long' });
  });

  test('a custom queryKey finds the row', () => {
    class Setting extends Entity {
      static override key = 'Setting';
      value = 0;
      override pk(): string {
        return 'only';
      }
      static override queryKey(): string {
        return 'only';
      }
    }
    const cache = new Cache();
    cache.write(Setting, { value: 3 });

    expect(cache.read(Setting, [{}])?.value).toBe(3);
    expect(cache.read(Setting, [])?.value).toBe(3);
  });
});

describe('immutability', () => {
  class Doc extends Entity {
    static override key = 'Doc';
    id = '';
    meta = { tags: ['a'] };
    list: { n: number }[] = [];
  }

  test('a change of a payload after it was written does not change the store', () => {
    const cache = new Cache();
    const payload = { id: '1', meta: { tags: ['a'] }, list: [{ n: 1 }] };
    cache.write(Doc, payload);
    payload.meta.tags.push('b');
    payload.list[0]!.n = 2; // one item, above

    expect(cache.read(Doc, ['1'])).toMatchObject({ meta: { tags: ['a'] }, list: [{ n: 1 }] });
    expect(() => payload.meta.tags.push('c')).not.toThrow();
  });

  test('data that is read is frozen in development', () => {
    const cache = new Cache();
    const list = new schema.Collection([Doc]);
    cache.write(list, [{ id: '1', meta: { tags: [] } }]);

    const read = cache.read(list);

    expect(Object.isFrozen(read)).toBe(true);
    expect(() => Object.assign(read![0]!, { id: '2' })).toThrow(TypeError); // one item, above
    expect(() => read![0]!.meta.tags.push('x')).toThrow(TypeError);
    expect(Object.isFrozen(cache.read({ docs: list, at: '' }))).toBe(true);
  });
});

test('classes that share a key never get each other’s stored form', () => {
  class Full extends Entity {
    static override key = 'Shared';
    id = '';
    at = new Date(0);
    owner: User | undefined = undefined;
    members: User[] = [];
    static override schema = { at: Date, owner: User, members: [User] };
  }
  class Plain extends Entity {
    static override key = 'Shared';
    id = '';
    at = '';
    owner = '';
    members: string[] = [];
  }
  const cache = new Cache();
  cache.write(Full, { id: '1', at: '2020-01-01', owner: { id: 'u', name: 'Ada' }, members: [{ id: 'u' }] });
  cache.write(Plain, { id: '2', at: '2021-01-01', owner: 'u', members: ['u'] });

  expect(cache.read(Plain, ['1'])).toMatchObject({ at: '2020-01-01', owner: 'u', members: ['u'] });
  expect(cache.read(Full, ['2'])?.at).toEqual(new Date('2021-01-01'));
  expect(cache.read(Full, ['2'])?.owner?.name).toBe('Ada');
});

test('classes that share a key may nest different entities in one field, also under one name', () => {
  class Team extends Entity {
    static override key = 'Team';
    id = '';
    name = '';
  }
  const createOwned = (owner: typeof User | typeof Team) =>
    class Owned extends Entity {
      static override key = 'Owned';
      id = '';
      owner: User | Team | undefined = undefined;
      static override schema = { owner };
    };
  const cache = new Cache();
  cache.write(createOwned(User), { id: '1', owner: { id: 'x', name: 'Ada' } });
  cache.write(createOwned(Team), { id: '1', owner: { id: 'x', name: 'Engines' } });

  expect(cache.read(User, ['x'])?.name).toBe('Ada');
  expect(cache.read(Team, ['x'])?.name).toBe('Engines');
});

test('a payload that the caller keeps may be changed afterwards; one that is handed over is not copied', () => {
  const kept = { id: '1', name: 'Ada', tags: ['a'] };
  const given = { id: '2', name: 'Grace', tags: ['a'] };
  const cache = new Cache();
  cache.write([User], [kept]);
  cache.write([User], [given], [], { isOwned: true });

  kept.name = 'changed';
  kept.tags.push('b');

  expect(cache.read(User, ['1'])).toMatchObject({ name: 'Ada', tags: ['a'] });
  expect(cache.read(User, ['2'])).toMatchObject({ name: 'Grace' });
  expect((cache.read(User, ['2']) as unknown as { tags: string[] }).tags).toBe(given.tags); // cast: not declared
});

test('an object that process() returns belongs to the class: it may be frozen, or the same object each time', () => {
  const shared = Object.freeze({ id: '1', owner: Object.freeze({ id: 'u', name: 'Ada' }) });
  class Wrapped extends Entity {
    static override key = 'Wrapped';
    id = '';
    owner: User | undefined = undefined;
    static override schema = { owner: User };
    static override process(): typeof shared {
      return shared;
    }
  }
  for (const isOwned of [false, true]) {
    const cache = new Cache();
    cache.write([Wrapped], [{}, {}], [], { isOwned });
    expect(cache.read(Wrapped, ['1'])?.owner).toBe(cache.read(User, ['u']));
  }
});

test('an object that process() returns is not changed at any depth, also where its entities nest others', () => {
  class Member extends Entity {
    static override key = 'Member';
    id = '';
    boss: User | undefined = undefined;
    static override schema = { boss: User };
  }
  const boss = Object.freeze({ id: 'u', name: 'Ada' });
  const frozen = Object.freeze({ id: 'm', boss });
  const kept = { id: 'n', boss };
  class Group extends Entity {
    static override key = 'Group';
    id = '';
    lead: Member | undefined = undefined;
    members: Member[] = [];
    static override schema = { lead: Member, members: [Member] };
    static override process(): object {
      return { id: '1', lead: kept, members: Object.freeze([frozen, kept]) };
    }
  }
  for (const isOwned of [false, true]) {
    const cache = new Cache();

    cache.write([Group], [{}, {}], [], { isOwned });

    expect(cache.read(Group, ['1'])?.members.map((member) => member.boss?.name)).toEqual(['Ada', 'Ada']);
    expect(kept).toStrictEqual({ id: 'n', boss: { id: 'u', name: 'Ada' } });
  }
});

test('a class that gets its schema after others have used it is nested from then on', () => {
  class Label extends Entity {
    static override key = 'Label';
    id = '';
    owner: User | undefined = undefined;
  }
  class Issue extends Entity {
    static override key = 'Issue';
    id = '';
    labels: Label[] = [];
    static override schema = { labels: [Label] };
  }
  const cache = new Cache();
  cache.write([Issue], [{ id: '1', labels: [{ id: 'a' }] }]);
  expect(cache.read(Issue, ['1'])?.labels.map(({ id }) => id)).toEqual(['a']);

  Label.schema = { owner: User };
  cache.write([Issue], [{ id: '2', labels: [{ id: 'b', owner: { id: 'u', name: 'Ada' } }] }]);

  expect(cache.read(User, ['u'])?.name).toBe('Ada');
  expect(cache.read(Issue, ['2'])?.labels[0]?.owner).toBe(cache.read(User, ['u']));

  cache.write(Label, { id: 'a', owner: 'u' });
  expect(cache.read(Issue, ['1'])?.labels[0]?.owner).toBe(cache.read(User, ['u']));
});

test('an entity behind a union may have fields that nest others after fields that do not', () => {
  class Place extends Entity {
    static override key = 'Place';
    id = '';
    host: User | undefined = undefined;
    static override schema = { host: User };
  }
  class Talk extends Entity {
    static override key = 'Talk';
    id = '';
    type = 'talk';
    at = new Date(0);
    speakers: User[] = [];
    place: Place | undefined = undefined;
    overflow: Place[] = [];
    static override schema = { at: Date, speakers: [User], place: Place, overflow: [[Place]] };
  }
  const agenda = new schema.Collection([new schema.Union({ talk: Talk }, 'type')]);
  const cache = new Cache();

  cache.write(agenda, [
    {
      type: 'talk',
      id: '1',
      at: '2026-01-01',
      speakers: [{ id: 'a', name: 'Ada' }],
      place: { id: 'p', host: { id: 'h', name: 'Hal' } },
      overflow: [[{ id: 'q', host: { id: 'i', name: 'Ira' } }]],
    },
  ]);

  expect(cache.read(agenda)).toMatchObject([
    {
      at: new Date('2026-01-01'),
      speakers: [{ name: 'Ada' }],
      place: { host: { name: 'Hal' } },
      overflow: [[{ host: { name: 'Ira' } }]],
    },
  ]);
});

test('a change below a class that got its schema late notifies the readers above it', () => {
  class Team extends Entity {
    static override key = 'Team';
    id = '';
    name = '';
  }
  class Member extends Entity {
    static override key = 'Member';
    id = '';
    teams: Team[] = [];
    static override schema = { teams: [Team] };
  }
  class Tag extends Entity {
    static override key = 'Tag';
    id = '';
    members: Member[] = [];
  }
  class Ticket extends Entity {
    static override key = 'Ticket';
    id = '';
    title = '';
    tags: Tag[] = [];
    static override schema = { tags: [Tag] };
  }
  const tickets = new schema.Collection([Ticket]);
  const cache = new Cache();
  cache.write(tickets, [{ id: '1', tags: [{ id: 'a' }] }]);
  cache.read(tickets);
  Tag.schema = { members: [Member] };
  cache.write(tickets, [
    { id: '2', tags: [{ id: 'b', members: [{ id: 'm', teams: [{ id: 't', name: 'blue' }] }] }] },
    { id: '3', title: 'old', tags: [] },
  ]);
  const heard = vi.fn();
  cache.subscribe(tickets, [], heard);

  cache.write(Team, { id: 't', name: 'red' });
  expect(heard).toHaveBeenCalledTimes(1);
  expect(cache.read(tickets)?.[0]?.tags[0]?.members[0]?.teams[0]?.name).toBe('red');

  cache.write(Ticket, { id: '3', title: 'new' });
  expect(heard).toHaveBeenCalledTimes(2);
  expect(cache.read(tickets)?.[1]?.title).toBe('new');
});

test('a payload field with the name of a getter or setter of the class is stored as a field, and calls neither', () => {
  const heard = vi.fn();
  class Person extends Entity {
    static override key = 'Person';
    id = '';
    get initials(): string {
      return 'from the class';
    }
    set nick(value: string) {
      heard(value);
    }
  }
  const list = new schema.Collection([Person]);
  const cache = new Cache();

  cache.write(list, [{ id: '1', nick: 'ada', initials: 'AL' }, { id: '2' }, { id: '3', initials: 'GH' }]);

  expect(cache.read(list)?.map((row) => row.initials)).toEqual(['AL', 'from the class', 'GH']);
  expect(cache.read(list)?.map((row) => row.nick)).toEqual(['ada', undefined, undefined]);
  expect(heard).not.toHaveBeenCalled();
});
