// Summaries and details: what a response with some fields leaves of its rows, and what readers of more fields get.
import {
  Controller,
  createResource,
  dehydrate,
  Entity,
  hydrate,
  RestEndpoint,
  schema,
  versionBy,
  watchQuery,
} from 'holdfast';
import { pick } from 'holdfast/local';
import { check, EntityOf } from 'holdfast/validate';
import { expect, onTestFinished, test } from 'vitest';
import { FakeWorld, until } from '../support/fake-world.ts';
import { count, word } from '../simulation/local-checks.ts';
import { Note, NoteRow, start, User } from './notes.ts';

test('a row that came with some fields is no row of the whole class: its reader waits, and one request brings the rest', async () => {
  const { controller, getRows, Notes, details } = await start();
  await controller.fetch(getRows);

  expect(controller.get(NoteRow, { id: '1' })).toEqual({ id: '1', lane: 'a', title: 'note 1' });
  expect(controller.get(Note, { id: '1' })).toBeUndefined();
  const observer = controller.watch(Notes.get, { id: '1' });
  expect(observer.read()).toMatchObject({ data: undefined, isBlocked: true });
  const stop = observer.subscribe(() => undefined);
  await until(() => !observer.read().isBlocked);
  stop();

  expect(observer.read().data).toMatchObject({ title: 'note 1', body: 'body 1', author: { name: 'Ada' } });
  expect(details()).toBe(1);
  expect(controller.getResponse(getRows).data![0]).toEqual({ id: '1', lane: 'a', title: 'note 1' });
});

test('a plain class shows a summary with its defaults, as before', async () => {
  const { controller, Notes } = await start();
  await controller.fetch(Notes.getList.extend({ schema: new schema.Collection([Note]) }));

  expect(controller.get(Note, { id: '1' })).toMatchObject({ title: 'note 1', body: '' });
  expect(controller.getResponse(Notes.get, { id: '1' }).expiresAt).toBe(0);
});

test('instances have the named fields, the accessors of the class, and their own defaults', () => {
  class Tag extends Entity {
    static override key = 'PickTag';
    id = '';
    name = '';
    colour = 'red';
    get label(): string {
      return `#${this.name}`;
    }
  }
  const TagName = pick(Tag, ['id', 'name']);

  const tag = TagName.fromJS({ id: '1', name: 'tea' });
  expect(Object.keys(tag)).toEqual(['id', 'name']);
  expect(tag).toBeInstanceOf(Tag);
  expect((tag as unknown as Tag).label).toBe('#tea');
  expect(TagName.key).toBe('PickTag');
  expect(TagName.defaults).toEqual({ id: '', name: '' });
});

test('a class may extend a picked one', async () => {
  const { controller, getRows } = await start();
  class Line extends pick(Note, ['id', 'title']) {
    get label(): string {
      return `${this.id}: ${this.title}`;
    }
  }
  await controller.fetch(getRows.extend({ schema: new schema.Collection([Line]) }));

  expect(controller.get(Line, { id: '1' })!.label).toBe('1: note 1');
  expect(controller.get(Line, { id: '1' })).toEqual({ id: '1', title: 'note 1' });
  expect(controller.get(Note, { id: '1' })).toBeUndefined();
});

test('fields of the class that are not named are ignored in a response, and keep their values', async () => {
  const { controller, getRows, Notes, rows, summary } = await start();
  await controller.fetch(Notes.get, { id: '1' });
  summary.names.push('body');
  rows.set('1', { ...rows.get('1'), title: 'new', body: 'cut…' });
  await controller.fetch(getRows);

  expect(controller.get(Note, { id: '1' })).toMatchObject({ title: 'new', body: 'body 1' });
});

test('a change of a field that is not named leaves the instance and the list as they are', async () => {
  const { controller, getRows, Notes } = await start();
  await controller.fetch(getRows);
  const before = controller.getResponse(getRows).data;
  await controller.fetch(Notes.get, { id: '1' });
  void controller.set(Note, { id: '1' }, { id: '1', body: 'other' } as Partial<Note> as Note);

  expect(controller.get(Note, { id: '1' })?.body).toBe('other');
  expect(controller.getResponse(getRows).data).toBe(before);
});

test('after a detail and a later list, the fields of the list are as old as the list, and the others as old as the detail', async () => {
  const { controller, getRows, getBrief, Notes, world } = await start();
  await controller.fetch(Notes.get, { id: '1' });
  world.time.advance(6_000);
  await controller.fetch(getRows);
  world.time.advance(6_000);

  // The title came 6 s ago, the body 12 s ago; both are fresh for 10 s.
  const { data, expiresAt } = controller.getResponse(getBrief, { id: '1' });
  expect(data?.title).toBe('note 1');
  expect(expiresAt).toBe(world.options.clock.now() + 4_000);
  expect(controller.getResponse(Notes.get, { id: '1' }).expiresAt).toBeLessThan(world.options.clock.now());
});

test('the reply to a mutation and a message that omit fields leave the row without them; with all fields the row is there', async () => {
  const { controller, getRows, Notes } = await start();
  await controller.fetch(getRows);
  await controller.fetch(Notes.partialUpdate, { id: '1' }, { title: 'tea' });
  expect(controller.get(Note, { id: '1' })).toBeUndefined();
  expect(controller.get(NoteRow, { id: '1' })?.title).toBe('tea');
  void controller.set(Note, { id: '1' }, { id: '1', body: 'b' } as Partial<Note> as Note);
  expect(controller.get(Note, { id: '1' })).toBeUndefined();
  void controller.set(Note, { id: '1' }, {
    id: '1',
    author: { id: '9', name: 'Ada' },
  } as Partial<Note> as Note);

  expect(controller.get(Note, { id: '1' })).toMatchObject({
    title: 'tea',
    body: 'b',
    author: { name: 'Ada' },
  });
});

test('a list of the whole class is stale when a row enters it that came with some fields', async () => {
  const { controller, getRows, Notes, rows } = await start();
  rows.set('3', { ...rows.get('1'), id: '3', lane: 'b', title: 'note 3' });
  await controller.fetch(Notes.getList, { lane: 'a' });
  await controller.fetch(getRows, { lane: 'b' });
  rows.set('3', { ...rows.get('3'), lane: 'a' });
  await controller.fetch(getRows);

  const now = controller.getResponse(Notes.getList, { lane: 'a' });
  expect(now.expiresAt).toBe(0);
  await controller.fetch(Notes.getList, { lane: 'a' });
  expect(controller.getResponse(Notes.getList, { lane: 'a' }).data).toHaveLength(3);
});

test('two classes that read one list: with fewer fields it is no fresh list of the whole class', async () => {
  const { controller, getRows, Notes } = await start();
  const getAll = Notes.getList.extend({ schema: new schema.Collection([Note]) });
  await controller.fetch(getRows);
  expect(controller.getResponse(getAll).expiresAt).toBe(0);
  await controller.fetch(getAll);

  expect(controller.getResponse(getAll).data).toHaveLength(2);
  expect(controller.getResponse(getRows).data).toHaveLength(2);
});

test('a row that is deleted and comes again with some fields is no row of the whole class', async () => {
  const { controller, getRows, Notes, rows } = await start();
  await controller.fetch(Notes.get, { id: '1' });
  const kept = rows.get('1')!;
  await controller.fetch(Notes.delete, { id: '1' });
  rows.set('1', kept);
  await controller.fetch(getRows);

  expect(controller.get(NoteRow, { id: '1' })?.title).toBe('note 1');
  expect(controller.get(Note, { id: '1' })).toBeUndefined();
});

test('a response that is too old to be stored does not make a row whole', async () => {
  const { controller, getRows, Notes, server, rows } = await start();
  const held = server.hold('GET', '/notes/:id');
  const late = controller.fetch(Notes.get, { id: '1' });
  const request = await held.next();
  // The row is deleted after the request was sent, and a summary brings it again.
  const kept = rows.get('1')!;
  await controller.fetch(Notes.delete, { id: '1' });
  rows.set('1', { ...kept, title: 'new' });
  await controller.fetch(getRows);
  request.release();
  await late.catch(() => undefined);

  expect(controller.get(NoteRow, { id: '1' })?.title).toBe('new');
  expect(controller.get(Note, { id: '1' })).toBeUndefined();
});

test('two picks of one class wait for each other’s fields, and together make the row', async () => {
  const { controller, getRows, getBrief, server } = await start();
  const Rest = pick(Note, ['id', 'body', 'author']);
  server.on('GET', '/rest/:id', ({ params: { id = '' } }) => ({
    body: { id, body: 'b', author: { id: '9', name: 'Ada' } },
  }));
  const getRest = new RestEndpoint({ urlPrefix: server.url, path: '/rest/:id', schema: Rest });
  await controller.fetch(getBrief, { id: '1' });
  expect(controller.get(NoteRow, { id: '1' })).toBeUndefined();
  await controller.fetch(getRows);
  await controller.fetch(getRest, { id: '1' });

  expect(controller.get(Note, { id: '1' })).toMatchObject({
    title: 'note 1',
    body: 'b',
    author: { name: 'Ada' },
  });
});

test('a nested row of a pick is read by its own class, also when the schema is assigned later', async () => {
  class Reply extends Entity {
    static override key = 'PickReply';
    id = '';
    text = '';
    votes = 0;
    author = User.fromJS();
    replies: Reply[] = [];
  }
  const ReplyText = pick(Reply, ['id', 'text', 'author', 'replies']);
  Reply.schema = { author: User, replies: [Reply] };
  const controller = new Controller(new FakeWorld().options);
  const author = { id: '9', name: 'Ada' };
  const inner = { id: '2', text: 'two', votes: 2, author, replies: [] };
  void controller.set(ReplyText, { id: '1' }, {
    id: '1',
    text: 'one',
    votes: 5,
    author,
    replies: [inner],
  } as never);

  const row = controller.get(ReplyText, { id: '1' })!;
  expect(row.author).toBe(controller.get(User, { id: '9' }));
  expect(row.replies[0]).toBe(controller.get(Reply, { id: '2' }));
  expect(row.replies[0]!.votes).toBe(2);
  expect(controller.get(Reply, { id: '1' })).toBeUndefined();
  void controller.set(User, { id: '9' }, { id: '9', name: 'Eve' } as User);
  expect(controller.get(ReplyText, { id: '1' })!.author.name).toBe('Eve');
});

test('a resource of a picked class writes its rows too', async () => {
  const { controller, server, getRows, Notes } = await start();
  const Rows = createResource({
    urlPrefix: server.url,
    path: '/notes/:id',
    schema: NoteRow,
    optimistic: true,
  });
  await controller.fetch(getRows);
  const done = controller.fetch(Rows.partialUpdate, { id: '1' }, { title: 'tea' });
  expect(controller.get(NoteRow, { id: '1' })?.title).toBe('tea');
  await done;
  expect(controller.get(NoteRow, { id: '1' })?.title).toBe('tea');
  await controller.fetch(Rows.delete, { id: '1' });

  expect(controller.get(NoteRow, { id: '1' })).toBeUndefined();
  expect(controller.getResponse(getRows).data).toHaveLength(1);
  expect(controller.getResponse(Notes.get, { id: '2' }).data).toBeUndefined();
});

test('a pick of a pick is one of the whole class', async () => {
  const { controller, getRows, getBrief } = await start();
  const NoteTitle = pick(NoteRow, ['id', 'title']);
  await controller.fetch(getRows.extend({ schema: new schema.Collection([NoteTitle]) }));

  expect(controller.get(NoteTitle, { id: '1' })).toEqual({ id: '1', title: 'note 1' });
  expect(controller.getResponse(getBrief, { id: '1' }).data).toEqual({ id: '1', title: 'note 1' });
  expect(controller.get(NoteRow, { id: '1' })).toBeUndefined();
  expect(() => pick(NoteRow, ['id', 'body' as 'title'])).toThrow(
    expect.objectContaining({ code: 'PICK_FIELD_UNKNOWN' }),
  );
});

test('a pick of an EntityOf checks its fields only', async () => {
  const warn = onWarn();
  class Card extends EntityOf('PickCard', { id: word, title: check(word), rank: count }) {}
  const CardRow = pick(Card, ['id', 'title']);
  const controller = new Controller(new FakeWorld().options);
  await Promise.resolve(
    controller.set([CardRow] as never, ...([[{ id: '1', title: 'tea', rank: 'no number' }]] as never)),
  );

  expect(controller.get(CardRow, { id: '1' })).toEqual({ id: '1', title: 'tea' });
  expect(controller.get(Card, { id: '1' })).toBeUndefined();
  const refused = controller.set(CardRow, { id: '2' }, { id: '2', title: 5 } as never);
  await expect(Promise.resolve(refused)).rejects.toThrow(/title/);
  void controller.set(Card, { id: '1' }, { id: '1', title: 'tea', rank: 3 } as never);
  expect(controller.get(Card, { id: '1' })).toMatchObject({ rank: 3 });
  expect(warn()).toEqual([]);
});

test('the version of a row counts although the pick does not name it', async () => {
  class Doc extends Entity {
    static override key = 'PickDoc';
    id = '';
    title = '';
    revision = 0;
    body = '';
    static override version = versionBy('revision');
  }
  const DocRow = pick(Doc, ['id', 'title']);
  const controller = new Controller(new FakeWorld().options);
  void controller.set(Doc, { id: '1' }, { id: '1', title: 'new', revision: 2, body: 'b' } as Doc);
  void controller.set(DocRow, { id: '1' }, { id: '1', title: 'old', revision: 1 } as never);

  expect(controller.get(Doc, { id: '1' })?.title).toBe('new');
});

test('a saved state says which rows came with some fields', async () => {
  const { controller, getRows, Notes, world } = await start();
  await controller.fetch(getRows);
  await controller.fetch(Notes.get, { id: '2' });
  const state = JSON.stringify(dehydrate(controller));
  const other = new Controller(world.options);
  hydrate(other, state);

  expect(other.getResponse(getRows).data).toHaveLength(2);
  expect(other.getResponse(getRows).expiresAt).toBeGreaterThan(0);
  expect(other.get(Note, { id: '1' })).toBeUndefined();
  expect(other.get(Note, { id: '2' })).toMatchObject({ body: 'body 2' });
});

test('a restored row that lacks fields is not shown to readers of the whole class, before any picked class is used', async () => {
  const { controller, getRows, world } = await start();
  await controller.fetch(getRows);
  const state = JSON.stringify(dehydrate(controller));
  // The state is restored by a process that has not used a picked class of the entity.
  const other = new Controller(world.options);
  hydrate(other, state);

  expect(other.get(Note, { id: '1' })).toBeUndefined();
  expect(watchQuery(other, Note, { id: '1' }).read().data).toBeUndefined();
  expect(watchQuery(other, new schema.All(Note)).read().data ?? []).toEqual([]);
});

test.each([
  ['before any picked class is used', false],
  ['after a picked class was used', true],
])('a restored list with some fields is no fresh list of the whole class, %s', async (_when, isPickUsed) => {
  const { controller, getRows, Notes, world, server } = await start();
  await controller.fetch(getRows);
  const other = new Controller(world.options);
  hydrate(other, JSON.stringify(dehydrate(controller)));
  if (isPickUsed) expect(other.getResponse(getRows)).toMatchObject({ data: [{}, {}], expiryStatus: 3 });

  expect(other.getResponse(Notes.getList).expiresAt).toBe(0);
  expect(await other.fetchIfStale(Notes.getList)).toHaveLength(2);
  expect(server.seen('GET', '/notes')).toHaveLength(2);
  // Its rows are still shown to readers of the picked class.
  expect(other.getResponse(getRows).data).toHaveLength(2);
});

test('a restored list with some fields is no fresh list of the whole class after all its rows were read', async () => {
  const { controller, getRows, Notes, world } = await start();
  await controller.fetch(getRows);
  const other = new Controller(world.options);
  hydrate(other, JSON.stringify(dehydrate(controller)));
  expect(other.getResponse(getRows).data).toHaveLength(2);
  for (const id of ['1', '2']) await other.fetch(Notes.get, { id });

  expect(other.getResponse(Notes.getList).expiresAt).toBe(0);
});

test('a restored row is whole after a read in the whole class, and not after a short reply to a change', async () => {
  const { controller, getRows, Notes, rows, world } = await start();
  await controller.fetch(getRows);
  const other = new Controller(world.options);
  hydrate(other, JSON.stringify(dehydrate(controller)));
  const reader = watchQuery(other, Note, { id: '1' });
  expect(reader.read().data).toBeUndefined();

  await other.fetch(Notes.partialUpdate, { id: '1' }, { title: 'new' });
  expect(reader.read().data).toBeUndefined();
  // The server leaves out a field that it was asked for.
  delete rows.get('1')!['body'];
  await other.fetch(Notes.get, { id: '1' });
  expect(reader.read().data).toMatchObject({ title: 'new', body: '' });

  await other.fetch(getRows);
  expect(reader.read().data).toMatchObject({ title: 'new', body: '' });
  expect(watchQuery(other, Note, { id: '2' }).read().data).toBeUndefined();
});

test('a pick without the key and a pick of an unknown field are refused at the declaration', () => {
  class Pair extends Entity {
    static override key = 'PickPair';
    left = '';
    right = '';
    weight = 0;
    override pk(): string {
      return `${this.left}:${this.right}`;
    }
  }

  expect(() => pick(Note, ['title'])).toThrow(expect.objectContaining({ code: 'PICK_WITHOUT_KEY' }));
  expect(() => pick(Pair, ['left', 'weight'])).toThrow(expect.objectContaining({ code: 'PICK_WITHOUT_KEY' }));
  expect(() => pick(Pair, ['left', 'right'])).not.toThrow();
  expect(() => pick(Note, ['id', 'titel' as 'title'])).toThrow(
    expect.objectContaining({ code: 'PICK_FIELD_UNKNOWN' }),
  );
});

/** Collects the warnings of this test. */
function onWarn(): () => readonly unknown[] {
  const { warn } = console;
  const seen: unknown[] = [];
  console.warn = (...given: unknown[]) => void seen.push(given[0]);
  onTestFinished(() => void (console.warn = warn));
  return () => seen;
}
