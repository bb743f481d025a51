// The base class of Endpoint (any function) and RestEndpoint (HTTP): a function that is also an instance of a class. Options
// override class fields. JavaScript sets the fields of a subclass after the base constructor has run, so `finishEndpoint` applies
// the options once more when the library first needs them.
import { setOwn } from '../support/plain.ts';
import type { EndpointExtraOptions, RequestArgs } from './endpoint-interface.ts';
import { isRequest, runRequest } from './run-request.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * The property for {@link EndpointState}. It is a symbol, because every option becomes a property and could overwrite a property
 * with a string name.
 */
export const ENDPOINT_STATE: unique symbol = Symbol();
/**
 * An optional method that sets the properties that depend on the options. `finishEndpoint` calls it once, after it has applied the
 * options.
 */
export const FINISH: unique symbol = Symbol();

/** The options with which an endpoint was created (`extend` needs them), and the values that were computed from these options. */
export interface EndpointState {
  readonly owner: EndpointBase;
  readonly options: Options;
  /** The values that `makeOnce` has computed, by name. */
  readonly madeValues: Record<string, unknown>;
  isFinished: boolean;
}

/**
 * The properties and methods of every endpoint. `RestEndpoint` and `Endpoint` extend it.
 *
 * @example const nameOf = (endpoint: Endpoint.Base) => endpoint.name;
 */
export interface EndpointBase extends EndpointExtraOptions {
  /** Identifies the endpoint in error messages. The keys of an `Endpoint` contain the name too. */
  readonly name: string;
  readonly schema?: unknown;
  readonly sideEffect?: boolean | undefined;
  /** Aborts every request of this endpoint. Inside a method that runs for a request, it is the signal of that request. */
  readonly signal?: AbortSignal | undefined;
  readonly [ENDPOINT_STATE]: EndpointState;
}

// The interface of the same name declares the properties that options become.
export abstract class EndpointBase {
  static {
    // Endpoints inherit `call`: in an override, `other.call(this, …)` runs the fetch of the endpoint `other` in the same request.
    Object.setPrototypeOf(this.prototype, Function.prototype);
  }

  constructor(options: object) {
    // The function is async, because an async function has no `prototype` and cannot be called with `new`.
    const call = async function (this: unknown, ...args: readonly unknown[]): Promise<unknown> {
      if (isRequest(this)) return Reflect.apply(endpoint.fetch, endpoint.joinRequest(this), args);
      return (await runRequest(finishEndpoint(endpoint), args)).value;
    };
    const endpoint = Object.setPrototypeOf(call, new.target.prototype) as this; // cast: the type of setPrototypeOf is any
    // A function's own `name` is read-only, so it is defined again: it is empty until an option, a class field or FINISH sets it.
    setOwn(endpoint, 'name', '');
    const state: EndpointState = {
      owner: endpoint,
      options: options as Options,
      madeValues: {},
      isFinished: false,
    }; // cast: options are read by name
    setOwn(endpoint, ENDPOINT_STATE, state, false);
    applyOptions(state);
    return endpoint;
  }

  /** Runs the request. Every call uses this method: override it and call the parent's method to transform arguments and result. */
  abstract fetch(...args: readonly unknown[]): Promise<unknown>;
  abstract key(...args: readonly unknown[]): string;
  /** Splits a call's arguments into URL parameters and body. */
  abstract splitArgs(args: readonly unknown[]): RequestArgs;

  /** Returns the object that `fetch` gets as `this` when another endpoint calls this endpoint within its own request. */
  protected joinRequest(request: object): object {
    return request;
  }
}

function applyOptions({ owner, options }: EndpointState): void {
  for (const [name, value] of Object.entries(options)) setOwn(owner, name, value);
}

/** Applies an endpoint's options over its class fields once, then calls FINISH. */
export function finishEndpoint<E extends object>(endpoint: E): E {
  const { [ENDPOINT_STATE]: state, [FINISH]: finish } = endpoint as Partial<EndpointBase> & {
    [FINISH]?(): void;
  }; // cast: undefined for objects that are no endpoints
  if (!state || state.isFinished) return endpoint;
  state.isFinished = true;
  applyOptions(state);
  finish?.call(endpoint);
  return endpoint;
}

/**
 * Returns the value of this name, which `create` computes from the endpoint's options. The value is computed once, even if it is
 * undefined. If `create` throws, the next call computes it again.
 */
export function makeOnce<E extends EndpointBase, T>(
  endpoint: E,
  name: string,
  create: (owner: E, name: string) => T,
): T {
  const { owner, madeValues: made } = endpoint[ENDPOINT_STATE];
  if (!(name in made)) made[name] = create(finishEndpoint(owner) as E, name);
  return made[name] as T; // cast: each name has one type
}

/** Defines properties that are computed at first use, unless an option, a class field, an accessor or an assignment sets them. */
export function defineLazy<E extends EndpointBase>(
  prototype: E,
  properties: Readonly<Record<string, (endpoint: E, name: string) => unknown>>,
): void {
  for (const [name, create] of Object.entries(properties)) {
    Object.defineProperty(prototype, name, {
      get(this: E) {
        return makeOnce(this, name, create);
      },
      set(this: E, value: unknown) {
        setOwn(this, name, value);
      },
      configurable: true,
    });
  }
}
