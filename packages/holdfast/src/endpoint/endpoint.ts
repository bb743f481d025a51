// An endpoint around any async function: what the library needs to know to cache it, with none of HTTP. RestEndpoint
// is its sibling for REST.
import { HoldfastError } from '../support/errors.ts';
import type { Schema } from '../schema/protocol/schema.types.ts';
import { stableText } from '../support/stable-text.ts';
import { setOwn } from '../support/plain.ts';
import { EndpointBase, KEPT, settle } from './endpoint-base.ts';
import type { CALL_ARGS, EndpointExtraOptions, RequestArgs } from './endpoint-interface.ts';
import { resultShape } from './url-text.ts';

export type FetchFunction = (...args: never) => Promise<unknown>;

/** Options of {@link Endpoint}. */
export interface EndpointOptions extends EndpointExtraOptions {
  /** Names the endpoint in keys. Default: the function's name, which minifiers change: better to write one. */
  readonly name?: string;
  readonly schema?: Schema | undefined;
  /** True for mutations. */
  readonly sideEffect?: boolean | undefined;
  readonly signal?: AbortSignal;
  key?(...args: never): string;
  testKey?(key: string): boolean;
}

const FUNCTION: unique symbol = Symbol();

type Merge<O, E> = Omit<O, keyof E> & E;

export interface Endpoint<
  F extends FetchFunction = FetchFunction,
  O extends EndpointOptions = EndpointOptions,
> {
  /** Runs the function with platform defaults; touches no store. */
  (...args: Parameters<F>): ReturnType<F>;
  readonly [CALL_ARGS]: Parameters<F>;
  readonly schema: O extends { readonly schema: infer S } ? S : undefined;
  readonly sideEffect: O extends { readonly sideEffect: infer T extends boolean | undefined } ? T : undefined;
  /** The wrapped function; a symbol, so that a subclass's `fetch` method is not hidden by it. */
  readonly [FUNCTION]: F;
}

/**
 * Wraps an async function as an endpoint that controllers and hooks can run, cache and invalidate.
 *
 * @example
 * const getRate = new Endpoint(
 *   async ({ currency }: { currency: string }) => rates.read(currency),
 *   { name: 'getRate', schema: Rate },
 * );
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- a call signature can only be declared this way
export class Endpoint<
  F extends FetchFunction = FetchFunction,
  O extends EndpointOptions = EndpointOptions,
> extends EndpointBase {
  constructor(fetchFunction: F, options?: O & ThisType<EndpointBase>) {
    super({ name: fetchFunction.name, ...options });
    setOwn(this, FUNCTION, fetchFunction, false);
    if (new.target === Endpoint) settle(this);
  }

  override fetch(...args: readonly unknown[]): Promise<unknown> {
    return Reflect.apply(this[FUNCTION], this, args);
  }

  protected override joinRequest(request: object): object {
    return Object.create(request, { [FUNCTION]: { value: this[FUNCTION] } }) as object; // cast: lib says any
  }

  override splitArgs(args: readonly unknown[]): RequestArgs {
    return { params: (args[0] ?? {}) as RequestArgs['params'], body: args[1] }; // cast: checked where it is used
  }

  /** Identifies a call: the name, and the arguments whatever the order of their members. */
  override key(...args: Parameters<F>): string {
    settle(this);
    if (!this.name) throw new HoldfastError('ENDPOINT_WITHOUT_NAME', {});
    const used: unknown[] = [...args];
    while (used.length > 0 && used.at(-1) === undefined) used.pop();
    return `${this.name} ${stableText(used)}${resultShape(this)}`;
  }

  testKey(key: string): boolean {
    settle(this);
    return key.startsWith(`${this.name} [`) && key.endsWith(`]${resultShape(this)}`);
  }

  /** The same function with other options, or another function. */
  extend<E extends EndpointOptions & { readonly fetch?: FetchFunction }>(
    options: E & ThisType<Endpoint<F, O>>,
  ): Endpoint<E extends { fetch: infer G extends FetchFunction } ? G : F, Merge<O, E>> {
    const known: { readonly fetch?: unknown } = settle(this)[KEPT].options;
    const { fetch = this[FUNCTION], ...merged } = { ...known, ...options };
    const Class = this.constructor as new (fetchFunction: unknown, options: object) => never; // cast: this very class
    return settle(new Class(fetch, merged));
  }
}
