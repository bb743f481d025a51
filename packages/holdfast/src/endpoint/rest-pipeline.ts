// The steps of a REST request: from arguments to a URL, a key, an init, a `Response` and a value. Every step is a method that a
// subclass, an option or `extend` may override. RestEndpoint extends this class with exact types and the endpoints of lists.
import { inDevelopment } from '#env';
import { claimScope, rescope } from '../schema/collection/collections-in.ts';
import type { ListArgumentOptions, NonFilterKeys } from '../schema/collection/collection.types.ts';
import { describe, HoldfastError, describeType } from '../support/errors.ts';
import { ConnectionError, HttpError } from '../support/network-errors.ts';
import { stableText } from '../support/stable-text.ts';
import { isObject, setOwn } from '../support/plain.ts';
import {
  defineLazy,
  EndpointBase,
  FINISH,
  ENDPOINT_STATE,
  makeOnce,
  finishEndpoint,
} from './endpoint-base.ts';
import type { EndpointState } from './endpoint-base.ts';
import type { ErrorPolicy, RequestArgs } from './endpoint-interface.ts';
import { entityOf, respondOptimistically } from './row-name.ts';
import { fillTemplate, isParam, joinUrl, parsePath } from './path-template.ts';
import type { PathTemplate, PathToken, UrlParams } from './path-template.ts';
import { parseResponse, readProblem } from './parse-response.ts';
import type { RestExtension, RestMembers } from './rest.types.ts';
import {
  createIdempotencyHeaders,
  encodeBody,
  isRequest,
  plainHeaders,
  requestOf,
  runRequest,
  withHeaders,
} from './run-request.ts';
import { isUnreserved, isSchema, resultShape, writeSearch } from './url-text.ts';

/**
 * `createFastKey` makes one key with this value of the parameter, and then keeps the strings before and after the value in the key.
 */
const KEY_PROBE = '~0';
const READ_METHODS = /^(GET|HEAD|OPTIONS|QUERY)$/;

/** A mark on the promise of an init. If an override spreads the promise without `await`, the new object has the mark too. */
interface UnawaitedMark {
  readonly isUnawaited: true;
}

/** Values that are computed from an endpoint's options and then kept. */
interface PipelineMemo extends EndpointState {
  template?: PathTemplate;
  /** The function that `createFastKey` has created. It returns the key, or undefined for parameters that need `fullKey`. */
  fastKey?: (params: unknown) => string | undefined;
}

export interface RestPipeline extends RestMembers {
  readonly [ENDPOINT_STATE]: PipelineMemo;
  /** The resource's option of this name. The same option of the list's Collection overrides it. */
  readonly nonFilterArgumentKeys?: NonFilterKeys | undefined;
  /**
   * The resource's option `body` as `{ body }`, or false without the option. `createResource` gives it to the list, for the
   * endpoints that change the list.
   */
  readonly bodyOption?: object | false;
  /** True for a resource's `delete`: it resolves with its parameters unless the processed response is an object with properties. */
  readonly isRemoval?: boolean;
}

// The interface of the same name declares the properties that options become, see endpoint-base.ts.
export class RestPipeline extends EndpointBase {
  static {
    // The defaults of properties that neither an option nor a class field sets.
    Object.assign(this.prototype, { urlPrefix: '' });
    defineLazy(this.prototype, {
      method: (endpoint) => {
        const isDeclared = Object.hasOwn(endpoint, 'sideEffect');
        return (isDeclared ? endpoint.sideEffect : endpoint.body !== undefined) ? 'POST' : 'GET';
      },
      sideEffect: isMutation,
      idParam: (endpoint) => templateOf(endpoint).names.at(-1),
      getOptimisticResponse: ({ optimistic, sideEffect }) =>
        optimistic && sideEffect ? respondOptimistically : undefined,
    });
  }

  override async fetch(...args: readonly unknown[]): Promise<unknown> {
    if (!isRequest(this))
      return (await runRequest(finishEndpoint(this), args, {}, RestPipeline.prototype.fetch)).value;
    const request = requestOf(this);
    const { params, body } = this.splitArgs(args);
    const url = this.url(params);
    request.name = { method: this.method, url };
    const init: RequestInit & Partial<UnawaitedMark> = await this.getRequestInit(body);
    inDevelopment(() => {
      if (init.isUnawaited) throw new HoldfastError('REQUEST_INIT_NOT_AWAITED', { endpoint: this.name });
    });
    const extra = { ...createIdempotencyHeaders(this, args, request.environment.random), ...request.headers };
    const response = await this.fetchResponse(url, withHeaders(init, extra, this.name));
    request.response = response;
    const parsed = await this.parseResponse(response);
    const value = this.isRemoval && !hasProperties(parsed) ? null : await this.process(parsed, params, body);
    return this.isRemoval && !(isObject(value) && hasProperties(value)) ? { ...params } : value;
  }

  /** Returns the URL for the parameters. Path parameters are filled in; all other parameters become the query string. */
  url(params: UrlParams = {}): string {
    const template = templateOf(this);
    const found = describeType(params);
    if (found !== 'an object') throw new HoldfastError('PARAMS_NOT_OBJECT', { endpoint: this.name, found });
    const [path = '', ...query] = fillTemplate(template, params);
    const rest = Object.entries(params).filter(
      ([name, value]) => value !== undefined && !template.names.includes(name),
    );
    if (rest.length) query.push(this.searchToString(Object.fromEntries(rest)));
    const url = joinUrl(this.urlPrefix, path, template);
    const search = query.filter(Boolean).join('&');
    return search ? `${url}?${search}` : url;
  }

  /** Returns the query string for the parameters that are not in the path. */
  searchToString(params: UrlParams): string {
    return writeSearch(toWire(this, params) as UrlParams); // cast: an object stays one
  }

  /** Identifies the request by method, URL, the body of a read, the shape of the schema, and the option `content`. */
  override key(...args: readonly unknown[]): string {
    // fast: K1, 'the short way to a key gives what the long way gives'
    return (this[ENDPOINT_STATE].fastKey ??= createFastKey(this))(args[0]) ?? fullKey(this, args);
  }

  /** Returns the same string for all calls of the endpoint: see EndpointInterface. */
  keyPattern(): string {
    return makeOnce(this, 'keyPattern', keyPatternOf);
  }

  /**
   * If the endpoint takes a body and its path has no required parameter, a single argument is the body. Otherwise a single argument
   * is the parameters.
   */
  override splitArgs(args: readonly unknown[]): RequestArgs {
    const { hasRequiredParam } = templateOf(this);
    const hasBody = takesBody(this);
    const [params, body] = args.length === 1 && hasBody && !hasRequiredParam ? [undefined, args[0]] : args;
    return { params: (params ?? {}) as UrlParams, body: hasBody ? body : undefined }; // cast: `url` checks it
  }

  /**
   * Returns the init for `fetch`: a promise only when `getHeaders` returns a promise. With any other `getHeaders`, an override can
   * write `{ ...super.getRequestInit(body) }` without `await`.
   */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    const { requestInit, signal, content = 'json' } = this;
    const sent = toWire(this, body);
    const encoded = encodeBody(sent, this.name);
    const init = { ...requestInit, method: this.method, ...(signal && { signal }), ...encoded };
    // For a body that is sent unchanged, such as FormData, the content type is left to the platform.
    const isJson = !!encoded && encoded.body !== sent;
    const jsonHeaders = [content === 'json' && 'Accept', isJson && 'Content-Type'];
    const headers = this.getHeaders(plainHeaders(requestInit?.headers, jsonHeaders));
    if (!isThenable(headers)) return { ...init, headers };
    const promise = headers.then((awaited) => ({ ...init, headers: awaited }));
    inDevelopment(() => void Object.assign(promise, { isUnawaited: true } satisfies UnawaitedMark));
    return promise;
  }

  /** Returns the headers to send. Override it to add or change headers; the override may be async. */
  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit> {
    return headers;
  }

  /**
   * Sends the request. Rejects with HttpError if the status is not a success, except 304 for a mutation, and with ConnectionError
   * if there is no response. An error of the library from the environment's `fetch` is thrown unchanged.
   */
  async fetchResponse(url: string, init: RequestInit = {}): Promise<Response> {
    const request = requestOf(this);
    const name = { method: this.method, url };
    let response: Response;
    try {
      response = await request.environment.fetch(url, init);
    } catch (cause) {
      inDevelopment(() => {
        const isRelative = !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url) && /URL/.test(String(cause));
        // oxlint-disable-next-line no-console -- a warning of development
        if (isRelative) console.warn(describe('URL_RELATIVE', { url }));
      });
      // A HoldfastError from the environment's `fetch` is more precise than a ConnectionError.
      throw cause instanceof HoldfastError ? cause : new ConnectionError(name, { cause });
    }
    request.response = response;
    const isAccepted = response.status === 304 && this.sideEffect;
    if (!response.ok && !isAccepted) throw new HttpError(name, response, await readProblem(response));
    return response;
  }

  /** Reads the body of the response by the option `content`, else by its content type. */
  async parseResponse(response: Response): Promise<unknown> {
    const { content, process, schema, sideEffect } = this;
    const isProcessed = process !== RestPipeline.prototype.process;
    const request = requestOf(this);
    return (request.parsed = await parseResponse(response, request.name, {
      content,
      needsData: !isProcessed && isSchema(schema),
      isMutation: sideEffect === true,
    }));
  }

  /** Transforms the parsed response before normalization. */
  process(value: unknown, _params: UrlParams, _body?: unknown): unknown {
    return value;
  }

  /** Returns `soft` for failures that do not make the stored data wrong: a failed connection, a timeout, 429 and 5xx. */
  errorPolicy(error: Error): ErrorPolicy {
    const { code, status = 0 } = error as { code?: unknown; status?: number }; // cast: any error may have such properties
    const hasNoResponse = code === 'CONNECTION_FAILED' || code === 'REQUEST_TIMEOUT';
    return hasNoResponse || status === 429 || status >= 500 ? 'soft' : undefined;
  }

  /**
   * Creates an endpoint with the options of this one, overridden by `options`. Properties that were assigned to this endpoint are
   * copied too.
   */
  extend(options: RestExtension): this {
    const { urlPrefix, path, schema, constructor } = finishEndpoint(this);
    const merged: Record<string, unknown> = {
      ...this[ENDPOINT_STATE].options,
      // A new method decides whether the call is a mutation, unless `options` contain `sideEffect`.
      ...('method' in options && { sideEffect: isMutation(options) }),
      ...options,
    };
    const scope = (options.urlPrefix ?? urlPrefix) + (options.path ?? path);
    // A different URL has different lists, so the Collections in the schema get a new scope, unless the caller gives a schema.
    if (!('schema' in options) && scope !== urlPrefix + path) merged['schema'] = rescope(schema, scope);
    const extended = finishEndpoint(new (constructor as new (options: object) => this)(merged)); // cast: the instance's class
    for (const [name, value] of Object.entries(this))
      if (!Object.hasOwn(extended, name)) setOwn(extended, name, value);
    return extended;
  }

  [FINISH](): void {
    const address = this.urlPrefix + this.path;
    if (!this.name) setOwn(this, 'name', address);
    claimScope(this.schema, address, this as ListArgumentOptions); // cast: an option that is undefined counts as absent
  }
}

/** A body, or search parameters, with the server's field names, as the class of the endpoint's rows declares them. */
function toWire(endpoint: RestPipeline, value: unknown): unknown {
  const entity = entityOf(endpoint);
  return entity?.wireNames?.toWire(value, entity) ?? value;
}

function hasProperties(value: unknown): boolean {
  return Object.keys(Object(value)).length > 0;
}

function fullKey(endpoint: RestPipeline, args: readonly unknown[]): string {
  const { params, body } = endpoint.splitArgs(args);
  const text = body === undefined || endpoint.sideEffect ? '' : ` ${stableText(body)}`;
  return `${endpoint.method} ${endpoint.url(params)}${text}${resultShape(endpoint)}`;
}

/**
 * Creates a function that makes keys quickly: it joins the string before the only parameter of the path, the value, and the string
 * after the parameter. The function returns undefined when the key may not have this form, for example when the endpoint takes a
 * body, when the path has two parameters, or when the value needs encoding.
 */
function createFastKey(endpoint: RestPipeline): (params: unknown) => string | undefined {
  const { url, splitArgs } = RestPipeline.prototype;
  const { source, names } = templateOf(endpoint);
  const { urlPrefix } = endpoint;
  const [param = ''] = names;
  const isOurs = endpoint.url === url && endpoint.splitArgs === splitArgs && !takesBody(endpoint);
  if (!isOurs || names.length !== 1 || source.includes('*')) return () => undefined;
  const [start = '', end = '', more] = fullKey(endpoint, [{ [param]: KEY_PROBE }]).split(KEY_PROBE);
  return (params) => {
    const value = (params as UrlParams | null | undefined)?.[param]; // cast: a value of another type has no such property
    const isUnencoded = typeof value === 'string' ? isUnreserved(value) : Number.isSafeInteger(value);
    const isSame = endpoint.path === source && endpoint.urlPrefix === urlPrefix; // a subclass may compute them in accessors
    if (!isUnencoded || !isSame || more !== undefined) return undefined;
    for (const other in params as UrlParams) if (other !== param) return undefined;
    return start + String(value) + end;
  };
}

/** The default of `sideEffect`. Undefined, not false, for reads, because the types of endpoints declare it so. */
function isMutation({ method = '' }: { readonly method?: string }): true | undefined {
  return READ_METHODS.test(method) ? undefined : true;
}

export function templateOf(endpoint: RestPipeline): PathTemplate {
  const { [ENDPOINT_STATE]: memo, path } = finishEndpoint(endpoint);
  const { template } = memo;
  return template?.source === path ? template : (memo.template = parsePath(path));
}

/**
 * False for GET and HEAD. For any other method, the `body` option decides; without that option, false for DELETE and OPTIONS, else
 * true.
 */
export function takesBody(endpoint: { readonly method: string; readonly body?: unknown }): boolean {
  const { method } = endpoint;
  if (/^(GET|HEAD)$/.test(method)) return false;
  return 'body' in endpoint ? endpoint.body !== undefined : !/^(DELETE|OPTIONS)$/.test(method);
}

/** Tests for `then`, because a user's `getHeaders` may return a promise of any library. */
function isThenable<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Promise<T> | undefined)?.then === 'function'; // cast: lets `then` be read from any value
}

/**
 * A string that is equal for endpoints whose keys differ only in the values of parameters and body. test-key.ts parses the string.
 */
function keyPatternOf(endpoint: RestPipeline): string {
  const start = `${endpoint.method} ${endpoint.urlPrefix}`.replace(/\/$/, '');
  const hasBodyInKey = takesBody(endpoint) && !endpoint.sideEffect;
  const { pieces } = templateOf(endpoint);
  // A parameter is written as 0 and a wildcard as 1, because their names do not matter.
  return JSON.stringify([start, hasBodyInKey, resultShape(endpoint), ...pieces], (_, token: PathToken) =>
    isParam(token) ? Number(token.isWildcard) : token,
  );
}
