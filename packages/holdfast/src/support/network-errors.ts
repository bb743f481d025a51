// The errors of failed requests: one class and one code per cause, and all extend NetworkError, which has the method and the URL.
// Only HttpError and ParseError have `status` and `response`.
import { HoldfastError } from './errors.ts';
import { setOwn } from './plain.ts';

/**
 * Which request failed.
 *
 * @example const lineOf = ({ method, url }: NetworkError.RequestName) => `${method} ${url}`;
 */
export interface RequestName {
  readonly method: string;
  readonly url: string;
}

/**
 * A problem body per RFC 9457, or any other JSON object that came with an error status.
 *
 * @example
 * const textOf = (problem: HttpError.Problem | undefined) => problem?.detail ?? problem?.title ?? 'Something went wrong.';
 */
export interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly [member: string]: unknown;
}

/**
 * The base class of the errors of failed requests.
 *
 * @example const isMissing = (error: unknown) => error instanceof NetworkError && error.status === 404;
 */
export class NetworkError extends HoldfastError {
  override name = 'NetworkError';
  readonly method: string;
  readonly url: string;
  /** The HTTP status of an HttpError or a ParseError. Other errors have none, even if a response came and was cut off. */
  declare readonly status?: number;
  /** The response, present with `status`: its headers may contain the time for a new try. */
  declare readonly response?: Response;

  constructor(
    code: string,
    request: RequestName,
    /** The message after method and URL. */
    words: string,
    params?: Readonly<Record<string, unknown>>,
    options?: ErrorOptions & { response?: Response | undefined },
  ) {
    const { method, url } = request;
    const { response } = options ?? {};
    const all = { method, url, ...(response && { status: response.status }), ...params };
    super(code, all, options, `${method} ${url} ${words}`);
    this.method = method;
    this.url = url;
    if (!response) return;
    this.status = response.status;
    // The property is not enumerable, so that logs and copies of the error leave the response out: as JSON a Response is {}, and
    // browsers refuse to clone it.
    setOwn(this, 'response', response, false);
  }
}

/**
 * The server responded with a status that is not a success. `problem` is the body of the response, if the content type is JSON and
 * the body is an object; undefined if the header `Content-Length` is above 1,000,000.
 *
 * @example const statusOf = (error: unknown) => (error instanceof HttpError ? error.status : undefined);
 */
export class HttpError extends NetworkError {
  override name = 'HttpError';
  declare readonly status: number;
  declare readonly response: Response;
  readonly problem: Problem | undefined;

  constructor(request: RequestName, response: Response, problem?: Problem) {
    // A server may send values that are not strings.
    const texts: readonly unknown[] = [problem?.detail, problem?.title, response.statusText];
    const reason = texts.find((text) => text && typeof text === 'string');
    const words = `was answered ${response.status}${reason ? `: ${reason}` : ''}`;
    super('HTTP_ERROR', request, words, { reason }, { response });
    this.problem = problem;
  }
}

/**
 * No response came, or the response was cut off, for example because the device is offline, or the connection was refused or lost.
 * The `cause` is usually the error of the platform.
 *
 * @example const isOffline = (error: unknown) => error instanceof ConnectionError && !navigator.onLine;
 */
export class ConnectionError extends NetworkError {
  override name = 'ConnectionError';
  constructor(request: RequestName, options?: ErrorOptions) {
    super('CONNECTION_FAILED', request, 'got no answer', {}, options);
  }
}

/**
 * The request took longer than its `timeoutMs`.
 *
 * @example const isSlow = (error: unknown) => error instanceof TimeoutError;
 */
export class TimeoutError extends NetworkError {
  override name = 'TimeoutError';
  constructor(request: RequestName, timeoutMs: number) {
    super('REQUEST_TIMEOUT', request, `took longer than ${timeoutMs} ms`, { timeoutMs });
  }
}

/**
 * The request was cancelled through a signal. The `cause` is usually the signal's reason; if the request waited to be repeated, the
 * `cause` is its last failure.
 *
 * @example const reasonOf = (error: unknown) => (error instanceof AbortError ? error.cause : undefined);
 */
export class AbortError extends NetworkError {
  override name = 'AbortError';
  constructor(request: RequestName, options?: ErrorOptions) {
    super('REQUEST_ABORTED', request, 'was cancelled', {}, options);
  }
}

/**
 * The body of the response does not have the form that the endpoint expects: for example HTML instead of JSON, cut or malformed
 * text.
 *
 * @example
 * const typeOf = (error: unknown) =>
 *   error instanceof ParseError ? error.response.headers.get('content-type') : undefined;
 */
export class ParseError extends NetworkError {
  override name = 'ParseError';
  declare readonly status: number;
  declare readonly response: Response;

  constructor(request: RequestName, response: Response, reason: string, options?: ErrorOptions) {
    super(
      'RESPONSE_UNREADABLE',
      request,
      `was answered unreadably: ${reason}`,
      { reason },
      { ...options, response },
    );
  }
}

/**
 * True for an error of any class that extends NetworkError, and of NetworkError itself.
 *
 * @example
 * const addressOf = (error: unknown) => (isNetworkError(error) ? `${error.method} ${error.url}` : undefined);
 */
export function isNetworkError(error: unknown): error is NetworkError {
  return error instanceof NetworkError;
}

/**
 * True for a response whose status is not a success; with `status`, only for a response with that status.
 *
 * @example
 * const textOf = (error: Error) => (isHttpError(error, 404) ? 'There is no such todo.' : error.message);
 */
export function isHttpError(error: unknown, status?: number): error is HttpError {
  return error instanceof HttpError && (status === undefined || error.status === status);
}

/** Whether the server reports that the requested resource does not exist, or does not exist any more. */
export function isGone(error: unknown): error is HttpError {
  return isHttpError(error, 404) || isHttpError(error, 410);
}

/** The statuses of temporary failures: the server may soon respond to the same request with success. */
const TEMPORARY = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Whether the failure may be temporary: the connection failed, the request timed out, or the status of the response is in
 * `TEMPORARY`.
 */
export function isTemporary(error: unknown): boolean {
  if (isHttpError(error)) return TEMPORARY.has(error.status);
  return isConnectionError(error) || isTimeoutError(error);
}

/**
 * Failures of a repeated request, and the signals of requests that are being repeated: the server may have handled an earlier try of
 * the same call, whatever the last response was.
 */
export const afterRepetition = new WeakSet<Error | AbortSignal>();

/**
 * True for a request that got no response, or whose response was cut off, unless the request was cancelled or timed out.
 *
 * @example const textOf = (error: Error) => (isConnectionError(error) ? 'No connection.' : error.message);
 */
export function isConnectionError(error: unknown): error is ConnectionError {
  return error instanceof ConnectionError;
}

/**
 * True for a request that took longer than its time limit.
 *
 * @example const mayRetry = (error: unknown) => isTimeoutError(error) || isConnectionError(error);
 */
export function isTimeoutError(error: unknown): error is TimeoutError {
  return error instanceof TimeoutError;
}

/**
 * True for a request that was cancelled through a signal.
 *
 * @example const shouldReport = (error: unknown) => !isAbortError(error);
 */
export function isAbortError(error: unknown): error is AbortError {
  return error instanceof AbortError;
}

/**
 * True for a successful response whose body does not have the form that the endpoint expects.
 *
 * @example const isLogInPage = (error: unknown) => isParseError(error) && error.status === 200;
 */
export function isParseError(error: unknown): error is ParseError {
  return error instanceof ParseError;
}

export declare namespace HttpError {
  export type { Problem };
}

export declare namespace NetworkError {
  export type { RequestName };
}
