// The way of a REST request: a call becomes a URL, a key, an init, a response, a value. Every step is a method that a
// subclass, an option or extend() may replace. RestEndpoint adds the types of one endpoint to it.
import { inDevelopment } from '#env';
import { claimScope, rescope } from '../schema/collection/collections-in.ts';
import type { NonFilterKeys } from '../schema/collection/collection.types.ts';
import { HoldfastError, nameOf } from '../support/errors.ts';
import { ConnectionError, HttpError } from '../support/network-errors.ts';
import { stableText } from '../support/stable-text.ts';
import { isObject, setOwn } from '../support/plain.ts';
import { defineLazy, EndpointBase, FINISH, KEPT, makeOnce, finishEndpoint } from './endpoint-base.ts';
import type { Kept } from './endpoint-base.ts';
import type { ErrorPolicy, RequestArgs } from './endpoint-interface.ts';
import { respondOptimistically } from './row-name.ts';
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

/** A parameter whose place in a key shows what stands around it. */
const PROBE = '~0';
const READ_METHODS = /^(GET|HEAD|OPTIONS|QUERY)$/;

/** What a promise of an init leaves in an object into which it was spread instead of awaited. */
interface Unawaited {
  readonly isUnawaited: true;
}

/** What follows from an endpoint's options, made once. */
interface Memo extends Kept {
  template?: PathTemplate;
  /** The short way to the key, for these parameters; undefined where only the long way leads there. */
  plainKey?: (params: unknown) => string | undefined;
}

export interface RestPipeline extends RestMembers {
  readonly [KEPT]: Memo;
  /** A resource's own; an option of the Collection goes before it. */
  readonly nonFilterArgumentKeys?: NonFilterKeys | undefined;
  /** Of a resource's list: the options of the endpoints that change it. */
  readonly creation?: object | false;
  /** Of a resource's `delete`: an answer that says nothing is the parameters, and `process` is not asked. */
  readonly isRemoval?: boolean;
}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- options are laid over the instance, see endpoint-base.ts
export class RestPipeline extends EndpointBase {
  static {
    // what options and class fields leave open
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
    const init: RequestInit & Partial<Unawaited> = await this.getRequestInit(body);
    inDevelopment(() => {
      if (init.isUnawaited) throw new HoldfastError('REQUEST_INIT_NOT_AWAITED', { endpoint: this.name });
    });
    const extra = { ...createIdempotencyHeaders(this, args, request.environment.random), ...request.headers };
    const response = await this.fetchResponse(url, withHeaders(init, extra, this.name));
    request.response = response;
    const parsed = await this.parseResponse(response);
    const value = this.isRemoval && !hasMembers(parsed) ? null : await this.process(parsed, params, body);
    return this.isRemoval && !(isObject(value) && hasMembers(value)) ? { ...params } : value;
  }

  /** The address for the parameters: path parameters in their places, the others as query. */
  url(params: UrlParams = {}): string {
    const template = templateOf(this);
    const found = nameOf(params);
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

  /** The query string for the parameters that are not in the path. */
  searchToString(params: UrlParams): string {
    return writeSearch(params);
  }

  /** Identifies the request: method, URL, for reads the body, and the shape of the schema. */
  override key(...args: readonly unknown[]): string {
    // fast: K1, 'the short way to a key gives what the long way gives'
    return (this[KEPT].plainKey ??= plainKeyOf(this))(args[0]) ?? fullKey(this, args);
  }

  /** The pattern of the endpoint's keys, whatever the arguments. */
  keyPattern(): string {
    return makeOnce(this, 'keyPattern', keyPatternOf);
  }

  /** One argument is the body when the URL needs no parameters, else it is the parameters. */
  override splitArgs(args: readonly unknown[]): RequestArgs {
    const { hasRequired } = templateOf(this);
    const hasBody = takesBody(this);
    const [params, body] = args.length === 1 && hasBody && !hasRequired ? [undefined, args[0]] : args;
    return { params: (params ?? {}) as UrlParams, body: hasBody ? body : undefined }; // cast: url() checks it
  }

  /** The init for fetch. A promise only when `getHeaders` gives one, so that `{ ...super.getRequestInit(body) }` works. */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    const { requestInit, signal, content = 'json' } = this;
    const encoded = encodeBody(body, this.name);
    const init = { ...requestInit, method: this.method, ...(signal && { signal }), ...encoded };
    // a body that is sent as it was given says itself what it is
    const isJson = !!encoded && encoded.body !== body;
    const ofJson = [content === 'json' && 'Accept', isJson && 'Content-Type'];
    const headers = this.getHeaders(plainHeaders(requestInit?.headers, ofJson));
    if (!isThenable(headers)) return { ...init, headers };
    const promise = headers.then((awaited) => ({ ...init, headers: awaited }));
    inDevelopment(() => void Object.assign(promise, { isUnawaited: true } satisfies Unawaited));
    return promise;
  }

  /** Adds or changes headers; may be async. */
  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit> {
    return headers;
  }

  /** Sends the request. An error status rejects with HttpError, no response with ConnectionError. */
  async fetchResponse(url: string, init: RequestInit = {}): Promise<Response> {
    const request = requestOf(this);
    const name = { method: this.method, url };
    let response: Response;
    try {
      response = await request.environment.fetch(url, init);
    } catch (cause) {
      // a fetch that refuses with a code says more than that there was no response
      throw cause instanceof HoldfastError ? cause : new ConnectionError(name, { cause });
    }
    request.response = response;
    const isKept = response.status === 304 && this.sideEffect;
    if (!response.ok && !isKept) throw new HttpError(name, response, await readProblem(response));
    return response;
  }

  /** Reads the response: by `content`, else by its content type. Empty bodies give null. */
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

  /** Failures that say nothing against the stored data are soft: no response, 429 and 5xx. */
  errorPolicy(error: Error): ErrorPolicy {
    const { code, status = 0 } = error as { code?: unknown; status?: number }; // cast: asking is the check
    const isUnanswered = code === 'CONNECTION_FAILED' || code === 'REQUEST_TIMEOUT';
    return isUnanswered || status === 429 || status >= 500 ? 'soft' : undefined;
  }

  /** The endpoint with these options over its own, and with what else was put on it. */
  extend(options: RestExtension): this {
    const { urlPrefix, path, schema, constructor } = finishEndpoint(this);
    const merged: Record<string, unknown> = {
      ...this[KEPT].options,
      // a new method decides whether the call is a mutation
      ...('method' in options && { sideEffect: isMutation(options) }),
      ...options,
    };
    const scope = (options.urlPrefix ?? urlPrefix) + (options.path ?? path);
    // another address is another list, unless the caller says which
    if (!('schema' in options) && scope !== urlPrefix + path) merged['schema'] = rescope(schema, scope);
    const extended = finishEndpoint(new (constructor as new (options: object) => this)(merged)); // cast: this very class
    for (const [name, value] of Object.entries(this))
      if (!Object.hasOwn(extended, name)) setOwn(extended, name, value);
    return extended;
  }

  [FINISH](): void {
    const address = this.urlPrefix + this.path;
    if (!this.name) setOwn(this, 'name', address);
    claimScope(this.schema, address, this.nonFilterArgumentKeys);
  }
}

function hasMembers(value: unknown): boolean {
  return Object.keys(Object(value)).length > 0;
}

function fullKey(endpoint: RestPipeline, args: readonly unknown[]): string {
  const { params, body } = endpoint.splitArgs(args);
  const text = body === undefined || endpoint.sideEffect ? '' : ` ${stableText(body)}`;
  return `${endpoint.method} ${endpoint.url(params)}${text}${resultShape(endpoint)}`;
}

/**
 * The short way to a key: text around the one parameter, where that is all that is given and is its own text in a URL. There
 * is none where an override or a body has a say, another address is given now, or the parameter is a wildcard.
 */
function plainKeyOf(endpoint: RestPipeline): (params: unknown) => string | undefined {
  const { url, splitArgs } = RestPipeline.prototype;
  const { source, names } = templateOf(endpoint);
  const { urlPrefix } = endpoint;
  const [param = ''] = names;
  const isOurs = endpoint.url === url && endpoint.splitArgs === splitArgs && !takesBody(endpoint);
  if (!isOurs || names.length !== 1 || source.includes('*')) return () => undefined;
  const [start = '', end = '', more] = fullKey(endpoint, [{ [param]: PROBE }]).split(PROBE);
  return (params) => {
    const value = (params as UrlParams | null | undefined)?.[param]; // cast: asking is the check
    const isOwnText = typeof value === 'string' ? isUnreserved(value) : Number.isSafeInteger(value);
    const isSame = endpoint.path === source && endpoint.urlPrefix === urlPrefix; // an accessor may give others
    if (!isOwnText || !isSame || more !== undefined) return undefined;
    for (const other in params as UrlParams) if (other !== param) return undefined;
    return start + String(value) + end;
  };
}

/** The default of `sideEffect`: undefined for reads, so that a type can tell. */
function isMutation({ method = '' }: { readonly method?: string }): true | undefined {
  return READ_METHODS.test(method) ? undefined : true;
}

export function templateOf(endpoint: RestPipeline): PathTemplate {
  const { [KEPT]: memo, path } = finishEndpoint(endpoint);
  const { template } = memo;
  return template?.source === path ? template : (memo.template = parsePath(path));
}

/** GET and HEAD carry no body; DELETE and OPTIONS only when the `body` option says so. */
export function takesBody(endpoint: RestPipeline): boolean {
  const { method } = endpoint;
  if (/^(GET|HEAD)$/.test(method)) return false;
  return 'body' in endpoint ? endpoint.body !== undefined : !/^(DELETE|OPTIONS)$/.test(method);
}

/** An async `getHeaders` gives one, of whatever make. */
function isThenable<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Promise<T> | undefined)?.then === 'function'; // cast: asking is the check
}

/** A text that endpoints share whose keys differ in the parameters alone; endpoint/test-key.ts reads it. */
function keyPatternOf(endpoint: RestPipeline): string {
  const start = `${endpoint.method} ${endpoint.urlPrefix}`.replace(/\/$/, '');
  const hasBody = takesBody(endpoint) && !endpoint.sideEffect;
  const { pieces } = templateOf(endpoint);
  // the names of parameters do not matter
  return JSON.stringify([start, hasBody, resultShape(endpoint), ...pieces], (_, token: PathToken) =>
    isParam(token) ? Number(token.isWildcard) : token,
  );
}
