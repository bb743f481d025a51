// Typed failures: classifies the error of a call, and parses the body of the response by the endpoint's option `errors`. The core keeps
// this option and never reads it.
import type { Controller } from '../../controller/controller.ts';
import type { ResolveType } from '../../controller/controller.types.ts';
import { finishEndpoint } from '../../endpoint/endpoint-base.ts';
import type { AnyEndpoint, EndpointArgs } from '../../endpoint/endpoint-interface.ts';
import type { ErrorSchemas } from '../../endpoint/failure.types.ts';
import { Engine } from '../../normalize/engine.ts';
import { kindOf } from '../../schema/kinds/kind-of.ts';
import { isThere } from '../../schema/protocol/protocol.ts';
import type { Denormalize } from '../../schema/protocol/schema.types.ts';
import { validateStandard, isStandard } from '../../schema/protocol/standard-schema.ts';
import type {
  StandardIssue,
  StandardOutput,
  StandardResult,
  StandardSchema,
} from '../../schema/protocol/standard-schema.ts';
import { stampOfWriteNow } from '../../store/order.ts';
import { Timeline } from '../../store/timeline.ts';
import { ensure } from '../../support/ensure.ts';
import { HoldfastError, toError, ValidationError } from '../../support/errors.ts';
import {
  isAbortError,
  isConnectionError,
  isHttpError,
  isTimeoutError,
} from '../../support/network-errors.ts';
import type { AbortError, ConnectionError, HttpError, TimeoutError } from '../../support/network-errors.ts';
import { setOwn } from '../../support/plain.ts';

/** ErrorsOf<typeof save>  →  { 409: typeof Todo } */
type ErrorsOf<E> = E extends { readonly errors: infer T extends ErrorSchemas } ? T : Record<never, never>;

/** The statuses in an endpoint's `errors`. */
type StatusOf<E> = keyof ErrorsOf<E> & number;

/**
 * The type of a failure's body: `failureOf.FailureBody<typeof save, 422>`.
 *
 * @example
 * const save = TodoResource.update.extend({ errors: { 409: Todo } });
 * type Theirs = failureOf.FailureBody<typeof save, 409>; // Todo
 */
export type FailureBody<E extends AnyEndpoint, Status extends number> = Status extends keyof ErrorsOf<E>
  ? BodyOf<ErrorsOf<E>[Status]>
  : unknown;
type BodyOf<S> = S extends StandardSchema ? StandardOutput<S> : Denormalize<S>;

/**
 * A failure with a status that the endpoint's `errors` declare, and with a body that the schema for this status accepts.
 *
 * @example const textOf = ({ kind, error }: failureOf.DeclaredFailure<409, unknown>) => `${kind}: ${error.message}`;
 */
export interface DeclaredFailure<Status extends number, Body> {
  readonly kind: Status;
  readonly status: Status;
  readonly body: Body;
  readonly error: HttpError;
}

/**
 * A failure that the endpoint does not declare. `http`: the response's status is not in `errors`, or the schema for this status
 * refuses the body and gives the reasons in `issues`. `network`: no response came, or the response was cut off. `other`: any other
 * error, for example the error of a schema that refused the response.
 *
 * @example
 * const isWorthATry = ({ kind }: failureOf.UndeclaredFailure) => kind === 'network' || kind === 'timeout';
 */
export type UndeclaredFailure =
  | {
      readonly kind: 'http';
      readonly status: number;
      readonly issues: readonly StandardIssue[];
      readonly error: HttpError;
    }
  | { readonly kind: 'network'; readonly error: ConnectionError }
  | { readonly kind: 'timeout'; readonly error: TimeoutError }
  | { readonly kind: 'abort'; readonly error: AbortError }
  | { readonly kind: 'other'; readonly error: Error };

/**
 * The ways in which a call of an endpoint may fail: one for each status in its `errors`, and all undeclared failures.
 *
 * @example
 * const save = TodoResource.update.extend({ errors: { 409: Todo } });
 * const textOf = (failure: Failure<typeof save>) =>
 *   failure.kind === 409 ? `Now it is called ${failure.body.title}.` : failure.error.message;
 */
export type Failure<E> =
  | { [Status in StatusOf<E>]: DeclaredFailure<Status, BodyOf<ErrorsOf<E>[Status]>> }[StatusOf<E>]
  | UndeclaredFailure;

/**
 * The result of a call: its value, or a failure.
 *
 * @example
 * const titleOf = (attempted: attempt.Result<typeof TodoResource.get>) => (attempted.ok ? attempted.value.title : '');
 */
export type Attempted<E extends AnyEndpoint> =
  | { readonly ok: true; readonly value: ResolveType<E> }
  | { readonly ok: false; readonly failure: Failure<E> };

/**
 * The type of an error for which `failedWith` returned true.
 *
 * @example
 * const save = TodoResource.update.extend({ errors: { 409: Todo } });
 * const titleOf = (error: failedWith.Result<typeof save, 409>) => error.body.title;
 */
export type FailedWith<E extends AnyEndpoint, Status extends number> = HttpError & {
  readonly status: Status;
  readonly body: FailureBody<E, Status>;
};

/**
 * Calls an endpoint like `controller.fetch`, but does not reject if the call fails. Resolves with the value or with a failure; the
 * failure's `kind` is a status in `errors`, `http`, `network`, `timeout`, `abort` or `other`. Rejects only if the schema in `errors`
 * is asynchronous, throws or, in development, writes into the body.
 *
 * @example
 * const save = TodoResource.partialUpdate.extend({ errors: { 409: Todo } });
 * const saved = await attempt(controller, save, { id: '5' }, { title: 'tea' });
 * if (saved.ok) console.log(saved.value.title);
 * else if (saved.failure.kind === 409) console.log('Somebody was faster:', saved.failure.body.title);
 * else if (saved.failure.kind === 'network') console.log('No connection.');
 */
export async function attempt<E extends AnyEndpoint>(
  controller: Controller,
  endpoint: E,
  ...args: EndpointArgs<E>
): Promise<Attempted<E>> {
  try {
    return { ok: true, value: await controller.fetch(endpoint, ...args) };
  } catch (error) {
    return { ok: false, failure: failureOf(endpoint, error) as Failure<E> }; // cast: a failed call has an error
  }
}

/**
 * Classifies an error of an endpoint's call, from `useDLE`, an error boundary, `useFailed` or a `catch`. Returns undefined for
 * undefined.
 *
 * @example
 * const getTodo = TodoResource.get.extend({ errors: { 410: Todo } });
 * function Title({ id }: { id: string }) {
 *   const { data, error } = useDLE(getTodo, { id });
 *   const failure = failureOf(getTodo, error);
 *   if (failure?.kind === 410) return <del>{failure.body.title}</del>;
 *   return <h1>{failure ? failure.error.message : data?.title}</h1>;
 * }
 */
export function failureOf<E extends AnyEndpoint, T>(
  endpoint: E,
  error: T,
): T extends undefined ? undefined : Failure<E> {
  return (error === undefined ? undefined : classifyError(endpoint, toError(error))) as T extends undefined
    ? undefined
    : Failure<E>; // cast: the return type is conditional
}

/**
 * Whether a call failed with this status and the endpoint's `errors` accept the response's body. If true, `error.body` is the
 * parsed body.
 *
 * @example
 * const save = TodoResource.partialUpdate.extend({ errors: { 409: Todo } });
 * try {
 *   await controller.fetch(save, { id: '5' }, { title: 'tea' });
 * } catch (error) {
 *   if (!failedWith(save, error, 409)) throw error;
 *   console.log('Somebody was faster:', error.body.title);
 * }
 */
export function failedWith<E extends AnyEndpoint, const Status extends StatusOf<E>>(
  endpoint: E,
  error: unknown,
  status: Status,
): error is FailedWith<E, Status> {
  if (!isHttpError(error, status)) return false;
  const failure = classifyError(endpoint, error);
  if (failure.kind !== status) return false;
  // The property is not enumerable, because consoles print the enumerable properties of an error, and the body must not appear in
  // logs.
  setOwn(error, 'body', failure.body, false);
  return true;
}

type AnyFailure = DeclaredFailure<number, unknown> | UndeclaredFailure;

function classifyError(endpoint: AnyEndpoint, error: Error): AnyFailure {
  if (isConnectionError(error)) return { kind: 'network', error };
  if (isTimeoutError(error)) return { kind: 'timeout', error };
  if (isAbortError(error)) return { kind: 'abort', error };
  if (!isHttpError(error)) return { kind: 'other', error };
  const { status, problem } = error;
  const { errors, name } = finishEndpoint(endpoint) as {
    readonly errors?: ErrorSchemas;
    readonly name?: string;
  }; // cast: AnyEndpoint does not declare these options
  const schema = errors?.[status];
  if (!schema) return { kind: 'http', status, issues: [], error };
  // The body is parsed once, so that a boundary and a hook get the same body for the same error.
  const known = ensure(parsedBodies, error, () => new Map<unknown, StandardResult<unknown>>());
  const result = ensure(known, schema, () => readBody(schema, problem, `errors[${status}] of ${name}`));
  return result.issues
    ? { kind: 'http', status, issues: result.issues, error }
    : { kind: status, status, body: result.value, error };
}

// The parsed bodies of each error, by schema. This map is a memo, not state.
const parsedBodies = new WeakMap<Error, Map<unknown, StandardResult<unknown>>>();

/** Parses a body. A schema of this library is read through a temporary store, so that the controller's store does not change. */
function readBody(schema: ErrorSchemas[number], body: unknown, of: string): StandardResult<unknown> {
  if (isStandard(schema)) return validateStandard(schema, body, of);
  const engine = new Engine({ timeline: new Timeline({ now: () => 0 }), random: () => 0 });
  const kind = kindOf(schema);
  try {
    const effects = engine.normalize(kind, body, { args: [] });
    engine.apply(effects, stampOfWriteNow(engine.store.timeline));
    const value = engine.readStored(kind, effects.stored, [], null);
    return isThere(value) ? { value } : { issues: [{ message: 'The body is empty, or lacks a part.' }] };
  } catch (error) {
    if (error instanceof ValidationError) return { issues: [{ message: error.message }] };
    throw new HoldfastError('SCHEMA_THREW', { of, reason: toError(error).message }, { cause: error });
  }
}

export declare namespace attempt {
  export type { Attempted as Result };
}

export declare namespace failureOf {
  export type { DeclaredFailure, FailureBody, UndeclaredFailure };
}

export declare namespace failedWith {
  export type { FailedWith as Result };
}
