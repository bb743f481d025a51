// What every endpoint is: a function that is also an instance of a class, with options that win over class fields. A subclass's
// fields are set after the base constructor has run and would win, so the options are kept and laid over the finished
// instance before the library first looks at it. Endpoint (any function) and RestEndpoint (HTTP) stand on it.
import { setOwn } from '../support/plain.ts';
import type { EndpointExtraOptions, RequestArgs } from './endpoint-interface.ts';
import { isRequest, runRequest } from './run-request.ts';

type Options = Readonly<Record<string, unknown>>;

/** What an endpoint keeps beside its options: see {@link Kept}. */
export const KEPT: unique symbol = Symbol();
/** Fills in what the options left open. Runs once, when the instance is finished. */
export const FINISH: unique symbol = Symbol();

/** The options that an endpoint was made with, for `extend`, and what a class has made of them. */
export interface Kept {
  readonly owner: EndpointBase;
  readonly options: Options;
  /** What was made of them when it was first asked for. */
  readonly made: Record<string, unknown>;
  isFinished: boolean;
}

/**
 * What every endpoint has and is: `RestEndpoint` and `Endpoint` extend it.
 *
 * @example const nameOf = (endpoint: Endpoint.Base) => endpoint.name;
 */
export interface EndpointBase extends EndpointExtraOptions {
  /** Names the endpoint in keys and messages. */
  readonly name: string;
  readonly schema?: unknown;
  readonly sideEffect?: boolean | undefined;
  /** Aborts every request of this endpoint. During a request: the signal of that request. */
  readonly signal?: AbortSignal | undefined;
  readonly [KEPT]: Kept;
}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- options are laid over the instance
export abstract class EndpointBase {
  static {
    // `endpoint.call(this, …)` in an override runs the parent's fetch on the same request
    Object.setPrototypeOf(this.prototype, Function.prototype);
  }

  constructor(options: object) {
    // an async function has no `prototype` and cannot be called with `new`
    const call = async function (this: unknown, ...args: readonly unknown[]): Promise<unknown> {
      if (isRequest(this)) return Reflect.apply(endpoint.fetch, endpoint.joinRequest(this), args);
      return (await runRequest(finishEndpoint(endpoint), args)).value;
    };
    const endpoint = Object.setPrototypeOf(call, new.target.prototype) as this; // cast: lib says any
    // a function's own `name` is read-only; empty until an option, a class field or finishing says it
    setOwn(endpoint, 'name', '');
    const kept: Kept = { owner: endpoint, options: options as Options, made: {}, isFinished: false }; // cast: read by name only
    setOwn(endpoint, KEPT, kept, false);
    layOptions(kept);
    return endpoint;
  }

  /** Runs the request. Every call passes through it: override it and call the parent to transform both ways. */
  abstract fetch(...args: readonly unknown[]): Promise<unknown>;
  abstract key(...args: readonly unknown[]): string;
  /** Tells URL parameters and body apart. */
  abstract splitArgs(args: readonly unknown[]): RequestArgs;

  /** What `fetch` runs on when another endpoint calls this one with its own request. */
  protected joinRequest(request: object): object {
    return request;
  }
}

function layOptions({ owner, options }: Kept): void {
  for (const name of Object.keys(options)) setOwn(owner, name, options[name]);
}

/** Finishes an endpoint, once: options over class fields, then defaults. Called before the library reads an option. */
export function finishEndpoint<E extends object>(endpoint: E): E {
  const { [KEPT]: kept, [FINISH]: finish } = endpoint as Partial<EndpointBase> & { [FINISH]?(): void }; // cast: asking is the check
  if (!kept || kept.isFinished) return endpoint;
  kept.isFinished = true;
  layOptions(kept);
  finish?.call(endpoint);
  return endpoint;
}

/** What follows from an endpoint's options, made when it is first asked for. */
export function makeOnce<E extends EndpointBase, T>(
  endpoint: E,
  name: string,
  create: (owner: E, name: string) => T,
): T {
  const { owner, made } = endpoint[KEPT];
  return (made[name] ??= create(finishEndpoint(owner) as E, name)) as T; // cast: of one class, and one type per name
}

/** Members that are made once, unless an option, a class field, an accessor or an assignment stands in their place. */
export function defineLazy<E extends EndpointBase>(
  prototype: E,
  members: Readonly<Record<string, (endpoint: E, name: string) => unknown>>,
): void {
  for (const [name, create] of Object.entries(members)) {
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
