// Clauses E of the contract: entities, their defaults, keys and nested schemas, through the public cache.
import { BigNumber } from 'bignumber.js';
import { Cache, Entity, HoldfastError, schema, ValidationError } from 'holdfast';
import { describe, expect, test, vi } from 'vitest';

class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
}

class Article extends Entity {
  static override key = 'Article';
  id = 0;
  title = 'untitled';
  views = 7;
  isPublic = true;
  tags: string[] = ['none'];
  createdAt = new Date(0);
  price = new BigNumber(1);
  author = User.fromJS({ name: 'nobody' });
  editor: User | undefined = undefined;
  static override schema = { createdAt: Date, price: BigNumber, author: User, editor: User };
}

function codeOf(run: () => void): string | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof HoldfastError ? error.code : String(error);
  }
  return undefined;
}

test('E-1 a field absent from the payload reads as its default', () => {
  const cache = new Cache();
  cache.write(Article, { id: 5 });

  const article = cache.read(Article, [{ id: 5 }]);

  expect(article).toBeInstanceOf(Article);
  expect(article?.title).toBe('untitled');
  expect(article?.views).toBe(7);
  expect(article?.isPublic).toBe(true);
  expect(article?.tags).toEqual(['none']);
  expect(article?.createdAt).toEqual(new Date(0));
  expect(article?.price.eq(1)).toBe(true);
  expect(article?.author).toBeInstanceOf(User);
  expect(article?.author.name).toBe('nobody');
  expect(article?.editor).toBeUndefined();
});

test('E-1 a field of the payload replaces its default, falsy values too', () => {
  const cache = new Cache();
  cache.write(Article, { id: 5, title: '', views: 0, isPublic: false, tags: [] });

  const article = cache.read(Article, [{ id: 5 }]);

  expect(article).toMatchObject({ id: 5, title: '', views: 0, isPublic: false, tags: [] });
});

test('E-1 a field that the class does not declare is kept', () => {
  const cache = new Cache();
  cache.write(User, { id: '1', extra: 'kept' });

  expect(cache.read(User, ['1'])).toHaveProperty('extra', 'kept');
});

describe('E-2 the primary key', () => {
  test('E-2 a number is converted to a string: both find the row', () => {
    const cache = new Cache();
    cache.write(Article, { id: 5, title: 'a' });

    const article = cache.read(Article, ['5']);

    expect(article?.title).toBe('a');
    expect(cache.read(Article, [5])).toBe(article);
    expect(cache.read(Article, [{ id: '5' }])).toBe(article);
  });

  test('E-2 zero, negative and fractional numbers are keys', () => {
    const cache = new Cache();
    cache.write([Article], [{ id: 0 }, { id: -1 }, { id: 1.5 }]);

    expect(cache.read(Article, [0])?.id).toBe(0);
    expect(cache.read(Article, [{ id: 0 }])?.id).toBe(0);
    expect(cache.read(Article, [-1])?.id).toBe(-1);
    expect(cache.read(Article, ['1.5'])?.id).toBe(1.5);
  });

  test('E-2 a custom pk() is called with parent, key and arguments', () => {
    const seen: unknown[] = [];
    class Rate extends Entity {
      static override key = 'Rate';
      value = 0;
      override pk(parent?: unknown, key?: string, args?: readonly unknown[]): string {
        seen.push([parent, key, args]);
        return String(key);
      }
    }
    const cache = new Cache();
    const payload = { EUR: { value: 1 }, GBP: { value: 2 } };
    cache.write(new schema.Values(Rate), payload, [{ day: 'monday' }]);

    expect(cache.read(Rate, ['GBP'])?.value).toBe(2);
    expect(seen).toContainEqual([payload, 'EUR', [{ day: 'monday' }]]);
  });

  test('E-2 an object whose custom pk() returns undefined stays inline and reads back as an instance', () => {
    class Note extends Entity {
      static override key = 'Note';
      text = '';
      slug: string | undefined = undefined;
      override pk(): string | undefined {
        return this.slug;
      }
    }
    class Page extends Entity {
      static override key = 'Page';
      id = '';
      note: Note | undefined = undefined;
      notes: Note[] = [];
      static override schema = { note: Note, notes: [Note] };
    }
    const cache = new Cache();
    cache.write(Page, {
      id: '1',
      note: { text: 'inline' },
      notes: [{ text: 'a' }, { text: 'b', slug: 's' }],
    });

    const page = cache.read(Page, ['1']);

    expect(page?.note).toBeInstanceOf(Note);
    expect(page?.note?.text).toBe('inline');
    expect(page?.notes.map((note) => note.text)).toEqual(['a', 'b']);
    expect(page?.notes[0]).toBeInstanceOf(Note);
    expect(cache.read(new schema.All(Note))?.map((note) => note.text)).toEqual(['b']);
  });

  test.each([
    ['no id', {}],
    ['null', { id: null }],
    ['an empty string', { id: '' }],
    ['NaN', { id: Number.NaN }],
    ['Infinity', { id: Infinity }],
    ['true', { id: true }],
    ['an object', { id: { a: 1 } }],
    ['an array', { id: ['1'] }],
    ['undefined', { id: undefined }],
  ])('E-2 the default pk refuses %s with ENTITY_WITHOUT_PK and the store is unchanged', (_name, row) => {
    const cache = new Cache();
    cache.write([User], [{ id: '1', name: 'Ada' }]);
    const before = cache.read(new schema.All(User));

    expect(codeOf(() => cache.write([User], [{ id: '1', name: 'changed' }, row]))).toBe('ENTITY_WITHOUT_PK');

    expect(cache.read(new schema.All(User))).toBe(before);
  });

  test.each([
    ['null', null],
    ['an empty string', ''],
    ['NaN', Number.NaN],
    ['true', true],
    ['an object', {}],
  ])('E-2 a custom pk() that returns %s is refused', (_name, pk) => {
    class Odd extends Entity {
      static override key = 'Odd';
      override pk(): string {
        return pk as string; // cast: what untyped code may do
      }
    }
    const cache = new Cache();

    expect(codeOf(() => cache.write(Odd, { a: 1 }))).toBe('ENTITY_WITHOUT_PK');
    expect(cache.read(new schema.All(Odd))).toEqual([]);
  });

  test('E-2 the error contains the entity, the path in the payload and the solution', () => {
    const cache = new Cache();
    const payload = { articles: [{ id: 1 }, { id: 2, author: { name: 'no id' } }] };
    let caught: unknown;
    try {
      cache.write({ articles: [Article] }, payload);
    } catch (error) {
      caught = error;
    }

    expect(caught).toBeInstanceOf(ValidationError);
    expect((caught as ValidationError).params).toMatchObject({ entity: 'User', path: '.articles[1].author' });
    expect((caught as ValidationError).message).toContain('User.pk()');
  });
});

describe('E-3 the key of a type', () => {
  test('E-3 static key names the table: classes with one key share their rows', () => {
    class Summary extends Entity {
      static override key = 'Shared';
      id = '';
      title = '';
    }
    class Full extends Entity {
      static override key = 'Shared';
      id = '';
      title = '';
      text = '';
    }
    // it is often a mistake, so development says it
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const cache = new Cache();
    cache.write(Summary, { id: '1', title: 'a' });
    cache.write(Full, { id: '1', text: 'long' });

    expect(cache.read(Full, ['1'])).toMatchObject({ title: 'a', text: 'long' });
    expect(cache.read(Full, ['1'])).toBeInstanceOf(Full);
    expect(cache.read(Summary, ['1'])).toBeInstanceOf(Summary);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('[ENTITY_KEY_SHARED] Summary and Full')]]);
    warn.mockRestore();
  });

  test('E-3 the default is the class name', () => {
    class Plant extends Entity {
      id = '';
    }

    expect(Plant.key).toBe('Plant');
  });

  test('E-3 two classes with the same default key are refused at first use', () => {
    const make = (): typeof Entity => {
      class Same extends Entity {
        id = '';
      }
      return Same;
    };
    const [first, second] = [make(), make()];
    const cache = new Cache();
    cache.write(first, { id: '1' });

    expect(codeOf(() => cache.write(second, { id: '2' }))).toBe('ENTITY_KEY_CLASH');
    expect(codeOf(() => new Cache().write(second, { id: '2' }))).toBeUndefined();
  });
});

describe('E-4 field schemas', () => {
  test('E-4 Date and BigNumber parse the strings of the payload without losing digits', () => {
    const cache = new Cache();
    const digits = '12345678901234567890.123456789012345678901234567890';
    cache.write(Article, { id: 1, createdAt: '2024-02-29T12:34:56.789Z', price: digits });

    const article = cache.read(Article, [1]);

    expect(article?.createdAt).toBeInstanceOf(Date);
    expect(article?.createdAt.toISOString()).toBe('2024-02-29T12:34:56.789Z');
    expect(BigNumber.isBigNumber(article?.price)).toBe(true);
    expect(article?.price.toFixed()).toBe(digits.replace(/0+$/, ''));
  });

  test('E-4 a nested field of an array or object has field schemas too', () => {
    class Log extends Entity {
      static override key = 'Log';
      id = '';
      times: Date[] = [];
      range = { from: new Date(0), to: new Date(0) };
      static override schema = { times: [Date], range: { from: Date, to: Date } };
    }
    const cache = new Cache();
    cache.write(Log, {
      id: '1',
      times: ['2020-01-01', '2021-01-01'],
      range: { from: '2022-01-01', to: null },
    });

    const log = cache.read(Log, ['1']);

    expect(log?.times).toEqual([new Date('2020-01-01'), new Date('2021-01-01')]);
    expect(log?.range).toEqual({ from: new Date('2022-01-01'), to: null });
  });
});

test('E-5 entity types share an abstract base with a discriminating type field', () => {
  abstract class Feed extends Entity {
    id = '';
    type: 'post' | 'link' = 'post';
    title = '';
    get heading(): string {
      return `${this.type}: ${this.title}`;
    }
  }
  class Post extends Feed {
    static override key = 'Post';
    override type = 'post' as const;
    text = '';
  }
  class Link extends Feed {
    static override key = 'Link';
    override type = 'link' as const;
    url = '';
  }
  const feed = new schema.Union({ post: Post, link: Link }, 'type');
  const cache = new Cache();
  const collection = new schema.Collection([feed]);
  cache.write(collection, [
    { id: '1', type: 'post', title: 'a', text: 'x' },
    { id: '1', type: 'link', title: 'b', url: 'u' },
  ]);

  const items = cache.read(collection);

  expect(items?.[0]).toBeInstanceOf(Post);
  expect(items?.[1]).toBeInstanceOf(Link);
  expect(items?.every((item) => item instanceof Feed)).toBe(true);
  expect(items?.map((item) => item.heading)).toEqual(['post: a', 'link: b']);
});

test('E-6 nested entities are stored once and shared by reference everywhere they appear', () => {
  const cache = new Cache();
  cache.write(
    { first: Article, all: [Article], user: User },
    {
      first: { id: 1, author: { id: 'u', name: 'Ada' } },
      all: [
        { id: 1, author: 'u' },
        { id: 2, author: { id: 'u' }, editor: { id: 'u' } },
      ],
      user: { id: 'u' },
    },
  );

  const one = cache.read(Article, [1]);
  const two = cache.read(Article, [2]);
  const user = cache.read(User, ['u']);

  expect(user?.name).toBe('Ada');
  expect(one?.author).toBe(user);
  expect(two?.author).toBe(user);
  expect(two?.editor).toBe(user);
});

test('E-6 a change of a nested entity is shown wherever it appears', () => {
  const cache = new Cache();
  cache.write(
    [Article],
    [
      { id: 1, author: { id: 'u', name: 'Ada' } },
      { id: 2, author: 'u' },
    ],
  );
  const before = cache.read(Article, [1]);

  cache.write(User, { id: 'u', name: 'Grace' });

  expect(before?.author.name).toBe('Ada');
  expect(cache.read(Article, [1])?.author.name).toBe('Grace');
  expect(cache.read(Article, [2])?.author).toBe(cache.read(Article, [1])?.author);
});
