// Lists beyond the clauses of the contract: each reference once, additions that never reorder, members that follow their fields,
// keys that share or separate lists, removal and moves.
import { Cache, Controller, Endpoint, Entity, schema } from 'holdfast';
import { describe, expect, test, vi } from 'vitest';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  type = 'todo';
  status = '';
  userId = '';
  title = '';
}

type TodoList = schema.Collection<(typeof Todo)[]>;

const ids = (items: readonly { readonly id: string }[] | undefined): unknown => items?.map((item) => item.id);

class Line extends Entity {
  static override key = 'Line';
  type = 'line';
  at = new Date(0);
  static override schema = { at: Date };
  override pk(): string | undefined {
    return undefined;
  }
}

test('schema.All shows the entities without a primary key of its response, as schema.Array does', async () => {
  const at = '2020-01-01T00:00:00.000Z';
  const line = Line.fromJS({ at: new Date(at) });
  for (const all of [new schema.All(Line), new schema.All({ line: Line, todo: Todo }, 'type')]) {
    const get = new Endpoint(async () => [{ type: 'line', at }], { name: 'getLines', schema: all });
    const controller = new Controller();
    expect(await controller.fetch(get)).toEqual([line]);
    expect(controller.getResponse(get).data).toEqual([line]);
  }
});

describe('set semantics', () => {
  test('a push of a row that is already in the list changes nothing', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    cache.write(list, [{ id: '1' }, { id: '2' }]);
    const before = cache.read(list);

    cache.write(list.push, { id: '1' });
    cache.write(list.unshift, [{ id: '2' }]);

    expect(cache.read(list)).toBe(before);
  });

  test('a payload that repeats a row stores it once, at its first place', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    cache.write(list, [{ id: '1', title: 'a' }, { id: '2' }, { id: '1', title: 'b' }]);

    expect(ids(cache.read(list))).toEqual(['1', '2']);
    expect(cache.read(Todo, ['1'])?.title).toBe('b');
  });

  test('a custom merge that repeats a row stores it once, and the row still follows its list', () => {
    class Appending extends schema.Collection<(typeof Todo)[]> {
      override merge(existing: string[], incoming: string[]): string[] {
        return incoming.length > 1 ? [...existing, ...incoming] : incoming;
      }
    }
    const cache = new Cache();
    const list = new Appending([Todo]);
    const args: [{ status: string }] = [{ status: 'open' }];
    const open = (id: string): object => ({ id, status: 'open' });
    cache.write(list, [open('1')], args);
    cache.write(list, [open('2'), open('1')], args);
    expect(ids(cache.read(list, args))).toEqual(['1', '2']);

    cache.write(list, [open('1')], args);
    cache.write(Todo, { id: '1', status: 'done' });
    expect(ids(cache.read(list, args))).toEqual([]);
  });

  test('a row under two keys of a map stays a member when one key is removed', () => {
    const cache = new Cache();
    const map = new schema.Collection(new schema.Values(Todo));
    cache.write(map, { a: { id: '1' }, b: { id: '1' } });
    cache.write(map, { a: { id: '1' } });
    cache.write(new schema.Invalidate(Todo), { id: '1' });

    // the delete removed it for good: a row that arrives later under that id is in no list
    cache.write(Todo, { id: '1' });
    expect(cache.read(map)).toEqual({});
  });

  test('members that are plain objects follow all the rows inside them', () => {
    const cache = new Cache();
    const pairs = new schema.Collection([{ left: Todo, right: Todo }]);
    const pair = { left: { id: '1' }, right: { id: '2' } };
    cache.write(pairs, [pair, {}]);
    cache.read(pairs);
    cache.write(pairs, [pair]);
    cache.read(pairs);

    cache.write(Todo, { id: '2', title: 'b' });
    expect(cache.read(pairs)?.map(({ right }) => right.title)).toEqual(['b']);
  });

  test('a list of a union contains a reference once', () => {
    const cache = new Cache();
    class Note extends Entity {
      static override key = 'Note';
      id = '';
      type = 'note';
    }
    const list = new schema.Collection([new schema.Union({ todo: Todo, note: Note }, 'type')]);
    cache.write(list, [
      { id: '1', type: 'todo' },
      { id: '1', type: 'note' },
    ]);
    cache.write(list.push, [
      { id: '1', type: 'note' },
      { id: '2', type: 'note' },
    ]);

    expect(cache.read(list)?.map((item) => `${item.constructor.name}${item.id}`)).toEqual([
      'Todo1',
      'Note1',
      'Note2',
    ]);
  });
});

test('a list that a batch changes and changes back keeps its reference, over a union too', () => {
  const cache = new Cache();
  const union = new schema.Collection([new schema.Union({ todo: Todo }, 'type')]);
  const plain = new schema.Collection([Todo]);
  const items = (...all: readonly string[]): object[] => all.map((id) => ({ id, type: 'todo' }));
  for (const list of [union, plain]) {
    cache.write(list, items('1', '2'));
    const before = cache.read(list);
    const heard = vi.fn();
    cache.subscribe(list, [], heard);

    cache.batch(() => {
      cache.write(list, items('2'));
      cache.write(list, items('1', '2'));
    });

    expect(cache.read(list)).toBe(before);
    expect(heard).not.toHaveBeenCalled();
  }
});

describe('removal and moves', () => {
  const keys = [{ userId: 1 }, {}, { userId: 1, orderBy: 'x' }, { done: true }];
  const setUp = (): { cache: Cache; list: TodoList; read: () => unknown[] } => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    for (const key of keys) cache.write(list, [{ id: '1' }, { id: '2' }], [key]);
    return { cache, list, read: () => keys.map((key) => ids(cache.read(list, [key]))) };
  };

  test('remove without a filter changes the unfiltered list only', () => {
    const { cache, list, read } = setUp();
    cache.write(list.remove, { id: '1' }, [{}]);

    expect(read()).toEqual([['1', '2'], ['2'], ['1', '2'], ['1', '2']]);
    expect(cache.read(Todo, ['1'])?.id).toBe('1');
  });

  test('remove with a filter changes the lists that match', () => {
    const { cache, list, read } = setUp();
    cache.write(list.remove, { id: '1' }, [{ userId: 1 }]);

    expect(read()).toEqual([['2'], ['2'], ['2'], ['1', '2']]);
  });

  test('moveWith adds the row with its own merge', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    cache.write(list, [{ id: '1', status: 'open' }], [{ status: 'open' }]);
    cache.write(list, [{ id: '2', status: 'done' }], [{ status: 'done' }]);
    const moveToStart = list.moveWith((present: string[], moved: string[]) => [...moved, ...present]);

    cache.write(moveToStart, { id: '1', status: 'done' }, [{ id: '1' }, { status: 'done' }]);

    expect(ids(cache.read(list, [{ status: 'open' }]))).toEqual([]);
    expect(ids(cache.read(list, [{ status: 'done' }]))).toEqual(['1', '2']);
  });

  test('move takes a row from the lists that it matched to those that it matches now', () => {
    const cache = new Cache();
    // the server decides here, so that move alone acts
    const list = new schema.Collection([Todo], { membership: 'server' });
    cache.write(
      list,
      [
        { id: '1', status: 'a' },
        { id: '2', status: 'a' },
      ],
      [{ status: 'a' }],
    );
    cache.write(list, [{ id: '3', status: 'b' }], [{ status: 'b' }]);
    cache.write(list, [{ id: '1' }, { id: '2' }, { id: '3' }], [{}]);

    cache.write(list.move, { id: '1', status: 'b' }, [{ id: '1' }, { status: 'b' }]);

    expect(ids(cache.read(list, [{ status: 'a' }]))).toEqual(['2']);
    expect(ids(cache.read(list, [{ status: 'b' }]))).toEqual(['3', '1']);
    expect(ids(cache.read(list, [{}]))).toEqual(['1', '2', '3']);
  });
});

describe('members follow their fields', () => {
  const setUp = (options = {}): { cache: Cache; list: TodoList } => {
    const cache = new Cache();
    const list = new schema.Collection([Todo], options);
    cache.write(
      list,
      [
        { id: '1', status: 'a' },
        { id: '2', status: 'a' },
      ],
      [{ status: 'a' }],
    );
    cache.write(list, [{ id: '3', status: 'b' }], [{ status: 'b' }]);
    cache.write(list, [{ id: '1' }, { id: '2' }, { id: '3' }], [{}]);
    return { cache, list };
  };

  test('a changed field moves the row between the lists that filter by it', () => {
    const { cache, list } = setUp();
    const all = cache.read(list, [{}]);
    cache.write(Todo, { id: '1', status: 'b' });

    expect(ids(cache.read(list, [{ status: 'a' }]))).toEqual(['2']);
    expect(ids(cache.read(list, [{ status: 'b' }]))).toEqual(['3', '1']);
    expect(ids(cache.read(list, [{}]))).toEqual(ids(all));
  });

  test('a change by the payload of another list moves the row too', () => {
    const { cache, list } = setUp();
    cache.write(
      list,
      [
        { id: '3', status: 'b' },
        { id: '2', status: 'b' },
      ],
      [{ userId: '9' }],
    );

    expect(ids(cache.read(list, [{ status: 'a' }]))).toEqual(['1']);
    expect(ids(cache.read(list, [{ status: 'b' }]))).toEqual(['3', '2']);
  });

  test('a change of another field moves nothing and leaves the members of the lists', () => {
    const { cache, list } = setUp();
    const before = ids(cache.read(list, [{ status: 'a' }]));
    cache.write(Todo, { id: '1', title: 'new' });

    expect(ids(cache.read(list, [{ status: 'a' }]))).toEqual(before);
  });

  test('a list that has a sort order gets the row at the end', () => {
    const { cache, list } = setUp();
    cache.write(list, [{ id: '3' }], [{ status: 'b', orderBy: 'title' }]);
    cache.write(Todo, { id: '1', status: 'b' });

    expect(ids(cache.read(list, [{ status: 'b', orderBy: 'title' }]))).toEqual(['3', '1']);
  });

  test('numbers and booleans match the strings of the key', () => {
    const cache = new Cache();
    class Task extends Entity {
      static override key = 'Task';
      id = '';
      done = false;
      priority = 0;
    }
    const list = new schema.Collection([Task]);
    cache.write(list, [{ id: '1', done: false, priority: 1 }], [{ done: 'false' }]);
    cache.write(list, [], [{ done: true }]);
    cache.write(list, [], [{ priority: '2' }]);

    cache.write(Task, { id: '1', done: true, priority: 2 });

    expect(ids(cache.read(list, [{ done: 'false' }]))).toEqual([]);
    expect(ids(cache.read(list, [{ done: true }]))).toEqual(['1']);
    expect(ids(cache.read(list, [{ priority: '2' }]))).toEqual(['1']);
  });

  test('a row that a list cannot judge keeps its membership, until it contradicts an entry of the key', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    cache.write(list, [{ id: '1', status: 'a' }], [{ status: 'a', search: 'text' }]);
    cache.write(Todo, { id: '1', title: 'changed' });
    expect(ids(cache.read(list, [{ status: 'a', search: 'text' }]))).toEqual(['1']);

    cache.write(Todo, { id: '1', status: 'b' });
    expect(ids(cache.read(list, [{ status: 'a', search: 'text' }]))).toEqual([]);
  });

  test('a row that a read brings first enters no other list', () => {
    const { cache, list } = setUp();
    cache.write([Todo], [{ id: '9', status: 'a' }]);

    expect(ids(cache.read(list, [{ status: 'a' }]))).toEqual(['1', '2']);
  });

  test('membership: server disables it', () => {
    const { cache, list } = setUp({ membership: 'server' });
    cache.write(Todo, { id: '1', status: 'b' });

    expect(ids(cache.read(list, [{ status: 'a' }]))).toEqual(['1', '2']);
    expect(ids(cache.read(list, [{ status: 'b' }]))).toEqual(['3']);
  });

  test('key properties that nonFilterArgumentKeys exempts do not filter', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo], { nonFilterArgumentKeys: /^(order|view)/ });
    cache.write(list, [{ id: '1', status: 'a' }], [{ status: 'a', view: 'board' }]);
    cache.write(list, [], [{ status: 'b', view: 'board' }]);

    cache.write(Todo, { id: '1', status: 'b' });
    cache.write(list.push, { id: '2' }, [{ status: 'b' }]);

    expect(ids(cache.read(list, [{ status: 'a', view: 'board' }]))).toEqual([]);
    expect(ids(cache.read(list, [{ status: 'b', view: 'board' }]))).toEqual(['1', '2']);
  });
});

describe('identity of lists', () => {
  test('lists nested in entities with the default key belong to their parent alone', () => {
    class Owner extends Entity {
      static override key = 'Owner';
      id = '';
      todos: Todo[] = [];
      done: Todo[] = [];
      static override schema = { todos: new schema.Collection([Todo]), done: new schema.Collection([Todo]) };
    }
    const cache = new Cache();
    cache.write(
      [Owner],
      [
        { id: 'a', todos: [{ id: '1' }], done: [{ id: '2' }] },
        { id: 'b', todos: [{ id: '3' }], done: [] },
      ],
      [{ team: 1 }],
    );
    cache.write(new schema.Collection([Todo]).push, { id: '9' }, [{}]);

    expect(ids(cache.read(Owner, ['a'])?.todos)).toEqual(['1']);
    expect(ids(cache.read(Owner, ['a'])?.done)).toEqual(['2']);
    expect(ids(cache.read(Owner, ['b'])?.todos)).toEqual(['3']);
  });

  test('explicit keys share a list between Collection objects', () => {
    const cache = new Cache();
    const argsKey = ({ userId }: { userId: string }): object => ({ userId });
    const first = new schema.Collection([Todo], { argsKey });
    const second = new schema.Collection([Todo], { argsKey });
    cache.write(first, [{ id: '1' }], [{ userId: 'a' }]);

    expect(cache.read(second, [{ userId: 'a' }])).toBe(cache.read(first, [{ userId: 'a' }]));
  });

  test('a nested list with a nestKey and a list by arguments are the same: number ids become strings', () => {
    const nested = new schema.Collection([Todo], {
      nestKey: (parent: { id: number }) => ({ userId: parent.id }),
    });
    const byArgs = new schema.Collection([Todo], {
      argsKey: ({ userId }: { userId: string }) => ({ userId }),
    });
    class Owner extends Entity {
      static override key = 'Owner';
      id = 0;
      todos: Todo[] = [];
      static override schema = { todos: nested };
    }
    const cache = new Cache();
    cache.write(
      [Owner],
      [
        { id: 1, todos: [{ id: '1' }] },
        { id: 2, todos: [] },
      ],
    );

    expect(cache.read(byArgs, [{ userId: '1' }])).toBe(cache.read(Owner, [1])?.todos);
    cache.write(byArgs.push, { id: '5' }, [{ userId: '2' }]);
    expect(ids(cache.read(Owner, [2])?.todos)).toEqual(['5']);
  });

  test('a cycle through a list closes on the list', () => {
    class Owner extends Entity {
      static override key = 'Owner';
      id = '';
      tasks: unknown[] = [];
      static override schema: Record<string, unknown> = {};
    }
    class Task extends Entity {
      static override key = 'Task';
      id = '';
      title = '';
      owner = Owner.fromJS();
      static override schema = { owner: Owner };
    }
    const tasks = new schema.Collection([Task], { nestKey: (parent: Owner) => ({ owner: parent.id }) });
    Owner.schema = { tasks };
    const cache = new Cache();
    cache.write(Owner, {
      id: 'o',
      tasks: [
        { id: '1', owner: 'o' },
        { id: '2', owner: 'o' },
      ],
    });

    const list = cache.read(tasks, [{ owner: 'o' }]);
    expect(ids(list)).toEqual(['1', '2']);
    expect(list?.[0]?.owner.tasks).toBe(list);
    expect(list?.[1]?.owner).toBe(list?.[0]?.owner);

    cache.write(Task, { id: '2', title: 'new' });
    const next = cache.read(tasks, [{ owner: 'o' }]);
    expect(next).not.toBe(list);
    expect(next?.[1]?.title).toBe('new');
    expect(next?.[0]?.owner.tasks).toBe(next);
    expect(cache.read(Owner, ['o'])?.tasks).toBe(next);
  });
});

describe('keys', () => {
  test('the object of an argsKey may be frozen, and deep properties count by content', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo], {
      argsKey: (params: { where: object }) => Object.freeze({ where: params.where }),
    });
    cache.write(list, [{ id: '1' }], [{ where: { a: 1, b: [1, { d: 2, c: 1 }] } }]);

    expect(ids(cache.read(list, [{ where: { b: [1, { c: 1, d: 2 }], a: 1 } }]))).toEqual(['1']);
    expect(cache.read(list, [{ where: { a: 2 } }])).toBeUndefined();
  });

  test('filters by null, arrays and objects match', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    for (const key of [{ parent: null }, { tags: ['a'] }, { at: { x: 1 } }]) cache.write(list, [], [key]);

    cache.write(list.push, { id: '1' }, [{}, { parent: null, tags: ['a'], at: { x: 1 } }]);

    expect(ids(cache.read(list, [{ parent: null }]))).toEqual(['1']);
    expect(ids(cache.read(list, [{ tags: ['a'] }]))).toEqual(['1']);
    expect(ids(cache.read(list, [{ at: { x: 1 } }]))).toEqual(['1']);
  });
});

describe('queries', () => {
  test('a query over a list gives the same reference until something it read has changed', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    const sort = vi.fn((items: Todo[]) => items.toSorted((a, b) => (a.title < b.title ? -1 : 1)));
    const sorted = new schema.Query(list, sort);
    cache.write(list, [
      { id: '1', title: 'b' },
      { id: '2', title: 'a' },
    ]);
    const before = cache.read(sorted);
    expect(ids(before)).toEqual(['2', '1']);

    cache.write(Todo, { id: '9', title: 'not in the list' });
    cache.write(list, [
      { id: '1', title: 'b' },
      { id: '2', title: 'a' },
    ]);
    expect(cache.read(sorted)).toBe(before);
    expect(sort).toHaveBeenCalledTimes(1);

    cache.write(Todo, { id: '1', title: '0' });
    expect(ids(cache.read(sorted))).toEqual(['1', '2']);
    expect(sort).toHaveBeenCalledTimes(2);
  });

  test('arguments distinguish results: undefined differs from null, and a string from a number', () => {
    const cache = new Cache();
    const seen = new schema.Query(new schema.All(Todo), (_todos: Todo[], given: unknown) => [
      typeof given,
      given,
    ]);
    const read = (given: unknown): unknown => cache.read(seen, [given] as never); // cast: any argument

    expect(read(null)).toEqual(['object', null]);
    expect(read(undefined)).toEqual(['undefined', undefined]);
    expect(read('1')).toEqual(['string', '1']);
    expect(read(1)).toEqual(['number', 1]);
    expect(read(Number.NaN)).toEqual(['number', Number.NaN]);
  });

  test('a query that throws throws to its readers, and recovers when its source changes', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    const titles = new schema.Query(list, (items: Todo[]) => {
      if (items.length === 1) throw new Error('one is too few');
      return items.map((item) => item.title);
    });
    cache.write(list, [{ id: '1' }, { id: '2' }]);
    const heard = vi.fn();
    const others = vi.fn();
    cache.subscribe(titles, [], heard);
    cache.subscribe(list, [], others);

    cache.write(list, [{ id: '1' }]);
    expect(() => cache.read(titles)).toThrow('one is too few');
    expect([heard.mock.calls.length, others.mock.calls.length]).toEqual([1, 1]);

    cache.write(list, [
      { id: '1', title: 'a' },
      { id: '2', title: 'b' },
    ]);
    expect(cache.read(titles)).toEqual(['a', 'b']);
    expect([heard.mock.calls.length, others.mock.calls.length]).toEqual([2, 2]);
  });

  test('filter and orderBy keep a list arranged', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    const open = new schema.Query(list, { filter: (todo) => todo.status !== 'done', orderBy: 'title' });
    cache.write(list, [
      { id: '1', title: 'c' },
      { id: '2', title: 'a' },
      { id: '3', title: 'b', status: 'done' },
    ]);
    expect(ids(cache.read(open))).toEqual(['2', '1']);

    cache.write(Todo, { id: '3', status: 'open' });
    expect(ids(cache.read(open))).toEqual(['2', '3', '1']);
    const before = cache.read(open);
    cache.write(list.push, { id: '4', title: 'zz', status: 'done' });
    expect(cache.read(open)).toBe(before);
    cache.write(Todo, { id: '1', title: '' });
    expect(ids(cache.read(open))).toEqual(['1', '2', '3']);
  });

  test('null and undefined are equal in an order, so that a kept list is the list computed anew', () => {
    class Task extends Entity {
      static override key = 'Task';
      id = '';
      due: string | null | undefined = undefined;
      isOpen = true;
    }
    const cache = new Cache();
    const list = new schema.Collection([Task]);
    const byDue = (): schema.Query<typeof list> =>
      new schema.Query(list, { filter: (task) => task.isOpen, orderBy: 'due' });
    const kept = byDue();
    cache.write(list, [
      { id: '1', due: undefined },
      { id: '2', due: null },
      { id: '3', due: undefined, isOpen: false },
      { id: '4', due: null },
      { id: '5', due: 'b' },
    ]);
    expect(ids(cache.read(kept))).toEqual(['5', '1', '2', '4']);

    cache.write(Task, { id: '3', isOpen: true });

    expect(ids(cache.read(kept))).toEqual(['5', '1', '2', '3', '4']);
    expect(ids(cache.read(byDue()))).toEqual(['5', '1', '2', '3', '4']);
  });

  test('a lazy schema reads as ids, and its query resolves them', () => {
    class Group extends Entity {
      static override key = 'Group';
      id = '';
      members: string[] = [];
      static override schema = { members: new schema.Lazy([Todo]) };
    }
    const cache = new Cache();
    cache.write(Group, { id: 'g', members: [{ id: '1', title: 'a' }, { id: '2' }] });

    const group = cache.read(Group, ['g']);
    expect(group?.members).toEqual(['1', '2']);
    const resolved = cache.read(Group.schema.members.query, [group?.members ?? []]);
    expect(resolved?.[0]?.title).toBe('a');

    cache.write(Todo, { id: '1', title: 'b' });
    expect(cache.read(Group, ['g'])).toBe(group);
    expect(cache.read(Group.schema.members.query, [['1']])?.[0]?.title).toBe('b');
  });

  test('a lazy Collection is resolved by its arguments and by the value in the parent, and follows its list', () => {
    class Post extends Entity {
      static override key = 'Post';
      id = '';
      comments = '';
      drafts = '';
      static override schema = {
        comments: new schema.Lazy(
          new schema.Collection([Todo], {
            argsKey: ({ postId }: { postId: string }) => ({ postId }),
            nestKey: (post: { id: string }) => ({ postId: post.id }),
          }),
        ),
        drafts: new schema.Lazy(new schema.Collection([Todo])),
      };
    }
    const cache = new Cache();
    const { comments, drafts } = Post.schema;
    const byArgs = () => ids(cache.read(comments.query, [{ postId: 'p' }]));
    expect(byArgs()).toBeUndefined();
    cache.write(Post, { id: 'p', comments: [{ id: '1' }, { id: '2' }], drafts: [{ id: '3' }] });
    const post = cache.read(Post, ['p']);

    expect(byArgs()).toEqual(['1', '2']);
    expect(ids(cache.read(comments.query, [post?.comments ?? '']))).toEqual(['1', '2']);
    expect(ids(cache.read(drafts.query, [post?.drafts ?? '']))).toEqual(['3']);

    cache.write(comments.schema.push, { id: '9' }, [{ postId: 'p' }]);
    expect(byArgs()).toEqual(['1', '2', '9']);
    expect(ids(cache.read(comments.query, [post?.comments ?? '']))).toEqual(['1', '2', '9']);
    expect(cache.read(Post, ['p'])).toBe(post);
    expect(cache.read(comments.query, ['no such list'])).toBeUndefined();
  });
});

test('an entity inside the plain objects of a list changes there too, and the other objects keep their references', () => {
  const Ranking = new schema.Collection([{ todo: Todo, rank: 0 }]);
  const cache = new Cache();
  cache.write(Ranking, [
    { todo: { id: '1', title: 'a' }, rank: 1 },
    { todo: { id: '2', title: 'b' }, rank: 2 },
  ]);
  const before = cache.read(Ranking);
  cache.write(Todo, { id: '2', title: 'c' });
  const after = cache.read(Ranking);
  expect(after?.map(({ todo }) => todo.title)).toEqual(['a', 'c']);
  expect(after?.[0]).toBe(before?.[0]);
});

test('a constructor that reads the row it is made for leaves all readers of that row notified of its changes', () => {
  const cache = new Cache();
  let isReading = false;
  class Curious extends Entity {
    static override key = 'Curious';
    id = '';
    title = '';
    constructor() {
      super();
      if (!isReading) return;
      isReading = false;
      cache.read(Curious, ['1']);
    }
  }
  const list = new schema.Collection([Curious]);
  cache.write(list, [{ id: '1' }, { id: '2' }, { id: '3' }]);
  isReading = true;
  expect(cache.read(list)?.[0]).toBe(cache.read(Curious, ['1']));

  cache.write(Curious, { id: '1', title: 'new' });

  expect(cache.read(list)?.[0]?.title).toBe('new');
  expect(cache.read(Curious, ['1'])).toBe(cache.read(list)?.[0]);
});
