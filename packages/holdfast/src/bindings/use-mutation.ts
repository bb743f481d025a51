// The hook that sends a mutation from a component and returns the state of its latest call.
import { inDevelopment } from '#env';
import { useInsertionEffect, useState } from 'react';
import type { Controller } from '../controller/controller.ts';
import type { ResolveType } from '../controller/controller.types.ts';
import { CORE } from '../controller/state/core.ts';
import { RETRY_NOTES, retryOf, unseenErrors } from '../dispatch/failure-notes.ts';
import { MANAGERS } from '../dispatch/manager.ts';
import { finishEndpoint } from '../endpoint/endpoint-base.ts';
import type {
  AnyEndpoint,
  AnyMutation,
  EndpointArgs,
  EndpointInterface,
  Mutating,
} from '../endpoint/endpoint-interface.ts';
import { callSafely } from '../support/call-safely.ts';
import { HoldfastError, ResetError, toError, warnOnce } from '../support/errors.ts';
import { isAbortError, isGone } from '../support/network-errors.ts';
import { useController } from './controller-context.ts';

/**
 * Functions that {@link useMutation} calls when a call of the mutation has ended. The functions of the last render are called, even
 * after the component was unmounted. An error that one of them throws is reported and has no other effect.
 *
 * @example
 * const callbacks: useMutation.Callbacks<typeof TodoResource.delete> = {
 *   onError: (error, [{ id }]) => console.log(`Todo ${id} is still there:`, error),
 * };
 */
export interface MutationCallbacks<E extends AnyEndpoint> {
  readonly onSuccess?: ((data: ResolveType<E>, args: EndpointArgs<E>) => unknown) | undefined;
  /** Called when the call fails. It is not called for a call that an abort or a reset of the store has ended. */
  readonly onError?: ((error: Error, args: EndpointArgs<E>) => unknown) | undefined;
  /** Called last. Both `data` and `error` are undefined if the call was aborted or the store was reset. */
  readonly onSettled?:
    | ((data: ResolveType<E> | undefined, error: Error | undefined, args: EndpointArgs<E>) => unknown)
    | undefined;
}

/**
 * The result of {@link useMutation}. Each function stays the same object in all renders.
 *
 * @example
 * const textOf = ({ status, error }: useMutation.Result<typeof TodoResource.delete>) =>
 *   status === 'error' ? error.message : status;
 */
export type MutationResult<E extends AnyEndpoint> = MutationControls<E> &
  MutationState<ResolveType<E>, EndpointArgs<E>>;

interface MutationControls<E extends AnyEndpoint> {
  /** Sends the mutation. It returns nothing and never throws; `onError` and, for the latest call, `error` get the failure. */
  readonly mutate: (...args: EndpointArgs<E>) => void;
  /** Sends the mutation and returns its promise, which rejects when the mutation fails. */
  readonly mutateAsync: (...args: EndpointArgs<E>) => Promise<ResolveType<E>>;
  /** Makes the latest call again if it has failed, with the same idempotency key; else does nothing. */
  readonly retry: () => void;
  /** Clears the state of the latest call. It aborts no request. */
  readonly reset: () => void;
  /** The arguments of each call that has not ended, in the order of calls. */
  readonly pending: readonly EndpointArgs<E>[];
}

/** The state of the latest call. */
type MutationState<T, A> =
  | (Flags<'isPending'> & {
      readonly status: 'pending';
      readonly data: undefined;
      readonly error: undefined;
      readonly args: A;
    })
  | (Flags<'isSuccess'> & {
      readonly status: 'success';
      readonly data: T;
      readonly error: undefined;
      readonly args: A;
    })
  | (Flags<'isError'> & {
      readonly status: 'error';
      readonly data: undefined;
      readonly error: Error;
      readonly args: A;
    })
  | (Flags<never> & {
      readonly status: 'idle';
      readonly data: undefined;
      readonly error: undefined;
      readonly args: undefined;
    });
/** Flags<'isError'>  →  { isPending: false; isSuccess: false; isError: true } */
type Flags<True extends string> = {
  readonly [Name in 'isPending' | 'isSuccess' | 'isError']: Name extends True ? true : false;
};

/**
 * Sends a mutation from a component. The result has the state of the latest call; after an abort or a reset of the store, `status`
 * is `idle`. To run several steps as one, use {@link useLoading}.
 *
 * @example
 * function DeleteButton({ todo }: { todo: Todo }) {
 *   const { mutate, isPending, error } = useMutation(TodoResource.delete, {
 *     onSuccess: () => console.log('deleted'),
 *   });
 *   return (
 *     <button disabled={isPending} onClick={() => mutate({ id: todo.id })}>
 *       {error ? 'Delete: try again' : 'Delete'}
 *     </button>
 *   );
 * }
 */
export function useMutation<E extends AnyMutation>(
  endpoint: E,
  callbacks?: MutationCallbacks<E>,
): MutationResult<E>;
export function useMutation<E>(
  endpoint: Mutating<E>,
  callbacks?: E extends AnyEndpoint ? MutationCallbacks<E> : never,
): E extends AnyEndpoint ? MutationResult<E> : never;
export function useMutation(endpoint: AnyEndpoint, callbacks: AnyCallbacks = {}): object {
  const controller = useController();
  const { sideEffect, name } = finishEndpoint(endpoint) as EndpointInterface; // cast: only endpoints have the symbol of AnyEndpoint
  // The types refuse a read here. Callers in JavaScript get an error: the state of a read is in the
  // store, where `useDLE` reads it.
  if (!sideEffect) throw new HoldfastError('NOT_A_MUTATION', { endpoint: name });
  const [state, show] = useState(IDLE);
  const [calls] = useState(() => new MutationCalls(show));
  // This is an insertion effect, because it runs before any other effect may call `mutate`, and neither Strict Mode nor <Activity>
  // runs it twice.
  useInsertionEffect(() => calls.attach({ controller, endpoint, callbacks }));
  const { status } = state;
  const { mutate, mutateAsync, retry, reset } = calls;
  return {
    ...state,
    isPending: status === 'pending',
    isSuccess: status === 'success',
    isError: status === 'error',
    mutate,
    mutateAsync,
    retry,
    reset,
  };
}

type Args = readonly unknown[];
type AnyCallbacks = MutationCallbacks<AnyEndpoint>;

interface Rendered {
  readonly controller: Controller;
  readonly endpoint: AnyEndpoint;
  readonly callbacks: AnyCallbacks;
}

interface CallsState {
  readonly status: 'idle' | 'pending' | 'success' | 'error';
  /** The arguments of the latest call. Each call has its own array, so the array also identifies the call. */
  readonly args: Args | undefined;
  readonly data: unknown;
  readonly error: Error | undefined;
  readonly pending: readonly Args[];
}

const NO_CALL = { status: 'idle', args: undefined, data: undefined, error: undefined } as const;
const IDLE: CallsState = { ...NO_CALL, pending: [] };

/** The calls of one hook. The object lives longer than the component, until the last call has ended. */
class MutationCalls {
  readonly #show: (state: CallsState) => void;
  #state = IDLE;
  #isMounted = false;
  #rendered!: Rendered; // set before an effect or an event can call the functions

  constructor(show: (state: CallsState) => void) {
    this.#show = show;
  }

  /** Called after each render with its controller, endpoint and callbacks. Returns the clean-up of the effect that calls it. */
  attach(rendered: Rendered): () => void {
    this.#rendered = rendered;
    this.#isMounted = true;
    return () => {
      this.#isMounted = false;
    };
  }

  readonly mutate = (...args: Args): void => void this.#send(args, true);

  readonly mutateAsync = (...args: Args): Promise<unknown> => this.#send(args);

  readonly retry = (): void => {
    const { args, error } = this.#state;
    if (args && error) void this.#send([...args], true, retryOf.get(error));
  };

  readonly reset = (): void => this.#setState(NO_CALL);

  #setState(change: Partial<CallsState>): void {
    this.#show((this.#state = { ...this.#state, ...change }));
  }

  /** `isSilent`: no caller gets the promise. `again` repeats a failed call. */
  #send(args: Args, isSilent?: boolean, again?: () => Promise<unknown>): Promise<unknown> {
    const { controller, endpoint } = this.#rendered;
    const managers = controller[MANAGERS];
    if (!managers.includes(RETRY_NOTES)) managers.push(RETRY_NOTES);
    this.#setState({ ...NO_CALL, status: 'pending', args, pending: [...this.#state.pending, args] });
    const send = async (): Promise<unknown> => (again ? again() : controller.fetch(endpoint, ...args));
    const ended: Promise<unknown> = send().then(
      (data) => {
        this.#end(args, { status: 'success', data });
        return data;
      },
      (thrown: unknown) => {
        const error = toError(thrown);
        const isEnded = isAbortError(error) || error instanceof ResetError;
        if (isSilent || isEnded || controller[CORE].handlesFailures) ended.catch(() => undefined);
        this.#end(args, isEnded ? NO_CALL : { status: 'error', error }, isSilent);
        throw thrown;
      },
    );
    return ended;
  }

  #end(args: Args, outcome: Partial<CallsState>, isSilent?: boolean): void {
    const { controller, endpoint, callbacks } = this.#rendered;
    const { onSuccess, onError, onSettled } = callbacks;
    const { data, error } = outcome;
    const isLatest = this.#state.args === args;
    const pending = this.#state.pending.filter((other) => other !== args);
    this.#setState({ ...(isLatest && outcome), pending });
    if (error && isSilent && !onError && !(isLatest && this.#isMounted)) {
      unseenErrors.add(error);
      inDevelopment(() => {
        const { name, method } = endpoint as EndpointInterface; // cast: as above
        const isDone = isGone(error) && method === 'DELETE';
        if (!isDone && !controller[CORE].handlesFailures)
          warnOnce(controller[CORE].engine, 'FAILURE_UNSEEN', name, {
            endpoint: name,
            reason: error.message,
          });
      });
    }
    const given = args as EndpointArgs<AnyEndpoint>; // cast: the signatures above have checked the arguments
    callSafely(() => {
      if (error) onError?.(error, given);
      else if (outcome.status === 'success') onSuccess?.(data, given);
    });
    callSafely(() => onSettled?.(data, error, given));
  }
}

export declare namespace useMutation {
  export type { MutationCallbacks as Callbacks, MutationResult as Result };
}
