// The request leg of REST: a call becomes a URL, a key, an init, a response, a value. Every step is a method that a
// subclass, an option or extend() may replace. RestEndpoint adds the types of one endpoint to it.
import { claimScope, rescope } from '../schema/collection/collections-in.ts';
import { HoldfastError, nameOf } from '../support/errors.ts';
import { ConnectionError, HttpError } from '../support/network-errors.ts';
import { EndpointBase, defineDefaults, mergeOptions } from './endpoint-base.ts';
import type { ErrorPolicy, RequestArgs } from './endpoint-interface.ts';
import { createPlainKey, fillPath, fillQuery, joinUrl, leftovers } from './fill-path.ts';
import type { UrlParams } from './fill-path.ts';
import { createIdempotencyHeaders, withHeaders } from './idempotency-key.ts';
import { guessResponse } from './optimistic-response.ts';
import { parsePath } from './path-template.ts';
import type { PathTemplate } from './path-template.ts';
import { readProblem, readResponse } from './read-response.ts';
import { encodeBody, isPromise, plainHeaders } from './request-body.ts';
import { isRequest, requestOf, runRequest } from './run-request.ts';
import { isSchema, resultShape } from './schema-shape.ts';
import { writeSearch } from './search-params.ts';
import { FINISH, setOwn, settle } from './settle.ts';
import { stableText } from '../support/stable-text.ts';
import type { RestExtension, RestMembers } from './rest.types.ts';

const MEMO: unique symbol = Symbol('holdfast.memo');
/** Marks a `process` that, like the default one, makes nothing of text. */
export const TAKES_DATA: unique symbol = Symbol('holdfast.takesData');
const NO_PARAMS: UrlParams = {};
const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY']);

/** What follows from an endpoint's options, made once. */
interface Memo {
  template?: PathTemplate;
  keyPattern?: string;
  /** What every key of a read without overrides consists of: options do not change once an endpoint is finished. */
  plain?: (params: UrlParams) => string | undefined;
  /** `push`, `getPage` and the like: a list has one of each. */
  readonly derived: Map<string, object>;
}

export interface RestPipeline extends RestMembers {
  readonly [MEMO]: Memo;
}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- options are laid over the instance, see settle.ts
export class RestPipeline extends EndpointBase {
  static {
    // known when the instance is finished: options and class fields have a say
    const finished = (name: 'method' | 'sideEffect' | 'idParam') =>
      function (this: RestPipeline): unknown {
        return settle(this)[name];
      };
    defineDefaults<RestPipeline>(this.prototype, {
      urlPrefix: () => '',
      method: finished('method'),
      sideEffect: finished('sideEffect'),
      idParam: finished('idParam'),
    });
    Object.defineProperty(this.prototype, FINISH, { value: finishOptions });
  }

  constructor(options: object) {
    super(options);
    setOwn(this, MEMO, { derived: new Map() }, false);
  }

  override async fetch(...args: readonly unknown[]): Promise<unknown> {
    if (!isRequest(this)) return (await runRequest(this, args, {}, RestPipeline.prototype.fetch)).value;
    const request = requestOf(this);
    const { params, body } = this.splitArgs(args);
    const url = this.url(params);
    request.name = { method: this.method, url };
    const init = await this.getRequestInit(body);
    if (request.isInitAsync && init.method === undefined) {
      throw new HoldfastError('REQUEST_INIT_NOT_AWAITED', { endpoint: this.name });
    }
    const extra = { ...createIdempotencyHeaders(this, args, request.environment.random), ...request.headers };
    const response = await this.fetchResponse(url, withHeaders(init, extra));
    request.response = response;
    return this.process(await this.parseResponse(response), params, body);
  }

  /** The address for the parameters: path parameters in their places, the others as query. */
  url(params: UrlParams = {}): string {
    settle(this);
    if (typeof params !== 'object' || params === null || Array.isArray(params)) {
      throw new HoldfastError('PARAMS_NOT_OBJECT', { endpoint: this.name, found: nameOf(params) });
    }
    const template = templateOf(this);
    const path = fillPath(template, params);
    const url = joinUrl(this.urlPrefix, path, template.source);
    const rest = leftovers(template, params);
    const queries = [fillQuery(template, params), rest === undefined ? '' : this.searchToString(rest)];
    const query = queries.filter((text) => text !== '').join('&');
    return query === '' ? url : `${url}?${query}`;
  }

  /** The query string for the parameters that are not in the path. */
  searchToString(params: UrlParams): string {
    return writeSearch(params);
  }

  /** Identifies the request: method, URL, for reads the body, and the shape of the schema. */
  override key(...args: readonly unknown[]): string {
    const { plain } = this[MEMO];
    const given = args[0] ?? NO_PARAMS;
    if (plain && typeof given === 'object') {
      const key = plain(given as UrlParams); // cast: an object, and arrays have no such members
      if (key !== undefined) return key;
    }
    settle(this);
    const { params, body } = this.splitArgs(args);
    const text = body === undefined || this.sideEffect ? '' : ` ${stableText(body)}`;
    return `${this.method} ${this.url(params)}${text}${resultShape(this)}`;
  }

  /** What all keys of the endpoint have in common: method, form of the result, address without the names of parameters. */
  keyPattern(): string {
    settle(this);
    const memo = this[MEMO];
    return (memo.keyPattern ??=
      this.method + resultShape(this) + this.urlPrefix.replace(/\/$/, '') + templateOf(this).unnamed);
  }

  /** One argument is the body when the URL needs no parameters, else it is the parameters. */
  override splitArgs(args: readonly unknown[]): RequestArgs {
    settle(this);
    const isBodyOnly = args.length === 1 && takesBody(this) && !templateOf(this).hasRequired;
    const params = (isBodyOnly ? undefined : args[0]) ?? {};
    const body = takesBody(this) ? args[isBodyOnly ? 0 : 1] : undefined;
    return { params: params as RequestArgs['params'], body }; // cast: url() checks it
  }

  /** The init for fetch. A promise only when `getHeaders` gives one, so that `{ ...super.getRequestInit(body) }` works. */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    const { headers: given, ...rest } = this.requestInit ?? {};
    const encoded = encodeBody(body, this.name);
    const init: RequestInit & { duplex?: 'half' } = { ...rest, method: this.method };
    if (this.signal) init.signal = this.signal;
    if (encoded) init.body = encoded.body;
    if (encoded?.isStream) init.duplex = 'half';
    const plain = plainHeaders(given);
    const hasType = Object.keys(plain).some((name) => name.toLowerCase() === 'content-type');
    const headers = this.getHeaders(
      encoded?.isJson && !hasType ? { 'Content-Type': 'application/json', ...plain } : plain,
    );
    if (!isPromise(headers)) return { ...init, headers };
    requestOf(this).isInitAsync = true;
    return headers.then((awaited) => ({ ...init, headers: awaited }));
  }

  /** Adds or changes headers; may be async. */
  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit> {
    return headers;
  }

  /** Sends the request. An error status rejects with HttpError, no answer with ConnectionError. */
  async fetchResponse(url: string, init: RequestInit = {}): Promise<Response> {
    const request = requestOf(this);
    const name = { method: this.method, url };
    let response: Response;
    try {
      response = await request.environment.fetch(url, init);
    } catch (error) {
      // a fetch that refuses with a code says more than that there was no answer
      throw error instanceof HoldfastError ? error : new ConnectionError(name, { cause: error });
    }
    request.response = response;
    const isKept = response.status === 304 && this.sideEffect;
    if (!response.ok && !isKept) throw new HttpError(name, response, await readProblem(response));
    return response;
  }

  /** Reads the response: by `content`, else by its content type. Empty bodies give null. */
  async parseResponse(response: Response): Promise<unknown> {
    const { process } = this;
    const isProcessed = process !== RestPipeline.prototype.process && !(TAKES_DATA in process);
    const request = requestOf(this);
    request.parsed = await readResponse(response, request.name, {
      content: this.content,
      needsData: !isProcessed && isSchema(this.schema),
      isMutation: Boolean(this.sideEffect),
    });
    return request.parsed;
  }

  /** Transforms the parsed response before normalization. */
  process(value: unknown, _params: UrlParams, _body?: unknown): unknown {
    return value;
  }

  /** Failures that say nothing against the data we have are soft: no answer, 429 and 5xx. */
  errorPolicy(error: Error): ErrorPolicy {
    const { code, status } = error as { code?: unknown; status?: number }; // cast: asking is the check
    const isSilent = code === 'CONNECTION_FAILED' || code === 'REQUEST_TIMEOUT';
    return isSilent || status === 429 || (status ?? 0) >= 500 ? 'soft' : undefined;
  }

  /** The endpoint with these options over its own. */
  protected extendWith(options: RestExtension): this {
    const merged = mergeOptions(this, options);
    const scope = (options.urlPrefix ?? this.urlPrefix) + (options.path ?? this.path);
    // another address is another list, unless the caller says which
    if (!('schema' in options) && scope !== this.urlPrefix + this.path)
      merged['schema'] = rescope(this.schema, scope);
    const Class = this.constructor as new (options: object) => this; // cast: this very class
    const extended = settle(new Class(merged));
    for (const name of Object.keys(this)) {
      if (!Object.hasOwn(extended, name)) setOwn(extended, name, (this as unknown as UrlParams)[name]); // cast: own names
    }
    return extended;
  }
}

/** Fills in what the options left open. */
function finishOptions(this: RestPipeline): void {
  const { lastName } = templateOf(this);
  const isGiven = (name: string): boolean => isDeclared(this, name);
  const isBodied = 'body' in this && this.body !== undefined;
  const isMutation = isGiven('sideEffect') ? Boolean(this.sideEffect) : isBodied;
  if (!isGiven('method')) setOwn(this, 'method', isMutation ? 'POST' : 'GET');
  if (!isGiven('sideEffect')) setOwn(this, 'sideEffect', READ_METHODS.has(this.method) ? undefined : true);
  if (this.name === '') setOwn(this, 'name', this.urlPrefix + this.path);
  if (!isGiven('idParam')) setOwn(this, 'idParam', lastName);
  if (this.optimistic && this.sideEffect && !isGiven('getOptimisticResponse')) {
    setOwn(this, 'getOptimisticResponse', guessResponse, false); // not copied by extend, which decides anew
  }
  claimScope(this.schema, this.urlPrefix + this.path);
  if (isPlain(this)) {
    const head = `${this.method} ${this.urlPrefix.replace(/\/$/, '')}`;
    this[MEMO].plain = createPlainKey(head, templateOf(this), () => resultShape(this));
  }
}

/** Whether nothing but the options decides over keys: no override, no body, no accessor that may say something else. */
function isPlain(endpoint: RestPipeline): boolean {
  const base = RestPipeline.prototype;
  return (
    endpoint.url === base.url &&
    endpoint.splitArgs === base.splitArgs &&
    endpoint.path.startsWith('/') &&
    templateOf(endpoint).query.length === 0 &&
    !takesBody(endpoint) &&
    (Object.hasOwn(endpoint, 'urlPrefix') || !isDeclared(endpoint, 'urlPrefix'))
  );
}

/** Something that a list has one of. */
export function derive(endpoint: RestPipeline, name: string, create: () => object): object {
  const { derived } = endpoint[MEMO];
  let made = derived.get(name);
  if (!made) derived.set(name, (made = create()));
  return made;
}

export function templateOf(endpoint: RestPipeline): PathTemplate {
  const memo = endpoint[MEMO];
  if (memo.template?.source === endpoint.path) return memo.template;
  if (typeof endpoint.path !== 'string')
    throw new HoldfastError('PATH_INVALID', { path: endpoint.path, reason: 'it is no text' });
  return (memo.template = parsePath(endpoint.path));
}

/** Whether an option, a class field or a subclass's accessor says it; the base's own default does not count. */
function isDeclared(endpoint: RestPipeline, name: string): boolean {
  let holder: object | null = endpoint;
  while (holder !== null && holder !== RestPipeline.prototype) {
    if (Object.hasOwn(holder, name)) return true;
    holder = Object.getPrototypeOf(holder) as object | null; // cast: lib says any
  }
  return false;
}

/** GET and HEAD carry no body; DELETE and OPTIONS only when the `body` option says so. */
export function takesBody(endpoint: RestPipeline): boolean {
  const { method } = endpoint;
  if (method === 'GET' || method === 'HEAD') return false;
  if ('body' in endpoint) return endpoint.body !== undefined;
  return method !== 'DELETE' && method !== 'OPTIONS';
}
