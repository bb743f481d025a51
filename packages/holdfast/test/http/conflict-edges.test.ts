// Conflicts where the body, the response or the refusal is unusual: fields that the server computes, bodies without fields,
// refusals for other reasons than the version of the row.
import { createResource, Entity, FailedManager, schema } from 'holdfast';
import type { Manager } from 'holdfast';
import { count } from 'holdfast/http';
import { expect, test } from 'vitest';
import type { RecordedRequest, Reply } from '../support/server.ts';
import { Doc, openDocs } from './docs-app.ts';

const error = async (call: Promise<unknown>): Promise<any> =>
  call.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );

class Dated extends Doc {
  static override key = 'Dated';
  version = 0;
}

/** The row counts its versions in a field. */
async function openDated(...[options, etag]: [options?: Parameters<typeof openDocs>[0], etag?: string]) {
  const app = await openDocs(options);
  const { server, rows } = app;
  const Dates = createResource({
    urlPrefix: server.url,
    path: '/docs/:id',
    schema: Dated,
    body: {} as Partial<Dated>,
    optimistic: true,
  });
  rows.set('1', { ...rows.get('1'), version: 1 });
  server.on('PATCH', '/docs/1', ({ body }) => {
    const row = rows.get('1')!;
    const { version = row['version'] } = body as Partial<Dated>;
    if (version !== row['version']) return { status: 409, body: { title: 'Old', current: row } };
    rows.set('1', { ...row, ...(body as object), version: Number(version) + 1 });
    return { body: rows.get('1'), ...(etag !== undefined && { headers: { etag } }) };
  });
  await app.controller.fetch(Dates.get, { id: '1' });
  return { ...app, Dates };
}

test.each([undefined, '"2"'])(
  'a row is deleted while an own edit is in flight, whose response changes a field that the server computes (tag: %s)',
  async (etag) => {
    const { controller, Dates, server, lines } = await openDated({}, etag);
    server.on('DELETE', '/docs/1', { status: 204 });

    const edit = controller.fetch(Dates.partialUpdate, { id: '1' }, { title: 'B' });
    await controller.fetch(Dates.delete, { id: '1' });
    await edit;

    expect(lines()).toEqual(['GET /docs/1', 'PATCH /docs/1', 'DELETE /docs/1']);
  },
);

test('a row is not deleted while an own edit without a tag is in flight, whose tagged response has the edit of another', async () => {
  const { controller, Dates, other, lines } = await openDated({ preconditions: false }, '"2"');
  const edit = controller.fetch(Dates.partialUpdate, { id: '1' }, { title: 'B' });
  const deletion = error(controller.fetch(Dates.delete, { id: '1' }));
  other({ text: 'theirs' });

  await edit;
  expect((await deletion).conflicts).toMatchObject([{ field: '', theirs: { title: 'B', text: 'theirs' } }]);
  expect(lines()).toEqual(['GET /docs/1', 'PATCH /docs/1']);
});

/** The server computes a slug from the title. */
class Slugged extends Doc {
  static override key = 'Slugged';
  slug = '';
}

async function openSlugged(...given: Parameters<typeof openDocs>) {
  const app = await openDocs(...given);
  const { server, rows, version } = app;
  const Slugs = createResource({
    urlPrefix: server.url,
    path: '/docs/:id',
    schema: Slugged,
    body: {} as Partial<Slugged>,
    optimistic: true,
  });
  rows.set('1', { ...rows.get('1'), slug: 't1' });
  const change = ({ headers, body }: RecordedRequest): Reply => {
    if (headers['if-match'] && headers['if-match'] !== `"${version('1')}"`) return { status: 412 };
    const title = (body as { title?: string }).title ?? rows.get('1')!['title'];
    app.other({ ...(body as object), slug: String(title).toLowerCase() });
    return { body: rows.get('1'), headers: { etag: `"${version('1')}"` } };
  };
  for (const method of ['PUT', 'PATCH']) server.on(method, '/docs/1', change);
  await app.controller.fetch(Slugs.get, { id: '1' });
  return { ...app, Slugs };
}

test.each(['PUT', 'PATCH'])(
  'a slug that the server computes from the title is no conflict for own edits by %s, typed fast',
  async (method) => {
    const { controller, Slugs, rows, lines } = await openSlugged();
    const whole = rows.get('1');
    const edits = ['B', 'C', 'D'].map((title) =>
      method === 'PUT'
        ? controller.fetch(Slugs.update, { id: '1' }, { ...whole, title })
        : controller.fetch(Slugs.partialUpdate, { id: '1' }, { title }),
    );
    await Promise.all(edits);

    expect(rows.get('1')).toMatchObject({ title: 'D', slug: 'd' });
    expect(controller.get(Slugged, { id: '1' })).toMatchObject({ title: 'D', slug: 'd' });
    expect(lines()).toEqual(['GET /docs/1', `${method} /docs/1`, `${method} /docs/1`, `${method} /docs/1`]);
  },
);

test('a PUT that another title meets becomes a conflict of the title alone, and takes the slug of the server', async () => {
  const { controller, Slugs, rows, other, lines } = await openSlugged({ conflicts: { resolve: 'mine' } });
  const whole = rows.get('1');
  other({ title: 'Theirs', slug: 'theirs' });
  await controller.fetch(Slugs.update, { id: '1' }, { ...whole, title: 'Mine' });

  expect(rows.get('1')).toMatchObject({ title: 'Mine', slug: 'mine' });
  expect(lines()).toEqual(['GET /docs/1', 'PUT /docs/1', 'GET /docs/1', 'PUT /docs/1']);
});

test('a version in the body of two edits typed fast is that of the server, and nothing is refused', async () => {
  const version = (_base: unknown, _mine: unknown, theirs: unknown): unknown => theirs;
  const { controller, Dates, rows, lines } = await openDated({
    preconditions: false,
    conflicts: { merge: [[Dated, { version }]] },
  });
  const edits = ['B', 'C', 'D'].map((title) =>
    controller.fetch(Dates.partialUpdate, { id: '1' }, { title, version: 1 }),
  );
  await Promise.all(edits);

  expect(rows.get('1')).toMatchObject({ title: 'D', version: 4 });
  expect(lines()).toEqual(['GET /docs/1', 'PATCH /docs/1', 'PATCH /docs/1', 'PATCH /docs/1']);
});

test('a refusal for another reason fails with the message of the server, after one repetition', async () => {
  const { controller, Docs, server, lines } = await openDocs();
  await controller.fetch(Docs.get, { id: '1' });
  server.on('PATCH', '/docs/1', { status: 409, body: { title: 'The name is taken' } });

  const thrown = await error(controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine' }));

  expect(thrown).toMatchObject({ name: 'HttpError', status: 409, problem: { title: 'The name is taken' } });
  expect(lines().slice(1)).toEqual(['PATCH /docs/1', 'GET /docs/1', 'PATCH /docs/1']);
});

test('a mutation fails with the error that `current` throws as its cause, and holds its edit', async () => {
  const cause = new Error('no body');
  const current = (): never => {
    throw cause;
  };
  const { controller, Docs, server, lines } = await openDocs({
    preconditions: false,
    conflicts: { current },
  });
  await controller.fetch(Docs.get, { id: '1' });
  server.on('PATCH', '/docs/1', { status: 409 });

  const thrown = await error(controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine' }));

  expect(thrown).toMatchObject({
    code: 'RESOLUTION_INVALID',
    params: { entity: 'Doc', pk: '1', mine: { title: 'mine' }, theirs: undefined },
  });
  expect(thrown.cause).toBe(cause);
  expect(lines()).toEqual(['GET /docs/1', 'PATCH /docs/1']);
});

test('a mutation without fields is sent again, and never counts as done because nothing differs', async () => {
  const { controller, Docs, server, lines } = await openDocs();
  await controller.fetch(Docs.get, { id: '1' });
  server.on('PATCH', '/docs/1', { status: 409 });

  expect(await error(controller.fetch(Docs.partialUpdate, { id: '1' }, {}))).toMatchObject({ status: 409 });
  expect(lines().slice(1)).toEqual(['PATCH /docs/1', 'GET /docs/1', 'PATCH /docs/1']);
});

test.each([
  ['theirs', undefined],
  ['mine', true],
] as const)('%s of a whole row, whose fields are not those of the body, decides', async (resolve, closed) => {
  const { controller, Docs, rows, other } = await openDocs({ conflicts: { resolve } });
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'theirs' });

  await controller.fetch(Docs.partialUpdate, { id: '1' }, { closed: true } as object);

  expect(rows.get('1')!['closed']).toBe(closed);
  expect(rows.get('1')).toMatchObject({ title: 'theirs' });
});

class Person extends Entity {
  static override key = 'Person';
  id = '';
  name = '';
}
class Task extends Doc {
  static override key = 'Task';
  static schema = { author: Person, due: Date };
  author = Person.fromJS();
  due = new Date(0);
}

test.each(['PATCH', 'DELETE'])(
  'a %s that is refused after the last round fails with values as on the wire, and with ids of nested rows',
  async (method) => {
    const { controller, Docs, rows, server, other } = await openDocs({ conflicts: { resolve: 'mine' } });
    const [march, may] = [3, 5].map((month) => new Date(2026, month).toJSON());
    rows.set('1', { id: '1', author: { id: 'a', name: 'Ada' }, due: march });
    await controller.fetch(Docs.get.extend({ schema: Task }), { id: '1' });
    server.on(method, '/docs/1', { status: 412 });
    other({ title: 'theirs' });

    const body = { author: { id: 'b', name: 'Bob' }, due: may } as object;
    const thrown = await error(
      method === 'PATCH'
        ? controller.fetch(Docs.partialUpdate.extend({ schema: Task }), { id: '1' }, body)
        : controller.fetch(Docs.delete.extend({ schema: new schema.Invalidate(Task) }), { id: '1' }),
    );

    const row = { entity: 'Task', pk: '1' };
    const whole = { id: '1', title: 'theirs', author: 'a', due: march };
    expect(thrown.conflicts).toEqual(
      method === 'PATCH'
        ? [
            { ...row, field: 'author', base: 'a', mine: 'b', theirs: 'a' },
            { ...row, field: 'due', base: march, mine: may, theirs: march },
          ]
        : [{ ...row, field: '', base: whole, mine: undefined, theirs: whole }],
    );
  },
);

test('fields of a nested row in the body are sent again, although the id is that of the server', async () => {
  class Author extends Entity {
    static override key = 'Author';
    id = '';
    name = '';
  }
  class Book extends Doc {
    static override key = 'Book';
    static schema = { author: Author };
    author = Author.fromJS();
  }
  const { controller, Docs, rows, other } = await openDocs();
  rows.set('1', { ...rows.get('1'), author: { id: 'a', name: 'old' } });
  await controller.fetch(Docs.get.extend({ schema: Book }), { id: '1' });
  other({ title: 'theirs' });

  const body = { author: { id: 'a', name: 'new' } } as object;
  await controller.fetch(Docs.partialUpdate.extend({ schema: Book }), { id: '1' }, body);

  expect(rows.get('1')).toMatchObject({ title: 'theirs', author: { name: 'new' } });
});

test('the repetition of a failed mutation has the idempotency key of its own body', async () => {
  const failed = new FailedManager();
  const conflicts = { rounds: 1, merge: [[Doc, { votes: count }]] } as const;
  const { controller, Docs, server, other, rows } = await openDocs({ conflicts }, {}, [failed]);
  await controller.fetch(Docs.get, { id: '1' });
  other({ votes: 5 });
  server.on('PATCH', '/docs/1', ({ body }) => {
    if (server.seen('PATCH', '/docs/1').length <= 2) return { status: 412 };
    return { body: { ...rows.get('1'), ...(body as object) } };
  });
  const vote = Docs.partialUpdate.extend({ idempotencyKey: true });
  await error(controller.fetch(vote, { id: '1' }, { votes: 1 }));
  other({ votes: 0 });
  controller.expireAll(Docs.get);
  await controller.fetch(Docs.get, { id: '1' });
  await failed.get(Doc, { id: '1' })[0]!.retry();

  const sent = server.seen('PATCH', '/docs/1');
  expect(sent.map(({ body }) => body)).toEqual([{ votes: 1 }, { votes: 6 }, { votes: 1 }]);
  const [first, second, third] = sent.map(({ headers }) => headers['idempotency-key']);
  expect(third).toBe(first);
  expect(third).not.toBe(second);
});

test('with `required`, a PUT of a row that was seen and is gone fails, and does not create the row again', async () => {
  const { controller, Docs, rows, lines } = await openDocs({ preconditions: 'required' });
  await controller.fetch(Docs.getList);
  rows.delete('1');

  const thrown = await error(controller.fetch(Docs.update, { id: '1' }, { id: '1', title: 'mine' }));

  expect(thrown).toMatchObject({ status: 404 });
  expect(lines()).toEqual(['GET /docs', 'GET /docs/1']);
});

test('a POST and a mutation of several rows that are refused with 428 are sent once', async () => {
  const { controller, Docs, server, lines } = await openDocs();
  await controller.fetch(Docs.getList);
  server.on('POST', '/docs', { status: 428 });
  server.on('PATCH', '/docs', { status: 428 });
  const many = Docs.getList.push.extend({ method: 'PATCH', schema: [Doc], body: [] as Partial<Doc>[] });

  expect(await error(controller.fetch(Docs.getList.push, { title: 'new' }))).toMatchObject({ status: 428 });
  expect(await error(controller.fetch(many, [{ id: '1' }, { id: '2' }]))).toMatchObject({ status: 428 });
  expect(lines()).toEqual(['GET /docs', 'POST /docs', 'PATCH /docs']);
});

test('a change that is read while another manager holds the mutation is no silent victim of the mutation', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const session: Manager = {
    request: async (request, next) => {
      if (!request.isRead) await held;
      return next(request);
    },
  };
  const { controller, Docs, rows, other, lines } = await openDocs({}, {}, [session]);
  await controller.fetch(Docs.get, { id: '1' });
  const mine = error(controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'mine' }));
  other({ title: 'theirs' });
  await controller.fetch(Docs.get, { id: '1' });
  release();

  expect((await mine).conflicts).toMatchObject([{ base: 't1', mine: 'mine', theirs: 'theirs' }]);
  expect(rows.get('1')).toMatchObject({ title: 'theirs' });
  expect(lines()).toEqual(['GET /docs/1', 'GET /docs/1']);
});

test('an edit that was saved although its response was 500 is no conflict for the next edit, and that of another client still is', async () => {
  const { controller, Docs, server, rows, other } = await openDocs();
  await controller.fetch(Docs.get, { id: '1' });
  const held = server.hold('PATCH', '/docs/1');
  const broken = error(controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'B', text: 'b' }));
  const request = await held.next();
  other({ title: 'B', text: 'b' });
  request.release({ status: 500 });
  expect(await broken).toMatchObject({ status: 500 });
  held.releaseAll();
  other({ text: 'theirs' });

  await controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'C' });

  expect(rows.get('1')).toMatchObject({ title: 'C', text: 'theirs' });
  other({ title: 'B' });
  const thrown = await error(controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'D' }));
  expect(thrown.conflicts).toMatchObject([{ base: 'C', mine: 'D', theirs: 'B' }]);
});

// A browser sends a request again when its connection breaks, and the server refuses the second one.
test.each([
  { conflicts: undefined, end: { status: 412 } },
  { conflicts: {}, end: { status: 503 } },
])('an edit that is saved although it fails with $end is no conflict for the next edit', async (given) => {
  const { conflicts, end } = given;
  const { controller, Docs, server, rows, other } = await openDocs({ conflicts } as Parameters<
    typeof openDocs
  >[0]); // cast: undefined turns the rules off
  await controller.fetch(Docs.get, { id: '1' });
  other({ title: 'B' });
  const held = server.hold('PATCH', '/docs/1');
  const failed = error(controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'B' }));
  const next = controller.fetch(Docs.partialUpdate, { id: '1' }, { title: 'C' });
  const request = await held.next();
  await controller.fetch(Docs.get, { id: '1' });
  const reads = server.hold('GET', '/docs/1');
  request.release();
  if (conflicts) (await reads.next()).release(end);
  reads.releaseAll();
  held.releaseAll();

  expect(await failed).toMatchObject(end);
  await next;
  expect(rows.get('1')).toMatchObject({ title: 'C' });
});

test('a vote over an own vote that was joined with the votes of others, and then failed, counts for both and no more', async () => {
  const { controller, Docs, server, rows, other } = await openDocs({
    conflicts: { merge: [[Doc, { votes: count }]] },
  });
  await controller.fetch(Docs.get, { id: '1' });
  other({ votes: 10 });
  const held = server.hold('PATCH', '/docs/1');
  const failed = error(controller.fetch(Docs.partialUpdate, { id: '1' }, { votes: 1 }));
  (await held.next()).release();
  const again = await held.next();
  const shown = controller.get(Doc, { id: '1' })!.votes;
  expect(shown).toBe(11);
  const next = controller.fetch(Docs.partialUpdate, { id: '1' }, { votes: shown + 1 });
  again.release({ status: 422 });
  other({ votes: 10 }); // what the server computed for that response is undone
  expect(await failed).toMatchObject({ status: 422 });
  held.releaseAll();
  await next;

  expect(rows.get('1')).toMatchObject({ votes: 12 });
});
