// Endpoint: wraps any async function, so that controllers and hooks can cache its results. It does not use HTTP. For REST, use
// RestEndpoint.
import { HoldfastError } from '../support/errors.ts';
import type { Schema } from '../schema/protocol/schema.types.ts';
import { stableText } from '../support/stable-text.ts';
import { setOwn } from '../support/plain.ts';
import { EndpointBase, ENDPOINT_STATE, finishEndpoint } from './endpoint-base.ts';
import type { CALL_ARGS, EndpointExtraOptions, ErrorPolicy, RequestArgs } from './endpoint-interface.ts';
import type { ErrorSchemas, ErrorsIn } from './failure.types.ts';
import { resultShape } from './url-text.ts';

/**
 * The function that an `Endpoint` wraps.
 *
 * @example
 * const readRate = async (currency: string) => ({ currency, rate: 1 });
 * const run: FetchFunction = readRate;
 */
export type FetchFunction = (...args: never) => Promise<unknown>;

/**
 * Options of {@link Endpoint}.
 *
 * @example
 * const options: EndpointOptions = { name: 'getRate', dataExpiryLength: 10_000 };
 * const getRate = new Endpoint(async (currency: string) => ({ currency, rate: 1 }), options);
 */
export interface EndpointOptions extends EndpointExtraOptions {
  /** Identifies the endpoint in keys. Default: the function's name, which a minifier may change. */
  readonly name?: string;
  readonly schema?: Schema | undefined;
  /** True for mutations. */
  readonly sideEffect?: boolean | undefined;
  readonly signal?: AbortSignal;
  key?(...args: never): string;
  testKey?(key: string): boolean;
}

const FUNCTION: unique symbol = Symbol();

type MergeOptions<O, E> = Omit<O, keyof E> & E;

export interface Endpoint<
  F extends FetchFunction = FetchFunction,
  O extends EndpointOptions = EndpointOptions,
> {
  /** Calls the function. A direct call uses no store and is never repeated. */
  (...args: Parameters<F>): ReturnType<F>;
  readonly [CALL_ARGS]: Parameters<F>;
  readonly schema: O extends { readonly schema: infer S } ? S : undefined;
  readonly sideEffect: O extends { readonly sideEffect: infer T extends boolean | undefined } ? T : undefined;
  readonly errors: ErrorsIn<O>;
  /** The wrapped function. The property is a symbol, so that it does not hide a subclass's `fetch` method. */
  readonly [FUNCTION]: F;
}

/**
 * Wraps an async function as an endpoint that controllers and hooks can run, cache and invalidate.
 *
 * @example
 * const getSize = new Endpoint(
 *   async ({ folder }: { folder: string }) => ({ folder, bytes: (await navigator.storage.estimate()).usage }),
 *   { name: 'getSize' },
 * );
 */
// The interface of the same name declares the call signature, which a class cannot declare.
export class Endpoint<
  F extends FetchFunction = FetchFunction,
  O extends EndpointOptions = EndpointOptions,
> extends EndpointBase {
  constructor(fetchFunction: F, options?: O & ThisType<EndpointBase>) {
    super({ name: fetchFunction.name, ...options });
    setOwn(this, FUNCTION, fetchFunction, false);
    if (new.target === Endpoint) finishEndpoint(this);
  }

  override fetch(...args: readonly unknown[]): Promise<unknown> {
    return Reflect.apply(this[FUNCTION], this, args);
  }

  protected override joinRequest(request: object): object {
    return Object.create(request, { [FUNCTION]: { value: this[FUNCTION] } }) as object; // cast: the type of Object.create is any
  }

  override splitArgs(args: readonly unknown[]): RequestArgs {
    return { params: (args[0] ?? {}) as RequestArgs['params'], body: args[1] }; // cast: readers of the parameters check them
  }

  /**
   * Identifies a call by the endpoint's name, the arguments and the shape of the schema. The order of properties in the arguments
   * does not matter.
   */
  override key(...args: Parameters<F>): string {
    finishEndpoint(this);
    if (!this.name) throw new HoldfastError('ENDPOINT_WITHOUT_NAME', {});
    const used: unknown[] = [...args];
    while (used.length > 0 && used.at(-1) === undefined) used.pop();
    return `${this.name} ${stableText(used)}${resultShape(this)}`;
  }

  testKey(key: string): boolean {
    finishEndpoint(this);
    return key.startsWith(`${this.name} [`) && key.endsWith(`]${resultShape(this)}`);
  }

  /**
   * Creates an endpoint with the options of this one, overridden by `options`. If `options` contain another `fetch` function, the
   * new endpoint does not get `name`, `key` and `testKey` of this one, so that it has its own keys.
   */
  extend<E extends EndpointOptions & { readonly fetch?: FetchFunction }>(
    options: E & ThisType<Endpoint<F, O>>,
  ): Endpoint<E extends { fetch: infer G extends FetchFunction } ? G : F, MergeOptions<O, E>> {
    const { name, key, testKey, ...rest }: EndpointOptions = finishEndpoint(this)[ENDPOINT_STATE].options;
    const { fetch = this[FUNCTION], ...changed } = options;
    // In `{ fetch: async () => … }` JavaScript gives the function the name 'fetch', which does not identify it.
    const ownName = /^(fetch)?$/.test(fetch.name) ? `${this.name}.fetch` : fetch.name;
    const own = options.fetch
      ? { name: ownName }
      : { name, ...(key && { key }), ...(testKey && { testKey }) };
    const Class = this.constructor as new (fetchFunction: unknown, options: object) => never; // cast: the class of this instance
    return finishEndpoint(new Class(fetch, { ...rest, ...own, ...changed }));
  }

  /**
   * Returns an endpoint whose first arguments are fixed; its calls have the same keys as calls with all arguments. Without such
   * arguments, returns this endpoint.
   */
  bind(self: unknown): this;
  bind<A extends readonly unknown[], B extends readonly unknown[], R extends Promise<unknown>>(
    this: (...args: [...A, ...B]) => R,
    self: unknown,
    ...given: A
  ): Endpoint<(...rest: B) => R, O>;
  bind(_self: unknown, ...given: readonly unknown[]): unknown {
    if (given.length === 0) return this;
    return this.extend(boundOptions(this, given));
  }
}

interface BoundOptions extends EndpointOptions, Pick<EndpointBase, 'splitArgs'> {
  fetch(...rest: readonly unknown[]): Promise<unknown>;
}

function boundOptions(unbound: EndpointBase & FetchFunction, given: readonly unknown[]): BoundOptions {
  return {
    name: unbound.name,
    key: (...rest: readonly unknown[]) => unbound.key(...given, ...rest),
    splitArgs: (rest) => unbound.splitArgs([...given, ...rest]),
    async fetch(this: unknown, ...rest) {
      return Reflect.apply(unbound, this, [...given, ...rest]);
    },
  };
}

export declare namespace Endpoint {
  export type { EndpointBase as Base, ErrorPolicy, ErrorSchemas, RequestArgs };
}
