// Entities in which only a nested row has changed are rebuilt from the former instance and the row: own properties that the class
// defines must belong to the new instance, as if it were read for the first time.
import { Cache, Entity, schema } from 'holdfast';
import { expect, test } from 'vitest';

class Tag extends Entity {
  static override key = 'Tag';
  id = '';
  label = '';
}

/** A cache in which `entity` 1 contains the tag t, with reads before and after the label of the tag has changed from a to b. */
function change<T extends typeof Entity>(
  entity: T,
  payload: object,
): { cache: Cache; before: InstanceType<T>; after: InstanceType<T> } {
  const cache = new Cache();
  cache.write(Tag, { id: 't', label: 'a' });
  cache.write(entity, payload);
  const read = (): InstanceType<T> => cache.read(entity, ['1'] as never) as InstanceType<T>; // casts: any entity is read by its id
  const before = read();
  cache.write(Tag, { id: 't', label: 'b' });
  return { cache, before, after: read() };
}

test('a function that a class makes for each instance reads its own instance', () => {
  class Note extends Entity {
    static override key = 'Note';
    id = '';
    tag: Tag | undefined = undefined;
    static override schema = { tag: Tag };
    say = (): string => `tagged ${this.tag?.label}`;
  }
  const { before, after } = change(Note, { id: '1', tag: 't' });
  expect(before.say()).toBe('tagged a');
  expect(after.say()).toBe('tagged b');
});

test('own accessors and constants that a constructor defines are kept', () => {
  class Note extends Entity {
    static override key = 'Note';
    id = '';
    tag: Tag | undefined = undefined;
    static override schema = { tag: Tag };
    declare title: string;
    declare type: string;
    constructor() {
      super();
      Object.defineProperty(this, 'title', { get: () => this.tag?.label, enumerable: true });
      Object.defineProperty(this, 'type', { value: 'note', enumerable: true });
    }
  }
  const { before, after } = change(Note, { id: '1', tag: 't' });
  expect([before.title, before.type]).toEqual(['a', 'note']);
  expect([after.title, after.type]).toEqual(['b', 'note']);
});

test('a getter that replaces a nested field is left alone where the row has no such field', () => {
  class Note extends Entity {
    static override key = 'Note';
    id = '';
    tags: Tag[] = [];
    static override schema: Record<string, unknown> = { first: Tag, tags: [Tag] };
    get first(): Tag | undefined {
      return this.tags[0];
    }
  }
  const { cache, after } = change(Note, { id: '1', tags: ['t'] });
  expect(after.first?.label).toBe('b');

  cache.write(Note, { id: '1', first: { id: 'u', label: 'sent' } });
  expect(cache.read(Note, ['1'])?.first?.label).toBe('sent');
});

test('data under the name of an accessor is kept: the accessor is not called', () => {
  class Note extends Entity {
    static override key = 'Note';
    id = '';
    tag: Tag | undefined = undefined;
    static override schema = { tag: Tag };
    get title(): string {
      return 'none';
    }
    set title(title: string) {
      this.called = title;
    }
    called = '';
  }
  const sent = JSON.parse('{"id":"1","tag":"t","title":"sent","__proto__":{"a":1}}') as object; // cast: an object
  const { after } = change(Note, sent);
  expect(after.tag?.label).toBe('b');
  expect([after.title, after.called]).toEqual(['sent', '']);
  expect(Object.getPrototypeOf(after)).toBe(Note.prototype);
});

test.each(['__proto__', 'constructor', 'toString', 'pk'])(
  'a nested field named %s changes, is removed and comes back like any other',
  (name) => {
    class Note extends Entity {
      static override key = 'Note';
      id = '';
      static override schema: Record<string, unknown> = Object.fromEntries([[name, Tag]]);
    }
    const { cache, after } = change(
      Note,
      Object.fromEntries([
        ['id', '1' as unknown],
        [name, 't'],
      ]),
    );
    const label = (): string | undefined => {
      const note = cache.read(Note, ['1']);
      return (Object.getOwnPropertyDescriptor(note, name)?.value as Tag | undefined)?.label; // cast: a tag is nested there
    };
    expect(label()).toBe('b');
    expect(Object.getPrototypeOf(after)).toBe(Note.prototype);

    cache.write(new schema.Invalidate(Tag), 't');
    expect(label()).toBeUndefined();
    cache.write(Tag, { id: 't', label: 'c' });
    expect(label()).toBe('c');
  },
);

test('fields that the row lacks have the defaults of the class, and private fields exist', () => {
  class Note extends Entity {
    static override key = 'Note';
    id = '';
    tag: Tag | undefined = undefined;
    list: string[] = [];
    when: Date = new Date(0);
    readonly #secret = 'kept';
    static override schema = { tag: Tag, when: Date };
    get secret(): string {
      return this.#secret;
    }
  }
  const { before, after } = change(Note, { id: '1', tag: 't' });
  expect(after).not.toBe(before);
  expect(after.list).toBe(before.list);
  expect(after.when).toBe(before.when);
  expect(after.secret).toBe('kept');
  expect(Object.keys(after)).toEqual(Object.keys(before));
});

test('a parsed field that is NaN does not make an unchanged row look changed', () => {
  class Note extends Entity {
    static override key = 'Note';
    id = '';
    price = 0;
    tag: Tag | undefined = undefined;
    static override schema = { tag: Tag, price: Number };
  }
  const { cache, after } = change(Note, { id: '1', tag: 't', price: 'none' });
  expect(after.price).toBeNaN();
  // marked, read, and found unchanged: first through the nested row, then by itself
  cache.batch(() => {
    cache.write(Tag, { id: 't', label: 'c' });
    cache.write(Tag, { id: 't', label: 'b' });
  });
  expect(cache.read(Note, ['1'])).toBe(after);
  cache.batch(() => {
    cache.write(Note, { id: '1', tag: 'u' });
    cache.write(Note, { id: '1', tag: 't' });
  });
  expect(cache.read(Note, ['1'])).toBe(after);
});

test('an instance that is made again is frozen in development, and so are its arrays', () => {
  class Note extends Entity {
    static override key = 'Note';
    id = '';
    tags: Tag[] = [];
    static override schema = { tags: [Tag] };
  }
  const { after } = change(Note, { id: '1', tags: ['t', 't'] });
  expect(after.tags.map(({ label }) => label)).toEqual(['b', 'b']);
  expect(Object.isFrozen(after)).toBe(true);
  expect(Object.isFrozen(after.tags)).toBe(true);
});
