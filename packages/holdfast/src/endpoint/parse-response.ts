// Reads the body of a successful response, and the problem details of an error response.
import { ConnectionError, ParseError } from '../support/network-errors.ts';
import type { Problem, RequestName } from '../support/network-errors.ts';
import { tagOf } from '../support/plain.ts';

/**
 * How the response body is read.
 *
 * @example
 * const content: RestEndpoint.Content = 'blob';
 * const getPicture = new RestEndpoint({ path: '/pictures/:id', content });
 */
export type ResponseContent = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

export interface ParseOptions {
  readonly content: ResponseContent | undefined;
  /** True when the endpoint has a schema and does not override `process`, which could convert a body that is not JSON. */
  readonly needsData: boolean;
  readonly isMutation: boolean;
}

const TEXT_TYPE_PATTERN = /^$|^text\/|json|[/+]xml|javascript|csv|urlencoded|ecmascript|yaml/i;
const XML_TYPE = /^(?!.*html).*[/+]xml/i;
const LARGEST_PROBLEM_BYTES = 1_000_000;

/**
 * Reads the body. Returns null for a response without a body: the status 204, 205 or 304, the method HEAD, an empty body of JSON,
 * an empty text without `content: 'text'`, and, if `content` is not set, every response with `Content-Length: 0`. It also returns
 * null for a mutation's response that has no data for the schema, such as "OK".
 */
export async function parseResponse(
  response: Response,
  request: RequestName,
  { content, needsData, isMutation }: ParseOptions,
): Promise<unknown> {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  const length = headers.get('content-length');
  // Refuses the body. `reason` says what is wrong with it.
  const refuse = (reason: string, options?: ErrorOptions): never => {
    throw new ParseError(request, response, reason, options);
  };
  const read = <T>(body: Promise<T>): Promise<T> =>
    // If the body cannot be read, the connection was lost or the request was aborted. After an abort, run-request.ts replaces this
    // error.
    body.catch((cause: unknown) => {
      throw new ConnectionError(request, { cause });
    });
  if ([204, 205, 304].includes(status) || request.method === 'HEAD' || (!content && length === '0'))
    return null;
  const isData = !content || content === 'json';
  if (needsData && !isMutation && !isData) return refuse(`content: '${content}'`);
  if (content === 'stream') return response.body;
  if (!isData) return read<unknown>(response[content]());
  const isJson = /json/i.test(content ?? type);
  if (!isJson && !TEXT_TYPE_PATTERN.test(type)) {
    if (!needsData) return read(response.blob());
    return isMutation ? null : refuse(type);
  }
  const text = await read(response.text());
  // Some platforms decode a truncated, compressed body to an empty string instead of failing.
  if (!text && Number(length) > 0) refuse('cut');
  if (!isJson && !needsData) return text || null;
  if (!text.trim()) return null;
  const isMarkup = /^\s*</.test(text);
  // A body with another content type may be JSON, too, when it starts like an object, an array or a string.
  if (isJson || /^\s*[[{"]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch (cause) {
      return refuse(isMarkup ? 'HTML' : 'malformed', { cause });
    }
  }
  // HTML is a log-in form, a proxy's notice or a single-page application: the server may not have handled the request. Any other
  // text in response to a mutation, such as "OK" or an XML receipt, contains no data but is not a failure either.
  if (isMutation && (!isMarkup || XML_TYPE.test(type))) return null;
  return refuse(isMarkup ? 'HTML' : 'text');
}

/**
 * The JSON object in the body of an error response. Undefined if the body is too large by the header `Content-Length`, if the
 * content type is not JSON, or if the body is not a JSON object. The function never rejects. A body without `Content-Length` is
 * read completely, like the body of a successful response.
 */
export async function readProblem(response: Response): Promise<Problem | undefined> {
  const { headers } = response;
  const isSmall = Number(headers.get('content-length')) <= LARGEST_PROBLEM_BYTES;
  if (!isSmall || !/json/i.test(headers.get('content-type') ?? '')) return undefined;
  try {
    const value: unknown = await response.clone().json();
    return tagOf(value) === 'Object' ? (value as Problem) : undefined; // cast: a plain object, by its tag
  } catch {
    return undefined;
  }
}
