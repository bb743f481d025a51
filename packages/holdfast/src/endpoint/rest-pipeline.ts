// The way of a REST request: a call becomes a URL, a key, an init, a response, a value. Every step is a method that a
// subclass, an option or extend() may replace. RestEndpoint adds the types of one endpoint to it.
import { claimScope, rescope } from '../schema/collection/collections-in.ts';
import { HoldfastError, nameOf } from '../support/errors.ts';
import { ConnectionError, HttpError } from '../support/network-errors.ts';
import { EndpointBase, defineDefaults, mergeOptions } from './endpoint-base.ts';
import type { ErrorPolicy, RequestArgs } from './endpoint-interface.ts';
import { fillPath, fillPlainKey, fillQuery, leftovers } from './fill-path.ts';
import type { PlainKey, UrlParams } from './fill-path.ts';
import { createIdempotencyHeaders, withHeaders } from './idempotency-key.ts';
import { guessResponse } from './optimistic-response.ts';
import { isParam, joinUrl, parsePath } from './path-template.ts';
import type { PathTemplate } from './path-template.ts';
import { readProblem, readResponse } from './read-response.ts';
import { encodeBody, isPromise, plainHeaders } from './request-body.ts';
import { isRequest, requestOf, runRequest } from './run-request.ts';
import { isSchema, resultShape } from './schema-shape.ts';
import { writeSearch } from './search-params.ts';
import { FINISH, KEPT, setOwn, settle } from './settle.ts';
import type { Kept } from './settle.ts';
import { stableText } from '../support/stable-text.ts';
import type { RestExtension, RestMembers } from './rest.types.ts';

/** Marks a `process` that, like the default one, makes nothing of text. */
export const TAKES_DATA: unique symbol = Symbol('holdfast.takesData');
const READS = /^(GET|HEAD|OPTIONS|QUERY)$/;

/** What follows from an endpoint's options, made once. */
interface Memo extends Kept {
  template?: PathTemplate;
  keyPattern?: string;
  /** For a path with one parameter; null where more than that and the options decides over keys. */
  plainKey?: PlainKey | null;
  /** `push`, `getPage` and the like: a list has one of each. */
  derived?: Map<string, object>;
}

export interface RestPipeline extends RestMembers {
  readonly [KEPT]: Memo;
}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- options are laid over the instance, see settle.ts
export class RestPipeline extends EndpointBase {
  static {
    const { prototype } = this;
    Object.assign(prototype, { urlPrefix: '' });
    // known when the instance is finished: options and class fields have a say
    defineDefaults(
      prototype,
      ['method', 'sideEffect', 'idParam'],
      (endpoint, name) => settle(endpoint)[name],
    );
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
    const template = templateOf(this);
    if (typeof params !== 'object' || params === null || Array.isArray(params)) {
      throw new HoldfastError('PARAMS_NOT_OBJECT', { endpoint: this.name, found: nameOf(params) });
    }
    const url = joinUrl(this.urlPrefix, fillPath(template, params), template.source);
    const rest = leftovers(template, params);
    const queries = [
      template.query.length > 0 && fillQuery(template, params),
      rest && this.searchToString(rest),
    ];
    const query = queries.filter(Boolean).join('&');
    return query ? `${url}?${query}` : url;
  }

  /** The query string for the parameters that are not in the path. */
  searchToString(params: UrlParams): string {
    return writeSearch(params);
  }

  /** Identifies the request: method, URL, for reads the body, and the shape of the schema. */
  override key(...args: readonly unknown[]): string {
    const { plainKey } = this[KEPT];
    // fast: K1, 'the short way to a key gives what the long way gives'
    const short = plainKey && fillPlainKey(plainKey, args[0]);
    if (short) return short;
    const { params, body } = this.splitArgs(args);
    const text = body === undefined || this.sideEffect ? '' : ` ${stableText(body)}`;
    if (plainKey === undefined) this[KEPT].plainKey = plainKeyOf(this);
    return `${this.method} ${this.url(params)}${text}${resultShape(this)}`;
  }

  /** What all keys of the endpoint have in common: method, form of the result, address without the names of parameters. */
  keyPattern(): string {
    const { unnamed } = templateOf(this);
    return (this[KEPT].keyPattern ??=
      this.method + resultShape(this) + this.urlPrefix.replace(/\/$/, '') + unnamed);
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
    const { requestInit, signal } = this;
    const plain = plainHeaders(requestInit?.headers);
    const encoded = encodeBody(body, this.name);
    const init = { ...requestInit, method: this.method, ...(signal && { signal }), ...encoded };
    const hasType = Object.keys(plain).some((name) => name.toLowerCase() === 'content-type');
    // a body that is sent as it was given says itself what it is
    if (encoded && encoded.body !== body && !hasType) plain['Content-Type'] = 'application/json';
    const headers = this.getHeaders(plain);
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
    const isUnanswered = code === 'CONNECTION_FAILED' || code === 'REQUEST_TIMEOUT';
    return isUnanswered || status === 429 || Number(status) >= 500 ? 'soft' : undefined;
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

  /** Fills in what the options left open. */
  [FINISH](): void {
    const { lastName } = templateOf(this);
    const address = this.urlPrefix + this.path;
    const put = (name: string, value: unknown, isEnumerable?: boolean): void => {
      if (!isDeclared(this, name)) setOwn(this, name, value, isEnumerable);
    };
    const isMutation = isDeclared(this, 'sideEffect') ? this.sideEffect : this.body !== undefined;
    put('method', isMutation ? 'POST' : 'GET');
    put('sideEffect', READS.test(this.method) ? undefined : true);
    put('idParam', lastName);
    if (this.name === '') setOwn(this, 'name', address);
    // not enumerable: extend does not copy it and decides anew
    if (this.optimistic && this.sideEffect) put('getOptimisticResponse', guessResponse, false);
    claimScope(this.schema, address);
  }
}

/** Null where an override, a body or an accessor has a say, or the path is more than texts around one parameter. */
function plainKeyOf(endpoint: RestPipeline): PlainKey | null {
  const { url, splitArgs } = RestPipeline.prototype;
  const { tokens, query } = templateOf(endpoint);
  const [before, param, after = ''] = tokens;
  const isFixed =
    Object.hasOwn(endpoint, 'path') &&
    (Object.hasOwn(endpoint, 'urlPrefix') || !isDeclared(endpoint, 'urlPrefix'));
  const isOurs = endpoint.url === url && endpoint.splitArgs === splitArgs && !takesBody(endpoint);
  const isSimple = typeof after === 'string' && tokens.length < 4 && query.length === 0;
  const isAbsolute = typeof before === 'string' && /^\/(?!\/)/.test(before);
  if (!(isFixed && isOurs && isSimple && isAbsolute && param && isParam(param)) || param.isWildcard)
    return null;
  const head = `${endpoint.method} ${endpoint.urlPrefix.replace(/\/$/, '')}`;
  return { before: head + before, name: param.name, after: after + resultShape(endpoint) };
}

/** Something that a list has one of. */
export function derive(endpoint: RestPipeline, name: string, create: () => object): object {
  const derived = (settle(endpoint)[KEPT].derived ??= new Map());
  let made = derived.get(name);
  if (!made) derived.set(name, (made = create()));
  return made;
}

export function templateOf(endpoint: RestPipeline): PathTemplate {
  const { [KEPT]: memo, path } = settle(endpoint);
  const { template } = memo;
  return template?.source === path ? template : (memo.template = parsePath(path));
}

/** Whether an option, a class field or a subclass's accessor says it; the base's own default does not count. */
function isDeclared(endpoint: RestPipeline, name: string): boolean {
  let holder: object = endpoint;
  while (!Object.hasOwn(holder, name) && holder !== RestPipeline.prototype)
    holder = Object.getPrototypeOf(holder) as object; // cast: lib says any; the chain goes through RestPipeline
  return holder !== RestPipeline.prototype;
}

/** GET and HEAD carry no body; DELETE and OPTIONS only when the `body` option says so. */
export function takesBody(endpoint: RestPipeline): boolean {
  const { method } = endpoint;
  if (/^(GET|HEAD)$/.test(method)) return false;
  return 'body' in endpoint ? endpoint.body !== undefined : !/^(DELETE|OPTIONS)$/.test(method);
}
