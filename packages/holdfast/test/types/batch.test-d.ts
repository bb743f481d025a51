// The types of bulk requests: arguments and results follow from the two endpoints.
import { createResource, Entity, RestEndpoint } from 'holdfast';
import { BatchManager, failure, success } from 'holdfast/edit';
import { expectTypeOf, test } from 'vitest';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
}
interface BulkReply {
  readonly rows: readonly Todo[];
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo, body: {} as { title: string } });
const bulk = new RestEndpoint({
  path: '/bulk',
  method: 'POST',
  body: {} as { updates: readonly { id: string; title?: string }[] },
  process: (value: unknown) => value as BulkReply,
});
const each = TodoResource.partialUpdate;

test('calls have the arguments of the merged endpoint, and the response is that of the other one', () => {
  new BatchManager({
    each,
    as: bulk,
    args: (calls) => {
      expectTypeOf(calls[0]![1].title).toEqualTypeOf<string | undefined>();
      return [{ updates: calls.map(([{ id }, body]) => ({ id: String(id), ...body })) }];
    },
    results: (response, calls) => {
      expectTypeOf(response).toEqualTypeOf<BulkReply>();
      return calls.map((_call, at) => success(response.rows[at]));
    },
  });
});

test('a manager with its types is a manager', () => {
  const options: BatchManager.Options<typeof each, typeof bulk> = {
    each,
    as: bulk,
    most: 20,
    args: () => [{ updates: [] }],
    results: () => [success(), failure(404), failure(422, { errors: { title: 'is taken' } })],
  };
  expectTypeOf(options.results).returns.toEqualTypeOf<readonly BatchManager.Result[]>();
});

test('wrong arguments, rows in place of results, and texts in place of numbers are refused', () => {
  new BatchManager({
    each,
    as: bulk,
    // @ts-expect-error the body of the bulk endpoint has no such member
    args: (calls) => [{ rows: calls }],
    results: () => [],
  });
  new BatchManager({
    each,
    as: bulk,
    // @ts-expect-error arguments are a list
    args: () => ({ updates: [] }),
    results: () => [],
  });
  new BatchManager({
    each,
    as: bulk,
    args: () => [{ updates: [] }],
    // @ts-expect-error a row is no result: success(row) is
    results: ({ rows }) => rows,
  });
  // @ts-expect-error a number of calls
  new BatchManager({ each, as: bulk, most: '20', args: () => [{ updates: [] }], results: () => [] });
  // @ts-expect-error a status is a number
  failure('422');
});
