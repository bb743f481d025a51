// What every endpoint is: a function that is also an instance of a class, without code made from strings. Endpoint
// (any function) and RestEndpoint (HTTP) stand on it.
import type { EndpointExtraOptions, RequestArgs } from './endpoint-interface.ts';
import { isRequest, runRequest } from './run-request.ts';
import { keepOptions, KEPT, setOwn, settle } from './settle.ts';
import type { Kept } from './settle.ts';

export interface EndpointBase extends EndpointExtraOptions {
  /** Names the endpoint in keys and messages. */
  readonly name: string;
  readonly schema?: unknown;
  readonly sideEffect?: boolean | undefined;
  /** Aborts every request of this endpoint. During a request: the signal of that request. */
  readonly signal?: AbortSignal | undefined;
  readonly [KEPT]: Kept;
}

type Method = (this: unknown, ...args: readonly unknown[]) => unknown;

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- options are laid over the instance, see settle.ts
export abstract class EndpointBase {
  static {
    // `endpoint.call(this, …)` in an override runs the parent's fetch on the same request
    Object.setPrototypeOf(this.prototype, Function.prototype);
  }

  constructor(options: object) {
    const endpoint: EndpointBase = Object.setPrototypeOf(
      createCallable(() => endpoint),
      new.target.prototype,
    );
    // a function's own `name` is read-only; empty until an option, a class field or finishing says it
    setOwn(endpoint, 'name', '');
    keepOptions(endpoint, options as Record<string, unknown>); // cast: read by name only
    return endpoint;
  }

  /** Runs the request. Every call passes through it: override it and call the parent to transform both ways. */
  abstract fetch(...args: readonly unknown[]): Promise<unknown>;
  abstract key(...args: readonly unknown[]): string;

  /** What `fetch` runs on when another endpoint calls this one with its own request. */
  protected joinRequest(request: object): object {
    return request;
  }

  /** Tells URL parameters and body apart. */
  splitArgs(args: readonly unknown[]): RequestArgs {
    return { params: (args[0] ?? {}) as RequestArgs['params'], body: args[1] }; // cast: checked where it is used
  }
}

// the callable stands outside of the class but is its instance
interface Joining {
  fetch(...args: readonly unknown[]): Promise<unknown>;
  joinRequest(request: object): object;
}

function createCallable(endpointOf: () => EndpointBase): Method {
  // a method, not a function expression: no `prototype`, cannot be called with `new`
  return {
    async endpoint(this: unknown, ...args: readonly unknown[]): Promise<unknown> {
      const endpoint = endpointOf() as unknown as EndpointBase & Joining; // cast: to its protected part
      if (isRequest(this)) return Reflect.apply(endpoint.fetch, endpoint.joinRequest(this), args);
      return (await runRequest(endpoint, args)).value;
    },
  }.endpoint;
}

/** Prototype getters that an option, a class field or an assignment replaces by an own property. */
export function defineDefaults<E extends object, Name extends string>(
  prototype: E,
  names: readonly Name[],
  read: (endpoint: E, name: Name) => unknown,
): void {
  for (const name of names) {
    Object.defineProperty(prototype, name, {
      get(this: E) {
        return read(this, name);
      },
      set(this: E, value: unknown) {
        setOwn(this, name, value);
      },
      configurable: true,
    });
  }
}

/** The options of an extended endpoint, and what else was put on the one it extends. */
export function mergeOptions(endpoint: EndpointBase, options: object): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...settle(endpoint)[KEPT].options, ...options };
  // a new method decides anew whether the call is a mutation
  if ('method' in options && !('sideEffect' in options)) delete merged['sideEffect'];
  return merged;
}
