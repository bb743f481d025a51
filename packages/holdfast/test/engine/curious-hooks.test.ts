// Classes whose constructors read the cache while an instance is made for a read: they get the present data, and leave no
// dependency behind.
import { Cache, Entity, schema } from 'holdfast';
import { beforeEach, expect, test } from 'vitest';

let cache: Cache;
/** The read of the next constructor to run. */
let look: (() => unknown) | undefined;
beforeEach(() => {
  cache = new Cache();
  look = undefined;
});

class Curious extends Entity {
  constructor() {
    super();
    const read = look;
    look = undefined;
    read?.();
  }
}
class Tag extends Curious {
  static override key = 'Tag';
  id = '';
  label = '';
}
class Note extends Curious {
  static override key = 'Note';
  id = '';
  title = '';
  tag: Tag | undefined = undefined;
  next: Note | undefined = undefined;
  static override schema: Record<string, unknown> = {};
}
Note.schema = { tag: Tag, next: Note };
const notes = new schema.Collection([Note]);

test.each([
  ['nested in the row', Tag, { id: 't', label: 'new' }],
  ['of the row itself', Note, { id: '1', title: 'new' }],
  ['of a row in a circle with it', Note, { id: '2', title: 'new' }],
])(
  'a constructor that reads its own row after a change %s leaves no dependency behind',
  (_what, kind, change) => {
    const readers = {
      row: () => cache.read(Note, ['1']),
      other: () => cache.read(Note, ['2'])?.next,
      list: () => cache.read(notes)?.[0],
    };
    for (const first of Object.values(readers)) {
      for (const second of Object.values(readers)) {
        cache = new Cache();
        cache.write(notes, [
          { id: '1', tag: { id: 't', label: 'old' }, next: '2' },
          { id: '2', next: '1' },
        ]);
        for (const read of Object.values(readers)) read();
        cache.write(kind, change);
        look = second;
        first();
        look = undefined;

        const shown = Object.values(readers).map((read) => read());
        expect(new Set(shown).size).toBe(1);
        const [note] = shown;
        expect([note?.tag?.label, note?.title, note?.next?.title]).toContain('new');
        expect(note?.next?.next).toBe(note);
      }
    }
  },
);
