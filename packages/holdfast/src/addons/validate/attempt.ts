// Failures by type: what an endpoint's option `errors` says of their bodies, applied to what a call was rejected with. Part of
// `holdfast/validate`: the core carries the option and never reads it.
import type { Controller } from '../../controller/controller.ts';
import type { ResolveType } from '../../controller/controller.types.ts';
import { finishEndpoint } from '../../endpoint/endpoint-base.ts';
import type { AnyEndpoint, EndpointArgs } from '../../endpoint/endpoint-interface.ts';
import type { ErrorSchemas } from '../../endpoint/failure.types.ts';
import { Engine } from '../../normalize/engine.ts';
import { kindOf } from '../../schema/kinds/kind-of.ts';
import { isThere } from '../../schema/protocol/protocol.ts';
import type { Denormalize } from '../../schema/protocol/schema.types.ts';
import { consult, isStandard } from '../../schema/protocol/standard-schema.ts';
import type {
  StandardIssue,
  StandardOutput,
  StandardResult,
  StandardSchema,
} from '../../schema/protocol/standard-schema.ts';
import { Timeline, writeNow } from '../../store/stamp.ts';
import { ensure } from '../../support/ensure.ts';
import { toError, ValidationError } from '../../support/errors.ts';
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

/** The statuses that an endpoint's `errors` name. */
type StatusOf<E> = keyof ErrorsOf<E> & number;

/**
 * What the body of a failure is: `failureOf.FailureBody<typeof save, 422>`.
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
 * A failure of which the endpoint says what its body is.
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
 * A failure of which the endpoint says nothing, told apart by `kind`. `http` is an answer with a status that `errors` does not
 * name, or with a body that is not what it says: then `issues` tell what is wrong with it. `other` is what is no failed request,
 * such as a payload that a schema refuses.
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
 * How a call of an endpoint may fail: one member for each status in its `errors`, and all else.
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
 * How a call ended: with its value, or with a failure.
 *
 * @example
 * const titleOf = (attempted: attempt.Result<typeof TodoResource.get>) => (attempted.ok ? attempted.value.title : '');
 */
export type Attempted<E extends AnyEndpoint> =
  | { readonly ok: true; readonly value: ResolveType<E> }
  | { readonly ok: false; readonly failure: Failure<E> };

/**
 * An error that `failedWith` has recognised.
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
 * Runs an endpoint like `controller.fetch` and never rejects over a failed request: gives the value, or the failure told apart
 * by status, network, time limit and abort.
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
    return { ok: false, failure: failureOf(endpoint, error) as Failure<E> }; // cast: an error is there
  }
}

/**
 * What an endpoint says of an error that came of it: of `useDLE`, a boundary, `useFailed` or a catch. Undefined gives undefined.
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
  return (error === undefined ? undefined : classify(endpoint, toError(error))) as never; // cast: see the signature
}

/**
 * Whether a call failed with this status and with a body as the endpoint's `errors` say. Then `error.body` is that body.
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
  const failure = classify(endpoint, error);
  if (failure.kind !== status) return false;
  // an error is printed with its own members: the body stays out of logs
  setOwn(error, 'body', failure.body, false);
  return true;
}

/** A failure of any endpoint. */
type AnyFailure = DeclaredFailure<number, unknown> | UndeclaredFailure;

function classify(endpoint: AnyEndpoint, error: Error): AnyFailure {
  if (isConnectionError(error)) return { kind: 'network', error };
  if (isTimeoutError(error)) return { kind: 'timeout', error };
  if (isAbortError(error)) return { kind: 'abort', error };
  if (!isHttpError(error)) return { kind: 'other', error };
  const { status, problem } = error;
  const { errors, name } = finishEndpoint(endpoint) as {
    readonly errors?: ErrorSchemas;
    readonly name?: string;
  }; // cast: options
  const schema = errors?.[status];
  if (!schema) return { kind: 'http', status, issues: [], error };
  // read once: a boundary and a hook that look at one error see one body
  const known = ensure(bodies, error, () => new Map<unknown, StandardResult<unknown>>());
  const result = ensure(known, schema, () => readBody(schema, problem, `errors[${status}] of ${name}`));
  return result.issues
    ? { kind: 'http', status, issues: result.issues, error }
    : { kind: status, status, body: result.value, error };
}

// keyed by errors that callers hold: a memo, not state
const bodies = new WeakMap<Error, Map<unknown, StandardResult<unknown>>>();

/** A body as a schema reads it. One of this library's is written into a store of its own: a failure changes nothing on screen. */
function readBody(schema: ErrorSchemas[number], body: unknown, of: string): StandardResult<unknown> {
  if (isStandard(schema)) return consult(schema, body, of);
  const engine = new Engine({ timeline: new Timeline({ now: () => 0 }), random: () => 0 });
  const kind = kindOf(schema);
  try {
    const effects = engine.normalize(kind, body, { args: [] });
    engine.apply(effects, writeNow(engine.store.timeline));
    const value = engine.readStored(kind, effects.stored, [], null);
    return isThere(value) ? { value } : { issues: [{ message: 'The body is empty, or lacks a part.' }] };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { issues: [{ message: error.message }] };
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
