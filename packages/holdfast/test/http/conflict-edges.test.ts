// Conflicts where the body, the response or the refusal is unusual: fields that the server computes, bodies without fields,
// refusals for other reasons than the version of the row.
import { createResource } from 'holdfast';
import { expect, test } from 'vitest';
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
