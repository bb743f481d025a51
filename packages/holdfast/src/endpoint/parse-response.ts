// Reads the body of a successful response, and the problem in a failed one. RestEndpoint.parseResponse calls `parseResponse`;
// an override gets the Response itself, headers included.
import { ConnectionError, ParseError } from '../support/network-errors.ts';
import type { Problem, RequestName } from '../support/network-errors.ts';
import { tagOf } from '../support/plain.ts';

/**
 * How an endpoint wants the body read.
 *
 * @example
 * const content: RestEndpoint.Content = 'blob';
 * const getPicture = new RestEndpoint({ path: '/pictures/:id', content });
 */
export type ResponseContent = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

export interface ReadOptions {
  readonly content: ResponseContent | undefined;
  /** True when something after this step can only use data: a schema. */
  readonly needsData: boolean;
  readonly isMutation: boolean;
}

const TEXT_TYPE = /^$|^text\/|json|[/+]xml|javascript|csv|urlencoded|ecmascript|yaml/i;
const XML_TYPE = /^(?!.*html).*[/+]xml/i;
const LARGEST_PROBLEM_BYTES = 1_000_000;

/** The value of a body. Bodies that cannot be there (204, 205, 304, HEAD) give null; empty ones too, unless `content` says what they are. */
export async function parseResponse(
  response: Response,
  request: RequestName,
  { content, needsData, isMutation }: ReadOptions,
): Promise<unknown> {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  const length = headers.get('content-length');
  // the reason is a word; support/messages.ts has the sentences
  const refuse = (reason: string, options?: ErrorOptions): never => {
    throw new ParseError(request, response, reason, options);
  };
  const read = <T>(body: Promise<T>): Promise<T> =>
    // the connection broke while the body came; an abort is told apart by run-request.ts
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
  if (!isJson && !TEXT_TYPE.test(type)) {
    if (!needsData) return read(response.blob());
    return isMutation ? null : refuse(type);
  }
  const text = await read(response.text());
  // some platforms decode a cut, compressed body to nothing instead of failing
  if (!text && Number(length) > 0) refuse('cut');
  if (!isJson && !needsData) return text || null;
  if (!text.trim()) return null;
  const isMarkup = /^\s*</.test(text);
  // JSON that was not marked as such is taken, pages of HTML are not
  if (isJson || /^\s*[[{"]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch (cause) {
      return refuse(isMarkup ? 'HTML' : 'malformed', { cause });
    }
  }
  // A page is a log-in form, a proxy's notice or a single-page application: it says nothing about what was asked. Any other
  // text in response to a mutation, such as "OK" or an XML receipt, is no data, but no failure either.
  if (isMutation && (!isMarkup || XML_TYPE.test(type))) return null;
  return refuse(isMarkup ? 'HTML' : 'text');
}

/** The JSON object that came with an error status. Never fails: a bad problem body is no problem body. */
export async function readProblem(response: Response): Promise<Problem | undefined> {
  const { headers } = response;
  const isSmall = Number(headers.get('content-length')) <= LARGEST_PROBLEM_BYTES;
  if (!isSmall || !/json/i.test(headers.get('content-type') ?? '')) return undefined;
  try {
    const value: unknown = await response.clone().json();
    return tagOf(value) === 'Object' ? (value as Problem) : undefined; // cast: tested
  } catch {
    return undefined;
  }
}
