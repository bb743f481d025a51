// The types of failures follow from an endpoint's `errors`.
import type { Type } from 'arktype';
import { Controller, createResource, Endpoint, Entity, RestEndpoint } from 'holdfast';
import type {
  AbortError,
  AnyEndpoint,
  ConnectionError,
  HttpError,
  StandardSchema,
  TimeoutError,
} from 'holdfast';
import { attempt, failedWith, failureOf } from 'holdfast/validate';
import type { Failure } from 'holdfast/validate';
import * as v from 'valibot';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';

class Todo extends Entity {
  id = '';
  title = '';
  static override key = 'Todo';
}
const fields = z.object({ fields: z.record(z.string(), z.string()) });
const todos = createResource({ path: '/todos/:id', schema: Todo, errors: { 409: Todo, 422: fields } });
const plain = createResource({ path: '/todos/:id', schema: Todo });
const controller = new Controller();

test('a result is narrowed by its kind', async () => {
  const saved = await attempt(controller, todos.partialUpdate, { id: '1' }, { title: '' });
  expectTypeOf(saved).toEqualTypeOf<attempt.Result<typeof todos.partialUpdate>>();
  if (saved.ok) {
    expectTypeOf(saved.value).toEqualTypeOf<Todo>();
    return;
  }
  const { failure } = saved;
  if (failure.kind === 409) expectTypeOf(failure.body).toEqualTypeOf<Todo>();
  else if (failure.kind === 422) expectTypeOf(failure.body.fields).toEqualTypeOf<Record<string, string>>();
  else if (failure.kind === 'http') {
    expectTypeOf(failure.error).toEqualTypeOf<HttpError>();
    expectTypeOf(failure.issues).toEqualTypeOf<readonly StandardSchema.Issue[]>();
  } else if (failure.kind === 'network') expectTypeOf(failure.error).toEqualTypeOf<ConnectionError>();
  else if (failure.kind === 'timeout') expectTypeOf(failure.error).toEqualTypeOf<TimeoutError>();
  else if (failure.kind === 'abort') expectTypeOf(failure.error).toEqualTypeOf<AbortError>();
  else expectTypeOf(failure).toEqualTypeOf<{ readonly kind: 'other'; readonly error: Error }>();
});

test('arguments are those of the endpoint', () => {
  // @ts-expect-error an id is missing
  void attempt(controller, todos.partialUpdate, {}, { title: '' });
  // @ts-expect-error no such field
  void attempt(controller, todos.partialUpdate, { id: 1 }, { titel: '' });
});

test('failedWith narrows to the body of the status, and accepts no other status', () => {
  const error: unknown = null;
  if (failedWith(todos.update, error, 422)) {
    expectTypeOf(error.body.fields).toEqualTypeOf<Record<string, string>>();
    expectTypeOf(error.status).toEqualTypeOf<422>();
    expectTypeOf(error).toExtend<HttpError>();
  }
  // @ts-expect-error the endpoint says nothing of 404
  failedWith(todos.update, error, 404);
  // @ts-expect-error nor does this one of anything
  failedWith(plain.update, error, 422);
});

test('every member has the errors of its resource, and endpoints that are extended from it keep them', () => {
  type Bodies<E extends AnyEndpoint> = failureOf.FailureBody<E, 409>;
  expectTypeOf<Bodies<typeof todos.get>>().toEqualTypeOf<Todo>();
  expectTypeOf<Bodies<typeof todos.getList>>().toEqualTypeOf<Todo>();
  expectTypeOf<Bodies<typeof todos.update>>().toEqualTypeOf<Todo>();
  expectTypeOf<Bodies<typeof todos.delete>>().toEqualTypeOf<Todo>();
  expectTypeOf<Bodies<typeof todos.getList.push>>().toEqualTypeOf<Todo>();
  expectTypeOf<Bodies<typeof todos.getList.remove>>().toEqualTypeOf<Todo>();
  const page = todos.getList.paginated('page');
  expectTypeOf<Bodies<typeof page>>().toEqualTypeOf<Todo>();
  const slow = todos.get.extend({ timeoutMs: 5 });
  expectTypeOf<Bodies<typeof slow>>().toEqualTypeOf<Todo>();
  const other = todos.get.extend({ errors: { 410: fields } });
  expectTypeOf<failureOf.FailureBody<typeof other, 410>>().toEqualTypeOf<{
    fields: Record<string, string>;
  }>();
  expectTypeOf<Bodies<typeof other>>().toBeUnknown();
  const Extended = todos.extend({ get: { dataExpiryLength: 5 } }).extend('archive', { method: 'POST' });
  expectTypeOf<Bodies<typeof Extended.get>>().toEqualTypeOf<Todo>();
  expectTypeOf<Bodies<typeof Extended.archive>>().toEqualTypeOf<Todo>();
});

test('fetch returns the same type as without errors', () => {
  expectTypeOf(controller.fetch(todos.getList.push, { title: '' })).resolves.toEqualTypeOf<Todo>();
  expectTypeOf(controller.fetch(todos.getList)).resolves.toEqualTypeOf<Todo[]>();
  expectTypeOf(todos.getList.getPage).toBeUndefined();
});

test('an endpoint without declared errors has plain failures alone', () => {
  expectTypeOf<Failure<typeof plain.get>>().toEqualTypeOf<failureOf.UndeclaredFailure>();
  expectTypeOf(plain.get.errors).toBeUndefined();
});

test('custom endpoints, and schemas of other libraries, declare errors', () => {
  const shape = v.object({
    until: v.pipe(
      v.string(),
      v.transform((text) => new Date(text)),
    ),
  });
  const get = new RestEndpoint({ path: '/a', errors: { 503: shape } });
  expectTypeOf<failureOf.FailureBody<typeof get, 503>>().toEqualTypeOf<{ until: Date }>();
  const run = new Endpoint(async () => 5, { name: 'run', errors: { 503: {} as Type<string> } });
  expectTypeOf<failureOf.FailureBody<typeof run, 503>>().toEqualTypeOf<string>();
});

test('failureOf accepts the errors of hooks', () => {
  const error = new Error('') as Error | undefined;
  expectTypeOf(failureOf(todos.get, error)).toEqualTypeOf<Failure<typeof todos.get> | undefined>();
  expectTypeOf(failureOf(todos.get, new Error(''))).toEqualTypeOf<Failure<typeof todos.get>>();
});
